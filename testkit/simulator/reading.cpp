#include "testkit/simulator/reading.hpp"

#include <algorithm>
#include <utility>

namespace strandline::testkit::sim {

reading_pass::reading_pass(application& self, const topic_partition* only)
    : self_(self), only_(only), pieces_(self.calls().pieces()) {}

const returned_piece* reading_pass::find(const topic_partition& of, std::int64_t offset) const {
    const auto found = std::find_if(pieces_->begin(), pieces_->end(), [&](const returned_piece& one) {
        return one.name == of && one.where.from <= offset && offset < one.where.to;
    });
    return found == pieces_->end() ? nullptr : &*found;
}

void reading_pass::saw(const record& one) {
    self_.took(one);
    if (!self_.calls().anybody()) return;
    const auto offset = one.offset();
    const bool elsewhere =
        !at_ || offset < at_->where.from || offset >= at_->where.to || at_->name != one.topic_partition();
    if (elsewhere) {
        // The stretch before is behind us.
        if (at_) passed_ = at_->where.to;
        tell_seen();
        at_ = find(one.topic_partition(), offset);
    }
    if (!seen_.empty()) passed_ = seen_.back().offset + 1;
    const auto value = one.value();
    const auto content = value ? log_writer::content_of(*value) : std::nullopt;
    seen_.push_back({offset, content.value_or(0)});
}

void reading_pass::handled(const record& one) {
    passed_ = one.offset() + 1;
    tell_seen();
}

void reading_pass::finished() {
    tell_seen();
    for (const auto& one : *pieces_) {
        if (only_ && one.name != *only_) continue;
        self_.calls().tell(observed::processed{one.where.log, one.where.era, one.where.to});
    }
}

void reading_pass::tell_seen() {
    if (!at_) return;
    if (!seen_.empty()) {
        self_.calls().tell(observed::records_seen{at_->where.log, at_->where.era, std::exchange(seen_, {})});
    }
    if (passed_ >= 0) self_.calls().tell(observed::processed{at_->where.log, at_->where.era, passed_});
    passed_ = -1;
}

void tell_released(application& self, const returned_pieces& pieces) {
    for (const auto& one : *pieces) {
        self.calls().tell(observed::processed{one.where.log, one.where.era, one.where.to, true});
    }
}

}  // namespace strandline::testkit::sim
