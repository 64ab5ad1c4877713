// A consumer's reactor and core beside the fake cluster's core, in one thread and in virtual time: nobody sleeps, and
// what explain() says can be asked at any instant.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/random_source.hpp"
#include "core/boundary/call_names.hpp"
#include "core/boundary/explain.hpp"
#include "handoff/handoff.hpp"
#include "reactor/reactor.hpp"
#include "records/batch_builder.hpp"
#include "testkit/fake_cluster/error_answers.hpp"
#include "testkit/fake_cluster/fake_cluster_core.hpp"

namespace strandline::explain_tests {

using namespace std::chrono_literals;
namespace boundary = core::boundary;
namespace command = core::boundary::command;
namespace connection = core::connection;
namespace fake = testkit::fake;
using protocol::api_key;
using protocol::broker_error;
using protocol::broker_id;

inline constexpr std::uint16_t first_port = 9090;  // of broker n: this plus n
inline const topic_partition orders_0{"orders", 0};
inline const topic_partition orders_1{"orders", 1};

inline boundary::core_config config_of(std::optional<std::string> group = "billing") {
    boundary::core_config config;
    config.bootstrap_servers = {{"127.0.0.1", first_port + 1}};
    config.client_id = "test";
    config.software_name = "strandline";
    config.software_version = "0.1";
    config.enable_auto_commit = group.has_value();
    config.group_id = std::move(group);
    config.auto_offset_reset.what = boundary::reset_policy::kind::earliest;
    return config;
}

inline fake::cluster_options brokers(int count) {
    fake::cluster_options made;
    made.brokers = count;
    return made;
}
// Topics come to be only when they are made.
inline fake::cluster_options without_topic_creation() {
    fake::cluster_options made;
    made.auto_create_topics = false;
    return made;
}

class driven_consumer final : reactor::transport,
                              reactor::resolver,
                              reactor::clock,
                              reactor::turn_scheduler,
                              handoff::reactor_waker {
public:
    explicit driven_consumer(boundary::core_config settings = config_of(), const fake::cluster_options& of = brokers(1))
        : config(std::move(settings)), cluster(of) {
        for (const auto& [id, broker] : cluster.cluster().brokers()) {
            cluster.cluster().find_broker(id)->port = static_cast<std::uint16_t>(first_port + id.value());
        }
        reactor_.emplace(config, reactor::ports{*this, *this, *this, random_, *this}, meeting, [] {});
        meeting.set_reactor_waker(this);
    }
    ~driven_consumer() override { meeting.set_reactor_waker(nullptr); }
    driven_consumer(const driven_consumer&) = delete;
    driven_consumer& operator=(const driven_consumer&) = delete;

    // ---- what the application does
    // Submits; its outcome is of no interest here.
    void submit(boundary::any_command what, base::duration within = 60s) {
        calls_.push_back(std::make_unique<handoff::operation>(now_ + within));
        meeting.submit(*calls_.back(), std::move(what));
        settle();
    }
    void subscribe(std::vector<std::string> topics, bool has_listener = false) {
        submit(command::subscribe{std::move(topics), {}, {}, has_listener});
    }
    void assign(partitions which) { submit(command::assign{std::move(which)}); }
    // Is inside a poll from now on.
    void enter_poll() {
        handoff::application_progress progress;
        progress.polled = now_;
        progress.inside_poll = progress.meets_fences = true;
        meeting.fold(progress);
        call = boundary::application_view::doing{std::string(boundary::call_name::poll), now_};
        settle();
    }
    void leave_poll() {
        handoff::application_progress progress;
        progress.polled = now_;
        progress.inside_poll = false;
        meeting.fold(progress);
        call.reset();
        settle();
    }
    // What a poll would find: notices are kept in `notices`, data is held from then on.
    std::size_t take() {
        for (;;) {
            auto offer = meeting.next({.bytes = std::size_t{64} * 1024 * 1024, .records = 0}, held);
            if (offer.what != handoff::poll_offer::kind::notice) break;
            notices.push_back(std::move(*offer.notice));
        }
        settle();
        return held.size();
    }
    std::optional<boundary::callback_wanted> wanted_callback() const {
        for (const auto& one : notices) {
            if (const auto* wanted = std::get_if<boundary::callback_wanted>(&one)) return *wanted;
        }
        return std::nullopt;
    }
    void finish_callback() {
        const auto wanted = wanted_callback();
        ASSERT_TRUE(wanted);
        meeting.tell(command::callback_finished{wanted->id, std::nullopt});
        std::erase_if(notices, [](const auto& one) { return std::holds_alternative<boundary::callback_wanted>(one); });
        settle();
    }

    // ---- what the cluster does
    fake::topic_state& topic(const std::string& name = "orders", std::int32_t count = 1) {
        return cluster.cluster().create_topic(name, count, 1);
    }
    void produce(const topic_partition& to, int records = 1, std::size_t size = 10) {
        auto& partition = *cluster.cluster().find_topic(to.topic)->find(to.partition);
        for (int i = 0; i < records; ++i) {
            records::batch_builder builder;
            const std::string value(size, 'x');
            builder.append({.timestamp = 1000, .value = base::as_bytes(value)});
            partition.log.append(builder.build(), partition.leader_epoch);
        }
        cluster.look_again(now_, wall());
        settle();
    }
    // From now on this API is answered with the error, and so on.
    std::uint64_t refuse(api_key api, broker_error why) {
        return cluster.intercept(api, [why](const fake::request_seen& seen) {
            fake::intercepted made;
            made.answer = fake::error_answer(seen.header, seen.body, why);
            if (made.answer) made.what = fake::intercepted::fate::answer;
            return made;
        });
    }
    std::uint64_t swallow(api_key api) {
        return cluster.intercept(
            api, [](const fake::request_seen&) { return fake::intercepted{fake::intercepted::fate::drop, {}, {}}; });
    }

    // ---- what the network does
    enum class port { kafka, refuses, swallows, speaks_tls, speaks_http };
    std::map<std::uint16_t, port> ports;
    std::map<std::string, std::string> names;  // what does not stand here is not resolved

    // ---- time
    base::instant now() const override { return now_; }
    base::wall_time wall() const override {
        return base::wall_time(1'700'000'000'000ms) + std::chrono::duration_cast<std::chrono::milliseconds>(now_ - t0);
    }
    // Lets everything happen that is due until then.
    void pass(base::duration time) {
        const auto end = now_ + time;
        settle();
        while (next() <= end) {
            now_ = std::max(now_, next());
            step();
        }
        now_ = end;
    }
    // One turn that nothing asked for.
    void turn_for_nothing() {
        turn_wanted_ = true;
        settle();
    }
    // Until it holds, at most a minute of virtual time.
    void pass_until(const std::function<bool()>& holds) {
        const auto end = now_ + 60s;
        settle();
        while (!holds() && next() <= end) {
            now_ = std::max(now_, next());
            step();
        }
        EXPECT_TRUE(holds()) << "after a minute: " << to_string(explain());
    }

    // ---- what is asked
    boundary::application_view view() const {
        boundary::application_view seen;
        seen.call = call;
        seen.callback = callback;
        seen.inner = inner;
        seen.closed = closed;
        seen.bytes_queued = meeting.bytes_queued();
        seen.bytes_in_use = meeting.bytes_in_use();
        seen.memory_limit = config.memory_limit;
        seen.handed_out = meeting.handed_out();
        seen.fetch_max_wait = config.fetch_max_wait;
        seen.read_committed = config.isolation == boundary::isolation_level::read_committed;
        seen.group_id = config.group_id;
        return seen;
    }
    explanation explain() const {
        auto made = boundary::explain(*meeting.snapshot(), view(), now_);
        for (const auto& turn : meeting.trace()) made.turns.push_back(boundary::words_of(turn, now_));
        return made;
    }
    std::string member_state() const { return std::string(meeting.snapshot()->member->state); }
    std::size_t assigned() const {
        std::size_t count = 0;
        for (const auto& page : *meeting.snapshot()->pages) count += page->partitions.size();
        return count;
    }

    static constexpr base::instant t0{1000s};

    const boundary::core_config config;
    fake::fake_cluster_core cluster;
    handoff::handoff meeting;
    std::vector<handoff::fetched_piece> held;  // by the application
    std::vector<boundary::notice> notices;
    std::optional<boundary::application_view::doing> call;
    std::optional<boundary::application_view::doing> callback;
    std::optional<boundary::application_view::doing> inner;
    bool closed = false;

private:
    static constexpr base::duration latency = 1ms;
    struct link {
        port what = port::kafka;
        bool open = true;
    };

    // ---- ports
    void open(connection::connection_id id, const connection::ip_endpoint& to) override {
        const auto what = ports.contains(to.port) ? ports.at(to.port) : port::kafka;
        if (what == port::swallows) return;
        links_[id] = {what, true};
        later([this, id, what, to] {
            if (!is_open(id)) return;
            const broker_id broker(to.port - first_port);
            const bool taken = what != port::refuses && (what != port::kafka || accept(id, broker));
            if (taken) return reactor_->on_network(connection::connected{id});
            links_.erase(id);
            reactor_->on_network(connection::closed{id, "Connection refused"});
        });
    }
    bool accept(connection::connection_id id, broker_id broker) {
        return cluster.cluster().find_broker(broker) && cluster.on_accept(fake::connection_id(id.value()), broker);
    }
    void write(connection::connection_id id, base::shared_bytes bytes) override {
        later([this, id, bytes] {
            if (!is_open(id)) return;
            switch (links_.at(id).what) {
                case port::speaks_tls:
                    return receive(id, base::as_bytes(std::string("\x15\x03\x01\x00\x02\x02\x28", 7)));
                case port::speaks_http:
                    return receive(id, base::as_bytes(std::string("HTTP/1.1 400 Bad Request\r\n\r\n")));
                default: cluster.on_bytes(fake::connection_id(id.value()), bytes, now_, wall());
            }
        });
    }
    void close(connection::connection_id id) override {
        if (links_.erase(id) > 0) cluster.on_closed(fake::connection_id(id.value()));
    }
    void resolve(connection::query_id id, const boundary::host_port& name) override {
        later([this, id, name] {
            connection::name_resolved found{id, {}, {}};
            if (const auto it = names.find(name.host); it != names.end()) {
                found.addresses.push_back({it->second, name.port});
            } else {
                found.reason = "no such host";
            }
            reactor_->on_network(std::move(found));
        });
    }
    void turn_soon() override { turn_wanted_ = true; }
    void turn_at(base::instant when) override { turn_at_ = when; }
    void signal() noexcept override { turn_wanted_ = true; }

    // ---- what happens
    bool is_open(connection::connection_id id) const { return links_.contains(id); }
    void later(std::function<void()> what) { events_.emplace(now_ + latency, std::move(what)); }
    void receive(connection::connection_id id, base::bytes_view bytes) {
        while (!bytes.empty()) {
            const auto room = reactor_->receive_room(id);
            if (room.empty()) return;
            const auto count = std::min(room.size(), bytes.size());
            std::memcpy(room.data(), bytes.data(), count);
            reactor_->on_received(id, count);
            bytes = bytes.subspan(count);
        }
    }
    void carry_out_answers() {
        for (auto& one : cluster.take_outgoing()) {
            const connection::connection_id to(one.to.value());
            later([this, to, answer = std::move(one)] {
                if (!is_open(to)) return;
                if (!answer.close) return receive(to, answer.bytes);
                links_.erase(to);
                reactor_->on_network(connection::closed{to, {}});
            });
        }
    }
    base::instant next() const {
        auto when = std::min(turn_at_, cluster.next_deadline());
        if (!events_.empty()) when = std::min(when, events_.begin()->first);
        return when;
    }
    // What is due now, and the turns that follow from it.
    void step() {
        while (!events_.empty() && events_.begin()->first <= now_) {
            auto event = std::move(events_.begin()->second);
            events_.erase(events_.begin());
            event();
        }
        if (cluster.next_deadline() <= now_) cluster.on_time(now_, wall());
        if (turn_at_ <= now_) turn_wanted_ = true;
        settle();
    }
    void settle() {
        carry_out_answers();
        for (int turns = 0; std::exchange(turn_wanted_, false); ++turns) {
            ASSERT_LT(turns, 100) << "the reactor turns without end";
            turn_at_ = base::never;
            reactor_->turn();
            carry_out_answers();
        }
    }

    base::instant now_ = t0;
    base::seeded_random random_{1};
    std::multimap<base::instant, std::function<void()>> events_;
    std::map<connection::connection_id, link> links_;
    std::vector<std::unique_ptr<handoff::operation>> calls_;
    base::instant turn_at_ = base::never;
    bool turn_wanted_ = false;
    std::optional<reactor::reactor> reactor_;
};

}  // namespace strandline::explain_tests
