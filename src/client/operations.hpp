// Every operation of the blocking consumer: the calls of operations/, driven by the thread that makes them. `frame`
// says through what it was called: the root, or a callback's access.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <strandline/close.hpp>
#include <strandline/consumer_calls.hpp>
#include <strandline/records.hpp>

#include "access/frame.hpp"
#include "client/consumer_state.hpp"
#include "client/operations/list_offsets.hpp"
#include "core/boundary/command.hpp"

namespace strandline::client {

using access::frame_id;

result<polled_records> poll(consumer_state& state, std::chrono::milliseconds timeout);
result<close_report> close(consumer_state& state, frame_id frame, timeout within, group_membership membership);

result<void> subscribe(consumer_state& state, frame_id frame, core::boundary::command::subscribe what,
                       const listener_handle& listener);
result<void> unsubscribe(consumer_state& state, frame_id frame, timeout within);
result<void> assign(consumer_state& state, frame_id frame, const partitions& wanted);

result<void> commit_processed(consumer_state& state, frame_id frame, timeout within);
// `part` is that of the record: it and what came before it count as processed.
result<void> commit_up_to(consumer_state& state, frame_id frame, part_progress* part, std::int64_t next,
                          timeout within);
result<void> commit_named(consumer_state& state, frame_id frame, const offsets& named, timeout within);
result<void> commit_async(consumer_state& state, frame_id frame, const std::optional<offsets>& named,
                          commit_callback done);
result<offsets> committed(consumer_state& state, frame_id frame, const partitions& which, timeout within);

result<void> seek(consumer_state& state, frame_id frame, const topic_partition& partition,
                  const offset_and_metadata& to);
result<void> seek_to(consumer_state& state, frame_id frame, log_end where, const partitions& which);
result<std::int64_t> position(consumer_state& state, frame_id frame, const topic_partition& partition, timeout within);
result<void> pause(consumer_state& state, frame_id frame, const partitions& which);
result<void> resume(consumer_state& state, frame_id frame, const partitions& which);

result<consumer_calls::offsets_by_time> offsets_for_times(
    consumer_state& state, frame_id frame, const std::map<topic_partition, consumer_calls::time_point>& times,
    timeout within);
result<std::map<topic_partition, std::int64_t>> log_ends(consumer_state& state, frame_id frame, log_end where,
                                                         const partitions& which, timeout within);
result<std::vector<partition_info>> partitions_for(consumer_state& state, frame_id frame, const std::string& topic,
                                                   timeout within);
result<std::map<std::string, std::vector<partition_info>>> list_topics(consumer_state& state, frame_id frame,
                                                                       timeout within);

}  // namespace strandline::client
