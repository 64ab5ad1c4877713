#include "core/connection/network_picture.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/connection/network_words.hpp"

namespace strandline::core::connection {

namespace {

boundary::connection_snapshot picture_of(const broker_connection& connection) {
    boundary::connection_snapshot made;
    made.wanted = true;
    made.ready = connection.is_ready();
    made.phase = to_string(connection.phase());
    made.since = made.ready ? connection.last_used() : connection.started_at();
    if (connection.is_under_way()) made.gives_up_at = connection.set_up_by();
    for (const auto& request : connection.requests()) {
        ++made.in_flight;
        if (made.listed == made.requests.size()) continue;
        auto& listed = made.requests[made.listed++];
        listed.of_handshake = !request.who;
        if (request.who) {
            listed.id = request.who->id.value();
            listed.owner = request.who->owner;
        }
        listed.api = request.api;
        listed.sent_at = request.sent_at;
        listed.expires_at = request.expires_at;
    }
    return made;
}

error as_error(const address_failure& failure) {
    return {failure.code, failure.address + ": " + failure.what, {}, error::traits{.retriable = true}};
}

}  // namespace

void network_picture::draw(const broker_table& table, protocol::broker_id broker) {
    const auto* const entry = table.find(broker);
    if (!entry) {
        brokers_.erase(broker);
        return;
    }
    auto& known = brokers_[broker];
    auto made = std::make_shared<boundary::broker_snapshot>();
    made->broker = broker;
    made->is_bootstrap = entry->is_bootstrap();
    if (entry->address) {
        const bool same = known.shown && known.shown->address && known.address == *entry->address;
        made->address = same ? known.shown->address : std::make_shared<const std::string>(to_string(*entry->address));
        known.address = *entry->address;
    }
    if (table.is_backing_off(broker)) made->backs_off_until = entry->backoff.allowed_at();
    if (entry->failure) made->failure = as_error(*entry->failure);
    for (std::size_t role = 0; role < role_count; ++role) {
        auto& shown = made->connections[role];
        if (const auto& connection = entry->connections[role]) shown = picture_of(*connection);
        shown.throttled_until = entry->throttled_until[role];
    }
    known.shown = std::move(made);
}

const std::shared_ptr<const boundary::network_snapshot>& network_picture::look_at(
    const broker_table& table, bool contacted, std::vector<protocol::broker_id>& changed) {
    if (changed.empty() && shown_->contacted == contacted) return shown_;
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    for (const auto broker : changed) draw(table, broker);
    changed.clear();
    auto made = std::make_shared<boundary::network_snapshot>();
    made->contacted = contacted;
    made->reachable = table.is_reachable();
    if (!made->reachable) made->next_attempt_at = table.pacing.opens_at();
    made->brokers.reserve(brokers_.size());
    for (const auto& [id, broker] : brokers_) made->brokers.push_back(broker.shown);
    shown_ = std::move(made);
    return shown_;
}

}  // namespace strandline::core::connection
