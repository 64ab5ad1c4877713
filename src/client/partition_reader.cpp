#include "client/partition_reader.hpp"

#include <utility>

#include <fmt/format.h>

namespace strandline::client {

namespace {

error decoding_error(const topic_partition& partition, const records::record_error& why, bool too_large) {
    error_subject about;
    about.partition = partition;
    about.offset = why.offset;
    if (too_large) {
        about.key = "max.decompressed.batch.bytes";
        return {errc::decompressed_batch_too_large,
                fmt::format(
                    "{}: the batch at offset {} expands beyond max.decompressed.batch.bytes. Raise it, or seek past "
                    "the batch.",
                    to_string(partition), why.offset),
                std::move(about)};
    }
    return {
        errc::corrupt_record,
        fmt::format(
            "{}: cannot read the record at offset {}: {}. Nothing after it is delivered; seek past it to go on, and "
            "commit that offset by name if a restart is to begin there too.",
            to_string(partition), why.offset, to_string(why)),
        std::move(about)};
}

}  // namespace

partition_reader::partition_reader(std::shared_ptr<part_progress> progress, std::shared_ptr<fetched_batches> batches,
                                   std::shared_ptr<decoding> how)
    : progress_(std::move(progress)),
      batches_(std::move(batches)),
      how_(std::move(how)),
      begin_(batches_->first_reaching(progress_->from)),
      passed_(progress_->from) {}

partition_reader::~partition_reader() { progress_->release(); }

void partition_reader::rewind() {
    next_ = 0;
    active_ = false;
    ended_ = false;
}

bool partition_reader::go_on(records::read_status status, records::record_view view, record& out) {
    while (!ended_) {
        switch (status) {
            case records::read_status::record:
                if (view.offset < progress_->to) {
                    fill(out, view);
                    return true;
                }
                batches_->leave({begin_ + next_ - 1, reader_, view});
                return end_pass();
            case records::read_status::corrupt: fail(reader_.error()); return end_pass();
            case records::read_status::end: break;
        }
        if (!enter_next_batch()) return end_pass();
        const auto& entered = opened_[next_ - 1];
        if (entered.first) {
            status = records::read_status::record;
            view = *entered.first;
        } else {
            status = reader_.next(view);
        }
    }
    return false;
}

bool partition_reader::end_pass() noexcept {
    active_ = false;
    ended_ = true;
    return false;
}

bool partition_reader::enter_next_batch() {
    const auto index = begin_ + next_;
    const auto& all = batches_->batches();
    if (index >= all.size()) {
        if (const auto& failure = batches_->failure(); failure && progress_->to > failure->offset) fail(*failure);
        return false;
    }
    const auto& batch = all[index];
    if (!batch.is_legacy() && batch.base_offset() >= progress_->to) return false;
    auto& entered = open(next_);
    ++next_;
    reader_ = entered.at_start;
    common_ = &entered.common;
    active_ = true;
    if (batch.last_offset() >= passed_ && batch.leader_epoch() >= 0) progress_->enter_batch(batch.leader_epoch());
    return true;
}

partition_reader::opened& partition_reader::open(std::size_t index) {
    if (index < opened_.size()) return opened_[index];
    const auto& batch = batches_->batches()[begin_ + index];
    const record::batch common{&progress_->partition->name, progress_.get(), batch.leader_epoch(),
                               static_cast<timestamp_type>(batch.timestamp_type())};
    if (index == 0) {
        if (auto continued = batches_->take(begin_, progress_->from)) {
            return opened_.emplace_back(opened{common, std::move(continued->reader), continued->first});
        }
    }
    return opened_.emplace_back(opened{common, how_->open(batch, progress_->from), std::nullopt});
}

void partition_reader::fail(const records::record_error& why) {
    const bool too_large = why.kind == records::record_error_kind::decompressed_too_large;
    progress_->fail(
        std::make_shared<partition_trouble>(progress_->partition, decoding_error(partition(), why, too_large)));
}

void partition_reader::pass_end() noexcept {
    if (!progress_->failure()) progress_->finish();
}

bool partition_reader::has_records() {
    rewind();
    record ignored;
    const bool found = next(ignored);
    rewind();
    return found;
}

offset_and_metadata partition_reader::next_offset() const {
    if (const auto failure = progress_->failure()) {
        return offset_and_metadata(failure->reason().about().offset.value_or(progress_->from));
    }
    const auto epoch = progress_->next_epoch;
    return offset_and_metadata(progress_->to, epoch < 0 ? std::nullopt : std::optional(epoch));
}

std::shared_ptr<partition_trouble> partition_reader::trouble() const {
    auto failure = progress_->failure();
    return failure ? failure : behind_;
}

}  // namespace strandline::client
