// A stream in pieces: the first byte says how large they are at most. However it is cut, the same frames come out.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "protocol/frame.hpp"

using namespace strandline;

namespace {

constexpr std::size_t max_frame_bytes = 40'000;

void require(bool holds) {
    if (!holds) std::abort();
}

struct outcome {
    std::vector<std::string> frames;
    bool failed;

    bool operator==(const outcome&) const = default;
};

outcome split(base::bytes_view stream, std::size_t piece) {
    protocol::frame_splitter splitter(max_frame_bytes);
    outcome result{};
    std::size_t framed = 0;
    for (auto left = stream; !left.empty() && !splitter.error();) {
        const auto room = splitter.prepare();
        require(!room.empty());
        const auto count = std::min({room.size(), piece, left.size()});
        std::memcpy(room.data(), left.data(), count);
        splitter.commit(count);
        left = left.subspan(count);
        while (const auto frame = splitter.next_frame()) {
            require(frame->size() <= max_frame_bytes);
            framed += 4 + frame->size();
            result.frames.emplace_back(base::as_text(*frame));
        }
        require(framed <= stream.size() - left.size());
    }
    result.failed = splitter.error().has_value();
    return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const base::bytes_view stream(reinterpret_cast<const std::byte*>(data + 1), size - 1);
    require(split(stream, std::size_t{data[0]} + 1) == split(stream, stream.size()));
    return 0;
}
