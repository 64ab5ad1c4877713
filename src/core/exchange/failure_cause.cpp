#include "core/exchange/failure_cause.hpp"

namespace strandline::core::exchange {

namespace {

const char* words(request_failure::kind what) {
    using enum request_failure::kind;
    switch (what) {
        case disconnected: return "the connection was lost";
        case expired: return "no answer came in time";
        case not_ready: return "the connection was gone";
        case unencodable: return "the request could not be written";
        case malformed: return "the answer could not be read";
    }
    return "it failed";
}

}  // namespace

std::string to_string(failure_cause cause) {
    if (const auto code = cause.answered()) {
        return protocol::to_string(*code) + ", " + std::string(protocol::meaning(*code));
    }
    if (const auto what = cause.unanswered()) return words(*what);
    return {};
}

}  // namespace strandline::core::exchange
