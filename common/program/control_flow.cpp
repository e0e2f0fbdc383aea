#include "program/control_flow.h"

#include <algorithm>
#include <set>

namespace lanescope::program {
namespace {

bool is_leave(const Operation& op) {
    return op.opcode == Opcode::ret || op.opcode == Opcode::exit || op.opcode == Opcode::trap;
}
bool is_branch(const Operation& op) { return op.opcode == Opcode::bra || op.opcode == Opcode::brx; }

}  // namespace

std::vector<Block> split_into_blocks(const Draft& draft, const std::vector<std::vector<uint32_t>>& branch_tables) {
    const auto& ops = draft.operations;
    std::vector<bool> leader(ops.size() + 1, false);
    leader[0] = true;
    for (size_t i = 0; i < ops.size(); ++i) {
        if (ops[i].opcode == Opcode::bra) leader[ops[i].target] = true;
        if (ops[i].opcode == Opcode::brx)
            for (const uint32_t target : branch_tables[ops[i].target]) leader[target] = true;
        if (is_branch(ops[i]) || is_leave(ops[i])) leader[i + 1] = true;
    }
    std::vector<Block> blocks;
    std::vector<uint32_t> block_at(ops.size(), 0);
    for (uint32_t i = 0; i < ops.size(); ++i) {
        if (leader[i]) blocks.push_back({.first = i, .last = i, .successors = {}});
        blocks.back().last = i;
        block_at[i] = static_cast<uint32_t>(blocks.size() - 1);
    }
    for (Block& block : blocks) {
        const Operation& op = ops[block.last];
        std::set<uint32_t> successors;
        if (op.opcode == Opcode::bra) successors.insert(block_at[op.target]);
        if (op.opcode == Opcode::brx)
            for (const uint32_t target : branch_tables[op.target]) successors.insert(block_at[target]);
        const bool falls_through = !(is_branch(op) || is_leave(op)) || op.guard != Guarded::no;
        // A guarded ret counts as straight-line code: the lanes that stay do not diverge.
        if (falls_through && block.last + 1 < ops.size()) successors.insert(block_at[block.last + 1]);
        block.leaves = successors.empty();
        block.successors.assign(successors.begin(), successors.end());
    }
    return blocks;
}

// Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm", on the reversed graph.
std::vector<uint32_t> immediate_post_dominators(const std::vector<Block>& blocks) {
    const auto count = static_cast<uint32_t>(blocks.size());
    const uint32_t exit = count;   // a virtual block after every one that leaves
    std::vector<std::vector<uint32_t>> predecessors(count + 1);
    for (uint32_t b = 0; b < count; ++b) {
        for (const uint32_t s : blocks[b].successors) predecessors[s].push_back(b);
        if (blocks[b].leaves) predecessors[exit].push_back(b);
    }
    // Reverse postorder of the reversed graph, from the exit. Blocks that never reach it stay unnumbered.
    std::vector<uint32_t> order;
    std::vector<int> number(count + 1, -1);
    std::vector<std::pair<uint32_t, size_t>> stack{{exit, 0}};
    std::vector<bool> seen(count + 1, false);
    seen[exit] = true;
    while (!stack.empty()) {
        auto& [block, next] = stack.back();
        if (next < predecessors[block].size()) {
            const uint32_t p = predecessors[block][next++];
            if (!seen[p]) seen[p] = true, stack.push_back({p, 0});
        } else {
            order.push_back(block);
            stack.pop_back();
        }
    }
    std::reverse(order.begin(), order.end());
    for (size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<int>(i);

    std::vector<uint32_t> dominator(count + 1, no_reconvergence);
    dominator[exit] = exit;
    auto intersect = [&](uint32_t a, uint32_t b) {
        while (a != b) {
            while (number[a] > number[b]) a = dominator[a];
            while (number[b] > number[a]) b = dominator[b];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (const uint32_t block : order) {
            if (block == exit) continue;
            uint32_t best = no_reconvergence;
            auto consider = [&](uint32_t s) {
                if (number[s] < 0 || dominator[s] == no_reconvergence) return;
                best = best == no_reconvergence ? s : intersect(best, s);
            };
            for (const uint32_t s : blocks[block].successors) consider(s);
            if (blocks[block].leaves) consider(exit);
            if (best != dominator[block]) dominator[block] = best, changed = true;
        }
    }
    dominator.resize(count);
    for (uint32_t& d : dominator)
        if (d == exit) d = no_reconvergence;
    return dominator;
}

void retarget(Draft& draft, std::vector<std::vector<uint32_t>>& branch_tables, const std::vector<uint32_t>& new_index) {
    std::set<uint32_t> tables;   // two brx may share a table
    for (Operation& op : draft.operations) {
        if (op.opcode == Opcode::bra) op.target = new_index[op.target];
        if (op.opcode == Opcode::brx) tables.insert(op.target);
        if (is_branch(op) && op.reconverge != no_reconvergence) op.reconverge = new_index[op.reconverge];
    }
    for (const uint32_t table : tables)
        for (uint32_t& target : branch_tables[table]) target = new_index[target];
}

void place_reconvergence(Draft& draft, std::vector<std::vector<uint32_t>>& branch_tables) {
    for (Operation& op : draft.operations) {
        if (op.opcode != Opcode::bra) continue;
        const Operation& target = draft.operations[op.target];
        if (is_leave(target) && target.opcode != Opcode::trap && target.guard == Guarded::no) op.opcode = target.opcode;
    }
    const std::vector<Block> blocks = split_into_blocks(draft, branch_tables);
    const std::vector<uint32_t> dominators = immediate_post_dominators(blocks);
    std::set<uint32_t> meeting_points;   // operations before which to insert
    for (size_t b = 0; b < blocks.size(); ++b) {
        Operation& op = draft.operations[blocks[b].last];
        const bool can_diverge = op.opcode == Opcode::brx || (op.opcode == Opcode::bra && op.guard != Guarded::no);
        if (!can_diverge || dominators[b] == no_reconvergence) continue;
        op.reconverge = blocks[dominators[b]].first;
        meeting_points.insert(op.reconverge);
    }
    if (meeting_points.empty()) return;
    std::vector<Operation> operations;
    std::vector<uint32_t> new_index(draft.operations.size());
    for (uint32_t i = 0; i < draft.operations.size(); ++i) {
        new_index[i] = static_cast<uint32_t>(operations.size());   // branches go to the reconverge operation
        if (meeting_points.contains(i)) {
            Operation meet;
            meet.opcode = Opcode::reconverge;
            meet.flags = flag::internal;
            meet.weight = 0;
            meet.ptx_line = draft.operations[i].ptx_line;
            meet.source_file = draft.operations[i].source_file;
            meet.source_line = draft.operations[i].source_line;
            operations.push_back(meet);
        }
        operations.push_back(draft.operations[i]);
    }
    draft.operations = std::move(operations);
    retarget(draft, branch_tables, new_index);
}

}  // namespace lanescope::program
