#include <strandline/error.hpp>

#include "protocol/broker_error.hpp"

namespace strandline::inline v0 {

namespace {

class client_category_type final : public std::error_category {
public:
    const char* name() const noexcept override { return "strandline"; }
    std::string message(int value) const override {
        switch (static_cast<errc>(value)) {
            case errc::invalid_configuration: return "invalid configuration";
            case errc::invalid_argument: return "invalid argument";
            case errc::invalid_state: return "not possible in this state";
            case errc::timed_out: return "timed out";
            case errc::woken_up: return "woken up";
            case errc::consumer_closed: return "consumer closed";
            case errc::concurrent_modification: return "another call is inside this consumer";
            case errc::access_expired: return "access expired";
            case errc::commit_failed: return "commit failed";
            case errc::commit_superseded: return "commit superseded";
            case errc::max_poll_exceeded: return "max.poll.interval.ms exceeded";
            case errc::no_offset_for_partition: return "no offset for partition";
            case errc::offset_out_of_range: return "offset out of range";
            case errc::log_truncation: return "log truncated";
            case errc::corrupt_record: return "corrupt record";
            case errc::decompressed_batch_too_large: return "decompressed batch too large";
            case errc::memory_limit_held: return "memory limit held by the application";
            case errc::topic_not_found: return "topic not found";
            case errc::partition_not_found: return "partition not found";
            case errc::broker_unreachable: return "broker unreachable";
            case errc::name_not_resolved: return "name not resolved";
            case errc::not_kafka: return "not Kafka";
            case errc::tls_expected: return "TLS expected";
            case errc::wrong_cluster: return "wrong cluster";
            case errc::malformed_response: return "malformed response";
            case errc::unsupported_version: return "unsupported version";
            case errc::internal_failure: return "internal failure";
            case errc::fatal_group_error: return "refused by the group";
            case errc::callback_failed: return "callback failed";
        }
        return "unknown client error " + std::to_string(value);
    }
};

class kafka_category_type final : public std::error_category {
public:
    const char* name() const noexcept override { return "kafka"; }
    std::string message(int value) const override {
        const auto code = static_cast<protocol::broker_error>(static_cast<std::int16_t>(value));
        return std::string(protocol::name(code)) + ": " + std::string(protocol::meaning(code));
    }
};

}  // namespace

const std::error_category& client_category() noexcept {
    static const client_category_type category;
    return category;
}

const std::error_category& kafka_category() noexcept {
    static const kafka_category_type category;
    return category;
}

std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), client_category()}; }

struct error::details {
    std::error_code code;
    std::string message;
    error_subject about;
    traits how;
};

error::error(std::error_code code, std::string message, error_subject about, traits how)
    : details_(std::make_shared<const details>(details{code, std::move(message), std::move(about), how})) {}

error::error(errc code, std::string message, error_subject about, traits how)
    : error(make_error_code(code), std::move(message), std::move(about), how) {}

std::error_code error::code() const noexcept { return details_->code; }
bool error::retriable() const noexcept { return details_->how.retriable; }
bool error::fatal() const noexcept { return details_->how.fatal; }
const error_subject& error::about() const noexcept { return details_->about; }
const std::string& error::message() const noexcept { return details_->message; }

exception::exception(error reason) : std::runtime_error(reason.message()), reason_(std::move(reason)) {}

}  // namespace strandline::inline v0
