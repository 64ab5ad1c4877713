// R13. A consumer that is gone leaves nothing: no connection, no operation, no timer, no query, no byte; and nothing of
// it is seen any more.
#include <memory>
#include <set>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class nothing_left_behind final : public checker {
public:
    nothing_left_behind() noexcept
        : checker("R13", "a consumer that is gone leaves nothing behind",
                  happenings_of<observed::consumer_gone, observed::effect_seen, observed::woken,
                                observed::fetch_session_kept>()) {}

    void on(const observation& seen, const truth&) override {
        if (const auto* left = std::get_if<observed::consumer_gone>(&seen.what)) {
            gone_.insert(seen.consumer);
            tell(seen, left->connections, "connections are open");
            tell(seen, left->operations, "operations have no result");
            tell(seen, left->timers, "timers are set");
            tell(seen, left->names, "names are being resolved");
            tell(seen, left->bytes, "bytes are in use");
        } else if (!std::holds_alternative<observed::fetch_session_kept>(seen.what) && gone_.contains(seen.consumer)) {
            complain(seen.at, seen.consumer, {}, "a consumer that is gone did something");
        }
    }

private:
    void tell(const observation& seen, std::size_t count, const char* what) {
        if (count > 0) complain(seen.at, seen.consumer, {}, fmt::format("it is gone, and {} {}", count, what));
    }

    std::set<consumer_id> gone_;
};

}  // namespace

std::unique_ptr<checker> nothing_is_left_behind() { return std::make_unique<nothing_left_behind>(); }

}  // namespace strandline::testkit::sim::checkers
