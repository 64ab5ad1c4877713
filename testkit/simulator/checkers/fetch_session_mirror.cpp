// R9. A fetch session is kept twice, by the consumer and by the broker, and both books say the same after each answer.
// The consumer's book is kept here from what it sends: adds, changes, forgets, epochs.
#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/few.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class fetch_session_mirror final : public checker {
public:
    fetch_session_mirror() noexcept
        : checker("R9", "the consumer's book of a fetch session equals the broker's",
                  happenings_of<observed::request_sent, observed::request_ended, observed::fetch_session_kept,
                                observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            if (const auto* fetch = std::get_if<observed::fetch_content>(&sent->content)) on_sent(seen, *sent, *fetch);
        } else if (const auto* ended = std::get_if<observed::request_ended>(&seen.what)) {
            on_ended(seen, *ended);
        } else if (const auto* kept = std::get_if<observed::fetch_session_kept>(&seen.what)) {
            kept_[{kept->broker, kept->session_id}] = *kept;
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    using book = std::map<log_id, std::int64_t>;
    struct kept_session {
        std::int32_t id = 0;
        std::int32_t next_epoch = 0;  // 0: a new one has to be opened
        book places;
    };
    struct in_flight {
        protocol::broker_id broker;
        observed::fetch_content said;
    };
    struct memory {
        std::map<protocol::broker_id, kept_session> sessions;
        few<core::exchange::request_id, in_flight> flights;
    };

    void on_sent(const observation& seen, const observed::request_sent& sent, const observed::fetch_content& fetch) {
        // One that is urgent is asked for beside the session.
        if (fetch.session_epoch < 0 && fetch.session_id == 0) return;
        auto& mine = consumers_[seen.consumer];
        const auto& session = mine.sessions[sent.broker];
        if (fetch.session_epoch > 0) {
            if (fetch.session_id != session.id || fetch.session_epoch != session.next_epoch) {
                complain(seen.at, seen.consumer, {},
                         fmt::format("a Fetch to broker {} names session {} epoch {}; it stands at session {} epoch {}",
                                     sent.broker.value(), fetch.session_id, fetch.session_epoch, session.id,
                                     session.next_epoch));
            }
            for (const auto log : fetch.forgotten) {
                if (session.places.contains(log)) continue;
                complain(seen.at, seen.consumer, {log, {}}, "a Fetch forgets a partition that is not in its session");
            }
        }
        mine.flights.try_emplace(sent.id, sent.broker, fetch);
    }

    void on_ended(const observation& seen, const observed::request_ended& ended) {
        auto& mine = consumers_[seen.consumer];
        const auto flight = mine.flights.take(ended.id);
        if (!flight) return;
        const auto& said = flight->said;
        auto& session = mine.sessions[flight->broker];
        const auto* answer = std::get_if<observed::fetch_answer>(&ended.content);
        if (!answer || answer->error != protocol::broker_error::none) {
            session.next_epoch = 0;
            return;
        }
        if (said.session_epoch < 0) {
            session = {};
            return;
        }
        if (said.session_epoch == 0) session.places.clear();
        // As the broker does it: first what is new, then what is forgotten.
        for (const auto& place : said.added) session.places.insert_or_assign(place.log, place.fetch_offset);
        for (const auto log : said.forgotten) {
            if (!was_added(said, log)) session.places.erase(log);
        }
        for (const auto log : answer->answered) {
            if (session.places.contains(log)) continue;
            complain(seen.at, seen.consumer, {log, {}}, "an answer is about a partition that is not in its session");
        }
        session.id = answer->session_id;
        session.next_epoch = answer->session_id == 0 ? 0 : std::max(said.session_epoch, 0) + 1;
        if (session.id != 0) compare(seen, flight->broker, session);
    }

    static bool was_added(const observed::fetch_content& said, log_id log) {
        for (const auto& place : said.added) {
            if (place.log == log) return true;
        }
        return false;
    }

    static bool is_same(const book& mine, const std::vector<observed::fetch_session_kept::place>& theirs) {
        return std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                          [](const auto& one, const auto& other) {
                              return one.first == other.log && one.second == other.fetch_offset;
                          });
    }

    void compare(const observation& seen, protocol::broker_id broker, const kept_session& mine) {
        const auto kept = kept_.find({broker, mine.id});
        // The broker may have lost it meanwhile, or the answer was late and its book is ahead.
        if (kept == kept_.end() || kept->second.next_epoch != mine.next_epoch) return;
        if (is_same(mine.places, kept->second.places)) return;
        book theirs;
        for (const auto& place : kept->second.places) theirs.emplace(place.log, place.fetch_offset);
        for (const auto& [log, offset] : mine.places) {
            const auto at = theirs.find(log);
            if (at == theirs.end()) {
                complain(seen.at, seen.consumer, {log, offset},
                         fmt::format("broker {} does not know it in session {}", broker.value(), mine.id));
            } else if (at->second != offset) {
                complain(seen.at, seen.consumer, {log, offset},
                         fmt::format("broker {} has it at {} in session {}", broker.value(), at->second, mine.id));
            }
        }
        for (const auto& [log, offset] : theirs) {
            if (mine.places.contains(log)) continue;
            complain(seen.at, seen.consumer, {log, offset},
                     fmt::format("only broker {} has it in session {}", broker.value(), mine.id));
        }
    }

    by_consumer<memory> consumers_;
    std::map<std::pair<protocol::broker_id, std::int32_t>, observed::fetch_session_kept> kept_;
};

}  // namespace

std::unique_ptr<checker> fetch_sessions_agree() { return std::make_unique<fetch_session_mirror>(); }

}  // namespace strandline::testkit::sim::checkers
