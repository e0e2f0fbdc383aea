#include "program/scope.h"

#include <charconv>

namespace lanescope::program {

std::optional<Symbol> Scopes::find(std::string_view name) const {
    const size_t last_letter = name.find_last_not_of("0123456789");
    const std::string_view prefix = name.substr(0, last_letter == std::string_view::npos ? 0 : last_letter + 1);
    const std::string_view digits = name.substr(prefix.size());
    uint32_t number = 0;
    const bool numbered =
        !digits.empty() && std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc();
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (!scope->names.empty())
            if (const auto found = scope->names.find(name); found != scope->names.end()) return found->second;
        if (numbered)
            for (const Range& range : scope->ranges)
                if (range.prefix == prefix && number < range.count) {
                    Symbol symbol;
                    symbol.reg = range.first + number;
                    return symbol;
                }
    }
    return std::nullopt;
}

Labels::Labels(const std::vector<ptx::Statement>& body) {
    labels_.emplace_back();
    targets_.emplace_back();
    parents_.push_back(0);
    uint32_t scope = 0;
    for (const ptx::Statement& statement : body) {
        if (std::holds_alternative<ptx::ScopeBegin>(statement)) {
            parents_.push_back(scope);
            scope = static_cast<uint32_t>(labels_.size());
            labels_.emplace_back();
            targets_.emplace_back();
        } else if (std::holds_alternative<ptx::ScopeEnd>(statement)) {
            scope = parents_[scope];
        } else if (const auto* label = std::get_if<ptx::Label>(&statement)) {
            labels_[scope].emplace(label->name, count_++);
        } else if (const auto* targets = std::get_if<ptx::Targets>(&statement)) {
            targets_[scope].emplace(targets->name, targets);
        }
    }
}

std::optional<uint32_t> Labels::find(std::string_view name, uint32_t scope) const {
    for (;; scope = parents_[scope]) {
        if (const auto found = labels_[scope].find(name); found != labels_[scope].end()) return found->second;
        if (scope == 0) return std::nullopt;
    }
}

const ptx::Targets* Labels::targets(std::string_view name, uint32_t scope) const {
    for (;; scope = parents_[scope]) {
        if (const auto found = targets_[scope].find(name); found != targets_[scope].end()) return found->second;
        if (scope == 0) return nullptr;
    }
}

}  // namespace lanescope::program
