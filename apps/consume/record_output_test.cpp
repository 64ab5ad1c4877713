#include "apps/consume/record_output.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

namespace strandline::apps::consume {
namespace {

class pipe_ends {
public:
    pipe_ends() { EXPECT_EQ(::pipe(ends_.data()), 0); }
    ~pipe_ends() {
        close_reader();
        ::close(ends_[1]);
    }
    pipe_ends(const pipe_ends&) = delete;
    pipe_ends& operator=(const pipe_ends&) = delete;
    int writer() const { return ends_[1]; }
    void close_reader() {
        if (ends_[0] >= 0) ::close(ends_[0]);
        ends_[0] = -1;
    }
    std::string read() {
        std::string text(1U << 20U, '\0');
        const auto got = ::read(ends_[0], text.data(), text.size());
        text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return text;
    }

private:
    std::array<int, 2> ends_{-1, -1};
};

std::int64_t next_of(const partition_progress& progress) { return progress.next ? progress.next->offset : -1; }

TEST(record_output, counts_a_record_once_the_kernel_has_taken_it) {
    stop stopping({});
    pipe_ends pipe;
    record_output out(pipe.writer(), stopping);
    partition_progress a;
    partition_progress b;
    out.begin_partition(a);
    out.text() += "one\n";
    out.end_record(6, 0, 3);
    out.begin_partition(b);
    out.text() += "two\n";
    out.end_record(11, 0, 3);
    EXPECT_EQ(next_of(a), -1);
    EXPECT_EQ(out.flush(), record_output::state::open);
    EXPECT_EQ(pipe.read(), "one\ntwo\n");
    EXPECT_EQ(next_of(a), 6);
    EXPECT_EQ(next_of(b), 11);
    EXPECT_EQ(out.written().records, 2U);
    EXPECT_EQ(out.written().payload, 6U);
}

TEST(record_output, goes_on_in_the_same_partition_after_a_flush) {
    stop stopping({});
    pipe_ends pipe;
    record_output out(pipe.writer(), stopping);
    partition_progress a;
    out.begin_partition(a);
    out.text() += "one\n";
    out.end_record(6, 0, 3);
    out.flush();
    out.text() += "two\n";
    out.end_record(7, 0, 3);
    out.settle(offset_and_metadata(9));
    out.flush();
    EXPECT_EQ(next_of(a), 9);
    EXPECT_FALSE(a.is_cut);
    EXPECT_EQ(out.written().records, 2U);
}

TEST(record_output, counts_nothing_when_nobody_reads) {
    stop stopping({});
    pipe_ends pipe;
    pipe.close_reader();
    record_output out(pipe.writer(), stopping);
    EXPECT_TRUE(out.is_closed());
    partition_progress a;
    out.begin_partition(a);
    out.text() += "one\n";
    out.end_record(6, 0, 3);
    EXPECT_EQ(out.flush(), record_output::state::closed);
    EXPECT_EQ(next_of(a), -1);
    EXPECT_TRUE(a.is_cut) << "its position lies behind what nobody has read";
    EXPECT_EQ(out.written().records, 0U);
}

TEST(record_output, counts_whole_records_only_when_it_is_stopped_while_blocked) {
    stop stopping(std::chrono::milliseconds(50));
    pipe_ends pipe;
    const int size = fcntl(pipe.writer(), F_SETPIPE_SZ, 4096);
    ASSERT_EQ(size, 4096);
    record_output out(pipe.writer(), stopping);
    partition_progress a;
    out.begin_partition(a);
    for (int i = 0; i < 10; ++i) {
        out.text() += std::string(999, 'x') + "\n";
        out.end_record(i + 1, 0, 999);
    }
    EXPECT_EQ(out.flush(), record_output::state::interrupted);
    // Four thousand-byte lines fit; the fifth was cut, and is not counted.
    EXPECT_EQ(next_of(a), 4);
    EXPECT_TRUE(a.is_cut);
    EXPECT_EQ(out.written().records, 4U);
}

TEST(record_output, counts_records_without_text) {
    stop stopping({});
    pipe_ends pipe;
    record_output out(pipe.writer(), stopping);
    partition_progress a;
    out.begin_partition(a);
    out.end_record(1, 0, 0);
    EXPECT_EQ(out.flush(), record_output::state::open);
    EXPECT_EQ(next_of(a), 1);
}

}  // namespace
}  // namespace strandline::apps::consume
