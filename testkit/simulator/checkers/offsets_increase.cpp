// R2. Offsets of a partition strictly increase within an incarnation, incarnations never go back, and pieces of one
// incarnation never overlap. A seek begins a new incarnation; nothing else may take a reader back.
#include <map>
#include <memory>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class offsets_increase final : public checker {
public:
    offsets_increase() noexcept
        : checker("R2", "offsets strictly increase in each partition and incarnation",
                  happenings_of<observed::poll_returned, observed::records_seen, observed::crashed,
                                observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        if (const auto* returned = std::get_if<observed::poll_returned>(&seen.what)) {
            for (const auto& piece : returned->pieces) on_piece(seen, piece);
        } else if (const auto* records = std::get_if<observed::records_seen>(&seen.what)) {
            on_records(seen, *records);
        } else {
            places_.forget(seen.consumer);
        }
    }

private:
    struct place {
        core::boundary::incarnation era{0};
        std::int64_t handed_to = -1;
        std::int64_t last_seen = -1;
    };

    place* enter(const observation& seen, log_id log, core::boundary::incarnation era) {
        auto& at = places_[seen.consumer][log];
        if (era < at.era) {
            complain(seen.at, seen.consumer, {log, {}},
                     fmt::format("incarnation {} came after incarnation {}", era.value(), at.era.value()));
            return nullptr;
        }
        if (at.era < era) at = {era, -1, -1};
        return &at;
    }

    void on_piece(const observation& seen, const observed::piece& piece) {
        auto* at = enter(seen, piece.log, piece.era);
        if (!at) return;
        if (piece.from < at->handed_to) {
            complain(seen.at, seen.consumer, {piece.log, piece.from},
                     fmt::format("a poll handed out from {} what an earlier one handed out up to {}", piece.from,
                                 at->handed_to));
        }
        at->handed_to = std::max(at->handed_to, piece.to);
    }

    void on_records(const observation& seen, const observed::records_seen& records) {
        auto* at = enter(seen, records.log, records.era);
        if (!at) return;
        for (const auto& record : records.records) {
            if (record.offset <= at->last_seen) {
                complain(seen.at, seen.consumer, {records.log, record.offset},
                         fmt::format("offset {} came after offset {}", record.offset, at->last_seen));
            }
            at->last_seen = std::max(at->last_seen, record.offset);
        }
    }

    by_consumer<std::map<log_id, place>> places_;
};

}  // namespace

std::unique_ptr<checker> offsets_only_increase() { return std::make_unique<offsets_increase>(); }

}  // namespace strandline::testkit::sim::checkers
