#include <utility>
#include <variant>

#include "client/call.hpp"
#include "client/operations.hpp"

namespace strandline::client {

result<std::map<topic_partition, std::optional<offset_and_timestamp>>> list_offsets(
    consumer_state& state, frame_id frame, std::string_view name, std::map<topic_partition, std::int64_t> timestamps,
    timeout within) {
    auto let_in = call::begin(state, frame, name, within);
    if (!let_in) return tl::unexpected(let_in.error());
    if (timestamps.empty()) return std::map<topic_partition, std::optional<offset_and_timestamp>>();
    auto outcome = let_in->outcome_of(core::boundary::command::list_offsets{std::move(timestamps)});
    if (!outcome) return tl::unexpected(std::move(outcome.error()));
    return std::get<core::boundary::list_offsets_value>(std::move(*outcome)).found;
}

}  // namespace strandline::client
