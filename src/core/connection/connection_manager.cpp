#include "core/connection/connection_manager.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/connection/network_words.hpp"
#include "core/exchange/wait_reason.hpp"

namespace strandline::core::connection {

using exchange::turn_time;
using failure_kind = exchange::request_failure::kind;

namespace {

base::duration doubled(boundary::backoff limits, int attempts) {
    auto wait = limits.initial;
    for (int i = 0; i < attempts && wait < limits.maximum; ++i) wait *= 2;
    return std::min(wait, limits.maximum);
}

}  // namespace

connection_manager::connection_manager(const exchange::manager_context& context,
                                       kernel::view<exchange::cluster_view> cluster)
    : context_(context),
      cluster_(cluster),
      table_(context.config.reconnect),
      view_(exchange::view::connections, context.views, exchange::connections_handle{&table_}) {
    add_bootstrap_servers();
}

void connection_manager::add_bootstrap_servers() {
    auto id = first_bootstrap_broker;
    for (const auto& server : context_.config.bootstrap_servers) entry_of(protocol::broker_id(id--)).address = server;
}

broker_entry& connection_manager::entry_of(protocol::broker_id broker) {
    if (auto* const known = table_.find(broker)) return *known;
    index_.note(broker);
    auto& made = table_.brokers.try_emplace(broker, broker, context_.config.reconnect).first->second;
    made.tie_break = context_.random.next();
    return made;
}

// ---- network, between turns

std::span<std::byte> connection_manager::receive_room(connection_id id) {
    const auto key = index_.find(id);
    return key ? table_.find(*key)->room(id) : std::span<std::byte>{};
}

std::size_t connection_manager::bytes_missing(connection_id id) {
    const auto key = index_.find(id);
    return key ? table_.find(*key)->bytes_missing(id) : 0;
}

bool connection_manager::received(connection_id id, std::size_t count) {
    const auto key = index_.find(id);
    if (!key || !table_.find(*key)->received(id, count)) return false;
    arrived_.insert(*key);
    return true;
}

// ---- Apply

void connection_manager::on_time(turn_time time) {
    for (const auto broker : std::exchange(addresses_wanted_, {})) {
        context_.facts.emit(exchange::metadata_stale{fmt::format("nobody told where broker {} is", broker.value())});
    }
    while (index_.next_deadline() <= time.now) {
        const auto key = index_.next_due();
        apply(key, table_.find(key)->on_time(time.now), time.now);
    }
    bool changed = false;
    if (table_.backoff_ends() <= time.now) {
        changed = std::erase_if(table_.backing_off, [&](protocol::broker_id broker) {
                      index_.note(broker);
                      return table_.find(broker)->backoff.may_try(time.now);
                  }) > 0;
    }
    if (!table_.slot_open && table_.pacing.is_open(time.now)) {
        table_.slot_open = changed = true;
        start_queued(time.now);
    }
    if (changed) view_.change();
}

void connection_manager::on_network(const network_event& event, turn_time time) {
    std::visit([&](const auto& one) { on_event(one, time.now); }, event);
}

void connection_manager::on_event(const connected& event, base::instant now) {
    const auto key = index_.find(event.id);
    if (key) apply(*key, table_.find(*key)->on_connected(event.id, now), now);
}

void connection_manager::on_event(const closed& event, base::instant now) {
    const auto key = index_.find(event.id);
    if (!key) return;
    auto& connection = *table_.find(*key);
    const bool had_answered = connection.has_answered();
    const auto change = connection.on_closed(event.id, event.reason, now);
    if (!had_answered && connection.has_answered()) on_first_answer(connection);
    apply(*key, change, now);
}

void connection_manager::on_event(const name_resolved& event, base::instant now) {
    if (!addresses_.on_resolved(event)) return;
    for (const auto& key : index_.keys()) {
        auto* const connection = table_.find(key);  // the failure of one role may take another along
        const bool waits = connection && connection->phase() == connection_phase::resolving;
        if (!waits || connection->query() != event.id) continue;
        if (event.addresses.empty()) {
            apply(key, connection->on_name_not_resolved(event.reason), now);
        } else {
            connection->connect(*addresses_.find(*entry_of(key.broker).address), now, now);
            index_.update(*connection);
        }
    }
}

void connection_manager::digest_received(turn_time time) {
    for (const auto& key : std::exchange(arrived_, {})) {
        auto* const connection = table_.find(key);
        if (!connection) continue;
        const bool had_answered = connection->has_answered();
        const auto change = connection->digest(time.now);
        if (!had_answered && connection->has_answered()) on_first_answer(*connection);
        if (change.what == connection_change::kind::none) {
            index_.reschedule(*connection);
        } else {
            apply(key, change, time.now);
        }
    }
    retire_bootstrap_connections(time.now);
}

void connection_manager::on_fact(const exchange::rebootstrap_started& /*fact*/, turn_time time) {
    discard_all("discovery starts again from the bootstrap servers", time.now);
    note_all();
    std::erase_if(table_.brokers, [](const auto& entry) { return !entry.second.is_bootstrap(); });
    table_.backing_off.clear();
    for (auto& [id, broker] : table_.brokers) broker.backoff.on_success();
    table_.bootstrapping = true;
    addresses_.clear();
    addresses_wanted_.clear();
    cluster_id_.clear();
    rebootstrap_asked_ = false;
    view_.change();
}

void connection_manager::on_fact(const exchange::broker_throttled& fact, turn_time /*time*/) {
    auto* const broker = table_.find(fact.broker);
    if (!broker) return;
    auto& until = broker->throttled_until[static_cast<std::size_t>(fact.role)];
    until = std::max(until, fact.until);
    index_.note(fact.broker);
    view_.change();
}

void connection_manager::on_fact(const exchange::answer_unreadable& fact, turn_time time) {
    const auto key = index_.find(connection_id(fact.connection));
    if (key) on_ended(*table_.find(*key), {errc::malformed_response, fact.why, false}, time.now);
}

void connection_manager::close_all(turn_time time) {
    discard_all("the consumer is closed", time.now);
    table_.stopped = true;
    table_.backing_off.clear();
    note_all();
    addresses_wanted_.clear();
    view_.change();
}

std::vector<exchange::response> connection_manager::take_responses() { return std::exchange(out_.responses, {}); }

// ---- Plan

void connection_manager::want(const exchange::connection_wanted& wanted, turn_time time) {
    const connection_key key{wanted.broker, wanted.role};
    if (table_.stopped || table_.find(key) || table_.is_backing_off(wanted.broker)) return;
    auto& broker = entry_of(wanted.broker);
    auto& made = broker.connections[static_cast<std::size_t>(wanted.role)];
    made = std::make_unique<broker_connection>(key, context_.config, out_, account_);
    index_.update(*made);
    view_.change();
    if (broker.address) {
        made->queue();
        queue_.push_back(key);
        start_queued(time.now);
    } else if (broker.is_bootstrap()) {
        give_up(*made, "there is no such bootstrap server", time.now);
    } else {
        addresses_wanted_.insert(wanted.broker);
    }
}

void connection_manager::send(exchange::outbound_request request, turn_time time) {
    auto* const connection = table_.find({request.broker, request.role});
    std::optional<exchange::request_failure> failure;
    if (connection && connection->is_ready()) {
        failure = connection->send(request, time.now);
        index_.reschedule(*connection);
    } else {
        failure = exchange::request_failure{failure_kind::not_ready,
                                            fmt::format("broker {} is not connected", request.broker.value())};
    }
    if (!failure) return;
    exchange::response answer;
    answer.id = request.id;
    answer.owner = request.owner;
    answer.operation = request.operation;
    answer.broker = request.broker;
    answer.version = request.version;
    answer.body = tl::unexpected(*std::move(failure));
    out_.responses.push_back(std::move(answer));
}

exchange::plan connection_manager::plan(turn_time time) {
    follow_cluster(time.now);
    kernel::await_set inputs(cluster_.change());
    if (const auto wake = next_wake(); wake != base::never) {
        // A user's time-out of zero still lies ahead.
        inputs.add(kernel::awaited::timer(kernel::future_instant::in(time.now, wake - time.now)));
    }
    return exchange::plan::await(inputs, why_waiting());
}

base::instant connection_manager::next_wake() const noexcept {
    const auto wake = std::min(table_.backoff_ends(), index_.next_deadline());
    const bool slot_matters = !table_.slot_open && !table_.is_reachable() && !index_.empty();
    return slot_matters ? std::min(wake, table_.pacing.opens_at()) : wake;
}

kernel::reason connection_manager::why_waiting() const {
    using exchange::because;
    using exchange::wait_reason;
    const auto number = [](protocol::broker_id broker) { return static_cast<std::uint64_t>(broker.value()); };
    if (static_cast<std::size_t>(table_.ready) < index_.size()) {
        for (const auto& key : index_.keys()) {
            if (!table_.find(key.broker)->connection(key.role)->is_ready()) {
                return because(wait_reason::broker_connecting, number(key.broker));
            }
        }
    }
    if (table_.backing_off.empty()) return because(wait_reason::nothing_to_do);
    return table_.is_reachable() ? because(wait_reason::broker_backing_off, number(*table_.backing_off.begin()))
                                 : because(wait_reason::no_broker_reachable);
}

void connection_manager::note_all() {
    for (const auto& [id, broker] : table_.brokers) index_.note(id);
}

const std::shared_ptr<const boundary::network_snapshot>& connection_manager::picture(bool contacted) {
    return picture_.look_at(table_, contacted, index_.changed());
}

std::vector<network_order> connection_manager::take_orders() { return std::exchange(out_.orders, {}); }

// ---- the way of a connection

void connection_manager::start_queued(base::instant now) {
    while (!queue_.empty() && (table_.is_reachable() || table_.pacing.is_open(now))) {
        auto* const connection = table_.find(queue_.front());
        queue_.pop_front();
        start(*connection, now);
    }
}

void connection_manager::start(broker_connection& connection, base::instant now) {
    auto& broker = entry_of(connection.key().broker);
    broker.last_tried = ++attempts_;
    if (!table_.is_reachable()) {
        table_.pacing.on_started(now);
        table_.slot_open = false;
    }
    const auto limit = doubled(context_.config.connection_setup_timeout, broker.backoff.attempts());
    const auto set_up_by = base::saturating_add(now, limit);
    connection.set_identity(identity_for(broker));
    if (auto known = addresses_.find(*broker.address)) {
        connection.connect(*std::move(known), set_up_by, now);
    } else {
        const auto query = addresses_.look_up(*broker.address);
        if (query.is_new) out_.orders.emplace_back(resolve_name{query.id, *broker.address});
        connection.resolve(query.id, set_up_by, now);
    }
    index_.update(connection);
}

void connection_manager::apply(connection_key key, const connection_change& change, base::instant now) {
    auto& connection = *table_.find(key);
    switch (change.what) {
        case connection_change::kind::none: index_.update(connection); return;
        case connection_change::kind::became_ready: on_ready(connection, now); return;
        case connection_change::kind::ended: on_ended(connection, change.why, now); return;
    }
}

void connection_manager::on_ready(broker_connection& connection, base::instant now) {
    auto& broker = entry_of(connection.key().broker);
    broker.versions = connection.versions();
    if (connection.peer()) addresses_.prefer(*broker.address, *connection.peer());
    ++table_.ready;
    index_.update(connection);
    view_.change();
    start_queued(now);
}

void connection_manager::on_first_answer(const broker_connection& connection) {
    auto& broker = entry_of(connection.key().broker);
    broker.backoff.on_success();
    broker.failure.reset();
    if (table_.backing_off.erase(broker.id) > 0) view_.change();
    table_.pacing.on_reachable();
    table_.slot_open = true;
    rebootstrap_asked_ = false;
}

void connection_manager::on_ended(broker_connection& connection, const connection_failure& why, base::instant now) {
    const auto key = connection.key();
    view_.change();
    if (connection.phase() == connection_phase::closed) {  // unused for a while: nothing failed
        discard(connection, why.what, now);
        return;
    }
    const bool was_ready = connection.is_ready();
    const int events = was_ready ? 1 : connection.events();
    auto& broker = entry_of(key.broker);
    broker.failure = address_failure{broker.address ? to_string(*broker.address) : "", why.code, why.what};
    if (!was_ready && broker.address) addresses_.forget(*broker.address);
    give_up(connection, why.what, now);
    if (!table_.is_reachable()) {
        table_.pacing.on_failure(now, events, context_.random);
        table_.slot_open = false;
    }
    if (why.rebootstrap || table_.is_cut_off()) {
        ask_for_rebootstrap(why.rebootstrap ? why.what : "no broker of the cluster can be reached");
    } else if (was_ready && !broker.is_bootstrap()) {
        context_.facts.emit(
            exchange::metadata_stale{fmt::format("the connection to broker {} was lost", key.broker.value())});
    }
}

// The broker is left alone for a while; what else was queued for it would fare no better.
void connection_manager::give_up(broker_connection& connection, const std::string& why, base::instant now) {
    auto& broker = entry_of(connection.key().broker);
    discard(connection, why, now);
    for (const auto& other : broker.connections) {
        if (other && !other->is_ready() && !other->is_under_way()) discard(*other, why, now);
    }
    broker.backoff.on_failure(now, context_.random);
    table_.backing_off.insert(broker.id);
}

void connection_manager::discard(broker_connection& connection, const std::string& why, base::instant now) {
    const auto key = connection.key();
    if (connection.is_ready()) --table_.ready;
    connection.close(why, now);
    index_.remove(key);
    std::erase(queue_, key);
    arrived_.erase(key);
    entry_of(key.broker).connections[static_cast<std::size_t>(key.role)].reset();
}

void connection_manager::discard_all(const std::string& why, base::instant now) {
    while (!index_.empty()) discard(*table_.find(index_.first()), why, now);
}

void connection_manager::retire_bootstrap_connections(base::instant now) {
    if (table_.bootstrapping || !table_.is_bootstrap_connected()) return;
    const bool others_can_be_asked = table_.can_ask_cluster();
    for (auto& [id, broker] : table_.brokers) {
        if (!broker.is_bootstrap()) break;
        for (auto& connection : broker.connections) {
            if (!connection) continue;
            if (!connection->is_ready() || (others_can_be_asked && connection->in_flight() == 0)) {
                discard(*connection, "the cluster's own brokers are known", now);
                view_.change();
            }
        }
    }
}

// ---- the cluster

void connection_manager::follow_cluster(base::instant now) {
    if (cluster_.version() == followed_version_ || table_.stopped) return;
    followed_version_ = cluster_.version();
    const auto& cluster = cluster_.read();
    const bool answered = std::exchange(followed_answers_, cluster.answers) != cluster.answers;
    cluster_id_ = cluster.cluster_id;
    table_.bootstrapping = !cluster.bootstrapped || cluster.brokers.empty();
    for (const auto& [id, advertised] : cluster.brokers) {
        auto& broker = entry_of(id);
        if (broker.address == advertised.address) continue;
        if (broker.address) {
            broker.backoff.on_success();
            table_.backing_off.erase(id);
            abandon_attempts(broker, "the broker has moved", now);
        }
        broker.address = advertised.address;
        index_.note(id);
    }
    for (auto& [id, broker] : table_.brokers) {
        if (broker.is_bootstrap() || cluster.brokers.contains(id) || !broker.address) continue;
        abandon_attempts(broker, "the cluster does not list the broker any more", now);
        broker.address.reset();
        index_.note(id);
    }
    place_those_without_address(answered, now);
    std::erase_if(table_.brokers, [&](const auto& entry) {
        const auto& broker = entry.second;
        if (broker.address || broker.has_connection() || table_.is_backing_off(broker.id)) return false;
        index_.note(broker.id);
        return true;
    });
    start_queued(now);
    retire_bootstrap_connections(now);
    view_.change();
}

void connection_manager::abandon_attempts(broker_entry& broker, const std::string& why, base::instant now) {
    for (const auto& connection : broker.connections) {
        if (connection && !connection->is_ready()) discard(*connection, why, now);
    }
}

void connection_manager::place_those_without_address(bool answered, base::instant now) {
    for (auto& [id, broker] : table_.brokers) {
        for (auto& connection : broker.connections) {
            if (!connection || connection->phase() != connection_phase::awaiting_address) continue;
            if (broker.address) {
                connection->queue();
                queue_.push_back(connection->key());
                addresses_wanted_.erase(id);
            } else if (answered) {
                give_up(*connection, fmt::format("the cluster does not list broker {}", id.value()), now);
                addresses_wanted_.erase(id);
            }
        }
    }
}

void connection_manager::ask_for_rebootstrap(std::string why) {
    if (!context_.config.rebootstrap || std::exchange(rebootstrap_asked_, true)) return;
    context_.facts.emit(exchange::rebootstrap_wanted{std::move(why)});
}

client_identity connection_manager::identity_for(const broker_entry& broker) const {
    const auto& config = context_.config;
    client_identity who{config.software_name, config.software_version, std::nullopt, protocol::no_broker};
    const bool checked = config.cluster_check && config.rebootstrap && !broker.is_bootstrap() && !cluster_id_.empty();
    if (checked) {
        who.cluster_id = cluster_id_;
        who.broker = broker.id;
    }
    return who;
}

}  // namespace strandline::core::connection
