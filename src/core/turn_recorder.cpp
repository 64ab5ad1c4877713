#include "core/turn_recorder.hpp"

#include <algorithm>
#include <variant>

#include "core/consumer_core.hpp"
#include "core/exchange/manager.hpp"

namespace strandline::core {

static_assert(exchange::manager::count <= boundary::turn_record::managers);

namespace {

std::uint16_t bounded(std::size_t count) noexcept {
    return static_cast<std::uint16_t>(std::min<std::size_t>(count, UINT16_MAX));
}

}  // namespace

void turn_recorder::begin(const turn_inputs& inputs, base::instant now) noexcept {
    turn_ = {};
    turn_.at = now;
    for (const auto& submitted : inputs.commands) {
        turn_.commands.add(static_cast<std::uint8_t>(submitted.what.index()));
    }
    turn_.network_events = bounded(inputs.network.size());
    turn_.fences = bounded(inputs.fences.size());
    turn_.drained = bounded(inputs.drained.size());
    turn_.checkpoint = inputs.progress.has_value();
}

void turn_recorder::arrived(const exchange::response& answer) noexcept {
    turn_.answers.add({.owner = answer.owner,
                       .failed = !answer.body,
                       .request = answer.id.value(),
                       .broker = answer.broker,
                       .took = answer.took});
}

void turn_recorder::answered(kernel::manager_index manager, const exchange::plan& answer) noexcept {
    auto& by = turn_.answered_by[manager];
    by.asked = true;
    if (answer.is_progress()) {
        if (by.progress < UINT16_MAX) ++by.progress;
    } else {
        by.why = answer.why();
    }
}

void turn_recorder::put_out(const exchange::output& what) noexcept {
    const auto* const request = std::get_if<exchange::outbound_request>(&what);
    if (request) turn_.requests.add({request->id.value(), request->body.key(), request->broker});
}

const boundary::turn_record& turn_recorder::end(const turn_effects& effects, std::uint64_t number) noexcept {
    turn_.number = number;
    turn_.connections = bounded(
        static_cast<std::size_t>(std::count_if(effects.orders.begin(), effects.orders.end(), [](const auto& order) {
            return std::holds_alternative<connection::open_connection>(order);
        })));
    turn_.completions = bounded(effects.completions.size());
    turn_.notices = bounded(effects.notices.size());
    turn_.fetches = bounded(static_cast<std::size_t>(
        std::count_if(effects.deliveries.begin(), effects.deliveries.end(),
                      [](const auto& one) { return std::holds_alternative<boundary::completed_fetch>(one); })));
    return turn_;
}

}  // namespace strandline::core
