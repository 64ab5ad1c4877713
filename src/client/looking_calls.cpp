// The façade of the calls that look: forwards.
#include <utility>

#include <strandline/looking_calls.hpp>

#include "client/explain.hpp"
#include "client/operations/looking.hpp"

namespace strandline::inline v0 {

looking_calls::looking_calls(std::shared_ptr<client::consumer_state> state) noexcept : state_(std::move(state)) {}
looking_calls::looking_calls(const looking_calls&) noexcept = default;
looking_calls::looking_calls(looking_calls&&) noexcept = default;
looking_calls& looking_calls::operator=(const looking_calls&) noexcept = default;
looking_calls& looking_calls::operator=(looking_calls&&) noexcept = default;
looking_calls::~looking_calls() = default;

partitions looking_calls::assignment() const { return client::assignment(*state_); }
std::vector<std::string> looking_calls::subscription() const { return client::subscription(*state_); }
partitions looking_calls::paused() const { return client::paused(*state_); }
std::optional<std::int64_t> looking_calls::lag(const topic_partition& partition) const {
    return client::lag(*state_, partition);
}
strandline::group_metadata looking_calls::group_metadata() const { return client::group_metadata(*state_); }
strandline::explanation looking_calls::explain() const { return client::explain(*state_); }
std::size_t looking_calls::memory_in_use() const { return state_->meeting.bytes_in_use(); }

void looking_calls::wakeup() noexcept { client::wakeup(*state_); }
void looking_calls::request_close() noexcept { client::request_close(*state_); }

}  // namespace strandline::inline v0
