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
      services_{cluster_, sessions_, groups_, transactions_, options.auto_create_topics, options.default_partitions,
                1} {
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
    answer_waiting(false, now, wall);
}

void fake_cluster_core::digest(link& from, base::instant now, base::wall_time wall) {
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
    for (const auto& [id, hook] : std::map(hooks_)) {
        if (hook.first != request.header.api_key) continue;
        auto decided = hook.second(seen);
        using fate = intercepted::fate;
        if (decided.what == fate::close) return close(from);
        if (decided.what == fate::drop) {
            from.busy = waiting_reply{request.header, base::never, {}, {}, {}};
            return;
        }
        if (decided.delay > base::duration::zero()) {
            from.busy = waiting_reply{request.header,
                                      base::saturating_add(now, decided.delay),
                                      {},
                                      decided.answer,
                                      decided.answer ? base::shared_bytes{} : request.body};
            return;
        }
        if (decided.what == fate::answer) return send(from, request.header, *decided.answer);
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
        return send(from, header, unsupported_api_versions());
    }
    auto made = handler->answer(request.body, asked);
    if (!made) return close(from);
    settle(from, request.header, *made);
}

void fake_cluster_core::settle(link& to, const protocol::request_header& header, const reply& made) {
    if (made.is_later()) {
        to.busy = waiting_reply{header, made.deadline(), made, {}, {}};
    } else if (made.response()) {
        send(to, header, *made.response());
    }
}

void fake_cluster_core::send(link& to, const protocol::request_header& header, const any_response& response) {
    auto frame = response.frame(header.api_version, header.correlation_id);
    if (!frame) return close(to);
    outgoing_.push_back({to.id, std::move(*frame), false});
}

void fake_cluster_core::close(link& gone) {
    if (gone.dead) return;
    gone.dead = true;
    outgoing_.push_back({gone.id, {}, true});
}

void fake_cluster_core::on_closed(connection_id id) { links_.erase(id); }

void fake_cluster_core::on_time(base::instant now, base::wall_time wall) {
    groups_.on_time(now);
    transactions_.on_time(now, wall);
    answer_waiting(false, now, wall);
}

void fake_cluster_core::look_again(base::instant now, base::wall_time wall) { answer_waiting(true, now, wall); }

// Waiting fetches are asked again only if a log or the cluster has changed since they were asked last; there may be
// many, of many partitions each.
void fake_cluster_core::answer_waiting(bool state_changed, base::instant now, base::wall_time wall) {
    for (bool changed = true; changed;) {
        changed = false;
        const bool ask_all = state_changed || answered_changes_ != cluster_.changes();
        answered_changes_ = cluster_.changes();
        state_changed = false;
        for (auto& [id, owner] : links_) {
            auto& one = *owner;
            if (!one.busy || one.dead) continue;
            auto& waiting = *one.busy;
            const bool due = waiting.due <= now;
            if (waiting.made) {
                if (!due && !ask_all) continue;
                auto response = waiting.made->try_again(now, due);
                if (!response) continue;
                const auto header = waiting.header;
                one.busy.reset();
                send(one, header, *response);
            } else if (due) {
                const auto delayed = std::move(waiting);
                one.busy.reset();
                if (delayed.answer) {
                    send(one, delayed.header, *delayed.answer);
                } else {
                    serve(one, {delayed.header, delayed.body}, now, wall);
                }
            } else {
                continue;
            }
            changed = true;
            digest(one, now, wall);
        }
    }
    std::erase_if(links_, [](const auto& entry) { return entry.second->dead; });
}

std::vector<outgoing> fake_cluster_core::take_outgoing() { return std::exchange(outgoing_, {}); }

base::instant fake_cluster_core::next_deadline() const {
    auto next = std::min(groups_.next_deadline(), transactions_.next_deadline());
    for (const auto& [id, one] : links_) {
        if (one->busy) next = std::min(next, one->busy->due);
    }
    return next;
}

std::uint64_t fake_cluster_core::intercept(protocol::api_key api, interceptor hook) {
    hooks_.emplace(++last_hook_, std::pair(api, std::move(hook)));
    return last_hook_;
}

std::uint64_t fake_cluster_core::requests_seen(protocol::api_key api) const {
    const auto found = seen_.find(api);
    return found == seen_.end() ? 0 : found->second;
}

void fake_cluster_core::forget_interceptor(std::uint64_t id) { hooks_.erase(id); }

void fake_cluster_core::stop_broker(protocol::broker_id id, base::instant now) {
    cluster_.set_running(id, false);
    groups_.on_broker_stopped(id, now);
    for (auto& [connection, one] : links_) {
        if (one->broker == id) close(*one);
    }
    std::erase_if(links_, [](const auto& entry) { return entry.second->dead; });
    sessions_.forget_broker(id);
}

void fake_cluster_core::start_broker(protocol::broker_id id, base::instant) { cluster_.set_running(id, true); }

}  // namespace strandline::testkit::fake
