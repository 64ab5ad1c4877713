// One run of `strandline consume`: what all its parts work on.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

#include <strandline/consumer.hpp>

#include "apps/command_line/consume_options.hpp"
#include "apps/consume/contact.hpp"
#include "apps/consume/partition_progress.hpp"
#include "apps/consume/progress_line.hpp"
#include "apps/consume/record_output.hpp"
#include "apps/consume/silence.hpp"
#include "apps/consume/stop.hpp"
#include "apps/output/notes.hpp"

namespace strandline::apps::consume {

struct session {
    session(const command_line::consume_options& asked, stop& stopping, output::notes& told, consumer& of, bool draws)
        : options(asked),
          stopper(stopping),
          notes(told),
          source(of),
          reach(of, asked.config.bootstrap_servers, asked.connect_timeout, told),
          line(of, told, draws),
          quiet(of, told, silence::clock::now()),
          out(STDOUT_FILENO, stopping, [this] { line.redraw(out.written().records); }) {}
    session(const session&) = delete;
    session& operator=(const session&) = delete;

    const command_line::consume_options& options;
    stop& stopper;
    output::notes& notes;
    consumer& source;
    contact reach;
    progress_line line;
    silence quiet;
    record_output out;
    printed_progress progress;
    // Why this run fails, in words; the first reason stays.
    std::optional<std::string> failure = {};

    void fail(std::string why) {
        if (!failure) failure = std::move(why);
    }
    bool is_over() const { return failure || stopper.requested(); }
    // What happens between polls, and between attempts of a call: explanations asked for, trouble with brokers.
    void look_around();
};

// A call that may take long, in attempts that get longer, so that signals and a missing cluster end it. Nothing when
// the run is over: then session::failure says why, unless it was to stop.
template <class Call>
auto attempt(session& run, std::string_view what, Call call) -> std::optional<typename decltype(call({}))::value_type> {
    using std::chrono::milliseconds;
    constexpr milliseconds longest(2000);
    for (milliseconds wait(250); !run.is_over(); wait = std::min(wait * 2, longest)) {
        auto answer = call(run.stopper.at_most(wait));
        if (answer) return std::move(*answer);
        if (!(answer.error() == errc::timed_out)) {
            run.fail(std::string(what) + ": " + answer.error().message());
            break;
        }
        run.look_around();
    }
    return std::nullopt;
}

}  // namespace strandline::apps::consume
