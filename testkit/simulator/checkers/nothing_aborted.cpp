// R5. What the application sees are data records of the log, with the log's content; under read_committed none of an
// aborted or unfinished transaction, and none at or above the last stable offset.
#include <memory>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class nothing_aborted final : public checker {
public:
    nothing_aborted() noexcept
        : checker("R5", "read_committed shows no aborted record and nothing above the last stable offset",
                  happenings_of<observed::records_seen>()) {}

    void on(const observation& seen, const truth& known) override {
        const auto& records = std::get<observed::records_seen>(seen.what);
        const auto* partition = known.find(records.log);
        if (!partition) {
            complain(seen.at, seen.consumer, {records.log, {}}, "records came from a partition that never was");
            return;
        }
        const bool committed_only = known.reads_committed_only(seen.consumer);
        for (const auto& record : records.records) {
            if (const auto* wrong = what_is_wrong(partition->log, record, committed_only)) {
                complain(seen.at, seen.consumer, {records.log, record.offset}, wrong);
            }
        }
    }

private:
    static const char* what_is_wrong(const true_log& log, const observed::record_seen& record, bool committed_only) {
        const auto* stretch = log.find(record.offset);
        const bool is_as_now =
            stretch && stretch->what == observed::appended::kind::data && log.content(record.offset) == record.content;
        // What was cut off meanwhile was true when it was fetched.
        if (!is_as_now) {
            return log.ever_held(record.offset, record.content) ? nullptr
                                                                : "the log never held this record at this offset";
        }
        if (!committed_only) return nullptr;
        switch (stretch->state) {
            case log_stretch::fate::aborted: return "a record of an aborted transaction was shown";
            case log_stretch::fate::open: return "a record of an unfinished transaction was shown";
            case log_stretch::fate::plain:
            case log_stretch::fate::committed: break;
        }
        return record.offset >= log.last_stable() ? "a record at or above the last stable offset was shown" : nullptr;
    }
};

}  // namespace

std::unique_ptr<checker> nothing_uncommitted_is_shown() { return std::make_unique<nothing_aborted>(); }

}  // namespace strandline::testkit::sim::checkers
