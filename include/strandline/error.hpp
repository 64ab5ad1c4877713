// Errors a program can act on: what happened, about what, whether trying again helps, and what to do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include <tl/expected.hpp>

#include <strandline/export.hpp>
#include <strandline/topic_partition.hpp>

namespace strandline::inline v0 {

// What the client itself reports. Kafka's own codes come in kafka_category() with Kafka's numbers.
enum class errc {
    invalid_configuration = 1,
    invalid_argument,          // an argument that no state of the consumer could accept
    invalid_state,  // a call that this state refuses: poll without a subscription, seek of what is not assigned
    timed_out,  // the call's deadline passed; the message says what it was waiting for
    woken_up,  // wakeup() interrupted the poll
    consumer_closed,  // before this call, or by the poll that carried out request_close()
    concurrent_modification,  // another call is inside this consumer
    access_expired,  // the callback this access was made for has returned
    commit_failed,  // the member no longer owns what it tried to commit
    commit_superseded,  // too many asynchronous commits waited to be sent: a newer one has taken it in
    max_poll_exceeded,  // max.poll.interval.ms passed without a poll; the member left the group
    no_offset_for_partition,  // no committed offset and auto.offset.reset is none
    offset_out_of_range,  // and auto.offset.reset is none
    log_truncation,  // the log was cut below the position (KIP-320)
    corrupt_record,  // a batch or record that fails its checksum or its own structure
    decompressed_batch_too_large,
    memory_limit_held,  // the application holds so many records that nothing more may be fetched
    topic_not_found,
    partition_not_found,
    broker_unreachable,  // no address of it answered
    name_not_resolved,
    not_kafka,  // something else answers on that port
    tls_expected,  // the port speaks TLS
    wrong_cluster,  // a broker of another cluster answered (KIP-1242)
    malformed_response,
    unsupported_version,  // the broker is too old or too new for this request
    internal_failure,  // a fault of this library ended the consumer; the message says which
    fatal_group_error,  // the group refuses this member for good; the message has the broker's reason
    callback_failed,  // a listener threw; the message has what it said
};

STRANDLINE_API const std::error_category& client_category() noexcept;
STRANDLINE_API const std::error_category& kafka_category() noexcept;
STRANDLINE_API std::error_code make_error_code(errc code) noexcept;

// What an error is about; empty where it does not apply.
struct error_subject {
    std::optional<topic_partition> partition;
    std::string topic;
    std::optional<std::int64_t> offset;
    std::optional<std::int32_t> broker;
    std::string group;
    std::string key;  // a configuration key
};

// A value, cheap to copy.
class STRANDLINE_API error {
public:
    struct traits {
        bool retriable = false;  // the same call may succeed later
        bool fatal = false;  // this consumer will not recover: close it
    };

    error(std::error_code code, std::string message, error_subject about = {}, traits how = {false, false});
    error(errc code, std::string message, error_subject about = {}, traits how = {false, false});

    std::error_code code() const noexcept;
    bool retriable() const noexcept;
    bool fatal() const noexcept;
    const error_subject& about() const noexcept;
    // One sentence or two: what happened, where, what to do.
    const std::string& message() const noexcept;

    friend bool operator==(const error& a, errc code) noexcept { return a.code() == make_error_code(code); }
    friend bool operator==(const error& a, const error& b) noexcept {
        return a.code() == b.code() && a.message() == b.message();
    }

private:
    struct details;
    std::shared_ptr<const details> details_;
};

template <class T>
using result = tl::expected<T, error>;

// What the throwing calls throw.
class STRANDLINE_API exception : public std::runtime_error {
public:
    explicit exception(error reason);
    const error& reason() const noexcept { return reason_; }
    std::error_code code() const noexcept { return reason_.code(); }
    bool retriable() const noexcept { return reason_.retriable(); }
    bool fatal() const noexcept { return reason_.fatal(); }

private:
    error reason_;
};

}  // namespace strandline::inline v0

template <>
struct std::is_error_code_enum<strandline::errc> : std::true_type {};
