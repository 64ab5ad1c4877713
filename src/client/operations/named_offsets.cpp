#include "client/operations/named_offsets.hpp"

#include <fmt/format.h>

namespace strandline::client {

std::optional<error> refusal_of(std::string_view call, const offsets& named) {
    for (const auto& [partition, position] : named) {
        if (partition.topic.empty() || partition.partition < 0) {
            return error(errc::invalid_argument, fmt::format("{}: {} is no partition", call, to_string(partition)));
        }
        if (position.offset < 0) {
            return error(errc::invalid_argument,
                         fmt::format("{}: {} has a negative offset", call, to_string(partition)));
        }
    }
    return std::nullopt;
}

}  // namespace strandline::client
