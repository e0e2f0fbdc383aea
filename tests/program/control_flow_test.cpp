// Small graphs, drawn by hand: where lanes that part meet again.
#include "program/control_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "program/parse.h"

namespace lanescope::program {
namespace {

using testing::ElementsAre;

// ---- Post-dominators of graphs given as lists of successors; a block without any leaves ----

std::vector<Block> graph(const std::vector<std::vector<uint32_t>>& successors) {
    std::vector<Block> blocks;
    for (uint32_t b = 0; b < successors.size(); ++b)
        blocks.push_back({.first = b, .last = b, .successors = successors[b], .leaves = successors[b].empty()});
    return blocks;
}
constexpr uint32_t none = no_reconvergence;

TEST(PostDominators, IfElse) {
    //   0 -> 1, 2;  1, 2 -> 3
    EXPECT_THAT(immediate_post_dominators(graph({{1, 2}, {3}, {3}, {}})), ElementsAre(3, 3, 3, none));
}
TEST(PostDominators, IfWithoutElse) {
    EXPECT_THAT(immediate_post_dominators(graph({{1, 2}, {2}, {}})), ElementsAre(2, 2, none));
}
TEST(PostDominators, NestedIf) {
    // 0 -> 1, 5;  1 -> 2, 3;  2, 3 -> 4;  4 -> 6;  5 -> 6
    EXPECT_THAT(immediate_post_dominators(graph({{1, 5}, {2, 3}, {4}, {4}, {6}, {6}, {}})),
                ElementsAre(6, 4, 4, 4, 6, 6, none));
}
TEST(PostDominators, Loop) {
    // 1 is the body and goes back to itself or on to 2
    EXPECT_THAT(immediate_post_dominators(graph({{1}, {1, 2}, {}})), ElementsAre(1, 2, none));
}
TEST(PostDominators, LoopWithBreak) {
    // 1: head, leaves to 4 or goes to 2; 2: breaks to 4 or goes to 3; 3 -> 1
    EXPECT_THAT(immediate_post_dominators(graph({{1}, {2, 4}, {3, 4}, {1}, {}})), ElementsAre(1, 4, 4, 1, none));
}
TEST(PostDominators, EarlyReturn) {
    // 0 -> 1, 2; 1 leaves; 2 leaves: the lanes of 0 do not meet
    EXPECT_THAT(immediate_post_dominators(graph({{1, 2}, {}, {}})), ElementsAre(none, none, none));
}
TEST(PostDominators, Switch) {
    // Three cases; case 1 falls through to case 2
    EXPECT_THAT(immediate_post_dominators(graph({{1, 2, 3}, {2}, {4}, {4}, {}})), ElementsAre(4, 2, 4, 4, none));
}
TEST(PostDominators, EndlessLoops) {
    // 1 never leaves: lanes of 0 that go there are not waited for, those that go to 2 are on their way out
    EXPECT_THAT(immediate_post_dominators(graph({{1, 2}, {1}, {}})), ElementsAre(2, none, none));
    // nothing leaves at all
    EXPECT_THAT(immediate_post_dominators(graph({{1, 2}, {0}, {2}})), ElementsAre(none, none, none));
}

// By definition: d post-dominates b if every path from b to the end passes d. Without d, then, the end is
// out of reach. The immediate one is the one that all others post-dominate. On random graphs.
bool reaches_end(const std::vector<Block>& blocks, uint32_t from, uint32_t without) {
    std::vector<uint32_t> work{from};
    std::set<uint32_t> seen{from};
    if (from == without) return false;
    while (!work.empty()) {
        const uint32_t b = work.back();
        work.pop_back();
        if (blocks[b].leaves) return true;
        for (const uint32_t s : blocks[b].successors)
            if (s != without && seen.insert(s).second) work.push_back(s);
    }
    return false;
}
TEST(PostDominators, AgreeWithTheDefinition) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 500; ++trial) {
        const uint32_t count = 2 + random() % 10;
        std::vector<std::vector<uint32_t>> successors(count);
        for (uint32_t b = 0; b < count; ++b) {
            std::set<uint32_t> to;
            for (uint32_t k = random() % 3; k > 0; --k) to.insert(random() % count);
            successors[b].assign(to.begin(), to.end());
        }
        const auto blocks = graph(successors);
        const auto dominators = immediate_post_dominators(blocks);
        for (uint32_t b = 0; b < count; ++b) {
            std::vector<uint32_t> all;
            if (reaches_end(blocks, b, none))
                for (uint32_t d = 0; d < count; ++d)
                    if (d != b && !reaches_end(blocks, b, d)) all.push_back(d);
            uint32_t immediate = none;
            for (const uint32_t d : all) {
                // d is immediate if every other one still lies on each way from d on.
                bool first = true;
                for (const uint32_t other : all) first &= other == d || !reaches_end(blocks, d, other);
                if (first) immediate = d;
            }
            ASSERT_EQ(dominators[b], immediate) << "trial " << trial << ", block " << b;
        }
    }
}

// ---- Drafts ----

Operation plain() {
    Operation op;
    op.opcode = Opcode::add;
    return op;
}
Operation bra(uint32_t target, Guarded guard = Guarded::if_true) {
    Operation op;
    op.opcode = Opcode::bra;
    op.target = target;
    op.guard = guard;
    return op;
}
Operation leave(Opcode opcode = Opcode::ret, Guarded guard = Guarded::no) {
    Operation op;
    op.opcode = opcode;
    op.guard = guard;
    return op;
}
Operation brx(uint32_t table) {
    Operation op;
    op.opcode = Opcode::brx;
    op.target = table;
    return op;
}
Draft draft(std::vector<Operation> operations) {
    Draft d;
    d.operations = std::move(operations);
    return d;
}
using Tables = std::vector<std::vector<uint32_t>>;

// The blocks as [first, last] -> successors.
std::string text(const std::vector<Block>& blocks) {
    std::string result;
    for (const Block& block : blocks) {
        result += std::to_string(block.first) + "-" + std::to_string(block.last) + " ->";
        for (const uint32_t s : block.successors) result += " " + std::to_string(s);
        if (block.leaves) result += " end";
        result += "; ";
    }
    return result;
}

TEST(Blocks, OfALoop) {
    // 0 add; 1 add; 2 @p bra 1; 3 ret
    EXPECT_EQ(text(split_into_blocks(draft({plain(), plain(), bra(1), leave()}), {})),
              "0-0 -> 1; 1-2 -> 1 2; 3-3 -> end; ");
}
TEST(Blocks, GuardedRetGoesOn) {
    EXPECT_EQ(text(split_into_blocks(draft({leave(Opcode::ret, Guarded::if_true), plain(), leave()}), {})),
              "0-0 -> 1; 1-2 -> end; ");
}
TEST(Blocks, Tables) {
    // 0 brx {1, 2, 2}; 1 bra 3; 2 add; 3 exit
    EXPECT_EQ(text(split_into_blocks(draft({brx(0), bra(3, Guarded::no), plain(), leave(Opcode::exit)}), {{1, 2, 2}})),
              "0-0 -> 1 2; 1-1 -> 3; 2-2 -> 3; 3-3 -> end; ");
}

// @p bra 3; add; bra 4; 3: add; 4: add; ret. A reconverge operation appears before 4, as number 4.
TEST(PlaceReconvergence, IfElse) {
    Draft d = draft({bra(3), plain(), bra(4, Guarded::no), plain(), plain(), leave()});
    Tables tables;
    place_reconvergence(d, tables);
    ASSERT_EQ(d.operations.size(), 7u);
    EXPECT_EQ(d.operations[4].opcode, Opcode::reconverge);
    EXPECT_EQ(d.operations[4].weight, 0u);
    EXPECT_EQ(d.operations[0].target, 3u);
    EXPECT_EQ(d.operations[0].reconverge, 4u);
    EXPECT_EQ(d.operations[2].target, 4u) << "a jump to the meeting point enters through it";
    EXPECT_EQ(d.operations[2].reconverge, no_reconvergence) << "lanes cannot part at an unconditional branch";
}

// 0 add; 1 @p bra 0; 2 ret: the lanes of a loop meet behind it.
TEST(PlaceReconvergence, Loop) {
    Draft d = draft({plain(), bra(0), plain(), leave()});
    Tables tables;
    place_reconvergence(d, tables);
    EXPECT_EQ(d.operations[2].opcode, Opcode::reconverge);
    EXPECT_EQ(d.operations[1].reconverge, 2u);
    EXPECT_EQ(d.operations[1].target, 0u);
}

// `if (i >= n) return;`: nvcc branches to the last ret. Lanes that leave are not waited for, so the branch
// becomes a guarded ret, and the inner if still meets behind itself.
TEST(PlaceReconvergence, EarlyReturn) {
    // 0 @p bra 4; 1 @p bra 3; 2 add; 3 add; 4 ret
    Draft d = draft({bra(4), bra(3), plain(), plain(), leave()});
    Tables tables;
    place_reconvergence(d, tables);
    EXPECT_EQ(d.operations[0].opcode, Opcode::ret);
    EXPECT_EQ(d.operations[0].guard, Guarded::if_true);
    EXPECT_EQ(d.operations[1].reconverge, 3u);
    EXPECT_EQ(d.operations[3].opcode, Opcode::reconverge);
    // A branch to a guarded ret stays a branch: its lanes may go on behind it.
    Draft guarded = draft({bra(1), leave(Opcode::ret, Guarded::if_false), leave()});
    place_reconvergence(guarded, tables);
    EXPECT_EQ(guarded.operations[0].opcode, Opcode::bra);
}

// 0 brx {3, 1, 3}; 1 add; 2 bra 4; 3 add; 4 ret
TEST(PlaceReconvergence, Switch) {
    Draft d = draft({brx(0), plain(), bra(5, Guarded::no), plain(), plain(), plain(), leave()});
    Tables tables{{3, 1, 3}};
    place_reconvergence(d, tables);
    EXPECT_EQ(d.operations[5].opcode, Opcode::reconverge);
    EXPECT_EQ(d.operations[0].reconverge, 5u);
    EXPECT_THAT(tables[0], ElementsAre(3, 1, 3));
    EXPECT_EQ(d.operations[2].target, 5u);
}

// Two switches over one table: the table moves once.
TEST(PlaceReconvergence, SharedTable) {
    // 0 @p bra 2; 1 add; 2 @q brx {4, 5}; 3 brx {4, 5}; 4 add; 5 ret. Lanes of the first branch meet at 2. Lanes
    // of either brx meet at 5 (case 4 falls through to it). So reconverge operations appear before 2 and 5.
    Draft d = draft({bra(2), plain(), brx(0), brx(0), plain(), leave(Opcode::trap)});
    d.operations[2].guard = Guarded::if_true;
    Tables tables{{4, 5}};
    place_reconvergence(d, tables);
    ASSERT_EQ(d.operations.size(), 8u);
    EXPECT_EQ(d.operations[2].opcode, Opcode::reconverge);
    EXPECT_EQ(d.operations[6].opcode, Opcode::reconverge);
    EXPECT_THAT(tables[0], ElementsAre(5, 6));
    EXPECT_EQ(d.operations[3].reconverge, 6u);
    EXPECT_EQ(d.operations[4].reconverge, 6u);
}

}  // namespace
}  // namespace lanescope::program
