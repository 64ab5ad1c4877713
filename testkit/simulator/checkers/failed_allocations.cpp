// R23. An allocation that fails takes nothing down silently: the call that met it fails with an error, or the consumer
// goes on; either way it takes further turns, or is closed, and says so.
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

// A consumer that lives has a timer within this: metadata ages, connections go idle, heartbeats are due.
constexpr base::duration sign_of_life = std::chrono::minutes(10);

class failed_allocations final : public checker {
public:
    failed_allocations() noexcept
        : checker("R23", "after a failed allocation the consumer is usable, or fails with an error",
                  happenings_of<observed::fault_applied, observed::turn_decided, observed::call_begun,
                                observed::call_ended, observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        if (const auto* fault = std::get_if<observed::fault_applied>(&seen.what)) {
            if (fault->what != observed::fault_kind::allocation_failure) return;
            for (auto& [who, state] : consumers_) {
                if (seen.consumer == nobody || seen.consumer == who) state.failed_at = seen.at;
            }
        } else if (std::holds_alternative<observed::turn_decided>(seen.what) ||
                   std::holds_alternative<observed::call_ended>(seen.what)) {
            consumers_[seen.consumer].failed_at.reset();
        } else if (std::holds_alternative<observed::call_begun>(seen.what)) {
            static_cast<void>(consumers_[seen.consumer]);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

    void at_end(base::instant now, const truth&) override {
        for (const auto& [who, state] : consumers_) {
            if (!state.failed_at || now - *state.failed_at < sign_of_life) continue;
            complain(now, who, {},
                     fmt::format("no sign of life since an allocation failed {} s ago",
                                 std::chrono::duration_cast<std::chrono::seconds>(now - *state.failed_at).count()));
        }
    }

private:
    struct memory {
        std::optional<base::instant> failed_at;
    };

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> failed_allocations_are_survived() { return std::make_unique<failed_allocations>(); }

}  // namespace strandline::testkit::sim::checkers
