#include "apps/consume/silence.hpp"

#include <string>

#include <gmock/gmock.h>

#include <strandline/testkit/fake_cluster.hpp>

namespace strandline::apps::consume {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;

const silence::clock::time_point t0{1000s};

class watched {
public:
    explicit watched(consumer& of, output::notes::level how = output::notes::level::normal)
        : notes_(how), silence_(of, notes_, t0) {}
    // What is said on stderr.
    std::string look(std::uint64_t records, std::chrono::seconds after) {
        testing::internal::CaptureStderr();
        silence_.look(records, t0 + after);
        return testing::internal::GetCapturedStderr();
    }

private:
    output::notes notes_;
    silence silence_;
};

consumer nowhere() { return consumer({.bootstrap_servers = "127.0.0.1:1"}); }

TEST(silence, is_explained_once_after_half_a_minute_if_nothing_is_assigned) {
    auto reader = nowhere();
    watched silent(reader);
    EXPECT_THAT(silent.look(0, 29s), IsEmpty());
    EXPECT_THAT(silent.look(0, 30s), HasSubstr("no record for 30 s. not_subscribed: "));
    EXPECT_THAT(silent.look(0, 300s), IsEmpty());
}

TEST(silence, begins_anew_with_each_record) {
    auto reader = nowhere();
    watched silent(reader);
    EXPECT_THAT(silent.look(5, 20s), IsEmpty());
    EXPECT_THAT(silent.look(5, 49s), IsEmpty());
    EXPECT_THAT(silent.look(5, 50s), HasSubstr("no record"));
    EXPECT_THAT(silent.look(6, 60s), IsEmpty());
    EXPECT_THAT(silent.look(6, 90s), HasSubstr("no record"));
}

TEST(silence, is_kept_when_quiet_is_wanted) {
    auto reader = nowhere();
    watched silent(reader, output::notes::level::quiet);
    EXPECT_THAT(silent.look(0, 30s), IsEmpty());
}

TEST(silence, is_no_reason_for_words_at_the_end_of_every_partition_and_one_while_records_wait) {
    testkit::fake_cluster cluster({.topics = {{"orders", 1}}});
    consumer reader({.bootstrap_servers = cluster.bootstrap_servers(), .auto_offset_reset = offset_reset::earliest});
    reader.assign({{"orders", 0}});
    const auto poll_until_lag_is = [&](std::int64_t wanted) {
        const auto deadline = silence::clock::now() + 30s;
        while (reader.lag({"orders", 0}) != wanted && silence::clock::now() < deadline) reader.poll(20ms);
        EXPECT_EQ(reader.lag({"orders", 0}), wanted);
    };
    poll_until_lag_is(0);
    watched silent(reader);
    EXPECT_THAT(silent.look(0, 31s), IsEmpty());
    reader.seek({"orders", 0}, 0);
    reader.pause({{"orders", 0}});
    cluster.produce("orders", 0, {{.value = "1"}});
    reader.resume({{"orders", 0}});
    // Not before it has been read does the lag speak of it.
    for (std::size_t read = 0; read == 0;) {
        for (const auto& record : reader.poll(1s)) read += record.value_text() == "1" ? 1 : 0;
    }
    poll_until_lag_is(0);
    reader.pause({{"orders", 0}});
    reader.seek({"orders", 0}, 0);
    poll_until_lag_is(1);
    EXPECT_THAT(silent.look(0, 62s), HasSubstr("every assigned partition is paused"));
}

}  // namespace
}  // namespace strandline::apps::consume
