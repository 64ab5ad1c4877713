// How simulated applications read records: counted, and told to whoever checks what was read and what is processed.
#pragma once

#include <cstdint>
#include <vector>

#include <strandline/records.hpp>

#include "testkit/simulator/application.hpp"
#include "testkit/simulator/checkers/observation.hpp"

namespace strandline::testkit::sim {

// One pass over records of the newest poll. A record counts as processed once the next one is asked for.
class reading_pass {
public:
    // Of one partition only, if it is named.
    explicit reading_pass(application& self, const topic_partition* only = nullptr);
    ~reading_pass() { tell_seen(); }
    reading_pass(const reading_pass&) = delete;
    reading_pass& operator=(const reading_pass&) = delete;

    // Iteration has come to this record.
    void saw(const record& one);
    // It counts as processed, as with commit(record).
    void handled(const record& one);
    // Iteration has come to its end, and everything that it was about is processed.
    void finished();

private:
    void tell_seen();
    const returned_piece* find(const topic_partition& of, std::int64_t offset) const;

    application& self_;
    const topic_partition* only_;
    returned_pieces pieces_;
    const returned_piece* at_ = nullptr;  // where the records in `seen_` are
    std::vector<observed::record_seen> seen_;
    std::int64_t passed_ = -1;  // everything below it
};

// To the end. How many there were.
template <class Records>
std::int64_t read_all(application& self, Records& all, const topic_partition* only = nullptr) {
    std::int64_t count = 0;
    reading_pass pass(self, only);
    for (const auto& one : all) {
        pass.saw(one);
        ++count;
    }
    pass.finished();
    return count;
}

// What a poll returned and nobody holds any more: the next poll counts it as processed.
void tell_released(application& self, const returned_pieces& pieces);

}  // namespace strandline::testkit::sim
