// The configs of topics, groups and brokers that clients read or set, with Kafka 4.4's defaults.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace strandline::testkit::fake {

using config_map = std::map<std::string, std::string>;

// As the wire numbers them.
enum class config_resource : std::int8_t { topic = 2, broker = 4, group = 32 };
enum class config_kind : std::int8_t { boolean = 1, text = 2, int32 = 3, int16 = 4, int64 = 5, real = 6, list = 7 };
enum class config_source : std::int8_t { topic = 1, broker = 2, broker_start = 4, fixed = 5, group = 8 };

struct known_config {
    std::string_view name;
    config_kind kind;
    std::string_view value;         // unless it was set
    std::string_view allowed = {};  // of a text or a list: nothing else, separated by ", "
    std::int64_t at_least = std::numeric_limits<std::int64_t>::min();
};

// All there are of a kind of resource, by name.
std::span<const known_config> configs_of(config_resource resource) noexcept;
// Whether a broker takes a new value while it runs.
bool is_dynamic(const known_config& of_broker) noexcept;
const known_config* find_config(config_resource resource, std::string_view name) noexcept;
// Why a value is refused, in Kafka's words; nothing if it is not.
std::optional<std::string> refusal_of(config_resource resource, const std::string& name, const std::string& value);

}  // namespace strandline::testkit::fake
