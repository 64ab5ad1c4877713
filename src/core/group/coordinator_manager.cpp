#include "core/group/coordinator_manager.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "core/exchange/wait_reason.hpp"
#include "core/group/group_error.hpp"
#include "protocol/codec.hpp"

namespace strandline::core::group {

namespace {

using exchange::wait_reason;
using protocol::broker_error;
using protocol::messages::find_coordinator_request;
using protocol::messages::find_coordinator_response;

constexpr std::int16_t first_batched_version = 4;
constexpr std::int8_t key_type_group = 0;

// In the set of those who need the coordinator.
constexpr std::uint32_t bit_of(std::uint8_t manager) noexcept { return std::uint32_t{1} << manager; }

// One group was asked for, so one answer counts; older versions have it in the answer itself.
std::optional<find_coordinator_response::coordinator> answer_for(find_coordinator_response answer, std::int16_t version,
                                                                 const std::string& group_id) {
    if (version < first_batched_version) {
        find_coordinator_response::coordinator only;
        only.node_id = answer.node_id;
        only.host = std::move(answer.host);
        only.port = answer.port;
        only.error_code = answer.error_code;
        only.error_message = std::move(answer.error_message);
        return only;
    }
    const auto ours = std::find_if(answer.coordinators.begin(), answer.coordinators.end(),
                                   [&](const auto& coordinator) { return coordinator.key == group_id; });
    if (ours == answer.coordinators.end()) return std::nullopt;
    return std::move(*ours);
}

// What a broker advertises is believed only as far as it can be an address.
bool is_address(const find_coordinator_response::coordinator& coordinator) {
    return coordinator.node_id.value() >= 0 && !coordinator.host.empty() && coordinator.port > 0 &&
           coordinator.port <= std::numeric_limits<std::uint16_t>::max();
}

}  // namespace

coordinator_manager::coordinator_manager(const exchange::manager_context& context,
                                         kernel::view<exchange::connections_handle> connections,
                                         kernel::view<exchange::lifecycle_view> lifecycle)
    : context_(context),
      reach_(connections),
      lifecycle_(lifecycle),
      coordinator_(exchange::view::coordinator, context.views),
      backoff_(context.config.retry) {}

void coordinator_manager::on_fact(const exchange::coordinator_needed& need, exchange::turn_time) {
    const auto bit = bit_of(need.manager);
    needed_by_ = need.needed ? needed_by_ | bit : needed_by_ & ~bit;
}

void coordinator_manager::on_fact(const exchange::coordinator_lost& loss, exchange::turn_time time) {
    if (coordinator_.get().known() && coordinator_.get().version == loss.version) lose(loss.cause, time);
}

void coordinator_manager::lose(exchange::failure_cause cause, exchange::turn_time time) {
    coordinator_.change().broker = protocol::no_broker;
    // Brokers that send us back and forth must not make us run: what is lost soon after it was found is sought again
    // only after a back-off.
    const bool soon = found_at_ != base::instant::min() && time.now - found_at_ < context_.config.retry.maximum;
    if (soon) {
        backoff_.on_failure(time.now, context_.random, cause);
    } else {
        backoff_.on_success();
    }
}

void coordinator_manager::on_response(const exchange::response& response, exchange::turn_time time) {
    if (!search_ || search_->id != response.id) return;
    search_.reset();
    if (!response.body) return backoff_.on_failure(time.now, context_.random, response.body.error().what);
    auto decoded = protocol::decode<find_coordinator_response>(*response.body, response.version);
    if (!decoded) {
        context_.facts.emit(exchange::answer_unreadable::of(response, decoded.error().to_string()));
        return backoff_.on_failure(time.now, context_.random, exchange::request_failure::kind::malformed);
    }
    if (decoded->throttle_time_ms > 0) {
        const auto until = base::saturating_add(time.now, std::chrono::milliseconds(decoded->throttle_time_ms));
        context_.facts.emit(exchange::broker_throttled{response.broker, exchange::connection_role::control, until});
    }
    const auto& group_id = *context_.config.group_id;
    const auto coordinator = answer_for(std::move(*decoded), response.version, group_id);
    if (!coordinator) return backoff_.on_failure(time.now, context_.random);
    const auto failure = coordinator->error_code;
    if (failure == broker_error::none && is_address(*coordinator)) {
        found(*coordinator, time);
    } else if (failure == broker_error::none || is_retriable(failure)) {
        backoff_.on_failure(time.now, context_.random, failure);
    } else {
        refuse(group_refusal(failure, coordinator->error_message, "finding the coordinator of", group_id), failure);
    }
}

void coordinator_manager::found(const coordinator_answer& coordinator, exchange::turn_time time) {
    const boundary::host_port address{coordinator.host, static_cast<std::uint16_t>(coordinator.port)};
    context_.facts.emit(exchange::broker_address_learnt{coordinator.node_id, address});
    auto& shown = coordinator_.change();
    shown.broker = coordinator.node_id;
    ++shown.version;
    found_at_ = time.now;
}

void coordinator_manager::refuse(error reason, broker_error why) {
    coordinator_.change().refusal = reason;
    context_.facts.emit(exchange::fatal_error{std::move(reason), why});
}

bool coordinator_manager::wanted() const {
    if (!context_.config.group_id || coordinator_.get().refusal) return false;
    // In close commits are over once the group is to be left, and what comes after that needs no coordinator at all,
    // whoever forgot to say so or still looks something up.
    const auto stage = lifecycle_.read().stage;
    if (stage == exchange::close_stage::leave) return (needed_by_ & bit_of(exchange::manager::membership)) != 0;
    return needed_by_ != 0 && stage < exchange::close_stage::leave;
}

exchange::plan coordinator_manager::plan(exchange::turn_time time) {
    if (auto ready = outbox_.take()) return std::move(*ready);
    exchange::pending_wait wait;
    wait.inputs.add(lifecycle_.change());
    if (wanted()) {
        // Whether it is known or sought: asked again, the answer must be the same.
        wait.inputs.add(reach_.change());
        if (coordinator_.get().known()) doubt_unreachable(time);
        if (!coordinator_.get().known()) plan_search(wait, time);
        if (auto ready = outbox_.take()) return std::move(*ready);
    }
    return wait.answer();
}

// A coordinator that cannot be reached has perhaps been replaced; its connection cannot tell.
void coordinator_manager::doubt_unreachable(exchange::turn_time time) {
    const auto state = reach_.connections().of(coordinator_.get().broker, exchange::connection_role::group);
    if (state.is == exchange::readiness::state::backing_off) {
        unreachable_ = coordinator_.get().broker;
        coordinator_.change().broker = protocol::no_broker;
        backoff_.on_failure(time.now, context_.random, exchange::request_failure::kind::disconnected);
    } else if (state.ready()) {
        backoff_.on_success();
        unreachable_.reset();
    }
}

void coordinator_manager::plan_search(exchange::pending_wait& wait, exchange::turn_time time) {
    if (search_) {
        wait.because_of(wait_reason::coordinator_search, search_->id.value());
        return wait.for_response(search_->id.value(), search_->expires_at);
    }
    if (!backoff_.may_try(time.now)) {
        if (unreachable_)
            wait.because_of(wait_reason::coordinator_unreachable, exchange::broker_subject(*unreachable_));
        wait.because_of_failure(backoff_.cause());
        return wait.until(time.now, backoff_.allowed_at());
    }
    const auto broker = reach_.connections().any_broker(exchange::connection_role::control, time.now);
    if (!broker) return wait.because_of(wait_reason::no_broker_reachable);
    if (!reach_.may_send(*broker, exchange::connection_role::control, time.now, outbox_, wait)) return;
    const auto version = reach_.connections().usable_version(*broker, find_coordinator_request::key);
    if (version) {
        outbox_.add(find_coordinator(*broker, *version, time));
        return;
    }
    // Such a broker knows no groups at all; another one may.
    backoff_.on_failure(time.now, context_.random, broker_error::unsupported_version);
    wait.because_of_failure(backoff_.cause());
    wait.until(time.now, backoff_.allowed_at());
}

exchange::outbound_request coordinator_manager::find_coordinator(protocol::broker_id broker, std::int16_t version,
                                                                 exchange::turn_time time) {
    find_coordinator_request body;
    body.key_type = key_type_group;
    if (version < first_batched_version) {
        body.coordinator_key = *context_.config.group_id;
    } else {
        body.coordinator_keys = {*context_.config.group_id};
    }
    search_ = search{exchange::request_id(context_.ids.next()),
                     base::saturating_add(time.now, context_.config.request_timeout)};
    return {.id = search_->id,
            .owner = exchange::manager::coordinator,
            .broker = broker,
            .role = exchange::connection_role::control,
            .body = std::move(body),
            .version = version,
            .expires_at = search_->expires_at};
}

}  // namespace strandline::core::group
