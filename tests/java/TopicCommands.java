// Topics, their partitions and leaders, and the state of the cluster, through Kafka's admin client.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;

final class TopicCommands {
    private final Admin admin;

    TopicCommands(Admin admin) {
        this.admin = admin;
    }

    void addTo(Map<String, KafkaHelper.Command> commands) {
        commands.put("create_topic", this::createTopic);
        commands.put("delete_topic", this::deleteTopic);
        commands.put("create_partitions", this::createPartitions);
        commands.put("delete_records", this::deleteRecords);
        commands.put("alter_topic", this::alterTopic);
        commands.put("describe_topic", this::describeTopic);
        commands.put("offsets", this::offsets);
        commands.put("move_leader", this::moveLeader);
        commands.put("elect_preferred", this::electPreferred);
        commands.put("describe_cluster", this::describeCluster);
    }

    /** topic, partitions (1), replicas (the broker's default), config {name: value} -> topic_id */
    private JsonNode createTopic(JsonNode request) throws Exception {
        String name = request.get("topic").asText();
        Optional<Short> replicas =
            request.has("replicas") ? Optional.of((short) request.get("replicas").asInt()) : Optional.empty();
        NewTopic topic = new NewTopic(name, Optional.of(request.path("partitions").asInt(1)), replicas);
        Map<String, String> config = new HashMap<>();
        request.path("config").properties().forEach(field -> config.put(field.getKey(), field.getValue().asText()));
        var created = admin.createTopics(List.of(topic.configs(config)));
        created.all().get();
        return KafkaHelper.JSON.createObjectNode().put("topic_id", created.topicId(name).get().toString());
    }

    /** topic */
    private JsonNode deleteTopic(JsonNode request) throws Exception {
        admin.deleteTopics(List.of(request.get("topic").asText())).all().get();
        return KafkaHelper.JSON.createObjectNode();
    }

    /** topic, total: how many there are to be afterwards */
    private JsonNode createPartitions(JsonNode request) throws Exception {
        NewPartitions total = NewPartitions.increaseTo(request.get("total").asInt());
        admin.createPartitions(Map.of(request.get("topic").asText(), total)).all().get();
        return KafkaHelper.JSON.createObjectNode();
    }

    /** topic, partition, before -> log_start_offset */
    private JsonNode deleteRecords(JsonNode request) throws Exception {
        TopicPartition partition = partition(request);
        var deleted = admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(request.get("before").asLong())));
        return KafkaHelper.JSON.createObjectNode().put("log_start_offset",
                                                       deleted.lowWatermarks().get(partition).get().lowWatermark());
    }

    /** topic, config {name: value} */
    private JsonNode alterTopic(JsonNode request) throws Exception {
        alterConfig(admin, new ConfigResource(ConfigResource.Type.TOPIC, request.get("topic").asText()), request.get("config"));
        return KafkaHelper.JSON.createObjectNode();
    }

    static void alterConfig(Admin admin, ConfigResource resource, JsonNode config) throws Exception {
        List<AlterConfigOp> changes = new ArrayList<>();
        config.properties().forEach(field -> changes.add(new AlterConfigOp(
            new ConfigEntry(field.getKey(), field.getValue().asText()), AlterConfigOp.OpType.SET)));
        admin.incrementalAlterConfigs(Map.of(resource, changes)).all().get();
    }

    /** topic -> topic_id, partitions [{partition, leader (-1: none), replicas, in_sync}] */
    private JsonNode describeTopic(JsonNode request) throws Exception {
        TopicDescription topic = describe(request.get("topic").asText());
        ObjectNode result = KafkaHelper.JSON.createObjectNode().put("topic_id", topic.topicId().toString());
        ArrayNode partitions = result.putArray("partitions");
        for (TopicPartitionInfo info : topic.partitions()) {
            ObjectNode entry = partitions.addObject().put("partition", info.partition());
            entry.put("leader", info.leader() == null ? -1 : info.leader().id());
            ArrayNode replicas = entry.putArray("replicas");
            info.replicas().forEach(node -> replicas.add(node.id()));
            ArrayNode inSync = entry.putArray("in_sync");
            info.isr().forEach(node -> inSync.add(node.id()));
        }
        return result;
    }

    private TopicDescription describe(String topic) throws Exception {
        return admin.describeTopics(List.of(topic), new DescribeTopicsOptions().timeoutMs(10000)).allTopicNames().get().get(topic);
    }

    /** topic, isolation (read_uncommitted) -> [{partition, beginning, end}] */
    private JsonNode offsets(JsonNode request) throws Exception {
        String topic = request.get("topic").asText();
        boolean committed = request.path("isolation").asText().equals("read_committed");
        ListOffsetsOptions options =
            new ListOffsetsOptions(committed ? IsolationLevel.READ_COMMITTED : IsolationLevel.READ_UNCOMMITTED);
        Map<TopicPartition, OffsetSpec> beginnings = new HashMap<>();
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        for (TopicPartitionInfo info : describe(topic).partitions()) {
            beginnings.put(new TopicPartition(topic, info.partition()), OffsetSpec.earliest());
            ends.put(new TopicPartition(topic, info.partition()), OffsetSpec.latest());
        }
        var beginning = admin.listOffsets(beginnings, options).all().get();
        var end = admin.listOffsets(ends, options).all().get();
        ArrayNode result = KafkaHelper.JSON.createArrayNode();
        for (int index = 0; index < ends.size(); ++index) {
            TopicPartition partition = new TopicPartition(topic, index);
            result.addObject().put("partition", index).put("beginning", beginning.get(partition).offset())
                .put("end", end.get(partition).offset());
        }
        return result;
    }

    /** topic, partition, to: a broker that holds a replica; returns once it leads */
    private JsonNode moveLeader(JsonNode request) throws Exception {
        TopicPartition partition = partition(request);
        int to = request.get("to").asInt();
        List<Integer> order = new ArrayList<>(List.of(to));
        for (Node replica : describe(partition.topic()).partitions().get(partition.partition()).replicas()) {
            if (replica.id() != to) {
                order.add(replica.id());
            }
        }
        admin.alterPartitionReassignments(Map.of(partition, Optional.of(new NewPartitionReassignment(order)))).all().get();
        while (!admin.listPartitionReassignments(Set.of(partition)).reassignments().get().isEmpty()) {
            Thread.sleep(20);
        }
        elect(Set.of(partition));
        while (true) {
            Node leader = describe(partition.topic()).partitions().get(partition.partition()).leader();
            if (leader != null && leader.id() == to) {
                return KafkaHelper.JSON.createObjectNode();
            }
            Thread.sleep(20);
        }
    }

    /** topic: every partition goes back to its preferred leader */
    private JsonNode electPreferred(JsonNode request) throws Exception {
        String topic = request.get("topic").asText();
        Set<TopicPartition> partitions = new java.util.HashSet<>();
        describe(topic).partitions().forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
        elect(partitions);
        return KafkaHelper.JSON.createObjectNode();
    }

    private void elect(Set<TopicPartition> partitions) throws Exception {
        var outcome = admin.electLeaders(ElectionType.PREFERRED, partitions).partitions().get();
        for (var entry : outcome.entrySet()) {
            Throwable failure = entry.getValue().orElse(null);
            if (failure != null && !(failure instanceof org.apache.kafka.common.errors.ElectionNotNeededException)) {
                throw new IllegalStateException(entry.getKey() + ": " + failure.getMessage(), failure);
            }
        }
    }

    /** -> brokers [id], cluster_id */
    private JsonNode describeCluster(JsonNode request) throws Exception {
        var cluster = admin.describeCluster();
        ObjectNode result = KafkaHelper.JSON.createObjectNode().put("cluster_id", cluster.clusterId().get());
        ArrayNode brokers = result.putArray("brokers");
        cluster.nodes().get().stream().map(Node::id).sorted().forEach(brokers::add);
        return result;
    }

    private static TopicPartition partition(JsonNode request) {
        return new TopicPartition(request.get("topic").asText(), request.path("partition").asInt(0));
    }
}
