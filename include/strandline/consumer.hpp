// The blocking consumer.
#pragma once

#include <chrono>

#include <strandline/access.hpp>
#include <strandline/close.hpp>
#include <strandline/consumer_calls.hpp>
#include <strandline/consumer_config.hpp>
#include <strandline/export.hpp>
#include <strandline/records.hpp>

namespace strandline::inline v0 {

// Consumes topics, alone or as a member of a group. It has one thread of its own, which talks to the brokers; nothing
// of the application runs on that. Calls may come from any thread, one at a time (consumer_calls says more). Movable,
// not while another thread is inside it; a consumer that has been moved from can be destroyed and assigned to only.
class STRANDLINE_API consumer : public consumer_calls {
public:
    // Throws strandline::exception with everything that is wrong with the configuration. No network is touched here.
    explicit consumer(const consumer_config& config);
    static result<consumer> create(const consumer_config& config);

    consumer(consumer&&) noexcept;
    consumer& operator=(consumer&&) noexcept;
    // Closes within close_timeout. Never throws, and commits reading progress only: nothing that an exception left
    // unhandled.
    ~consumer();

    // Returns records as soon as there are some; empty at the timeout. Runs the callbacks. Everything that earlier
    // polls returned and the application no longer holds counts as processed from here on; what it still holds counts
    // as far as read. Waits for ever with std::chrono::milliseconds::max(), not at all with zero.
    //
    // Fails, losing no record, with what nobody has heard of yet, one thing a poll: why a partition stands, what a
    // callback threw (callback_failed), what the consumer met with (max_poll_exceeded, broker errors; fatal() ones end
    // it). Also with woken_up, memory_limit_held, invalid_state (nothing is subscribed to or assigned, or inside a
    // callback), and consumer_closed after request_close(). Poll again unless fatal() or closed: after what is
    // retriable() all may go on, after anything else the rest goes on. memory_limit_held is told at the timeout only: a
    // poll for ever waits until the application, on another thread then, lets go of records.
    polled_records poll(std::chrono::milliseconds wait);
    result<polled_records> try_poll(std::chrono::milliseconds wait);

    // Commits what was processed (with automatic commit), lets the listener give up the partitions, leaves the group.
    // `within`: default_api_timeout if none; always returns by then (with less than 50 ms, after these: time to write
    // what need not be answered), and says what it had to leave undone, which is no failure. Every call after it fails
    // with consumer_closed; closing again does nothing. Records that were polled stay readable. In a callback it only
    // requests.
    close_report close(timeout within = {}, group_membership membership = group_membership::by_default);
    result<close_report> try_close(timeout within = {}, group_membership membership = group_membership::by_default);

private:
    using consumer_calls::consumer_calls;
};

}  // namespace strandline::inline v0
