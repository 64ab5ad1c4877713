#include <algorithm>
#include <map>
#include <stdexcept>

#include <strandline/testkit/fake_cluster.hpp>

#include "testkit/fake_cluster/error_answers.hpp"
#include "testkit/fake_cluster/loopback_front.hpp"
#include "testkit/fake_cluster/produced_batch.hpp"

namespace strandline::testkit::inline v0 {

namespace {

using fake::fake_cluster_core;

fake::cluster_options options_of(const fake_cluster_config& config) {
    fake::cluster_options options;
    options.brokers = config.brokers;
    options.racks = config.racks;
    options.auto_create_topics = config.auto_create_topics;
    options.default_partitions = config.default_partitions;
    options.groups.session_timeout = config.session_timeout;
    options.groups.heartbeat_interval = config.heartbeat_interval;
    options.seed = config.seed;
    return options;
}

fake::partition_state& partition_of(fake_cluster_core& core, const std::string& topic, std::int32_t partition) {
    auto* known = core.cluster().find_topic(topic);
    auto* found = known ? known->find(partition) : nullptr;
    if (!found)
        throw std::invalid_argument("the fake cluster has no partition " + topic + "-" + std::to_string(partition));
    return *found;
}

}  // namespace

class fake_cluster::running {
public:
    explicit running(const fake_cluster_config& config) : front_(options_of(config), config.port) {
        for (const auto& topic : config.topics) create(topic);
        with([this](fake_cluster_core& core) {
            for (const auto& [id, broker] : core.cluster().brokers()) {
                if (!servers_.empty()) servers_ += ',';
                servers_ += broker.host + ":" + std::to_string(broker.port);
            }
        });
    }

    const std::string& servers() const noexcept { return servers_; }

    void with(const std::function<void(fake_cluster_core&)>& change) {
        front_.with_core([&](fake_cluster_core& core, base::instant, base::wall_time) { change(core); });
    }
    void with_time(const std::function<void(fake_cluster_core&, base::instant, base::wall_time)>& change) {
        front_.with_core(change);
    }

    void create(const fake_topic& topic) {
        with([&](fake_cluster_core& core) {
            if (core.cluster().find_topic(topic.name)) {
                throw std::invalid_argument("the fake cluster has a topic " + topic.name + " already");
            }
            core.cluster().create_topic(topic.name, topic.partitions, topic.replication);
        });
    }

    std::uint64_t control(api which, control_handler handler) {
        std::uint64_t id = 0;
        with([&](fake_cluster_core& core) {
            id = core.intercept(static_cast<protocol::api_key>(which),
                                [handler = std::move(handler)](const fake::request_seen& seen) {
                                    controlled_request request;
                                    request.version_ = seen.header.api_version;
                                    request.broker_ = seen.broker.value();
                                    handler(request);
                                    return decided(request, seen);
                                });
        });
        return id;
    }

    std::uint64_t seen(api which) {
        std::uint64_t count = 0;
        with([&](fake_cluster_core& core) { count = core.requests_seen(static_cast<protocol::api_key>(which)); });
        return count;
    }

private:
    static fake::intercepted decided(const controlled_request& request, const fake::request_seen& seen) {
        using fate = fake::intercepted::fate;
        fake::intercepted made;
        made.delay = request.delay_;
        if (request.close_) {
            made.what = fate::close;
        } else if (request.drop_) {
            made.what = fate::drop;
        } else if (request.error_code_) {
            made.answer =
                fake::error_answer(seen.header, seen.body, static_cast<protocol::broker_error>(*request.error_code_));
            if (made.answer) made.what = fate::answer;
        }
        return made;
    }

    fake::loopback_front front_;
    std::string servers_;
};

fake_cluster::fake_cluster(const fake_cluster_config& config) : running_(std::make_unique<running>(config)) {}
fake_cluster::~fake_cluster() = default;
fake_cluster::fake_cluster(fake_cluster&&) noexcept = default;
fake_cluster& fake_cluster::operator=(fake_cluster&&) noexcept = default;

std::string fake_cluster::bootstrap_servers() const { return running_->servers(); }

void fake_cluster::create_topic(const fake_topic& topic) { running_->create(topic); }

void fake_cluster::delete_topic(const std::string& name) {
    running_->with([&](fake_cluster_core& core) { core.cluster().delete_topic(name); });
}

void fake_cluster::add_partitions(const std::string& topic, std::int32_t total) {
    running_->with([&](fake_cluster_core& core) {
        auto* known = core.cluster().find_topic(topic);
        if (!known) throw std::invalid_argument("the fake cluster has no topic " + topic);
        core.cluster().add_partitions(*known, total, 1);
    });
}

std::int64_t fake_cluster::produce(const std::string& topic, std::int32_t partition,
                                   const std::vector<fake_record>& records) {
    if (records.empty()) throw std::invalid_argument("nothing to produce");
    std::int64_t offset = -1;
    running_->with_time([&](fake_cluster_core& core, base::instant, base::wall_time now) {
        auto& found = partition_of(core, topic, partition);
        offset = found.log.append(fake::batch_of(records, now), found.leader_epoch).base_offset;
    });
    return offset;
}

std::int64_t fake_cluster::end_offset(const std::string& topic, std::int32_t partition) const {
    std::int64_t end = 0;
    running_->with([&](fake_cluster_core& core) { end = partition_of(core, topic, partition).log.high_watermark(); });
    return end;
}

void fake_cluster::delete_records_before(const std::string& topic, std::int32_t partition, std::int64_t offset) {
    running_->with([&](fake_cluster_core& core) { partition_of(core, topic, partition).log.delete_before(offset); });
}

void fake_cluster::truncate(const std::string& topic, std::int32_t partition, std::int64_t offset) {
    running_->with([&](fake_cluster_core& core) {
        auto& found = partition_of(core, topic, partition);
        found.log.truncate_to(offset);
        core.cluster().elect(found, found.leader);
    });
}

void fake_cluster::stop_broker(std::int32_t broker) {
    running_->with_time([&](fake_cluster_core& core, base::instant now, base::wall_time) {
        core.stop_broker(protocol::broker_id(broker), now);
    });
}

void fake_cluster::start_broker(std::int32_t broker) {
    running_->with_time([&](fake_cluster_core& core, base::instant now, base::wall_time) {
        core.start_broker(protocol::broker_id(broker), now);
    });
}

void fake_cluster::move_leader(const std::string& topic, std::int32_t partition, std::int32_t broker) {
    running_->with([&](fake_cluster_core& core) {
        auto& found = partition_of(core, topic, partition);
        const auto to = protocol::broker_id(broker);
        if (!core.cluster().find_broker(to)) throw std::invalid_argument("no broker " + std::to_string(broker));
        if (std::find(found.replicas.begin(), found.replicas.end(), to) == found.replicas.end())
            found.replicas.push_back(to);
        core.cluster().elect(found, to);
    });
}

void fake_cluster::move_coordinator(const std::string& group, std::int32_t broker) {
    running_->with(
        [&](fake_cluster_core& core) { core.groups().move_coordinator(group, protocol::broker_id(broker)); });
}

offsets fake_cluster::committed(const std::string& group) const {
    offsets found;
    running_->with([&](fake_cluster_core& core) {
        const auto* known = core.groups().find(group);
        if (!known) return;
        for (const auto& [partition, offset] : known->offsets) {
            const auto* topic = core.cluster().find_topic(partition.first);
            if (!topic) continue;
            offset_and_metadata shown(offset.offset, std::nullopt, offset.metadata);
            if (offset.leader_epoch >= 0) shown.leader_epoch = offset.leader_epoch;
            found.emplace(topic_partition{topic->name, partition.second}, std::move(shown));
        }
    });
    return found;
}

std::vector<std::string> fake_cluster::members(const std::string& group) const {
    std::vector<std::string> ids;
    running_->with([&](fake_cluster_core& core) {
        if (const auto* known = core.groups().find(group)) {
            for (const auto& [id, member] : known->members) ids.push_back(id);
        }
    });
    return ids;
}

std::uint64_t fake_cluster::control(api which, control_handler handler) {
    return running_->control(which, std::move(handler));
}

void fake_cluster::uncontrol(std::uint64_t control) {
    running_->with([&](fake_cluster_core& core) { core.forget_interceptor(control); });
}

std::uint64_t fake_cluster::requests_seen(api which) const { return running_->seen(which); }

}  // namespace strandline::testkit::inline v0
