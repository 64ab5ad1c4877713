// Kafka's Java consumers as peers of strandline-bench: a process that is told what to do line by line, so that one JVM
// is warmed up first and measured then.
//   java -cp 'LIBS/*:CLASSES' PeerConsumer BOOTSTRAP_SERVERS
// Each line on stdin is a JSON object, each answer a line on stdout: {"ok": result} or {"failed": "reason"}. In all
// commands: topic, protocol ("assign": every partition by hand; "consumer" or "classic": in `group`), config {name: value}.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

public final class PeerConsumer {
    private static final ObjectMapper JSON = new ObjectMapper();
    private final String brokers;

    private PeerConsumer(String brokers) {
        this.brokers = brokers;
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 1) {
            System.err.println("usage: PeerConsumer BOOTSTRAP_SERVERS");
            System.exit(2);
        }
        PrintStream answers = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.setOut(System.err);
        PeerConsumer peer = new PeerConsumer(arguments[0]);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            ObjectNode answer = JSON.createObjectNode();
            try {
                answer.set("ok", peer.run(JSON.readTree(line)));
            } catch (Throwable failure) {
                answer.put("failed", failure.toString());
                failure.printStackTrace();
            }
            answers.println(JSON.writeValueAsString(answer));
            answers.flush();
        }
        System.exit(0);
    }

    private JsonNode run(JsonNode request) throws Exception {
        return switch (request.path("do").asText()) {
            case "flood" -> flood(request);
            case "latency" -> latency(request);
            case "idle" -> idle(request);
            case "startup" -> startup(request);
            default -> throw new IllegalArgumentException("no command " + request.path("do"));
        };
    }

    private Consumer<byte[], byte[]> consumer(JsonNode request) {
        String protocol = request.path("protocol").asText("assign");
        Properties properties = new Properties();
        properties.put("bootstrap.servers", brokers);
        properties.put("auto.offset.reset", "earliest");
        properties.put("enable.auto.commit", "false");
        if (!protocol.equals("assign")) {
            properties.put("group.id", request.get("group").asText());
            properties.put("group.protocol", protocol);
        }
        request.path("config").properties().forEach(field -> properties.put(field.getKey(), field.getValue().asText()));
        Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        String topic = request.get("topic").asText();
        if (protocol.equals("assign")) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (PartitionInfo info : consumer.partitionsFor(topic)) {
                partitions.add(new TopicPartition(topic, info.partition()));
            }
            consumer.assign(partitions);
        } else {
            consumer.subscribe(List.of(topic));
        }
        return consumer;
    }

    /**
     * records: reads that many -> records, bytes (keys and values), checksum, and of what came after the first poll
     * with records: measured_records, seconds, cpu_seconds (of the whole process)
     */
    private JsonNode flood(JsonNode request) {
        long wanted = request.get("records").asLong();
        long records = 0;
        long bytes = 0;
        long checksum = 0;
        long before = 0;
        long begin = 0;
        long cpu = 0;
        try (Consumer<byte[], byte[]> consumer = consumer(request)) {
            while (records < wanted) {
                ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofSeconds(30));
                if (polled.isEmpty()) {
                    throw new IllegalStateException("only " + records + " records came");
                }
                for (ConsumerRecord<byte[], byte[]> record : polled) {
                    ++records;
                    bytes += length(record.key()) + length(record.value());
                    checksum += checksum(record);
                    if (records == wanted) {
                        break;
                    }
                }
                if (begin == 0) {
                    before = records;
                    cpu = cpuNanos();
                    begin = System.nanoTime();
                }
            }
            long end = System.nanoTime();
            long cpuEnd = cpuNanos();
            return JSON.createObjectNode().put("records", records).put("bytes", bytes).put("checksum", checksum)
                .put("measured_records", records - before).put("seconds", (end - begin) / 1e9)
                .put("cpu_seconds", (cpuEnd - cpu) / 1e9);
        }
    }

    /** records: values begin with the sender's CLOCK_REALTIME in nanoseconds, 8 bytes big-endian -> microseconds of each */
    private JsonNode latency(JsonNode request) {
        long wanted = request.get("records").asLong();
        ArrayNode latencies = JSON.createArrayNode();
        try (Consumer<byte[], byte[]> consumer = consumer(request)) {
            while (latencies.size() < wanted) {
                ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofSeconds(30));
                if (polled.isEmpty()) {
                    throw new IllegalStateException("only " + latencies.size() + " records came");
                }
                Instant now = Instant.now();
                long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
                for (ConsumerRecord<byte[], byte[]> record : polled) {
                    latencies.add((nanos - ByteBuffer.wrap(record.value()).getLong()) / 1000);
                }
            }
        }
        return latencies;
    }

    /** settle_seconds, seconds: one poll without end on a quiet topic -> wakeups_per_s, cpu_percent, after it has settled */
    private JsonNode idle(JsonNode request) throws Exception {
        Consumer<byte[], byte[]> consumer = consumer(request);
        Thread application = new Thread(() -> {
            try (consumer) {
                while (true) {
                    consumer.poll(Duration.ofDays(1));
                }
            } catch (WakeupException ended) {
                // The measurement is over.
            }
        });
        application.start();
        Thread.sleep((long) (request.path("settle_seconds").asDouble(3) * 1000));
        long switches = contextSwitches();
        long cpu = cpuNanos();
        long begin = System.nanoTime();
        Thread.sleep((long) (request.get("seconds").asDouble() * 1000));
        double seconds = (System.nanoTime() - begin) / 1e9;
        ObjectNode result = JSON.createObjectNode().put("wakeups_per_s", (contextSwitches() - switches) / seconds)
            .put("cpu_percent", (cpuNanos() - cpu) / 1e7 / seconds);
        consumer.wakeup();
        application.join();
        return result;
    }

    /** close_timeout_ms (30000) -> first_record_ms from before the constructor, close_ms */
    private JsonNode startup(JsonNode request) {
        long begin = System.nanoTime();
        Consumer<byte[], byte[]> consumer = consumer(request);
        while (consumer.poll(Duration.ofSeconds(30)).isEmpty()) {
            if (System.nanoTime() - begin > 60_000_000_000L) {
                throw new IllegalStateException("no record came");
            }
        }
        long first = System.nanoTime();
        consumer.close(CloseOptions.timeout(Duration.ofMillis(request.path("close_timeout_ms").asLong(30000))));
        return JSON.createObjectNode().put("first_record_ms", (first - begin) / 1e6)
            .put("close_ms", (System.nanoTime() - first) / 1e6);
    }

    /** The same in every peer: it touches offset, key and value of every record, whatever order the partitions come in. */
    private static long checksum(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value();
        long ends = length(value) == 0 ? 0 : (value[0] & 0xff) + 256L * (value[value.length - 1] & 0xff);
        return record.offset() + length(record.key()) + length(value) + ends;
    }

    private static int length(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static long contextSwitches() throws IOException {
        long total = 0;
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            for (Path thread : threads.toList()) {
                try {
                    for (String line : Files.readAllLines(thread.resolve("status"))) {
                        if (line.startsWith("voluntary_ctxt_switches:")) {
                            total += Long.parseLong(line.substring(line.indexOf(':') + 1).trim());
                        }
                    }
                } catch (NoSuchFileException gone) {
                    // A thread that ended meanwhile.
                }
            }
        }
        return total;
    }
}
