#include "core/connection/address_failure.hpp"

namespace strandline::core::connection {

connection_failure failure_of(const protocol::frame_error& error, bool before_first_answer) {
    switch (error.kind) {
        case protocol::frame_fault::tls_record:
            return {errc::tls_expected, "the port speaks TLS, this connection does not"};
        case protocol::frame_fault::http_message:
            return {errc::not_kafka, "an HTTP server answers on this port, not Kafka"};
        case protocol::frame_fault::oversized:
        case protocol::frame_fault::negative: break;
    }
    if (before_first_answer) return {errc::not_kafka, "what answers on this port is not Kafka: " + error.to_string()};
    return {errc::malformed_response, error.to_string()};
}

}  // namespace strandline::core::connection
