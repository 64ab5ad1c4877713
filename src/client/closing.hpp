// Closing, by whoever is inside already: close itself, or the poll that carries out a request.
#pragma once

#include <cstdint>

#include <strandline/close.hpp>

#include "client/callback_turn.hpp"
#include "client/consumer_state.hpp"
#include "client/step.hpp"
#include "client/submission.hpp"

namespace strandline::client {

// Ends by the deadline; the consumer is closed afterwards, whatever could not be done. Given up in the middle, it
// leaves what the reactor is doing of it to the next close.
class closing {
public:
    // `callbacks` and `waits` are those of the call that closes.
    closing(consumer_state& state, callback_turn& callbacks, waiting& waits, base::instant deadline,
            group_membership membership);

    step advance();
    close_report take_report() { return std::move(report_); }

private:
    enum class stage : std::uint8_t { begin, await_end, last_callbacks };
    void begin();
    // False: `waits` says for what.
    bool await_end();
    void conclude(result<core::boundary::operation_value> outcome);
    void stop();
    bool take_last_callback();
    void note_callback();
    // No poll follows that could tell it.
    void report_untold();

    consumer_state& state_;
    callback_turn& callbacks_;
    waiting& waits_;
    base::instant deadline_;
    group_membership membership_;
    submission closing_;
    stage stage_ = stage::begin;
    close_report report_;
};

}  // namespace strandline::client
