// P3. Facts come to their owners in the order in which they were emitted, each once; and one whose version no longer
// holds changes nothing.
#include <memory>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class facts_in_order final : public checker {
public:
    facts_in_order() noexcept
        : checker("P3", "facts keep their order, and a late one changes nothing",
                  happenings_of<observed::fact_handled, observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        const auto* fact = std::get_if<observed::fact_handled>(&seen.what);
        if (!fact) return newest_.forget(seen.consumer);
        auto& newest = newest_[seen.consumer];
        if (fact->sequence != newest + 1) {
            complain(seen.at, seen.consumer, {},
                     fmt::format("fact {} was handled after fact {}", fact->sequence, newest));
        }
        newest = fact->sequence;
        if (!fact->holds && fact->changed) {
            complain(seen.at, seen.consumer, {},
                     fmt::format("a fact of kind {} changed its owner's state, though the version it saw had passed",
                                 fact->kind));
        }
    }

private:
    by_consumer<std::uint64_t> newest_;
};

}  // namespace

std::unique_ptr<checker> facts_keep_their_order() { return std::make_unique<facts_in_order>(); }

}  // namespace strandline::testkit::sim::checkers
