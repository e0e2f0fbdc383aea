/// \file
/// Errors as values: what went wrong, where, and what to do next.
///
///     Result<Module> module = ptx::parse(text);
///     if (!module) return module.error();
///     use(*module);
///
/// Host side only. No layer of common/ throws on bad input; it returns a Result.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace lanescope {

/// One error for a person: `what` happened, `where` (file, line, kernel), and the `next` step.
/// `where` and `next` may be empty.
struct Diagnostic {
    std::string what;
    std::string where;
    std::string next;

    /// `where: what`, then `next: ...` on a second line: the one layout in which every diagnostic is printed.
    std::string text() const {
        std::string result = where.empty() ? what : where + ": " + what;
        if (!next.empty()) result += "\n  next: " + next;
        return result;
    }
};

/// A value, or the Diagnostic that says why there is none.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::move(value)) {}
    Result(Diagnostic error) : content_(std::move(error)) {}

    explicit operator bool() const { return content_.index() == 0; }
    T& operator*() { assert(*this); return std::get<0>(content_); }
    const T& operator*() const { assert(*this); return std::get<0>(content_); }
    T* operator->() { return &**this; }
    const T* operator->() const { return &**this; }
    const Diagnostic& error() const { assert(!*this); return std::get<1>(content_); }

private:
    std::variant<T, Diagnostic> content_;
};

/// Success without a value, or the Diagnostic.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Diagnostic error) : error_(std::move(error)), failed_(true) {}

    explicit operator bool() const { return !failed_; }
    const Diagnostic& error() const { assert(failed_); return error_; }

private:
    Diagnostic error_;
    bool failed_ = false;
};

}  // namespace lanescope
