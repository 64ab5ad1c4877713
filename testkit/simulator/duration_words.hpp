// Durations as plans and traces write them: "2h", "12.5s", "300ms".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/instant.hpp"

namespace strandline::testkit::sim {

std::string to_words(base::duration length);
std::optional<base::duration> duration_from(std::string_view words);

}  // namespace strandline::testkit::sim
