// One property: its names, what it accepts, and the field of consumer_config behind it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <strandline/consumer_config.hpp>

namespace strandline::client::configuration {

// A property that sets a field.
struct property {
    std::string_view name;
    std::vector<std::string_view> aliases;
    std::string_view accepted;  // in words, for messages
    // False: the text is not one of the accepted values.
    std::function<bool(consumer_config& config, std::string_view text)> read;
    // None: not set, and there is no default to show.
    std::function<std::optional<std::string>(const consumer_config& config)> write;
    // Whether the field's value is in range; also asked of fields that were set in code.
    std::function<bool(const consumer_config& config)> in_range;
};
const std::vector<property>& settable_properties();

// A property that other clients know.
struct foreign_property {
    enum class kind : std::uint8_t {
        only_value,    // one value is what this client does; others are refused
        without_effect,
        classic_only,  // belongs to the classic group protocol
        share_only,    // belongs to share consumers
        not_yet,       // refused by name until it exists
    };
    std::string_view name;
    kind what = kind::without_effect;
    std::string_view detail = {};  // only_value: that value; otherwise what to know
};
std::span<const foreign_property> foreign_properties() noexcept;

// Also of what begins with ssl. and sasl. and is not in the table.
std::optional<foreign_property> find_foreign(std::string_view name);
// By name or alias; null: unknown.
const property* find_settable(std::string_view name);

bool is_secret(std::string_view name);
// The known name that is nearest to a misspelt one, if one is near.
std::optional<std::string> nearest_name(std::string_view name);

}  // namespace strandline::client::configuration
