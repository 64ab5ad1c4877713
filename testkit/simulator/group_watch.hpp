// Tells what the brokers hold of groups and fetch sessions whenever that changed: the truth that consumers are compared
// with.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "testkit/simulator/log_writer.hpp"
#include "testkit/simulator/observations.hpp"
#include "testkit/simulator/simulated_cluster.hpp"

namespace strandline::testkit::sim {

class group_watch final : public cluster_listener {
public:
    group_watch(simulated_cluster& cluster, const log_writer& logs, observations& told);
    // Those of groups that nobody is a member of.
    void expire_offsets();

private:
    struct member {
        std::int32_t epoch = 0;
        std::string instance_id;
        fake::partition_set assigned;
        fake::partition_set revoking;
        bool left_for_a_while = false;
    };
    using members = std::map<std::string, member>;
    struct at_epoch {
        std::int64_t offset = 0;
        std::int32_t leader_epoch = -1;
        friend bool operator==(const at_epoch&, const at_epoch&) = default;
    };
    struct commit {
        std::string group;
        std::string member_id;
        std::int32_t epoch = -1;
        std::vector<std::pair<fake::group_partition, at_epoch>> offsets;
    };

    void on_cluster_acted() override;
    void on_time_passed() override { members_may_differ_ = true; }
    void note_commit(const fake::request_seen& seen);
    void tell_members();
    void tell_commit(const fake::response_seen& seen);
    void tell_session(const fake::fetch_session& session);
    void tell_members(const std::string& name, const fake::consumer_group& group, members& before);
    static bool is_as_before(const member& before, const fake::group_member& now);
    static bool are_as_before(const members& before, const fake::consumer_group& group);
    std::vector<log_id> logs_of(const fake::partition_set& all) const;

    simulated_cluster& cluster_;
    const log_writer& logs_;
    observations& told_;
    bool members_may_differ_ = false;
    std::map<std::string, members> members_;
    std::map<std::pair<std::uint64_t, protocol::correlation_id>, commit> commits_;  // by connection, not answered yet
    std::map<std::pair<std::string, fake::group_partition>, at_epoch> committed_;
};

}  // namespace strandline::testkit::sim
