// A history written by hand, and what one checker says of it.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/exchange/manager.hpp"
#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/check_run.hpp"

namespace strandline::testkit::sim {

using namespace std::chrono_literals;
using namespace observed;

inline constexpr consumer_id ann{1};
inline constexpr consumer_id bob{2};
inline constexpr log_id log0{0};
inline constexpr log_id log1{1};
inline constexpr core::boundary::slot_id slot0{0};
inline constexpr core::boundary::incarnation era1{1};
inline constexpr core::boundary::incarnation era2{2};
inline constexpr protocol::broker_id broker1{1};

inline protocol::topic_id topic_a() {
    protocol::topic_id id;
    id.octets[15] = 1;
    return id;
}

class history {
public:
    explicit history(std::unique_ptr<checker> one) : run_(alone(std::move(one))) {
        add(topic_created{"orders", topic_a(), log0, 2});
        started(ann);
        started(bob);
    }

    // From now on.
    history& at(base::duration when) {
        now_ = base::instant(1000s) + when;
        return *this;
    }
    base::instant now() const noexcept { return now_; }
    template <class Kind>
    history& add(Kind what, consumer_id who = nobody) {
        run_.on({now_, who, happening(std::move(what))});
        return *this;
    }
    template <class Kind>
    history& by(consumer_id who, Kind what) {
        return add(std::move(what), who);
    }
    history& end() {
        run_.at_end(now_);
        return *this;
    }

    // `count` records from `from` on, content 1000 + offset.
    history& records(std::int64_t from, std::int64_t count, std::int64_t producer = -1, log_id log = log0) {
        return add(appended{log, from, from + count, appended::kind::data, content_of(from), producer, 0});
    }
    static std::uint64_t content_of(std::int64_t offset) { return 1000 + static_cast<std::uint64_t>(offset); }
    history& control(std::int64_t from) {
        return add(appended{log0, from, from + 1, appended::kind::control, 0, -1, 0});
    }
    history& polled(std::int64_t from, std::int64_t to, core::boundary::incarnation era = era1, consumer_id who = ann) {
        return by(who, poll_returned{call_id(1), {{log0, slot0, era, from, to}}});
    }
    // Seen and moved past.
    history& read(std::int64_t from, std::int64_t to, core::boundary::incarnation era = era1, consumer_id who = ann) {
        records_seen seen{log0, era, {}};
        for (auto offset = from; offset < to; ++offset) seen.records.push_back({offset, content_of(offset)});
        return by(who, std::move(seen)).by(who, processed{log0, era, to, false});
    }
    history& assigned(core::boundary::incarnation era = era1, consumer_id who = ann) {
        return by(who, slot_updated{log0, slot0, era, true, false, false, false});
    }
    history& fenced(consumer_id who = ann) {
        return by(who, slot_updated{log0, slot0, era1, true, false, true, false});
    }
    history& given_up(consumer_id who = ann) {
        return by(who, slot_updated{log0, slot0, era1, false, false, false, false});
    }
    history& call(call_kind what, std::uint64_t id = 1, base::instant deadline = base::never, consumer_id who = ann) {
        return by(who, call_begun{call_id(id), what, deadline, {}, {}, false, false});
    }
    history& ends(call_kind what, std::uint64_t id = 1, std::optional<error> failure = {}, consumer_id who = ann) {
        return by(who, call_ended{call_id(id), what, std::move(failure), {}, {}, false});
    }
    // A turn without anything in it.
    turn_decided decision(std::uint64_t number = 1) const {
        turn_decided made;
        made.number = made.version = number;
        made.member_state = "stable";
        made.member_epoch = 5;
        made.park_until = now_ + 1s;
        core::kernel::await_set until(
            core::kernel::awaited::timer(*core::kernel::future_instant::after(now_, now_ + 1s)));
        return waiting_for(std::move(made), until);
    }
    turn_decided waiting_for(turn_decided made, const core::kernel::await_set& inputs) const {
        made.waits =
            std::make_shared<const std::vector<core::kernel::waiting>>(1, core::kernel::waiting{0, inputs, {}, now_});
        return made;
    }
    history& decided(turn_decided made, consumer_id who = ann) {
        return by(who, turn_begun{made.number, bit(input::network), 1, 0}).by(who, std::move(made));
    }
    static turn_decided showing(turn_decided made, std::vector<turn_decided::place> places) {
        made.assignment = std::make_shared<const std::vector<turn_decided::place>>(std::move(places));
        return made;
    }
    static request_sent request(std::uint64_t id, protocol::api_key api, request_content content = {}) {
        request_sent sent;
        sent.id = core::exchange::request_id(id);
        sent.broker = broker1;
        sent.api = api;
        sent.content = std::move(content);
        return sent;
    }
    static request_ended ended(std::uint64_t id, request_ended::how how = request_ended::how::answered,
                               answer_content content = {}) {
        return {core::exchange::request_id(id), 0, how, std::move(content)};
    }

    std::uint64_t complaints() const { return run_.checkers().front()->complaints(); }
    std::string first_words() const {
        const auto found = run_.findings();
        return found.empty() ? std::string() : in_words(found.front(), run_.known());
    }

private:
    static std::vector<std::unique_ptr<checker>> alone(std::unique_ptr<checker> one) {
        std::vector<std::unique_ptr<checker>> all;
        all.push_back(std::move(one));
        return all;
    }
    void started(consumer_id who) {
        auto settings = std::make_shared<core::boundary::core_config>();
        settings->group_id = "billing";
        by(who, consumer_started{who.value(), std::move(settings)});
    }

    check_run run_;
    base::instant now_{1000s};
};

}  // namespace strandline::testkit::sim
