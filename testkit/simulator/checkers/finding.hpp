// What a checker complains of: who, about what, when, in a sentence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "testkit/simulator/checkers/observation.hpp"

namespace strandline::testkit::sim {

struct finding {
    std::string checker;  // its name
    base::instant at;
    consumer_id consumer = nobody;
    log_id log = no_log;
    std::optional<std::int64_t> offset;
    std::string what;  // a sentence
};

}  // namespace strandline::testkit::sim
