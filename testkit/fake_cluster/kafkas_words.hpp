// What brokers say in several places.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strandline::testkit::fake {

// Of an INVALID_REQUEST that has no reason of its own.
inline constexpr auto malformed_request =
    "This most likely occurs because of a request being malformed by the client library or the message was sent to an "
    "incompatible broker. See the broker logs for more details.";

// What everybody may do where nobody is forbidden anything: bits by the number of the operation.
inline constexpr std::int32_t all_topic_operations = 3576;
inline constexpr std::int32_t all_cluster_operations = 8096;
inline constexpr std::int32_t all_group_operations = 0;

// Why that is no name of a topic.
inline std::string not_a_topic_name(std::string_view name) {
    std::string reason = "Topic name is invalid: ";
    if (name.empty()) return reason + "the empty string is not allowed";
    if (name == "." || name == "..") return reason + "'" + std::string(name) + "' is not allowed";
    if (name.size() > 249) {
        return reason + "the length of '" + std::string(name) + "' is longer than the max allowed length 249";
    }
    return reason + "'" + std::string(name) +
           "' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'";
}

}  // namespace strandline::testkit::fake
