// Numbers that must not be mixed up get a type each.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <ostream>
#include <string>

namespace strandline::base {

// A number with a meaning. `Tag` tells the meanings apart; conversion is always written out.
template <class Tag, class Number>
class strong {
public:
    using number_type = Number;
    constexpr strong() noexcept = default;
    constexpr explicit strong(Number number) noexcept : number_(number) {}
    constexpr Number value() const noexcept { return number_; }
    friend constexpr auto operator<=>(strong, strong) = default;
    friend std::ostream& operator<<(std::ostream& out, strong id) { return out << +id.number_; }

private:
    Number number_{};
};

template <class Tag, class Number>
std::string to_string(strong<Tag, Number> id) {
    return std::to_string(id.value());
}

}  // namespace strandline::base

template <class Tag, class Number>
struct std::hash<strandline::base::strong<Tag, Number>> {
    std::size_t operator()(strandline::base::strong<Tag, Number> id) const noexcept {
        return std::hash<Number>{}(id.value());
    }
};
