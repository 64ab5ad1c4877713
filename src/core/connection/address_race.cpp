#include "core/connection/address_race.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/connection/attempt_pacing.hpp"

namespace strandline::core::connection {

address_race::address_race(std::vector<ip_endpoint> addresses) : addresses_(std::move(addresses)) {
    if (addresses_.size() > most_addresses) addresses_.resize(most_addresses);
}

bool address_race::wants_another(base::instant now) const noexcept {
    return next_ < addresses_.size() && (runners_.empty() || next_start_ <= now);
}

const ip_endpoint& address_race::start(connection_id id, std::unique_ptr<frame_inbox> inbox, base::instant now) {
    const auto& to = addresses_[next_++];
    runners_.push_back({id, to, std::move(inbox)});
    next_start_ = base::saturating_add(now, attempt_pacing::stagger);
    return to;
}

base::instant address_race::next_start() const noexcept {
    return next_ < addresses_.size() && !runners_.empty() ? next_start_ : base::never;
}

address_race::runner* address_race::find(connection_id id) noexcept {
    const auto it = std::find_if(runners_.begin(), runners_.end(), [id](const runner& one) { return one.id == id; });
    return it == runners_.end() ? nullptr : &*it;
}

std::optional<address_race::runner> address_race::take(connection_id id) {
    auto* const found = find(id);
    if (!found) return std::nullopt;
    std::optional<runner> taken(std::move(*found));
    runners_.erase(runners_.begin() + (found - runners_.data()));
    return taken;
}

void address_race::on_failed(connection_id id, const std::string& reason) {
    const auto failed = take(id);
    if (!failed) return;
    ++failures_;
    if (!what_.empty()) what_ += ", ";
    what_ += fmt::format("{} ({})", reason.empty() ? "closed by the peer" : reason, failed->to.address);
}

std::string address_race::what() const {
    auto words = what_;
    for (const auto& one : runners_) {
        if (!words.empty()) words += ", ";
        words += fmt::format("no answer ({})", one.to.address);
    }
    return words;
}

}  // namespace strandline::core::connection
