// Kafka's own consumer: what it reads is what ours must read.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

final class ConsumeCommands {
    private final String brokers;
    private final Map<String, Member> members = new HashMap<>();

    ConsumeCommands(String brokers) {
        this.brokers = brokers;
    }

    void addTo(Map<String, KafkaHelper.Command> commands) {
        commands.put("read", this::read);
        commands.put("member_start", this::memberStart);
        commands.put("member_lines", this::memberLines);
        commands.put("member_stop", this::memberStop);
    }

    private Consumer<byte[], byte[]> consumer(JsonNode request) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", brokers);
        properties.put("auto.offset.reset", "earliest");
        properties.put("isolation.level", request.path("isolation").asText("read_committed"));
        properties.put("reconnect.backoff.max.ms", "200");
        if (request.has("group")) {
            properties.put("group.id", request.get("group").asText());
            properties.put("group.protocol", request.path("protocol").asText("consumer"));
        }
        request.path("config").properties().forEach(field -> properties.put(field.getKey(), field.getValue().asText()));
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** topics, isolation (read_committed), timeout_ms (30000), config -> lines, from every partition's beginning to its end of now */
    private JsonNode read(JsonNode request) throws Exception {
        long deadline = System.nanoTime() + request.path("timeout_ms").asLong(30000) * 1_000_000;
        ArrayNode lines = KafkaHelper.JSON.createArrayNode();
        try (Consumer<byte[], byte[]> consumer = consumer(request)) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (JsonNode topic : request.get("topics")) {
                consumer.partitionsFor(topic.asText()).forEach(info -> partitions.add(new TopicPartition(info.topic(), info.partition())));
            }
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (true) {
                boolean complete = true;
                for (TopicPartition partition : partitions) {
                    complete = consumer.position(partition) >= ends.get(partition) && complete;
                }
                if (complete) {
                    return lines;
                }
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("only " + lines.size() + " records by the deadline");
                }
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    if (record.offset() < ends.get(new TopicPartition(record.topic(), record.partition()))) {
                        lines.add(RecordJson.line(record));
                    }
                }
            }
        }
    }

    /** id, group, topics, protocol (consumer), isolation, config: polls and commits in the background until member_stop */
    private JsonNode memberStart(JsonNode request) {
        List<String> topics = new ArrayList<>();
        request.get("topics").forEach(topic -> topics.add(topic.asText()));
        Member member = new Member(consumer(request), topics);
        if (members.putIfAbsent(request.get("id").asText(), member) != null) {
            throw new IllegalArgumentException("there is a member " + request.get("id"));
        }
        member.start();
        return KafkaHelper.JSON.createObjectNode();
    }

    /** id -> lines so far */
    private JsonNode memberLines(JsonNode request) {
        return members.get(request.get("id").asText()).lines();
    }

    /** id -> lines, all of them committed; the member has left */
    private JsonNode memberStop(JsonNode request) throws Exception {
        Member member = members.remove(request.get("id").asText());
        member.consumer.wakeup();
        member.join();
        if (member.failure != null) {
            throw member.failure;
        }
        return member.lines();
    }

    private static final class Member extends Thread {
        private final Consumer<byte[], byte[]> consumer;
        private final List<String> topics;
        private final List<String> lines = new ArrayList<>();
        private Exception failure;

        Member(Consumer<byte[], byte[]> consumer, List<String> topics) {
            this.consumer = consumer;
            this.topics = topics;
            setDaemon(true);
        }

        @Override
        public void run() {
            try (consumer) {
                consumer.subscribe(topics);
                while (true) {
                    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                        synchronized (lines) {
                            lines.add(RecordJson.line(record));
                        }
                    }
                }
            } catch (WakeupException stopped) {
                // Closing commits what was read and leaves the group.
            } catch (Exception failed) {
                failure = failed;
            }
        }

        ArrayNode lines() {
            ArrayNode result = KafkaHelper.JSON.createArrayNode();
            synchronized (lines) {
                lines.forEach(result::add);
            }
            return result;
        }
    }
}
