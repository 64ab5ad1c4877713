#include "core/connection/in_flight_table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace strandline::core::connection {

protocol::correlation_id in_flight_table::add(in_flight_request request) {
    request.correlation = protocol::correlation_id(next_correlation_);
    next_correlation_ = next_correlation_ == std::numeric_limits<std::int32_t>::max() ? 0 : next_correlation_ + 1;
    requests_.push_back(request);
    return request.correlation;
}

std::optional<in_flight_request> in_flight_table::take(protocol::correlation_id answered) {
    if (requests_.empty() || requests_.front().correlation != answered) return std::nullopt;
    const auto request = requests_.front();
    requests_.pop_front();
    return request;
}

std::deque<in_flight_request> in_flight_table::take_all() { return std::exchange(requests_, {}); }

base::instant in_flight_table::earliest_expiry() const noexcept {
    auto earliest = base::never;
    for (const auto& request : requests_) earliest = std::min(earliest, request.expires_at);
    return earliest;
}

}  // namespace strandline::core::connection
