#include "core/connection/broker_connection.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "protocol/header.hpp"

namespace strandline::core::connection {

namespace {

using failure_kind = exchange::request_failure::kind;

std::string seconds(base::duration time) { return fmt::format("{:g} s", std::chrono::duration<double>(time).count()); }

}  // namespace

broker_connection::broker_connection(connection_key key, const boundary::core_config& config, connection_outputs& out,
                                     std::shared_ptr<base::memory_account> account)
    : key_(key), config_(&config), out_(&out), account_(std::move(account)) {}

bool broker_connection::is_under_way() const noexcept {
    return phase_ == connection_phase::resolving || phase_ == connection_phase::connecting ||
           phase_ == connection_phase::handshaking;
}

std::vector<connection_id> broker_connection::ids() const {
    std::vector<connection_id> ids;
    for (const auto& runner : race_.runners()) ids.push_back(runner.id);
    if (inbox_) ids.push_back(id_);
    return ids;
}

void broker_connection::enter(connection_phase next) {
    assert(may_follow(phase_, next));
    out_->walked.note(static_cast<std::size_t>(phase_), static_cast<std::size_t>(next));
    phase_ = next;
}

// ---- the way to ready

void broker_connection::queue() { enter(connection_phase::queued); }

void broker_connection::resolve(query_id query, base::instant set_up_by, base::instant now) {
    enter(connection_phase::resolving);
    query_ = query;
    set_up_by_ = set_up_by;
    started_at_ = now;
}

void broker_connection::connect(std::vector<ip_endpoint> addresses, base::instant set_up_by, base::instant now) {
    if (phase_ == connection_phase::resolving) {
        ++events_;
    } else {
        set_up_by_ = set_up_by;
        started_at_ = now;
    }
    enter(connection_phase::connecting);
    race_ = address_race(std::move(addresses));
    start_due_attempts(now);
}

void broker_connection::start_due_attempts(base::instant now) {
    while (race_.wants_another(now)) {
        const connection_id id(++out_->last_connection);
        out_->orders.emplace_back(open_connection{id, race_.start(id, std::make_unique<frame_inbox>(account_), now)});
    }
}

connection_change broker_connection::on_connected(connection_id id, base::instant now) {
    ++events_;
    auto winner = race_.take(id);
    if (!winner) return {};
    for (const auto& loser : race_.runners()) out_->orders.emplace_back(close_connection{loser.id});
    race_ = {};
    id_ = id;
    peer_ = winner->to;
    inbox_ = std::move(winner->inbox);
    enter(connection_phase::handshaking);
    handshake_.emplace(identity_);
    if (auto asked = ask_next_step(now); asked.what == connection_change::kind::ended) return asked;
    // A peer that speaks first has said something already.
    return digest(now);
}

connection_change broker_connection::on_closed(connection_id id, const std::string& reason, base::instant now) {
    ++events_;
    if (inbox_ && id == id_) {
        // What arrived before the end still counts.
        auto last = digest(now);
        inbox_.reset();
        if (last.what == connection_change::kind::ended) return last;
        if (phase_ == connection_phase::handshaking) {
            const auto why = reason.empty() ? std::string("closed by the peer") : reason;
            return end(errc::broker_unreachable,
                       fmt::format("connected, but {} ({}): {}", handshake_->step(), peer_->address, why));
        }
        return end(errc::broker_unreachable, reason.empty() ? "closed by the broker" : reason);
    }
    race_.on_failed(id, reason);
    start_due_attempts(now);
    return race_.is_lost() ? end(errc::broker_unreachable, race_.what()) : connection_change{};
}

connection_change broker_connection::on_name_not_resolved(const std::string& reason) {
    ++events_;
    return end(errc::name_not_resolved, "the name was not resolved: " + (reason.empty() ? "no address" : reason));
}

connection_change broker_connection::ask_next_step(base::instant now) {
    const auto request = handshake_->next_request();
    in_flight_request entry;
    entry.api = request.body.key();
    entry.version = request.version;
    entry.sent_at = now;
    entry.expires_at = set_up_by_;
    const auto correlation = in_flight_.add(entry);
    auto frame = protocol::encode_request_frame(request.body, request.version, correlation, config_->client_id);
    // The configuration's own words stand in it: a client id may be longer than the wire allows.
    if (!frame) return end(errc::invalid_configuration, frame.error().to_string());
    out_->orders.emplace_back(write_bytes{id_, *std::move(frame)});
    return {};
}

// ---- time

connection_change broker_connection::on_time(base::instant now) {
    if (is_under_way()) {
        if (now < set_up_by_) {
            if (phase_ == connection_phase::connecting) start_due_attempts(now);
            return {};
        }
        const auto tried = phase_ == connection_phase::resolving    ? std::string("the name was not resolved")
                           : phase_ == connection_phase::connecting ? race_.what()
                                                                    : "no answer to " + std::string(handshake_->step());
        return end(errc::timed_out, fmt::format("timed out after {}: {}", seconds(now - started_at_), tried));
    }
    if (!is_ready()) return {};
    if (in_flight_.earliest_expiry() <= now) {
        const auto waited = seconds(now - in_flight_.oldest().sent_at);
        fail_expired(now);
        return end(errc::timed_out, fmt::format("a request was not answered within {}", waited));
    }
    if (in_flight_.empty() && unused_until() <= now) {
        close("idle", now);
        return {connection_change::kind::ended, {}};
    }
    return {};
}

base::instant broker_connection::deadline() const noexcept {
    if (is_under_way()) {
        return phase_ == connection_phase::connecting ? std::min(set_up_by_, race_.next_start()) : set_up_by_;
    }
    if (!is_ready()) return base::never;
    return in_flight_.empty() ? unused_until() : in_flight_.earliest_expiry();
}

base::instant broker_connection::unused_until() const noexcept {
    return base::saturating_add(last_used_, config_->connections_max_idle);
}

// ---- bytes

frame_inbox* broker_connection::inbox_of(connection_id id) {
    if (inbox_ && id == id_) return inbox_.get();
    auto* const runner = race_.find(id);
    return runner ? runner->inbox.get() : nullptr;
}

std::span<std::byte> broker_connection::room(connection_id id) {
    auto* const inbox = inbox_of(id);
    return inbox ? inbox->room() : std::span<std::byte>{};
}

std::size_t broker_connection::bytes_missing(connection_id id) {
    const auto* const inbox = inbox_of(id);
    return inbox ? inbox->bytes_missing() : 0;
}

bool broker_connection::received(connection_id id, std::size_t count) {
    auto* const inbox = inbox_of(id);
    return inbox && inbox->received(count);
}

connection_change broker_connection::digest(base::instant now) {
    if (!inbox_) return {};
    connection_change sum;
    for (const auto& frame : inbox_->take_frames()) {
        const auto change = on_frame(frame, now);
        if (change.what == connection_change::kind::ended) return change;
        if (change.what == connection_change::kind::became_ready) sum = change;
    }
    if (const auto& error = inbox_->error()) {
        const bool nothing_answered = phase_ == connection_phase::handshaking;
        const auto failure = failure_of(*error, nothing_answered);
        return end(failure.code, failure.what);
    }
    return sum;
}

connection_change broker_connection::on_frame(const base::shared_bytes& frame, base::instant now) {
    const auto correlation = protocol::peek_correlation_id(frame);
    if (!correlation) return malformed("an answer that is too short for its header");
    if (in_flight_.empty()) return malformed("an answer that nobody asked for");
    const auto awaited = in_flight_.oldest();
    auto answered = in_flight_.take(*correlation);
    if (!answered) {
        return malformed(fmt::format("correlation id {} where that of {} was due: {}", correlation->value(),
                                     protocol::name(awaited.api), awaited.correlation.value()));
    }
    auto split = protocol::split_response(frame, answered->api, answered->version);
    if (!split) {
        const auto what = split.error().to_string();
        if (answered->who)
            respond(*answered, tl::unexpected(exchange::request_failure{failure_kind::malformed, what}), now);
        return malformed(what);
    }
    last_used_ = now;
    if (!answered->who) return on_handshake_answer(split->body, now);
    has_answered_ = true;
    respond(*answered, std::move(split->body), now);
    return {};
}

connection_change broker_connection::on_handshake_answer(const base::shared_bytes& body, base::instant now) {
    if (auto answer = handshake_->on_answer(body); !answer) {
        return {connection_change::kind::ended, std::move(answer).error()};
    }
    if (!handshake_->is_done()) return ask_next_step(now);
    enter(connection_phase::ready);
    inbox_->set_max_frame_bytes(config_->max_frame_bytes);
    return {connection_change::kind::became_ready, {}};
}

connection_change broker_connection::malformed(std::string what) {
    return end(phase_ == connection_phase::handshaking ? errc::not_kafka : errc::malformed_response, std::move(what));
}

connection_change broker_connection::end(errc code, std::string what, bool rebootstrap) {
    return {connection_change::kind::ended, {code, std::move(what), rebootstrap}};
}

// ---- requests

std::optional<exchange::request_failure> broker_connection::send(const exchange::outbound_request& request,
                                                                 base::instant now) {
    in_flight_request entry;
    entry.who = {request.id, request.owner, request.operation};
    entry.api = request.body.key();
    entry.version = request.version;
    entry.sent_at = now;
    entry.expires_at = request.expires_at;
    const auto correlation = in_flight_.add(entry);
    auto frame = protocol::encode_request_frame(request.body, request.version, correlation, config_->client_id);
    if (!frame) {
        in_flight_.drop_newest();
        return exchange::request_failure{failure_kind::unencodable, frame.error().to_string()};
    }
    last_used_ = now;
    out_->orders.emplace_back(write_bytes{id_, *std::move(frame)});
    return std::nullopt;
}

void broker_connection::respond(const in_flight_request& request,
                                tl::expected<base::shared_bytes, exchange::request_failure> body, base::instant now) {
    exchange::response answer;
    answer.id = request.who->id;
    answer.owner = request.who->owner;
    answer.operation = request.who->operation;
    answer.broker = key_.broker;
    answer.version = request.version;
    answer.body = std::move(body);
    answer.took = now - request.sent_at;
    answer.connection = id_.value();
    out_->responses.push_back(std::move(answer));
}

void broker_connection::fail_expired(base::instant now) {
    for (const auto& request : in_flight_.take_all()) {
        if (request.expires_at > now) {
            in_flight_.add(request);
        } else if (request.who) {
            const auto text = fmt::format("{} was not answered within {}", protocol::name(request.api),
                                          seconds(now - request.sent_at));
            respond(request, tl::unexpected(exchange::request_failure{failure_kind::expired, text}), now);
        }
    }
}

void broker_connection::close(const std::string& why, base::instant now) {
    if (phase_ == connection_phase::closed) return;
    enter(connection_phase::closed);
    for (const auto id : ids()) out_->orders.emplace_back(close_connection{id});
    race_ = {};
    inbox_.reset();
    for (const auto& request : in_flight_.take_all()) {
        if (!request.who) continue;
        respond(request, tl::unexpected(exchange::request_failure{failure_kind::disconnected, why}), now);
    }
}

}  // namespace strandline::core::connection
