#include "records/decompression_context.hpp"

#include <algorithm>

#include "records/compression/bounded_output.hpp"
#include "records/compression/decompressor.hpp"

namespace strandline::records {

namespace {

// Never reserved on the strength of a number in the compressed bytes alone; what is larger grows as output comes.
constexpr std::size_t largest_trusted_expansion = 64;
constexpr std::size_t smallest_guess = 4096;

}  // namespace

decompression_context::decompression_context() = default;
decompression_context::~decompression_context() = default;
decompression_context::decompression_context(decompression_context&&) noexcept = default;
decompression_context& decompression_context::operator=(decompression_context&&) noexcept = default;

result<base::shared_bytes> decompression_context::decompress(compression_codec codec, base::bytes_view compressed,
                                                             std::int8_t magic, const decompression_limits& limits) {
    const auto number = static_cast<std::size_t>(codec);
    if (codec == compression_codec::none || number >= slots_.size()) {
        return tl::unexpected(record_error{record_error_kind::unknown_codec, codec, -1, "not a compression"});
    }
    auto& [decompressor, expansion_per_16] = slots_[number];
    if (!decompressor) decompressor = compression::make_decompressor(codec);

    const std::size_t announced = decompressor->announced_size(compressed);
    const std::size_t guess = announced > 0 ? announced : compressed.size() * expansion_per_16 / 16;
    const std::size_t trusted = std::max(smallest_guess, compressed.size() * largest_trusted_expansion);
    compression::bounded_output output(limits.max_decompressed_batch_bytes, std::min(guess, trusted), limits.account);
    if (auto done = decompressor->decompress(compressed, magic, output); !done) {
        done.error().codec = codec;
        return tl::unexpected(std::move(done.error()));
    }

    // A little more than this time, so that a similar batch fits at once.
    if (!compressed.empty()) {
        const std::size_t expansion = output.size() * 17 / compressed.size() + 1;
        expansion_per_16 = std::clamp<std::size_t>(expansion, 16, 16 * largest_trusted_expansion);
    }
    return std::move(output).take();
}

}  // namespace strandline::records
