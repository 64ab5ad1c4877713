#include <strandline/records.hpp>

#include "client/partition_reader.hpp"
#include "client/record_set.hpp"

namespace strandline::inline v0 {

record_iterator::record_iterator(client::record_set* set) : set_(set), reader_(set->first()) {
    if (reader_) find();
}

void record_iterator::advance() {
    reader_->pass(current_);
    find();
}

void record_iterator::find() {
    while (!reader_->next(current_)) {
        reader_->pass_end();
        reader_ = set_->after(*reader_);
        if (!reader_) return;
    }
}

}  // namespace strandline::inline v0
