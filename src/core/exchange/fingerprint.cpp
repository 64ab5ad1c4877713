#include "core/exchange/fingerprint.hpp"

#include <string_view>
#include <type_traits>

namespace strandline::core::exchange {

namespace {

// A mixer of small numbers; not for anything an attacker chooses.
class mixer {
public:
    template <class Number>
        requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
    mixer& add(Number number) noexcept {
        sum_ ^= static_cast<std::uint64_t>(number) + 0x9e3779b97f4a7c15U + (sum_ << 6U) + (sum_ >> 2U);
        sum_ *= 0xff51afd7ed558ccdU;
        return *this;
    }
    template <class Tag, class Number>
    mixer& add(base::strong<Tag, Number> id) noexcept {
        return add(id.value());
    }
    mixer& add(std::string_view text) noexcept { return add(std::hash<std::string_view>{}(text)); }
    mixer& add(const std::string& text) noexcept { return add(std::string_view(text)); }
    mixer& add(base::instant when) noexcept { return add(when.time_since_epoch().count()); }
    mixer& add(const protocol::topic_id& id) noexcept { return add(std::hash<protocol::topic_id>{}(id)); }
    mixer& add(const offset_and_metadata& offset) noexcept {
        return add(offset.offset).add(offset.leader_epoch).add(offset.metadata);
    }
    mixer& add(const fetch_position& position) noexcept {
        return add(position.offset).add(position.last_epoch).add(position.current_epoch);
    }
    mixer& add(const boundary::brief_offset& offset) noexcept {
        add(static_cast<bool>(offset));
        return offset ? add(*offset) : *this;
    }
    mixer& add(const error& reason) noexcept { return add(reason.code().value()).add(reason.message()); }
    template <class T>
    mixer& add(const std::optional<T>& value) noexcept {
        add(value.has_value());
        return value ? add(*value) : *this;
    }
    template <class T>
    mixer& add(const std::vector<T>& values) noexcept {
        add(values.size());
        for (const auto& value : values) add(value);
        return *this;
    }
    std::uint64_t sum() const noexcept { return sum_; }

private:
    std::uint64_t sum_ = 0x243f6a8885a308d3U;
};

void add(mixer& sum, const topic_metadata& topic) {
    sum.add(topic.name).add(topic.id).add(topic.is_internal).add(topic.failure).add(topic.partitions.size());
    for (const auto& one : topic.partitions) {
        sum.add(one.partition).add(one.leader).add(one.epoch).add(one.failure);
        if (one.copies) sum.add(one.copies->replicas).add(one.copies->in_sync).add(one.copies->offline);
    }
}

}  // namespace

std::uint64_t fingerprint(const cluster_view& shown) {
    mixer sum;
    sum.add(shown.cluster_id).add(shown.answers).add(shown.bootstrapped).add(shown.brokers.size());
    for (const auto& [id, broker] : shown.brokers) {
        sum.add(id).add(broker.address.host).add(broker.address.port).add(broker.rack);
    }
    // In whatever order they lie: each on its own, and all together by a sum.
    std::uint64_t topics = 0;
    for (const auto& [name, topic] : shown.topics) {
        mixer one;
        add(one, topic);
        topics += one.sum();
    }
    std::uint64_t names = 0;
    for (const auto& [id, name] : shown.names) names += mixer().add(id).add(name).sum();
    return sum.add(topics).add(names).sum();
}

std::uint64_t fingerprint(const coordinator_view& shown) {
    return mixer().add(shown.broker).add(shown.version).add(shown.refusal).sum();
}

std::uint64_t fingerprint(const member_view& shown) {
    mixer sum;
    sum.add(shown.in_group).add(shown.member_id).add(shown.epoch).add(shown.incarnation).add(shown.fatal);
    return sum.sum();
}

std::uint64_t fingerprint(const subscription_state& shown) {
    mixer sum;
    sum.add(shown.by_hand).add(shown.slots().size()).add(shown.uncommitted.size());
    for (const auto slot : shown.slots()) {
        const auto* state = shown.find(slot);
        sum.add(state->partition->name.partition).add(slot);
        sum.add(state->era).add(state->phase).add(state->position);
        sum.add(state->paused).add(state->fenced).add(state->callback_pending);
        sum.add(state->high_watermark).add(state->last_stable_offset).add(state->log_start_offset);
        sum.add(state->processed).add(state->committed).add(state->failure);
    }
    for (const auto slot : shown.uncommitted) sum.add(slot);
    return sum.sum();
}

std::uint64_t fingerprint(const lifecycle_view& shown) {
    return mixer().add(shown.stage).add(shown.leave).add(shown.stage_deadline).sum();
}

std::uint64_t fingerprint(const connections_view& shown, const cluster_view& brokers, std::size_t bootstrap_servers) {
    mixer sum;
    const auto look_at = [&](protocol::broker_id broker) {
        const auto all = shown.all_of(broker);
        for (const auto& one : all.connections) {
            sum.add(one.is).add(one.is == readiness::state::backing_off ? one.until : base::never);
        }
        for (const auto& until : all.throttled_until) sum.add(until);
        sum.add(shown.usable_version(broker, protocol::api_key::fetch).value_or(-1));
    };
    for (const auto& [id, broker] : brokers.brokers) look_at(id);
    for (std::size_t i = 0; i < bootstrap_servers; ++i) {
        look_at(protocol::broker_id(-2 - static_cast<std::int32_t>(i)));
    }
    return sum.sum();
}

}  // namespace strandline::core::exchange
