// A consumer's calls as a program of the simulator makes them: each is told of when it begins and when it has ended.
#pragma once

#include <chrono>
#include <optional>
#include <type_traits>
#include <utility>

#include <strandline/coroutine.hpp>

#include "testkit/simulator/application.hpp"
#include "testkit/simulator/checkers/observation.hpp"

namespace strandline::testkit::sim {

namespace told_detail {

template <class Value>
void note_value(observed::call_ended& end, const Value& value) {
    if constexpr (std::is_same_v<Value, std::int64_t>) end.value = value;
    if constexpr (std::is_same_v<Value, close_report>) end.undone = value.undone;
}

}  // namespace told_detail

// co_await told(self, {.what = call_kind::commit}, self.consumer().try_commit()). Nothing is told of a call that is
// destroyed on its way.
template <class Value>
task<result<Value>> told(application& self, observed::call_begun begun, awaitable_result<Value> call) {
    auto& watch = self.calls();
    const auto kind = begun.what;
    const auto id = watch.begin(std::move(begun));
    auto outcome = co_await std::move(call);
    observed::call_ended end;
    end.call = id;
    end.what = kind;
    if (!outcome) {
        end.failure = outcome.error();
    } else if constexpr (!std::is_void_v<Value>) {
        told_detail::note_value(end, *outcome);
    }
    // The same life: a crash destroys this with everything else.
    watch.end(std::move(end));
    co_return outcome;
}

}  // namespace strandline::testkit::sim
