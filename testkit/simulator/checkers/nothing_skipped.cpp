// R1. Within one incarnation the application is given every record that the true log shows to its isolation level, from
// the first piece on: between two pieces lies no visible record, and within a piece iteration passes none over.
#include <algorithm>
#include <deque>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/few.hpp"
#include "testkit/simulator/checkers/reading_window.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class nothing_skipped final : public checker {
public:
    nothing_skipped() noexcept
        : checker("R1", "in one incarnation the application gets every visible record, from its start position on",
                  happenings_of<observed::poll_returned, observed::records_seen, observed::processed,
                                observed::iteration_failed, observed::request_sent, observed::request_ended,
                                observed::fetch_delivered, observed::truncated, observed::crashed,
                                observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        if (const auto* returned = std::get_if<observed::poll_returned>(&seen.what)) {
            for (const auto& piece : returned->pieces) on_piece(seen, piece, known);
        } else if (const auto* records = std::get_if<observed::records_seen>(&seen.what)) {
            for (const auto& record : records->records) on_record(seen, *records, record.offset, known);
        } else if (const auto* processed = std::get_if<observed::processed>(&seen.what)) {
            on_processed(seen, *processed, known);
        } else if (const auto* failed = std::get_if<observed::iteration_failed>(&seen.what)) {
            windows_[seen.consumer].erase(failed->log);
        } else if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            if (sent->api == protocol::api_key::fetch) fetches_[seen.consumer].asked.try_emplace(sent->id, cuts_);
        } else if (const auto* ended = std::get_if<observed::request_ended>(&seen.what)) {
            on_answer(fetches_[seen.consumer], *ended);
        } else if (const auto* data = std::get_if<observed::fetch_delivered>(&seen.what)) {
            auto& of = fetches_[seen.consumer];
            of.waiting[data->log].push_back({data->era, data->from, data->to, of.answered[data->log]});
        } else if (const auto* cut = std::get_if<observed::truncated>(&seen.what)) {
            newest_cut_.insert_or_assign(cut->log, ++cuts_);
        } else {
            windows_.forget(seen.consumer);
            fetches_.forget(seen.consumer);
        }
    }

private:
    // What is read may have been fetched long before, from a log that was cut and has grown again meanwhile: such a log
    // says nothing any more of what had to be read then.
    struct delivery {
        core::boundary::incarnation era{0};
        std::int64_t from = 0;
        std::int64_t to = 0;
        std::uint64_t cuts = 0;  // of any log, when it was asked for
    };
    struct fetches {
        few<core::exchange::request_id, std::uint64_t> asked;
        std::map<log_id, std::uint64_t> answered;
        std::map<log_id, std::deque<delivery>> waiting;
    };

    static void on_answer(fetches& of, const observed::request_ended& ended) {
        const auto asked = of.asked.take(ended.id);
        const auto* answer = std::get_if<observed::fetch_answer>(&ended.content);
        if (!asked || !answer) return;
        for (const auto log : answer->answered) of.answered[log] = *asked;
    }

    // The newest that brought it: what was given back is fetched again.
    std::uint64_t cuts_before(consumer_id who, const observed::piece& piece) {
        auto& waiting = fetches_[who].waiting[piece.log];
        while (!waiting.empty() && (waiting.front().era < piece.era || waiting.front().to < piece.from)) {
            waiting.pop_front();
        }
        const auto brought = [&](const delivery& one) {
            return one.era == piece.era && one.from <= piece.from && piece.to <= one.to;
        };
        const auto at = std::find_if(waiting.rbegin(), waiting.rend(), brought);
        return at == waiting.rend() ? cuts_ : at->cuts;
    }

    void on_piece(const observation& seen, const observed::piece& piece, const truth& known) {
        const auto* partition = known.find(piece.log);
        if (!partition) return;
        auto& window = windows_[seen.consumer][piece.log];
        if (window.era != piece.era) window = {piece.era, {}, -1, 0};
        if (window.handed_to >= 0 && piece.from > window.handed_to && is_as_fetched(piece.log, window.cuts)) {
            expect_none(seen, piece.log, window.handed_to, piece.from, known, "between two pieces of a partition");
        }
        window.cuts = cuts_before(seen.consumer, piece);
        window.pieces.push_back({piece.from, piece.to, piece.from, window.cuts});
        window.handed_to = piece.to;
    }

    void on_record(const observation& seen, const observed::records_seen& of, std::int64_t offset, const truth& known) {
        auto& window = windows_[seen.consumer][of.log];
        auto* piece = window.era == of.era ? window.holding(offset) : nullptr;
        if (!piece) {
            complain(seen.at, seen.consumer, {of.log, offset}, "a record was seen that no poll had handed out");
            return;
        }
        if (offset > piece->cursor && is_as_fetched(of.log, piece->cuts)) {
            expect_none(seen, of.log, piece->cursor, offset, known, "by iteration, before this record");
        }
        piece->cursor = std::max(piece->cursor, offset + 1);
    }

    void on_processed(const observation& seen, const observed::processed& how, const truth& known) {
        auto& window = windows_[seen.consumer][how.log];
        if (window.era != how.era) return;
        for (const auto& piece : window.pieces) {
            const auto to = std::min(piece.to, how.next);
            // Earlier pieces may have been let go of.
            if (how.released || how.next <= piece.from || how.next > piece.to) continue;
            if (piece.cursor >= to || !is_as_fetched(how.log, piece.cuts)) continue;
            expect_none(seen, how.log, piece.cursor, to, known, "at the end of a piece that was read to its end");
        }
        window.drop_below(how.next);
    }

    bool is_as_fetched(log_id log, std::uint64_t cuts_before) const {
        const auto cut = newest_cut_.find(log);
        return cut == newest_cut_.end() || cut->second <= cuts_before;
    }

    void expect_none(const observation& seen, log_id log, std::int64_t from, std::int64_t to, const truth& known,
                     const char* where) {
        const auto* partition = known.find(log);
        const auto skipped = partition->log.first_visible(from, to, known.reads_committed_only(seen.consumer));
        if (!skipped) return;
        complain(seen.at, seen.consumer, {log, skipped},
                 fmt::format("this record was passed over {}: reading went from {} to {}", where, from, to));
    }

    by_consumer<std::map<log_id, reading_window>> windows_;
    by_consumer<fetches> fetches_;
    std::map<log_id, std::uint64_t> newest_cut_;
    std::uint64_t cuts_ = 0;
};

}  // namespace

std::unique_ptr<checker> every_record_is_given() { return std::make_unique<nothing_skipped>(); }

}  // namespace strandline::testkit::sim::checkers
