// A record as one line of JSON (RFC 8259).
#pragma once

#include <string>

#include "apps/output/printable_record.hpp"

namespace strandline::apps::output {

// Fields in a fixed order. What is not text, header names included, becomes {"base64":"..."}.
void append_json_line(std::string& to, const printable_record& record);

}  // namespace strandline::apps::output
