// Kafka's own record classes: tests/java/RecordsHelper, running beside the test.
#pragma once

#include <string>

#include "base/bytes.hpp"
#include "tests/live/child_process.hpp"

namespace strandline::conformance {

// Every call throws std::runtime_error if Kafka refuses the request or the helper is gone. Texts are described at the
// head of RecordsHelper.java.
class kafka_records {
public:
    kafka_records();

    base::shared_bytes write(const std::string& description);
    base::shared_bytes marker(const std::string& description);
    std::string read(base::bytes_view batches);

private:
    std::string ask(const std::string& request);
    std::string read_line();

    live::child_process process_;
    std::string unread_;
};

std::string to_hex(base::bytes_view bytes);

}  // namespace strandline::conformance
