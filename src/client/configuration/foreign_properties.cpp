#include <algorithm>
#include <array>
#include <vector>

#include "client/configuration/property.hpp"
#include "client/configuration/property_text.hpp"

namespace strandline::client::configuration {

namespace {

using kind = foreign_property::kind;

constexpr auto known = std::to_array<foreign_property>({
    {"group.protocol", kind::only_value, "consumer"},
    {"security.protocol", kind::only_value, "plaintext"},
    {"client.dns.lookup", kind::only_value, "use_all_dns_ips"},
    {"enable.metrics.push", kind::without_effect, "this client pushes no metrics yet"},

    {"session.timeout.ms", kind::classic_only, "group.consumer.session.timeout.ms of the broker decides"},
    {"heartbeat.interval.ms", kind::classic_only, "group.consumer.heartbeat.interval.ms of the broker decides"},
    {"partition.assignment.strategy", kind::classic_only, "group.remote.assignor names the broker's assignor"},
    {"group.protocol.type", kind::classic_only},

    {"share.acknowledgement.mode", kind::share_only},
    {"share.acquire.mode", kind::share_only},

    {"security.providers", kind::not_yet, "TLS and SASL do not exist yet"},
    {"service.name", kind::not_yet, "TLS and SASL do not exist yet"},
    {"interceptor.classes", kind::not_yet, "interceptors do not exist"},
    {"plugin.library.paths", kind::not_yet, "interceptors do not exist"},

    // Java's.
    {"bootstrap.resolve.timeout.ms", kind::without_effect,
     "names are resolved while running, and again when that fails"},
    {"key.deserializer", kind::without_effect, "records are bytes"},
    {"value.deserializer", kind::without_effect, "records are bytes"},
    {"send.buffer.bytes", kind::without_effect, "the system's default is used"},
    {"receive.buffer.bytes", kind::without_effect, "the system's default is used"},
    {"metric.reporters", kind::without_effect},
    {"metrics.sample.window.ms", kind::without_effect},
    {"metrics.num.samples", kind::without_effect},
    {"metrics.recording.level", kind::without_effect},
    {"auto.include.jmx.reporter", kind::without_effect},
    {"config.providers", kind::without_effect},

    // librdkafka's.
    {"enable.auto.offset.store", kind::without_effect, "what was processed is known without it"},
    {"enable.partition.eof", kind::without_effect, "lag() and end_offsets() tell where a partition ends"},
    {"queued.min.messages", kind::without_effect, "memory.limit bounds what is fetched ahead"},
    {"queued.max.messages.kbytes", kind::without_effect, "memory.limit bounds what is fetched ahead"},
    {"fetch.queue.backoff.ms", kind::without_effect},
    {"fetch.error.backoff.ms", kind::without_effect, "retry.backoff.ms applies"},
    {"receive.message.max.bytes", kind::without_effect},
    {"message.max.bytes", kind::without_effect},
    {"max.in.flight.requests.per.connection", kind::without_effect},
    {"max.in.flight", kind::without_effect},
    {"topic.metadata.refresh.sparse", kind::without_effect, "only topics of interest are asked for"},
    {"topic.metadata.refresh.fast.interval.ms", kind::without_effect, "retry.backoff.ms applies"},
    {"topic.metadata.propagation.max.ms", kind::without_effect},
    {"topic.blacklist", kind::without_effect},
    {"api.version.request", kind::without_effect, "versions are always asked for"},
    {"api.version.request.timeout.ms", kind::without_effect},
    {"api.version.fallback.ms", kind::without_effect},
    {"broker.version.fallback", kind::without_effect, "versions are always asked for"},
    {"broker.address.ttl", kind::without_effect},
    {"broker.address.family", kind::without_effect, "all addresses of a name are tried"},
    {"socket.keepalive.enable", kind::without_effect},
    {"socket.nagle.disable", kind::without_effect, "it always is"},
    {"socket.send.buffer.bytes", kind::without_effect, "the system's default is used"},
    {"socket.receive.buffer.bytes", kind::without_effect, "the system's default is used"},
    {"socket.max.fails", kind::without_effect},
    {"coordinator.query.interval.ms", kind::without_effect},
    {"consume.callback.max.messages", kind::without_effect, "max.poll.records limits a poll"},
    {"offset.store.method", kind::without_effect},
    {"statistics.interval.ms", kind::without_effect},
    {"log_level", kind::without_effect},
    {"log.queue", kind::without_effect},
    {"log.thread.name", kind::without_effect},
    {"log.connection.close", kind::without_effect},
    {"debug", kind::without_effect},
    {"builtin.features", kind::without_effect},
    {"internal.termination.signal", kind::without_effect},
});

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            diagonal = above;
        }
    }
    return row.back();
}

}  // namespace

std::span<const foreign_property> foreign_properties() noexcept { return known; }

std::optional<foreign_property> find_foreign(std::string_view name) {
    const auto found = std::ranges::find(known, name, &foreign_property::name);
    if (found != known.end()) return *found;
    if (name.starts_with("ssl.") || name.starts_with("sasl.")) {
        return foreign_property{name, kind::not_yet, "TLS and SASL do not exist yet"};
    }
    return std::nullopt;
}

bool is_secret(std::string_view name) {
    constexpr std::array<std::string_view, 7> marks{
        "password", "secret", "jaas", "passphrase", "keystore.key", "key.pem", "sasl.oauthbearer.config"};
    return std::ranges::any_of(marks, [&](std::string_view mark) { return name.find(mark) != std::string_view::npos; });
}

std::optional<std::string> nearest_name(std::string_view name) {
    std::string_view best;
    std::size_t least = std::max<std::size_t>(2, name.size() / 3);
    const auto consider = [&](std::string_view candidate) {
        const auto steps = distance(name, candidate);
        if (steps < least || (steps == least && best.empty())) {
            least = steps;
            best = candidate;
        }
    };
    for (const auto& each : settable_properties()) {
        consider(each.name);
        for (const auto alias : each.aliases) consider(alias);
    }
    for (const auto& each : known) consider(each.name);
    if (best.empty()) return std::nullopt;
    return std::string(best);
}

}  // namespace strandline::client::configuration
