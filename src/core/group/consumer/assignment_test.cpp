#include "core/group/consumer/assignment.hpp"

#include <gtest/gtest.h>

namespace strandline::core::group::consumer {
namespace {

using protocol::partition_index;
using told = std::vector<protocol::messages::consumer_group_heartbeat_response::topic_partitions_value>;

protocol::topic_id id(std::uint8_t number) {
    protocol::topic_id made;
    made.octets[15] = number;
    return made;
}

told::value_type topic(protocol::topic_id which, const std::vector<std::int32_t>& partitions) {
    told::value_type made;
    made.topic_id = which;
    for (const auto partition : partitions) made.partitions.emplace_back(partition);
    return made;
}

exchange::cluster_view cluster_with(std::initializer_list<std::pair<protocol::topic_id, std::string>> names) {
    exchange::cluster_view cluster;
    for (const auto& [topic_id, name] : names) cluster.names[topic_id] = name;
    return cluster;
}

owned_partitions owning(std::initializer_list<boundary::partition_identity> partitions) {
    owned_partitions owned;
    for (const auto& partition : partitions) {
        owned.add(boundary::make_partition_ref(partition.name, partition.topic_id));
    }
    return owned;
}

TEST(assignment, brings_what_an_answer_names_into_order) {
    const auto assignment =
        assignment_of({topic(id(2), {3, 1, 1}), topic(id(1), {0}), topic(id(2), {2}), topic(id(9), {-1})});
    const assignment_by_id expected{{id(1), {partition_index(0)}},
                                    {id(2), {partition_index(1), partition_index(2), partition_index(3)}}};
    EXPECT_EQ(assignment, expected);
}

TEST(assignment, names_what_is_owned_by_the_ids_it_was_taken_under) {
    const auto owned = owning({{{"orders", 2}, id(1)}, {{"orders", 0}, id(1)}, {{"audit", 1}, id(2)}});
    const assignment_by_id expected{{id(1), {partition_index(0), partition_index(2)}}, {id(2), {partition_index(1)}}};
    EXPECT_EQ(ids_of(owned), expected);
}

TEST(assignment, tells_what_leaves_and_what_is_added) {
    const auto change = difference(owning({{{"orders", 0}, id(1)}, {{"orders", 1}, id(1)}}),
                                   assignment_of({topic(id(1), {1, 2})}), cluster_with({{id(1), "orders"}}));
    EXPECT_EQ(names_of(change.leaving), (partitions{{"orders", 0}}));
    EXPECT_EQ(names_of(change.added), (partitions{{"orders", 2}}));
    EXPECT_TRUE(change.unnamed.empty());
}

TEST(assignment, an_id_without_a_name_is_not_added_but_the_rest_is) {
    const auto change =
        difference({}, assignment_of({topic(id(1), {0}), topic(id(2), {0})}), cluster_with({{id(2), "b"}}));
    EXPECT_EQ(names_of(change.added), (partitions{{"b", 0}}));
    EXPECT_EQ(change.unnamed, std::vector{id(1)});
}

TEST(assignment, a_topic_that_is_owned_keeps_its_name_when_the_cluster_forgets_it) {
    const auto change = difference(owning({{{"orders", 0}, id(1)}}), assignment_of({topic(id(1), {0})}), {});
    EXPECT_TRUE(change.leaving.empty());
    EXPECT_TRUE(change.unnamed.empty());
}

TEST(assignment, a_topic_made_again_leaves_under_its_old_id_before_it_is_added_under_the_new_one) {
    const auto target = assignment_of({topic(id(2), {0})});
    const auto cluster = cluster_with({{id(2), "orders"}});
    const auto first = difference(owning({{{"orders", 0}, id(1)}}), target, cluster);
    EXPECT_EQ(names_of(first.leaving), (partitions{{"orders", 0}}));
    EXPECT_TRUE(first.added.empty());
    const auto second = difference({}, target, cluster);
    ASSERT_EQ(second.added.size(), 1U);
    EXPECT_EQ(second.added[0]->topic_id, id(2));
}

}  // namespace
}  // namespace strandline::core::group::consumer
