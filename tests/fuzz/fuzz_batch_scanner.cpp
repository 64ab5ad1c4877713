// A partition's bytes, scanned as the reactor scans them; whatever passes is read and judged.
#include <cstdint>
#include <cstdlib>

#include "records/aborted_transactions.hpp"
#include "records/batch_scanner.hpp"
#include "records/record_reader.hpp"

using namespace strandline;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // A copy of its own, so that the sanitizer sees one byte too far.
    const auto bytes = base::shared_bytes::copy_of({reinterpret_cast<const std::byte*>(data), size});
    records::batch_scanner scanner(bytes, {.verify_checksums = false});
    records::aborted_transactions transactions({{1, 0}, {2, 5}});
    records::decompression_context context;
    records::record_batch batch;
    std::int64_t position = 0;
    std::size_t consumed = 0;
    records::scan_status status;
    while ((status = scanner.next(batch)) == records::scan_status::batch) {
        require(batch.base_offset() >= position && batch.next_offset() > position);
        position = batch.next_offset();
        consumed += batch.size_in_bytes();
        require(scanner.consumed() == consumed && consumed <= size);
        (void)transactions.disposition_of(batch);

        records::record_reader reader(batch, context, {.limits = {.max_decompressed_batch_bytes = 1U << 20U}});
        records::record_view view;
        records::read_status read;
        while ((read = reader.next(view)) == records::read_status::record) {
            require(view.offset >= 0 && view.offset <= batch.last_offset());
        }
        if (read == records::read_status::corrupt) {
            require(reader.error().offset >= 0 && reader.error().offset <= batch.next_offset());
        }
    }
    require(scanner.next(batch) == status);
    require((status == records::scan_status::end) == (consumed == size));
    return 0;
}
