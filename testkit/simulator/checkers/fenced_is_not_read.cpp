// R6. Once the revocation of a partition has begun, no poll returns records of it, and no request asks for more of it.
#include <map>
#include <memory>
#include <set>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class fenced_is_not_read final : public checker {
public:
    fenced_is_not_read() noexcept
        : checker("R6", "nothing of a partition is handed out or asked for once its revocation has begun",
                  happenings_of<observed::slot_updated, observed::turn_decided, observed::poll_returned,
                                observed::request_sent, observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        if (const auto* slot = std::get_if<observed::slot_updated>(&seen.what)) {
            auto& fenced = consumers_[seen.consumer].fenced;
            if (slot->assigned && slot->fenced) {
                fenced.insert(slot->log);
            } else {
                fenced.erase(slot->log);
            }
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            if (decided->assignment) on_assignment(seen, *decided->assignment);
        } else if (const auto* returned = std::get_if<observed::poll_returned>(&seen.what)) {
            for (const auto& piece : returned->pieces) {
                if (!consumers_[seen.consumer].fenced.contains(piece.log)) continue;
                complain(seen.at, seen.consumer, {piece.log, piece.from},
                         "a poll returned records of a partition that is being revoked");
            }
        } else if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            on_request(seen, *sent);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct memory {
        std::set<log_id> fenced;     // as the application was told
        std::set<log_id> published;  // in the decision before this turn
    };

    void on_assignment(const observation& seen, const std::vector<observed::turn_decided::place>& assignment) {
        auto& published = consumers_[seen.consumer].published;
        published.clear();
        for (const auto& place : assignment) {
            if (place.fenced) published.insert(place.log);
        }
    }

    void on_request(const observation& seen, const observed::request_sent& sent) {
        const auto* fetch = std::get_if<observed::fetch_content>(&sent.content);
        if (!fetch) return;
        for (const auto& place : fetch->added) {
            if (!consumers_[seen.consumer].published.contains(place.log)) continue;
            complain(seen.at, seen.consumer, {place.log, place.fetch_offset},
                     "a Fetch asked for a partition that is being revoked");
        }
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> fenced_partitions_are_not_read() { return std::make_unique<fenced_is_not_read>(); }

}  // namespace strandline::testkit::sim::checkers
