// One callback of the application, from what wants it to its acknowledgement.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include <strandline/consumer_calls.hpp>
#include <strandline/coroutine_listener.hpp>
#include <strandline/error.hpp>
#include <strandline/rebalance_listener.hpp>

#include "access/frame.hpp"
#include "access/place.hpp"
#include "client/step.hpp"
#include "core/boundary/identity.hpp"
#include "core/boundary/notice.hpp"
#include "handoff/poll_offer.hpp"

namespace strandline::client {

class consumer_state;

using any_listener =
    std::variant<std::monostate, std::shared_ptr<rebalance_listener>, std::shared_ptr<coroutine_listener>>;
using any_commit_callback = std::variant<std::monostate, commit_callback, coroutine_commit_callback>;

// Whoever drives the call runs it, in the way of its kind.
struct wanted_callback {
    enum class kind : std::uint8_t { assigned, revoked, lost, committed };
    kind what = kind::assigned;
    // Of a rebalance.
    any_listener listener = {};
    partitions which = {};
    // Of a commit.
    any_commit_callback done = {};
    commit_result told = {};
    // Through it the callback's access comes in.
    access::frame_id frame = access::root_frame;

    std::string_view name() const noexcept;
};

// What the application is told when a callback threw. The change that it was about goes on, and so may the call.
error callback_error(const wanted_callback& whose, const std::exception_ptr& thrown);

// Owned by a call that runs callbacks while it waits; one callback after the other.
class callback_turn {
public:
    explicit callback_turn(consumer_state& state) noexcept : state_(state) {}
    // Its call goes away in the middle: the callback counts as failed, and the change it was about goes on.
    ~callback_turn();
    callback_turn(const callback_turn&) = delete;
    callback_turn& operator=(const callback_turn&) = delete;

    // Deals with what next() or next_callback() offered: a notice or an ended call. advance() says whether it takes
    // anything more.
    void take(handoff::poll_offer offer);
    // Ended: dealt with.
    step advance();
    bool is_busy() const noexcept { return stage_ != stage::idle; }
    // Of the callback that ended last, for the call that ran it.
    std::optional<error> take_failure() { return std::exchange(failure_, std::nullopt); }

    const wanted_callback& wanted() const noexcept { return *wanted_; }
    void on_ended(std::optional<error> failure);

    // A call made through the callback's access has not come back: what step::queue means then.
    bool ends() const noexcept { return stage_ == stage::ending; }
    access::place& end_place() noexcept { return end_; }

private:
    enum class stage : std::uint8_t { idle, wanted, running, ending };
    void acknowledge(core::boundary::callback_id id, std::optional<error> failure);
    void take(core::boundary::callback_wanted wanted);
    void over();

    consumer_state& state_;
    stage stage_ = stage::idle;
    std::optional<wanted_callback> wanted_;
    std::optional<core::boundary::callback_id> unanswered_;
    std::optional<error> failure_;
    access::place end_;
};

}  // namespace strandline::client
