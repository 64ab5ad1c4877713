// Consumer groups as the coordinator sees them, through Kafka's admin client.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberAssignment;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.utils.Utils;

final class GroupCommands {
    private final Admin admin;

    GroupCommands(Admin admin) {
        this.admin = admin;
    }

    void addTo(Map<String, KafkaHelper.Command> commands) {
        commands.put("describe_group", this::describeGroup);
        commands.put("delete_group", this::deleteGroup);
        commands.put("committed", this::committed);
        commands.put("commit", this::commit);
        commands.put("alter_group", this::alterGroup);
        commands.put("coordinator_of", this::coordinatorOf);
    }

    /** group -> state ("none" where there is no such group), epoch, coordinator, members [{id, client_id, epoch, assignment, target}] */
    private JsonNode describeGroup(JsonNode request) throws Exception {
        String group = request.get("group").asText();
        ObjectNode result = KafkaHelper.JSON.createObjectNode();
        ConsumerGroupDescription description;
        try {
            description = admin.describeConsumerGroups(List.of(group)).describedGroups().get(group).get();
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof GroupIdNotFoundException) {
                result.put("state", "none").putArray("members");
                return result;
            }
            throw failure;
        }
        result.put("state", description.groupState().toString().toLowerCase());
        result.put("epoch", description.groupEpoch().orElse(-1));
        result.put("coordinator", description.coordinator().id());
        ArrayNode members = result.putArray("members");
        for (MemberDescription member : description.members()) {
            ObjectNode entry = members.addObject().put("id", member.consumerId()).put("client_id", member.clientId());
            entry.put("epoch", member.memberEpoch().orElse(-1));
            entry.set("assignment", names(member.assignment()));
            entry.set("target", member.targetAssignment().<JsonNode>map(GroupCommands::names).orElse(KafkaHelper.JSON.nullNode()));
        }
        return result;
    }

    /** Sorted "topic-partition" names. */
    private static ArrayNode names(MemberAssignment assignment) {
        ArrayNode result = KafkaHelper.JSON.createArrayNode();
        new TreeSet<>(assignment.topicPartitions().stream().map(TopicPartition::toString).toList()).forEach(result::add);
        return result;
    }

    /** group */
    private JsonNode deleteGroup(JsonNode request) throws Exception {
        admin.deleteConsumerGroups(List.of(request.get("group").asText())).all().get();
        return KafkaHelper.JSON.createObjectNode();
    }

    /** group -> {"topic-partition": {offset, leader_epoch, metadata}} */
    private JsonNode committed(JsonNode request) throws Exception {
        ObjectNode result = KafkaHelper.JSON.createObjectNode();
        var offsets = admin.listConsumerGroupOffsets(request.get("group").asText()).partitionsToOffsetAndMetadata().get();
        offsets.forEach((partition, committed) -> {
            if (committed != null) {
                result.putObject(partition.toString()).put("offset", committed.offset())
                    .put("leader_epoch", committed.leaderEpoch().orElse(null)).put("metadata", committed.metadata());
            }
        });
        return result;
    }

    /** group, topic, partition, offset, leader_epoch (none): on behalf of an empty group */
    private JsonNode commit(JsonNode request) throws Exception {
        TopicPartition partition = new TopicPartition(request.get("topic").asText(), request.path("partition").asInt(0));
        Optional<Integer> epoch =
            request.has("leader_epoch") ? Optional.of(request.get("leader_epoch").asInt()) : Optional.empty();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        offsets.put(partition, new OffsetAndMetadata(request.get("offset").asLong(), epoch, ""));
        admin.alterConsumerGroupOffsets(request.get("group").asText(), offsets).all().get();
        return KafkaHelper.JSON.createObjectNode();
    }

    /** group, config {name: value} */
    private JsonNode alterGroup(JsonNode request) throws Exception {
        TopicCommands.alterConfig(admin, new ConfigResource(ConfigResource.Type.GROUP, request.get("group").asText()),
                                  request.get("config"));
        return KafkaHelper.JSON.createObjectNode();
    }

    /** group -> broker: who leads the group's partition of __consumer_offsets; fails while that topic does not exist */
    private JsonNode coordinatorOf(JsonNode request) throws Exception {
        var partitions = admin.describeTopics(List.of("__consumer_offsets")).allTopicNames().get().get("__consumer_offsets").partitions();
        var info = partitions.get(Utils.abs(request.get("group").asText().hashCode()) % partitions.size());
        return KafkaHelper.JSON.createObjectNode().put("broker", info.leader() == null ? -1 : info.leader().id());
    }
}
