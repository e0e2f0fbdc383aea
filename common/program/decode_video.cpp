#include <algorithm>
#include <array>
#include <utility>

#include "program/video.h"
#include "program/words.h"

namespace lanescope::program {
namespace {

using Secondary = VideoModifiers::Secondary;

// "b0" of "%r1.b0"; empty if there is none.
std::string_view selector_of(const ptx::Operand& operand) {
    if (operand.kind != ptx::Operand::Kind::name) return {};
    const size_t dot = operand.name.find('.');
    return dot == std::string_view::npos ? std::string_view() : operand.name.substr(dot + 1);
}

bool set_part(std::string_view selector, Part& part) {
    constexpr std::array<std::pair<std::string_view, Part>, 7> parts{{{"", Part::word},
                                                                      {"b0", Part::b0},
                                                                      {"b1", Part::b1},
                                                                      {"b2", Part::b2},
                                                                      {"b3", Part::b3},
                                                                      {"h0", Part::h0},
                                                                      {"h1", Part::h1}}};
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.first == selector; });
    if (found == parts.end()) return false;
    part = found->second;
    return true;
}

// The digits of "h32" or "b7654", which name elements from the highest position down. False: another letter or
// a digit of `limit` or more.
bool read_digits(std::string_view selector, char letter, int limit, std::string_view& digits) {
    if (selector.size() < 2 || selector[0] != letter) return false;
    digits = selector.substr(1);
    return std::all_of(digits.begin(), digits.end(), [&](char c) { return c >= '0' && c < '0' + limit; });
}

// Which elements of b:a a SIMD source reads; those of its own register if there is no selector.
bool set_elements(std::string_view selector, int elements, bool is_b, uint16_t& select) {
    if (selector.empty()) {
        for (int i = 0; i < elements; ++i) select |= static_cast<uint16_t>((is_b ? elements + i : i) << (4 * i));
        return true;
    }
    std::string_view digits;
    if (!read_digits(selector, elements == 2 ? 'h' : 'b', 2 * elements, digits)) return false;
    if (digits.size() != static_cast<size_t>(elements)) return false;
    for (const char digit : digits) select = static_cast<uint16_t>(select << 4 | (digit - '0'));
    return true;
}

// Which elements of d are written.
bool set_mask(std::string_view selector, int elements, uint8_t& mask) {
    if (selector.empty()) {
        mask = static_cast<uint8_t>((1 << elements) - 1);
        return true;
    }
    std::string_view digits;
    if (!read_digits(selector, elements == 2 ? 'h' : 'b', elements, digits)) return false;
    for (const char digit : digits) mask |= static_cast<uint8_t>(1 << (digit - '0'));
    return true;
}

bool set_secondary(std::string_view word, Secondary& secondary) {
    if (word == "add")
        secondary = Secondary::add;
    else if (word == "min")
        secondary = Secondary::min;
    else if (word == "max")
        secondary = Secondary::max;
    else
        return false;
    return true;
}

bool set_video_flag(std::string_view word, Operation& op, VideoModifiers& video) {
    if (word == "sat")
        op.flags |= flag::sat;
    else if (word == "clamp")
        op.flags |= flag::clamp;
    else if (word == "wrap")
        op.flags |= flag::wrap;
    else if (word == "po")
        video.plus_one = 1;
    else if (word == "shr7")
        video.scale_bits = 7;
    else if (word == "shr15")
        video.scale_bits = 15;
    else
        return false;
    return true;
}

bool compares(Opcode opcode) { return opcode == Opcode::vset || opcode == Opcode::vset2 || opcode == Opcode::vset4; }

bool set_comparison(std::string_view word, Compare& compare) {
    constexpr std::array<std::pair<std::string_view, Compare>, 6> words{{{"eq", Compare::eq},
                                                                         {"ne", Compare::ne},
                                                                         {"lt", Compare::lt},
                                                                         {"le", Compare::le},
                                                                         {"gt", Compare::gt},
                                                                         {"ge", Compare::ge}}};
    const auto found = std::find_if(words.begin(), words.end(), [&](const auto& w) { return w.first == word; });
    if (found == words.end()) return false;
    compare = found->second;
    return true;
}

// The selectors of d, a and b. Returns the one that is not understood.
std::string decode_selectors(const ptx::Instruction& instruction, Operation& op, VideoModifiers& video) {
    const std::string_view d = selector_of(instruction.operands[0]), a = selector_of(instruction.operands[1]),
                           b = selector_of(instruction.operands[2]);
    const int elements = video_elements(op.opcode);
    if (elements > 1) {
        if (!set_mask(d, elements, video.destination)) return std::string(d);
        if (!set_elements(a, elements, false, video.a_select)) return std::string(a);
        if (!set_elements(b, elements, true, video.b_select)) return std::string(b);
        if (video.secondary == Secondary::none) video.secondary = Secondary::merge;
        return {};
    }
    Part part{};
    if (!set_part(d, part)) return std::string(d);
    video.destination = static_cast<uint8_t>(part);
    if (part != Part::word) video.secondary = Secondary::merge;
    if (!set_part(a, part)) return std::string(a);
    video.a_select = static_cast<uint16_t>(part);
    if (!set_part(b, part)) return std::string(b);
    video.b_select = static_cast<uint16_t>(part);
    return {};
}

}  // namespace

bool is_video(Opcode opcode) { return opcode >= Opcode::vadd && opcode <= Opcode::vset4; }

int video_elements(Opcode opcode) {
    if (opcode >= Opcode::vadd4) return 4;
    return opcode >= Opcode::vadd2 ? 2 : 1;
}

std::string decode_video_words(const ptx::Instruction& instruction, Operation& op) {
    VideoModifiers video;
    Type types[3] = {};  // of d, a, b; vset has none for d
    int type_count = compares(op.opcode) ? 1 : 0;
    if (type_count == 1) types[0] = Type::u32;
    for (const std::string_view word : instruction.modifiers) {
        if (const Type type = type_word(word); type == Type::u32 || type == Type::s32) {
            if (type_count == 3) return std::string(word);
            types[type_count++] = type;
            continue;
        }
        if (compares(op.opcode) && op.compare == Compare::none && set_comparison(word, op.compare)) continue;
        if (set_secondary(word, video.secondary) || set_video_flag(word, op, video)) continue;
        return std::string(word);
    }
    op.type = types[0];
    op.type2 = types[1];
    video.b_type = types[2];
    if (instruction.operands.size() >= 3) {
        if (std::string selector = decode_selectors(instruction, op, video); !selector.empty()) return selector;
    }
    op.immediate = std::bit_cast<int64_t>(video);
    return {};
}

ptx::Operand without_selector(const ptx::Operand& operand) {
    ptx::Operand plain = operand;
    if (plain.kind == ptx::Operand::Kind::name) plain.name = plain.name.substr(0, plain.name.find('.'));
    return plain;
}

}  // namespace lanescope::program
