// What every handle of a consumer may be asked and told at any time, whoever is inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <strandline/explanation.hpp>
#include <strandline/export.hpp>
#include <strandline/offsets.hpp>
#include <strandline/topic_partition.hpp>

namespace strandline {
namespace client {
class consumer_state;
}

inline namespace v0 {

// Any thread, at once: none of these waits for anybody, is refused or fails, not even after close.
class STRANDLINE_API looking_calls {
public:
    // --- Looking, at the newest state that the consumer has published: copies, sorted by name

    partitions assignment() const;
    // Topics that were subscribed to by name.
    std::vector<std::string> subscription() const;
    partitions paused() const;
    // Offsets between the position and the end (under read_committed the last stable offset), as the newest answers of
    // the brokers have it; none while either is unknown, and for what is not assigned.
    std::optional<std::int64_t> lag(const topic_partition& partition) const;
    // The epoch is not positive while the consumer is no member.
    strandline::group_metadata group_metadata() const;
    // Why am I not receiving?
    strandline::explanation explain() const;
    // Bytes of this consumer: fetched, held by the application, decompressed. memory_limit bounds them.
    std::size_t memory_in_use() const;

    // --- Telling

    // Interrupts one poll, the current or the next, with woken_up; several before one poll are one. No record is lost
    // by it.
    void wakeup() noexcept;
    // The current or next poll closes the consumer (within close_timeout) and ends with consumer_closed.
    void request_close() noexcept;

protected:
    explicit looking_calls(std::shared_ptr<client::consumer_state> state) noexcept;
    looking_calls(const looking_calls&) noexcept;
    looking_calls(looking_calls&&) noexcept;
    looking_calls& operator=(const looking_calls&) noexcept;
    looking_calls& operator=(looking_calls&&) noexcept;
    ~looking_calls();

    std::shared_ptr<client::consumer_state> state_;
};

}  // namespace v0
}  // namespace strandline
