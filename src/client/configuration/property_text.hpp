// Values of properties as text, read and written.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <strandline/offset_reset.hpp>

namespace strandline::client::configuration {

std::string_view trimmed(std::string_view text) noexcept;
std::string lower_case(std::string_view text);

std::optional<std::int64_t> read_integer(std::string_view text) noexcept;
std::optional<bool> read_boolean(std::string_view text);
// earliest, latest, none, by_duration:P1DT2H, and librdkafka's words for them.
std::optional<offset_reset> read_offset_reset(std::string_view text);
std::string write(const offset_reset& policy);
// ISO 8601, days and below: P7D, PT1H30M, PT0.5S.
std::optional<std::chrono::milliseconds> read_iso_duration(std::string_view text);

}  // namespace strandline::client::configuration
