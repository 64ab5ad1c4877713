// What all decoding of one consumer shares: limits, and contexts that codecs keep their state in.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "records/decompression_context.hpp"
#include "records/record_reader.hpp"

namespace strandline::client {

// Records are decoded on whichever thread wants them, also after the consumer is gone. A context is borrowed for one
// batch.
class decoding {
public:
    decoding(std::size_t max_decompressed_batch_bytes, bool check_crcs, std::shared_ptr<base::memory_account> account)
        : limits_{max_decompressed_batch_bytes, std::move(account)}, check_crcs_(check_crcs) {}

    records::record_reader open(const records::record_batch& batch, std::int64_t from_offset) {
        auto context = borrow();
        records::record_reader reader(batch, *context, {from_offset, check_crcs_, limits_});
        give_back(std::move(context));
        return reader;
    }

private:
    using context_ptr = std::unique_ptr<records::decompression_context>;

    context_ptr borrow() {
        {
            const std::lock_guard held(mutex_);
            if (!idle_.empty()) {
                auto context = std::move(idle_.back());
                idle_.pop_back();
                return context;
            }
        }
        return std::make_unique<records::decompression_context>();
    }
    void give_back(context_ptr context) {
        const std::lock_guard held(mutex_);
        idle_.push_back(std::move(context));
    }

    records::decompression_limits limits_;
    bool check_crcs_;
    std::mutex mutex_;
    std::vector<context_ptr> idle_;  // as many as ever decoded at once
};

}  // namespace strandline::client
