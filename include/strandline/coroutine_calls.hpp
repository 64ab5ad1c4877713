// The calls that a coroutine_consumer and the access given to its callbacks have in common.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <strandline/awaitable.hpp>
#include <strandline/consumer_calls.hpp>
#include <strandline/coroutine_listener.hpp>
#include <strandline/export.hpp>
#include <strandline/looking_calls.hpp>
#include <strandline/offsets.hpp>
#include <strandline/record.hpp>
#include <strandline/topic_partition.hpp>
#include <strandline/topic_pattern.hpp>

namespace strandline {
namespace client {
class coroutine_home;
}

inline namespace v0 {

// What each does, and its errors: consumer_calls, whose words these are. To be awaited where the consumer's scheduler
// runs things; x throws strandline::exception, try_x returns the error. One call is inside at a time, from when it is
// awaited until it has ended; another gets concurrent_modification, except through one callback's access, where they
// queue.
class STRANDLINE_API coroutine_calls : public looking_calls {
public:
    // --- What to consume

    // Lists are best made before they are awaited with: g++ 12 refuses braces inside an expression that has co_await.
    awaitable<void> subscribe(const std::string& topic, coroutine_listener_handle listener = {}) {
        return subscribe(std::vector<std::string>(1, topic), std::move(listener));
    }
    awaitable<void> subscribe(std::vector<std::string> topics, coroutine_listener_handle listener = {});
    awaitable<void> subscribe(const topic_pattern& pattern, coroutine_listener_handle listener = {});
    awaitable<void> subscribe(const subscription_pattern& pattern, coroutine_listener_handle listener = {});
    awaitable_result<void> try_subscribe(std::vector<std::string> topics, coroutine_listener_handle listener = {});
    awaitable_result<void> try_subscribe(const topic_pattern& pattern, coroutine_listener_handle listener = {});
    awaitable_result<void> try_subscribe(const subscription_pattern& pattern, coroutine_listener_handle listener = {});
    awaitable<void> unsubscribe(timeout within = {});
    awaitable_result<void> try_unsubscribe(timeout within = {});
    awaitable<void> assign(partitions wanted);
    awaitable_result<void> try_assign(partitions wanted);

    // --- Commit

    awaitable<void> commit(timeout within = {});
    awaitable_result<void> try_commit(timeout within = {});
    // The records that `up_to` is of stay until it has ended.
    awaitable<void> commit(const record& up_to, timeout within = {});
    awaitable_result<void> try_commit(const record& up_to, timeout within = {});
    awaitable<void> commit(offsets named, timeout within = {});
    awaitable_result<void> try_commit(offsets named, timeout within = {});
    awaitable<void> commit_async(coroutine_commit_callback done = {});
    awaitable<void> commit_async(offsets named, coroutine_commit_callback done = {});
    awaitable_result<void> try_commit_async(coroutine_commit_callback done = {});
    awaitable_result<void> try_commit_async(offsets named, coroutine_commit_callback done = {});

    // --- Positions. Of assigned partitions only.

    awaitable<void> seek(topic_partition partition, std::int64_t offset);
    awaitable<void> seek(topic_partition partition, offset_and_metadata position);
    awaitable_result<void> try_seek(topic_partition partition, std::int64_t offset);
    awaitable_result<void> try_seek(topic_partition partition, offset_and_metadata position);
    awaitable<void> seek_to_beginning(partitions which = {});
    awaitable<void> seek_to_end(partitions which = {});
    awaitable_result<void> try_seek_to_beginning(partitions which = {});
    awaitable_result<void> try_seek_to_end(partitions which = {});
    awaitable<std::int64_t> position(topic_partition partition, timeout within = {});
    awaitable_result<std::int64_t> try_position(topic_partition partition, timeout within = {});
    awaitable<void> pause(partitions which);
    awaitable<void> resume(partitions which);
    awaitable_result<void> try_pause(partitions which);
    awaitable_result<void> try_resume(partitions which);

    // --- Asking the cluster

    awaitable<offsets> committed(partitions which, timeout within = {});
    awaitable_result<offsets> try_committed(partitions which, timeout within = {});
    using time_point = consumer_calls::time_point;
    using offsets_by_time = consumer_calls::offsets_by_time;
    using offset_by_partition = std::map<topic_partition, std::int64_t>;
    using partitions_by_topic = std::map<std::string, std::vector<partition_info>>;
    awaitable<offsets_by_time> offsets_for_times(std::map<topic_partition, time_point> times, timeout within = {});
    awaitable_result<offsets_by_time> try_offsets_for_times(std::map<topic_partition, time_point> times,
                                                            timeout within = {});
    awaitable<offset_by_partition> beginning_offsets(partitions which, timeout within = {});
    awaitable<offset_by_partition> end_offsets(partitions which, timeout within = {});
    awaitable_result<offset_by_partition> try_beginning_offsets(partitions which, timeout within = {});
    awaitable_result<offset_by_partition> try_end_offsets(partitions which, timeout within = {});
    awaitable<std::vector<partition_info>> partitions_for(std::string topic, timeout within = {});
    awaitable_result<std::vector<partition_info>> try_partitions_for(std::string topic, timeout within = {});
    awaitable<partitions_by_topic> list_topics(timeout within = {});
    awaitable_result<partitions_by_topic> try_list_topics(timeout within = {});

protected:
    coroutine_calls(std::shared_ptr<client::coroutine_home> home, std::uint64_t frame) noexcept;
    coroutine_calls(const coroutine_calls&) noexcept;
    coroutine_calls(coroutine_calls&&) noexcept;
    coroutine_calls& operator=(const coroutine_calls&) noexcept;
    coroutine_calls& operator=(coroutine_calls&&) noexcept;
    ~coroutine_calls();

    std::shared_ptr<client::coroutine_home> home_;
    std::uint64_t frame_;  // 0: the root
};

}  // namespace v0
}  // namespace strandline
