#include "protocol/frame.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/random_source.hpp"
#include "protocol/writer.hpp"

namespace strandline::protocol {
namespace {

std::string framed(std::string_view content) {
    writer out;
    out.int32(static_cast<std::int32_t>(content.size()));
    out.raw(base::as_bytes(content));
    return std::string(base::as_text(std::move(out).take()));
}

std::vector<std::string> frames_of(frame_splitter& splitter) {
    std::vector<std::string> frames;
    while (const auto frame = splitter.next_frame()) frames.emplace_back(base::as_text(*frame));
    return frames;
}

// Reads `stream` in pieces of at most `piece` bytes, as a socket would give them.
std::vector<std::string> split(frame_splitter& splitter, std::string_view stream, std::size_t piece) {
    std::vector<std::string> frames;
    while (!stream.empty() && !splitter.error()) {
        const auto room = splitter.prepare();
        EXPECT_FALSE(room.empty());
        const auto count = std::min({room.size(), piece, stream.size()});
        std::memcpy(room.data(), stream.data(), count);
        splitter.commit(count);
        stream.remove_prefix(count);
        for (auto& frame : frames_of(splitter)) frames.push_back(std::move(frame));
    }
    return frames;
}

TEST(frame_splitter, frames_come_out_whatever_the_pieces_they_arrive_in) {
    base::seeded_random random(3);
    std::vector<std::string> contents{"", "a", "four"};
    for (const std::size_t size : {4'000U, 16'379U, 16'380U, 16'381U, 16'384U, 100'000U, 2U}) {
        std::string content(size, '\0');
        for (auto& character : content) character = static_cast<char>(random.next());
        contents.push_back(std::move(content));
    }
    std::string stream;
    for (const auto& content : contents) stream += framed(content);

    for (const std::size_t piece : {1U, 3U, 4U, 5U, 1'000U, 16'384U, 1'000'000U}) {
        frame_splitter splitter;
        EXPECT_EQ(split(splitter, stream, piece), contents) << piece;
        EXPECT_EQ(splitter.unfinished(), 0u);
        EXPECT_EQ(splitter.error(), std::nullopt);
    }
}

TEST(frame_splitter, a_large_frame_is_read_straight_into_a_buffer_of_its_size) {
    const std::string content(1'000'000, 'x');
    const auto stream = framed(content);
    frame_splitter splitter;
    auto room = splitter.prepare();
    std::memcpy(room.data(), stream.data(), 8);
    splitter.commit(8);
    EXPECT_EQ(splitter.missing(), 0u) << "nobody has looked at its length";
    EXPECT_EQ(splitter.next_frame(), std::nullopt);
    EXPECT_EQ(splitter.unfinished(), 4u);
    EXPECT_EQ(splitter.missing(), content.size() - 4);

    room = splitter.prepare();
    ASSERT_EQ(room.size(), content.size() - 4);
    std::memcpy(room.data(), stream.data() + 8, room.size());
    const auto* const where = room.data();
    splitter.commit(room.size());
    const auto frame = splitter.next_frame();
    ASSERT_TRUE(frame);
    EXPECT_EQ(splitter.missing(), 0u);
    EXPECT_EQ(frame->data() + 4, where);
    EXPECT_EQ(frame->pinned(), content.size());
    EXPECT_EQ(base::as_text(*frame), content);
}

TEST(frame_splitter, a_frame_outlives_the_splitter_and_what_is_read_later) {
    base::shared_bytes first;
    {
        frame_splitter splitter;
        const auto stream = framed("first") + framed("second");
        std::memcpy(splitter.prepare().data(), stream.data(), stream.size());
        splitter.commit(stream.size());
        first = *splitter.next_frame();
        std::ranges::fill(splitter.prepare(), std::byte{0});
    }
    EXPECT_EQ(base::as_text(first), "first");
}

struct counting_account final : base::memory_account {
    void on_allocated(std::size_t bytes) noexcept override { held += bytes; }
    void on_released(std::size_t bytes) noexcept override { held -= bytes; }
    std::size_t held = 0;
};

TEST(frame_splitter, the_account_hears_of_frames_and_of_nothing_else) {
    const auto account = std::make_shared<counting_account>();
    frame_splitter splitter(limits::frame_bytes, account);
    const auto stream = framed(std::string(10, 'a')) + framed(std::string(50'000, 'b'));
    std::vector<base::shared_bytes> frames;
    for (std::string_view left = stream; !left.empty();) {
        const auto room = splitter.prepare();
        const auto count = std::min(room.size(), left.size());
        std::memcpy(room.data(), left.data(), count);
        splitter.commit(count);
        left.remove_prefix(count);
        while (auto frame = splitter.next_frame()) frames.push_back(std::move(*frame));
    }
    EXPECT_EQ(account->held, 50'010u);
    frames.clear();
    EXPECT_EQ(account->held, 0u);
}

TEST(frame_splitter, a_very_large_frame_takes_no_more_than_a_multiple_of_what_has_come_of_it) {
    constexpr std::size_t length = std::size_t{90} * 1024 * 1024;
    constexpr std::size_t believed = std::size_t{8} * 1024 * 1024;
    const auto account = std::make_shared<counting_account>();
    frame_splitter splitter(limits::frame_bytes, account);
    auto room = splitter.prepare();
    const std::string_view start("\x05\xa0\x00\x00", 4);
    std::memcpy(room.data(), start.data(), start.size());
    splitter.commit(start.size());
    EXPECT_EQ(splitter.next_frame(), std::nullopt);
    EXPECT_EQ(account->held, believed) << "a length is only a word";
    EXPECT_EQ(splitter.missing(), length);

    std::optional<base::shared_bytes> frame;
    constexpr std::size_t page = 4096;
    for (std::size_t come = 0; come < length && !frame;) {
        room = splitter.prepare();
        ASSERT_FALSE(room.empty());
        EXPECT_LE(account->held, std::max(believed, 4 * come));
        for (std::size_t i = 0; i < room.size(); i += page) room[i] = static_cast<std::byte>((come + i) / page % 251);
        splitter.commit(room.size());
        come += room.size();
        frame = splitter.next_frame();
    }
    ASSERT_TRUE(frame);
    ASSERT_EQ(frame->size(), length);
    EXPECT_EQ(account->held, length);
    for (std::size_t i = 0; i < length; i += page) ASSERT_EQ(frame->data()[i], static_cast<std::byte>(i / page % 251));
}

frame_error error_after(std::string_view stream, std::size_t limit = limits::frame_bytes) {
    frame_splitter splitter(limit);
    EXPECT_EQ(split(splitter, stream, 1), std::vector<std::string>{});
    return splitter.error().value_or(frame_error{});
}

TEST(frame_splitter, a_length_beyond_the_limit_is_refused_before_anything_is_allocated) {
    EXPECT_EQ(error_after(std::string_view("\x00\x01\x00\x01", 4), 65'536),
              (frame_error{.kind = frame_fault::oversized, .length = 65'537, .limit = 65'536}));
    EXPECT_EQ(error_after("\x7f\xff\xff\xff").kind, frame_fault::oversized);
}

TEST(frame_splitter, a_negative_length_is_refused) {
    EXPECT_EQ(error_after("\xff\xff\xff\xff"),
              (frame_error{.kind = frame_fault::negative, .length = -1, .limit = limits::frame_bytes}));
}

TEST(frame_splitter, a_peer_that_speaks_tls_or_http_is_recognised) {
    EXPECT_EQ(error_after(std::string_view("\x15\x03\x03\x00\x02\x02\x46", 7)).kind, frame_fault::tls_record);
    EXPECT_EQ(error_after(std::string_view("\x16\x03\x01\x02\x00", 5)).kind, frame_fault::tls_record);
    EXPECT_EQ(error_after("HTTP/1.1 400 Bad Request\r\n").kind, frame_fault::http_message);
    EXPECT_EQ(error_after("GET / HTTP/1.1\r\n").kind, frame_fault::http_message);
    EXPECT_EQ(error_after("HTTP/1.1 400 Bad Request\r\n").to_string(), "the peer speaks HTTP, not Kafka's protocol");
}

TEST(frame_splitter, a_limit_that_is_raised_holds_for_the_next_length) {
    frame_splitter splitter(4);
    EXPECT_EQ(split(splitter, framed("four"), 100), std::vector<std::string>{"four"});
    splitter.set_max_frame_bytes(5);
    EXPECT_EQ(split(splitter, framed("fives"), 100), std::vector<std::string>{"fives"});
    EXPECT_EQ(split(splitter, framed("sixsix"), 100), std::vector<std::string>{});
    EXPECT_TRUE(splitter.error());
}

}  // namespace
}  // namespace strandline::protocol
