// A configuration value that knows whether it was given.
#pragma once

#include <concepts>
#include <utility>

namespace strandline::inline v0 {

// Implicit from a value, so that `.enable_auto_commit = false` is all there is to write. Rules between settings ask
// is_set(): a default never contradicts anything.
template <class Value>
class setting {
public:
    template <class Given>
        requires std::convertible_to<Given, Value> && (!std::same_as<std::remove_cvref_t<Given>, setting>)
    constexpr setting(Given&& value) : value_(std::forward<Given>(value)), set_(true) {}

    static constexpr setting by_default(Value value) {
        setting made(std::move(value));
        made.set_ = false;
        return made;
    }

    constexpr const Value& value() const noexcept { return value_; }
    constexpr const Value& operator*() const noexcept { return value_; }
    constexpr bool is_set() const noexcept { return set_; }

    friend constexpr bool operator==(const setting&, const setting&) = default;

private:
    Value value_;
    bool set_;
};

}  // namespace strandline::inline v0
