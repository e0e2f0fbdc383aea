#include "program/words.h"

#include <bit>
#include <charconv>
#include <span>
#include <unordered_map>

#include "program/video.h"

namespace lanescope::program {
namespace {

using WordTable = std::unordered_map<std::string_view, uint64_t>;

// Words that set one flag and mean the same with every opcode.
const WordTable& flag_words() {
    static const WordTable table = {
        {"ftz", flag::ftz}, {"sat", flag::sat}, {"satfinite", flag::satfinite}, {"relu", flag::relu},
        {"approx", flag::approx}, {"full", flag::full}, {"wide", flag::wide}, {"cc", flag::cc},
        {"NaN", flag::nan}, {"xorsign", flag::xorsign}, {"abs", flag::abs}, {"shiftamt", flag::shiftamt},
        {"l", flag::left}, {"r", flag::right}, {"wrap", flag::wrap}, {"clamp", flag::clamp},
        {"f4e", flag::f4e}, {"b4e", flag::b4e}, {"rc8", flag::rc8}, {"ecl", flag::ecl}, {"ecr", flag::ecr},
        {"rc16", flag::rc16}, {"uni", flag::uni}, {"sync", flag::sync}, {"aligned", flag::aligned},
        {"finite", flag::finite}, {"infinite", flag::infinite}, {"number", flag::number},
        {"notanumber", flag::notanumber}, {"normal", flag::normal}, {"subnormal", flag::subnormal},
        {"to", flag::to}, {"nc", flag::nc}, {"noftz", flag::noftz}, {"oob", flag::oob}, {"all", flag::all},
        {"any", flag::any}, {"ballot", flag::ballot}, {"up", flag::up}, {"down", flag::down}, {"bfly", flag::bfly},
        {"idx", flag::idx}, {"arrive", flag::arrive}, {"red", flag::red}, {"unified", flag::unified},
        {"warp", flag::warp},
    };
    return table;
}

template <class E>
bool set_from(const std::unordered_map<std::string_view, E>& table, std::string_view word, E& field) {
    const auto found = table.find(word);
    if (found == table.end()) return false;
    field = found->second;
    return true;
}

bool set_rounding(std::string_view word, Rounding& field) {
    static const std::unordered_map<std::string_view, Rounding> table = {
        {"rn", Rounding::rn}, {"rz", Rounding::rz}, {"rm", Rounding::rm}, {"rp", Rounding::rp},
        {"rna", Rounding::rna}, {"rs", Rounding::rs}, {"rni", Rounding::rni}, {"rzi", Rounding::rzi},
        {"rmi", Rounding::rmi}, {"rpi", Rounding::rpi}};
    return set_from(table, word, field);
}

bool set_compare(std::string_view word, Compare& field) {
    static const std::unordered_map<std::string_view, Compare> table = {
        {"eq", Compare::eq}, {"ne", Compare::ne}, {"lt", Compare::lt}, {"le", Compare::le}, {"gt", Compare::gt},
        {"ge", Compare::ge}, {"lo", Compare::lt}, {"ls", Compare::le}, {"hi", Compare::gt}, {"hs", Compare::ge},
        {"equ", Compare::equ}, {"neu", Compare::neu}, {"ltu", Compare::ltu}, {"leu", Compare::leu},
        {"gtu", Compare::gtu}, {"geu", Compare::geu}, {"num", Compare::num}, {"nan", Compare::nan}};
    return set_from(table, word, field);
}

bool set_boolean(std::string_view word, Boolean& field) {
    static const std::unordered_map<std::string_view, Boolean> table = {
        {"and", Boolean::and_}, {"or", Boolean::or_}, {"xor", Boolean::xor_}};
    return set_from(table, word, field);
}

bool set_atomic(std::string_view word, Atomic& field) {
    static const std::unordered_map<std::string_view, Atomic> table = {
        {"and", Atomic::and_}, {"or", Atomic::or_}, {"xor", Atomic::xor_}, {"cas", Atomic::cas},
        {"exch", Atomic::exch}, {"add", Atomic::add}, {"inc", Atomic::inc}, {"dec", Atomic::dec},
        {"min", Atomic::min}, {"max", Atomic::max}};
    return set_from(table, word, field);
}

bool set_space(std::string_view word, Space& field) {
    static const std::unordered_map<std::string_view, Space> table = {
        {"global", Space::global}, {"const", Space::constant}, {"shared", Space::shared},
        {"shared::cta", Space::shared}, {"shared::cluster", Space::shared},   // a cluster is one block here
        {"local", Space::local}, {"param", Space::param},
        {"param::entry", Space::param}, {"param::func", Space::param}};
    return set_from(table, word, field);
}

bool set_mbarrier(std::string_view word, Mbarrier& field) {
    static const std::unordered_map<std::string_view, Mbarrier> table = {
        {"init", Mbarrier::init}, {"inval", Mbarrier::inval}, {"arrive", Mbarrier::arrive},
        {"arrive_drop", Mbarrier::arrive_drop}, {"test_wait", Mbarrier::test_wait}, {"try_wait", Mbarrier::test_wait},
        {"pending_count", Mbarrier::pending_count}, {"expect_tx", Mbarrier::expect_tx}, {"complete_tx", Mbarrier::complete_tx}};
    return set_from(table, word, field);
}

bool set_cache(std::string_view word, Cache& field) {
    static const std::unordered_map<std::string_view, Cache> table = {
        {"ca", Cache::ca}, {"cg", Cache::cg}, {"cs", Cache::cs}, {"lu", Cache::lu},
        {"cv", Cache::cv}, {"wb", Cache::wb}, {"wt", Cache::wt}};
    return set_from(table, word, field);
}

bool set_order(std::string_view word, Order& field) {
    static const std::unordered_map<std::string_view, Order> table = {
        {"weak", Order::weak}, {"relaxed", Order::relaxed}, {"acquire", Order::acquire},
        {"release", Order::release}, {"acq_rel", Order::acq_rel}, {"sc", Order::sc},
        {"volatile", Order::volatile_}, {"mmio", Order::mmio}};
    return set_from(table, word, field);
}

bool set_scope(std::string_view word, Scope& field) {
    static const std::unordered_map<std::string_view, Scope> table = {
        {"cta", Scope::cta}, {"cluster", Scope::cluster}, {"gpu", Scope::gpu}, {"gl", Scope::gpu}, {"sys", Scope::sys}};
    return set_from(table, word, field);
}

// Hints that change speed, never results.
bool is_hint(std::string_view word) {
    return word.starts_with("L1::") || word.starts_with("L2::") || word == "L1" || word == "L2" || word == "noComplete";
}

const std::unordered_map<std::string_view, Opcode>& opcode_words() {
    static const auto table = [] {
        std::unordered_map<std::string_view, Opcode> result;
#define OPCODE(name, family) result.emplace(name_of(Opcode::name), Opcode::name);
#include "program/opcodes.def"
#undef OPCODE
        for (const Opcode internal : {Opcode::read_special, Opcode::pack, Opcode::unpack, Opcode::cp_async, Opcode::cp_async_bulk,
                                      Opcode::reconverge, Opcode::unsupported})
            result.erase(name_of(internal));
        result.emplace("barrier", Opcode::bar);
        return result;
    }();
    return table;
}

// Words whose meaning depends on the opcode. False: not such a word.
bool set_by_opcode(std::string_view word, Operation& op) {
    switch (op.opcode) {
        case Opcode::setp:
        case Opcode::set:
            if (op.compare == Compare::none) return set_compare(word, op.compare);
            return set_boolean(word, op.boolean);
        case Opcode::atom:
        case Opcode::red:
        case Opcode::redux:
            return set_atomic(word, op.atomic) || set_order(word, op.order) || set_scope(word, op.scope);
        case Opcode::bar:
            if (word == "popc") return op.flags |= flag::popc, true;
            if (word == "cta") return true;   // barrier.cta.sync is barrier.sync
            return set_boolean(word, op.boolean);
        case Opcode::lop3:
            return set_boolean(word, op.boolean);
        case Opcode::cvt:
            if (word == "pack") return op.flags |= flag::pack, true;
            return word == "b32" && op.has(flag::pack);   // the third source's type, always this
        case Opcode::ld:
        case Opcode::ldu:
        case Opcode::st:
        case Opcode::cp_async:
            return set_cache(word, op.cache) || set_order(word, op.order) || set_scope(word, op.scope);
        case Opcode::cp_async_bulk:
            if (word == "commit_group" || word == "wait_group" || word == "prefetch") return op.flags |= flag::sync, true;   // nothing is copied
            return word == "mbarrier::complete_tx::bytes" || word == "bulk_group" || (word == "read" && op.has(flag::sync));
        case Opcode::mbarrier:
            if (word == "parity") return op.flags |= flag::parity, true;
            if (word == "noinc") return op.flags |= flag::noinc, true;
            if (word == "expect_tx" && op.mbarrier == Mbarrier::arrive) return op.mbarrier = Mbarrier::arrive_expect_tx, true;
            return (op.mbarrier == Mbarrier::none && set_mbarrier(word, op.mbarrier)) || set_order(word, op.order) ||
                   set_scope(word, op.scope);
        case Opcode::fence:
        case Opcode::membar:
            // Proxies and alias fences order nothing here: the simulated memory is always consistent.
            return set_order(word, op.order) || set_scope(word, op.scope) || word.starts_with("proxy") ||
                   word.starts_with("alias") || word.starts_with("async") || word == "mbarrier_init" ||
                   word.starts_with("sync_restrict");
        case Opcode::griddepcontrol:   // kernels run one after another: what a kernel waits for is done
            return word == "wait" || word == "launch_dependents";
        case Opcode::createpolicy:
            return word == "fractional" || word == "range" || word == "cvt";
        case Opcode::setmaxnreg:
            return word == "inc" || word == "dec";
        case Opcode::pmevent:
            return word == "mask";
        case Opcode::mul:
        case Opcode::mad:
        case Opcode::mul24:
        case Opcode::mad24:
        case Opcode::madc:
        case Opcode::dp2a:
            if (word == "hi") return op.flags |= flag::hi, true;
            if (word == "lo") return op.flags |= flag::lo, true;
            return false;
        default:
            return false;
    }
}

}  // namespace

Type type_word(std::string_view word) {
    static const auto table = [] {
        std::unordered_map<std::string_view, Type> result;
        for (int t = static_cast<int>(Type::pred); t <= static_cast<int>(Type::e5m2x2); ++t)
            result.emplace(name_of(static_cast<Type>(t)), static_cast<Type>(t));
        return result;
    }();
    const auto found = table.find(word);
    return found == table.end() ? Type::none : found->second;
}

std::optional<Special> special_word(std::string_view name, int* number) {
    static const std::unordered_map<std::string_view, Special> table = {
        {"%tid.x", Special::tid_x}, {"%tid.y", Special::tid_y}, {"%tid.z", Special::tid_z},
        {"%ntid.x", Special::ntid_x}, {"%ntid.y", Special::ntid_y}, {"%ntid.z", Special::ntid_z},
        {"%ctaid.x", Special::ctaid_x}, {"%ctaid.y", Special::ctaid_y}, {"%ctaid.z", Special::ctaid_z},
        {"%nctaid.x", Special::nctaid_x}, {"%nctaid.y", Special::nctaid_y}, {"%nctaid.z", Special::nctaid_z},
        {"%laneid", Special::laneid}, {"%warpid", Special::warpid}, {"%nwarpid", Special::nwarpid},
        {"%smid", Special::smid}, {"%nsmid", Special::nsmid}, {"%gridid", Special::gridid},
        {"%lanemask_eq", Special::lanemask_eq}, {"%lanemask_le", Special::lanemask_le},
        {"%lanemask_lt", Special::lanemask_lt}, {"%lanemask_ge", Special::lanemask_ge},
        {"%lanemask_gt", Special::lanemask_gt}, {"%clock", Special::clock}, {"%clock_hi", Special::clock_hi},
        {"%clock64", Special::clock64}, {"%globaltimer", Special::globaltimer},
        {"%globaltimer_lo", Special::globaltimer_lo}, {"%globaltimer_hi", Special::globaltimer_hi},
        {"%total_smem_size", Special::total_smem_size}, {"%dynamic_smem_size", Special::dynamic_smem_size},
        {"%aggr_smem_size", Special::aggr_smem_size}, {"%clusterid.x", Special::clusterid_x},
        {"%clusterid.y", Special::clusterid_y}, {"%clusterid.z", Special::clusterid_z},
        {"%nclusterid.x", Special::nclusterid_x}, {"%nclusterid.y", Special::nclusterid_y},
        {"%nclusterid.z", Special::nclusterid_z}, {"%cluster_ctaid.x", Special::cluster_ctaid_x},
        {"%cluster_ctaid.y", Special::cluster_ctaid_y}, {"%cluster_ctaid.z", Special::cluster_ctaid_z},
        {"%cluster_nctaid.x", Special::cluster_nctaid_x}, {"%cluster_nctaid.y", Special::cluster_nctaid_y},
        {"%cluster_nctaid.z", Special::cluster_nctaid_z}, {"%cluster_ctarank", Special::cluster_ctarank},
        {"%cluster_nctarank", Special::cluster_nctarank}, {"%is_explicit_cluster", Special::is_explicit_cluster},
        {"%current_graph_exec", Special::current_graph_exec}};
    if (const auto found = table.find(name); found != table.end()) return found->second;
    auto numbered = [&](std::string_view prefix) {
        if (!name.starts_with(prefix)) return false;
        const std::string_view digits = name.substr(prefix.size());
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *number);
        return error == std::errc() && end == digits.data() + digits.size();
    };
    if (numbered("%envreg")) return Special::envreg;
    if (numbered("%pm")) return Special::pm;
    // Where the shared memory that is reserved for system software starts and ends, and two places in it.
    static const std::unordered_map<std::string_view, int> reserved = {{"begin", 0}, {"0", 0}, {"1", 512}, {"end", 1024}, {"cap", 1024}};
    if (constexpr std::string_view prefix = "%reserved_smem_offset_"; name.starts_with(prefix))
        if (const auto place = reserved.find(name.substr(prefix.size())); place != reserved.end())
            return *number = place->second, Special::reserved_smem;
    return std::nullopt;
}

Type type_of(Special special) {
    switch (special) {
        case Special::clock64:
        case Special::globaltimer:
        case Special::gridid:
        case Special::current_graph_exec:
        case Special::frame_local:
            return Type::u64;
        default:
            return Type::u32;
    }
}

uint64_t literal_bits(const ptx::Immediate& literal, Type type) {
    using Kind = ptx::Immediate::Kind;
    if (type == Type::pred) return literal.bits != 0 ? ~0ull : 0;
    if (literal.kind == Kind::f64 && (type == Type::f32 || bits_of(type) == 32))
        return std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(literal.bits)));
    if (literal.kind == Kind::f32 && type == Type::f64)
        return std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(literal.bits))));
    if (literal.kind == Kind::f32 || literal.kind == Kind::f64) return literal.bits;
    // Integers: the low bits, in the form in which lanes keep narrow types.
    switch (bits_of(type)) {
        case 8: return is_signed(type) ? static_cast<uint32_t>(static_cast<int8_t>(literal.bits)) : static_cast<uint8_t>(literal.bits);
        case 16: return is_signed(type) ? static_cast<uint32_t>(static_cast<int16_t>(literal.bits)) : static_cast<uint16_t>(literal.bits);
        case 32: return static_cast<uint32_t>(literal.bits);
        default: return literal.bits;
    }
}

std::string decode_words(const ptx::Instruction& instruction, Operation& op) {
    const auto& words = instruction.modifiers;
    auto first_word = words.begin();
    if (instruction.opcode == "cp" && words.size() > 2 && words[0] == "async" && words[1] == "mbarrier" && words[2] == "arrive") {
        op.opcode = Opcode::mbarrier;
        op.mbarrier = Mbarrier::arrive_when_copied;
        first_word += 3;
    } else if (instruction.opcode == "cp" && words.size() > 1 && words[0] == "async" && words[1] == "bulk") {
        op.opcode = Opcode::cp_async_bulk;
        first_word += 2;
    } else if (instruction.opcode == "cp" && !words.empty() && words[0] == "async" &&
               !(words.size() > 1 && (words[1] == "reduce" || words[1] == "mbarrier"))) {
        op.opcode = Opcode::cp_async;
        ++first_word;
    } else {
        const auto opcode = opcode_words().find(instruction.opcode);
        if (opcode == opcode_words().end()) return std::string(instruction.opcode);
        op.opcode = opcode->second;
    }
    if (is_video(op.opcode)) return decode_video_words(instruction, op);
    bool space_seen = false;
    for (const std::string_view word : std::span(first_word, words.end())) {
        if (set_by_opcode(word, op)) continue;
        if (const Type type = type_word(word); type != Type::none) {
            if (op.type == Type::none) op.type = type;
            else if (op.type2 == Type::none) op.type2 = type;
            else return std::string(word);
            continue;
        }
        if (const auto found = flag_words().find(word); found != flag_words().end()) {
            op.flags |= found->second;
            continue;
        }
        if (Space space; set_space(word, space)) {
            (space_seen ? op.space2 : op.space) = space;
            space_seen = true;
            continue;
        }
        if (set_rounding(word, op.rounding)) continue;
        if (word == "v2" || word == "v4" || word == "v8") {
            op.vector_width = static_cast<uint8_t>(word[1] - '0');
            continue;
        }
        if (is_hint(word)) continue;
        if (op.opcode == Opcode::cp_async) {
            if (word == "commit_group" || word == "wait_all" || word == "wait_group") {
                op.flags |= flag::sync;   // nothing is copied: the copies before it are done already
                continue;
            }
        }
        return std::string(word);
    }
    return {};
}

}  // namespace lanescope::program
