#include <utility>

#include <strandline/error.hpp>

#include "client/coroutine_parts.hpp"
#include "testkit/simulator/application.hpp"

namespace strandline::testkit::sim {

coroutine_consumer make_simulated_consumer(const consumer_config& config, simulated_process& where,
                                           simulated_scheduler& scheduler, call_watch& calls) {
    const client::runtime_factory turned_by_events = [&](const core::boundary::core_config& checked,
                                                         handoff::handoff& meeting) {
        return where.start(checked, meeting);
    };
    auto made = client::coroutine_parts{turned_by_events, where.time(), scheduler}.make(config);
    if (!made) throw exception(std::move(made.error()));
    client::coroutine_parts::state_of(*made).probe = &calls;
    return std::move(*made);
}

}  // namespace strandline::testkit::sim
