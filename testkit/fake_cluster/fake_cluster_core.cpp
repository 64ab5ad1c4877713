#include "testkit/fake_cluster/fake_cluster_core.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "protocol/messages/api_versions.hpp"
#include "testkit/fake_cluster/api_versions_answer.hpp"
#include "testkit/fake_cluster/handlers.hpp"

namespace strandline::testkit::fake {

struct fake_cluster_core::waiting_reply {
    protocol::request_header header;
    base::instant due;                    // to be handled or answered then at the latest
    std::optional<reply> made;            // later: asked again until it answers
    std::optional<any_response> answer;   // a delayed answer of a test's
    base::shared_bytes body;              // a delayed request
    base::shared_bytes frame;             // a delayed answer that has passed everything else
};

// A broker serves one request of a connection at a time; what comes meanwhile waits.
struct fake_cluster_core::link {
    link(connection_id of, protocol::broker_id to) : id(of), broker(to) {}
    connection_id id;
    protocol::broker_id broker;
    protocol::frame_splitter splitter;
    std::deque<base::shared_bytes> unserved;
    std::optional<waiting_reply> busy;
    bool dead = false;
};

fake_cluster_core::fake_cluster_core(const cluster_options& options)
    : cluster_(options.cluster_id, options.seed),
      groups_(cluster_, options.groups),
      transactions_(cluster_, groups_),
      services_{cluster_,
                sessions_,
                groups_,
                transactions_,
                options.auto_create_topics,
                options.default_partitions,
                1,
                options.internal_partitions} {
    for (int i = 0; i < options.brokers; ++i) {
        const auto index = static_cast<std::size_t>(i);
        cluster_.add_broker(protocol::broker_id(i + 1), index < options.racks.size() ? options.racks[index] : "");
    }
}

fake_cluster_core::~fake_cluster_core() = default;

bool fake_cluster_core::on_accept(connection_id id, protocol::broker_id broker) {
    const auto* asked = cluster_.find_broker(broker);
    if (!asked || !asked->running) return false;
    links_.emplace(id, std::make_unique<link>(id, broker));
    return true;
}

void fake_cluster_core::on_bytes(connection_id id, base::bytes_view bytes, base::instant now, base::wall_time wall) {
    const auto found = links_.find(id);
    if (found == links_.end()) return;
    auto& from = *found->second;
    while (!bytes.empty() && !from.dead) {
        const auto room = from.splitter.prepare();
        const auto taken = std::min(room.size(), bytes.size());
        std::memcpy(room.data(), bytes.data(), taken);
        from.splitter.commit(taken);
        bytes = bytes.subspan(taken);
        // The splitter has room only while its frames are taken, whether they can be served yet or not.
        while (auto frame = from.splitter.next_frame()) from.unserved.push_back(std::move(*frame));
        digest(from, now, wall);
        if (from.splitter.error()) close(from);
    }
    bury_dead_links();
    answer_waiting(false, now, wall);
}

void fake_cluster_core::digest(link& from, base::instant now, base::wall_time wall) {
    if (is_paused(from.broker)) return;
    while (!from.busy && !from.dead && !from.unserved.empty()) {
        const auto frame = std::move(from.unserved.front());
        from.unserved.pop_front();
        auto request = protocol::split_request(frame);
        if (!request) return close(from);
        receive(from, *request, now, wall);
    }
}

void fake_cluster_core::receive(link& from, const protocol::headed<protocol::request_header>& request,
                                base::instant now, base::wall_time wall) {
    ++seen_[request.header.api_key];
    const request_seen seen{from.broker, request.header, request.body, from.id.value()};
    // A hook may set and forget hooks, itself among them.
    for (auto next = hooks_.begin(); next != hooks_.end();) {
        const auto id = next->first;
        if (next->second.first == request.header.api_key) {
            const auto hook = next->second.second;
            auto decided = hook(seen);
            using fate = intercepted::fate;
            if (decided.what == fate::close) return close(from);
            if (decided.what == fate::drop) return wait(from, {request.header, base::never, {}, {}, {}, {}});
            if (decided.delay > base::duration::zero()) {
                auto body = decided.answer ? base::shared_bytes{} : request.body;
                return wait(from, {request.header,
                                   base::saturating_add(now, decided.delay),
                                   {},
                                   std::move(decided.answer),
                                   std::move(body),
                                   {}});
            }
            if (decided.what == fate::answer) return send(from, request.header, *decided.answer, now);
        }
        next = hooks_.upper_bound(id);
    }
    serve(from, request, now, wall);
}

void fake_cluster_core::serve(link& from, const protocol::headed<protocol::request_header>& request, base::instant now,
                              base::wall_time wall) {
    const auto* handler = find_handler(request.header.api_key);
    if (!handler) return close(from);
    const bool spoken =
        handler->min_version <= request.header.api_version && request.header.api_version <= handler->max_version;
    call asked{services_, *cluster_.find_broker(from.broker), request.header, from.id.value(), now, wall};
    if (!spoken) {
        if (request.header.api_key != protocol::api_key::api_versions) return close(from);
        // The one answer that a client of any age must be able to read: the version 0 layout (KIP-511).
        auto header = request.header;
        header.api_version = 0;
        return send(from, header, unsupported_api_versions(), now);
    }
    auto made = handler->answer(request.body, asked);
    if (!made) return close(from);
    settle(from, request.header, *made, now);
}

void fake_cluster_core::settle(link& to, const protocol::request_header& header, const reply& made, base::instant now) {
    if (made.is_later()) {
        wait(to, {header, made.deadline(), made, {}, {}, {}});
    } else if (made.response()) {
        send(to, header, *made.response(), now);
    }
}

void fake_cluster_core::send(link& to, const protocol::request_header& header, const any_response& response,
                             base::instant now) {
    auto frame = response.frame(header.api_version, header.correlation_id);
    if (!frame) return close(to);
    for (const auto error : response.errors()) ++errors_given_[{header.api_key, error}];
    for (auto next = response_hooks_.begin(); next != response_hooks_.end();) {
        const auto id = next->first;
        if (next->second.first == header.api_key) {
            const auto hook = next->second.second;
            auto decided = hook({to.broker, header, *frame, to.id.value()});
            if (decided.instead) frame = std::move(*decided.instead);
            if (decided.what == held_back::fate::close) return close(to);
            if (decided.what == held_back::fate::drop) return wait(to, {header, base::never, {}, {}, {}, {}});
            if (decided.delay > base::duration::zero()) {
                return wait(to, {header, base::saturating_add(now, decided.delay), {}, {}, {}, std::move(*frame)});
            }
        }
        next = response_hooks_.upper_bound(id);
    }
    put_out(to, std::move(*frame));
}

void fake_cluster_core::put_out(link& to, base::shared_bytes frame) {
    outgoing_.push_back({to.id, std::move(frame), false});
}

void fake_cluster_core::close(link& gone) {
    if (gone.dead) return;
    if (gone.busy) stop_waiting(gone);
    gone.dead = true;
    some_died_ = true;
    outgoing_.push_back({gone.id, {}, true});
}

void fake_cluster_core::bury_dead_links() {
    if (!some_died_) return;
    some_died_ = false;
    std::erase_if(links_, [](const auto& entry) { return entry.second->dead; });
}

void fake_cluster_core::on_closed(connection_id id) {
    const auto found = links_.find(id);
    if (found == links_.end()) return;
    if (found->second->busy) stop_waiting(*found->second);
    links_.erase(found);
}

void fake_cluster_core::on_time(base::instant now, base::wall_time wall) {
    expire(now, wall);
    answer_waiting(false, now, wall);
}

void fake_cluster_core::expire(base::instant now, base::wall_time wall) {
    groups_.on_time(now, [this](protocol::broker_id coordinator) { return !is_paused(coordinator); });
    transactions_.on_time(now, wall);
}

void fake_cluster_core::look_again(base::instant now, base::wall_time wall) { answer_waiting(true, now, wall); }

void fake_cluster_core::wait(link& one, waiting_reply waiting) {
    one.busy = std::move(waiting);
    if (!is_paused(one.broker)) enter(one);
}

fake_cluster_core::waiting_reply fake_cluster_core::stop_waiting(link& one) {
    leave(one);
    auto waited = std::move(*one.busy);
    one.busy.reset();
    return waited;
}

void fake_cluster_core::enter(link& one) {
    if (one.busy->due != base::never) due_.emplace(one.busy->due, one.id);
    if (one.busy->made) watching_.insert(one.id);
}

void fake_cluster_core::leave(link& one) {
    due_.erase({one.busy->due, one.id});
    watching_.erase(one.id);
}

// Waiting fetches are asked again only if a log or the cluster has changed since they were asked last; there may be
// many, of many partitions each.
void fake_cluster_core::answer_waiting(bool state_changed, base::instant now, base::wall_time wall) {
    answer_due(now, wall);
    while (state_changed || answered_changes_ != cluster_.changes()) {
        state_changed = false;
        answered_changes_ = cluster_.changes();
        answer_changed(now, wall);
        answer_due(now, wall);
    }
    bury_dead_links();
}

void fake_cluster_core::answer_due(base::instant now, base::wall_time wall) {
    while (!due_.empty() && due_.begin()->first <= now) {
        auto& one = *links_.at(due_.begin()->second);
        const auto waited = stop_waiting(one);
        if (waited.made) {
            // Expired, it must answer.
            if (auto response = waited.made->try_again(now, true)) send(one, waited.header, *response, now);
        } else if (!waited.frame.empty()) {
            put_out(one, waited.frame);
        } else if (waited.answer) {
            send(one, waited.header, *waited.answer, now);
        } else {
            serve(one, {waited.header, waited.body}, now, wall);
        }
        digest(one, now, wall);
    }
}

void fake_cluster_core::answer_changed(base::instant now, base::wall_time wall) {
    for (auto next = watching_.begin(); next != watching_.end();) {
        const auto id = *next;
        auto& one = *links_.at(id);
        if (auto response = one.busy->made->try_again(now, false)) {
            const auto waited = stop_waiting(one);
            send(one, waited.header, *response, now);
            digest(one, now, wall);
        }
        next = watching_.upper_bound(id);
    }
}

std::vector<outgoing> fake_cluster_core::take_outgoing() { return std::exchange(outgoing_, {}); }

base::instant fake_cluster_core::next_deadline() const {
    const auto next = std::min(groups_.next_deadline(), transactions_.next_deadline());
    return due_.empty() ? next : std::min(next, due_.begin()->first);
}

std::uint64_t fake_cluster_core::intercept(protocol::api_key api, interceptor hook) {
    hooks_.emplace(++last_hook_, std::pair(api, std::move(hook)));
    return last_hook_;
}

std::uint64_t fake_cluster_core::requests_seen(protocol::api_key api) const {
    const auto found = seen_.find(api);
    return found == seen_.end() ? 0 : found->second;
}

std::uint64_t fake_cluster_core::intercept_response(protocol::api_key api, response_interceptor hook) {
    response_hooks_.emplace(++last_hook_, std::pair(api, std::move(hook)));
    return last_hook_;
}

void fake_cluster_core::forget_interceptor(std::uint64_t id) {
    hooks_.erase(id);
    response_hooks_.erase(id);
}

void fake_cluster_core::stop_broker(protocol::broker_id id, base::instant now) {
    cluster_.set_running(id, false);
    groups_.on_broker_stopped(id, now);
    for (auto& [connection, one] : links_) {
        if (one->broker == id) close(*one);
    }
    bury_dead_links();
    sessions_.forget_broker(id);
    paused_.erase(id);
}

void fake_cluster_core::start_broker(protocol::broker_id id, base::instant) { cluster_.set_running(id, true); }

void fake_cluster_core::pause_broker(protocol::broker_id id) {
    if (!paused_.insert(id).second) return;
    for (auto& [connection, one] : links_) {
        if (one->broker == id && one->busy) leave(*one);
    }
}

void fake_cluster_core::resume_broker(protocol::broker_id id, base::instant now, base::wall_time wall) {
    if (paused_.erase(id) == 0) return;
    std::vector<connection_id> its;
    for (auto& [connection, one] : links_) {
        if (one->broker == id) its.push_back(connection);
    }
    for (const auto connection : its) {
        auto& one = *links_.at(connection);
        if (one.busy) {
            enter(one);
        } else {
            digest(one, now, wall);
        }
    }
    answer_waiting(true, now, wall);
    // What has come to its end meanwhile.
    groups_.reconsider_deadlines(now);
    on_time(now, wall);
}

}  // namespace strandline::testkit::fake
