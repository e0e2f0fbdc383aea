/// \file
/// Names inside a function body: registers, variables and labels, in nested scopes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "program/draft.h"
#include "ptx/syntax.h"

namespace lanescope::program {

struct Symbol {
    enum class Kind : uint8_t { reg, frame_variable, kernel_parameter, local, shared };
    Kind kind = Kind::reg;
    uint32_t reg = 0;                             ///< reg: virtual register number
    FrameVariable frame;                          ///< frame_variable
    uint64_t offset = 0;                          ///< kernel_parameter, local: byte offset
    const ptx::Variable* shared = nullptr;        ///< shared
};

class Scopes {
public:
    void enter() { scopes_.emplace_back(); }
    void leave() { scopes_.pop_back(); }
    bool only_one() const { return scopes_.size() == 1; }

    void declare(std::string_view name, const Symbol& symbol) { scopes_.back().names[name] = symbol; }
    /// `%r<11>`: `%r0` … `%r10` are the registers first, first + 1, ...
    void declare_range(std::string_view prefix, uint32_t first, uint32_t count) {
        scopes_.back().ranges.push_back({prefix, first, count});
    }
    /// From the innermost scope outwards.
    std::optional<Symbol> find(std::string_view name) const;

private:
    struct Range { std::string_view prefix; uint32_t first, count; };
    struct Scope {
        std::unordered_map<std::string_view, Symbol> names;
        std::vector<Range> ranges;
    };
    std::vector<Scope> scopes_;
};

/// The labels of a function body. Inline PTX repeats label names in scopes of its own, so a label is
/// looked up from the scope of the branch outwards.
class Labels {
public:
    explicit Labels(const std::vector<ptx::Statement>& body);
    /// Number of the label in order of appearance, seen from the n-th scope (in order of opening; 0: the body).
    std::optional<uint32_t> find(std::string_view name, uint32_t scope) const;
    const ptx::Targets* targets(std::string_view name, uint32_t scope) const;
    uint32_t count() const { return count_; }
    uint32_t parent(uint32_t scope) const { return parents_[scope]; }

private:
    std::vector<std::unordered_map<std::string_view, uint32_t>> labels_;             ///< by scope
    std::vector<std::unordered_map<std::string_view, const ptx::Targets*>> targets_;
    std::vector<uint32_t> parents_;
    uint32_t count_ = 0;
};

}  // namespace lanescope::program
