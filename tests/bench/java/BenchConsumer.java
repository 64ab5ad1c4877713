// Kafka's own consumers in the same scenarios as the other clients (clients/scenario.hpp).

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

public final class BenchConsumer {
    private static final Duration A_WHILE = Duration.ofMillis(100);
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private final Map<String, String> given = new HashMap<>();
    private final String topic;
    private final int partitions;

    private BenchConsumer(String[] arguments) {
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            given.put(arguments[i].substring(2), arguments[i + 1]);
        }
        topic = given.get("topic");
        partitions = Integer.parseInt(given.get("partitions"));
    }

    public static void main(String[] arguments) throws Exception {
        BenchConsumer bench = new BenchConsumer(arguments);
        switch (bench.given.get("scenario")) {
            case "flood" -> bench.flood();
            case "latency" -> bench.latency();
            case "idle", "paused", "assigned", "draining" -> bench.idle();
            case "startup" -> bench.startup();
            case "close" -> bench.close();
            case "stall" -> bench.stall();
            default -> throw new IllegalArgumentException(bench.given.get("scenario"));
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer(boolean commits) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", given.get("brokers"));
        properties.put("group.id", given.get("group"));
        properties.put("group.protocol", given.get("protocol"));
        properties.put("auto.offset.reset", "earliest");
        properties.put("check.crcs", "true");
        properties.put("enable.auto.commit", Boolean.toString(commits));
        if (given.containsKey("retry-backoff-ms")) {
            properties.put("retry.backoff.ms", given.get("retry-backoff-ms"));
        }
        if (given.get("scenario").equals("draining")) {
            properties.put("max.poll.records", "5");
        }
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private List<TopicPartition> allPartitions() {
        List<TopicPartition> all = new ArrayList<>();
        for (int i = 0; i < partitions; ++i) {
            all.add(new TopicPartition(topic, i));
        }
        return all;
    }

    private KafkaConsumer<byte[], byte[]> byHand() {
        KafkaConsumer<byte[], byte[]> consumer = consumer(false);
        List<TopicPartition> all = allPartitions();
        consumer.assign(all);
        all.forEach(partition -> consumer.seek(partition, 0));
        return consumer;
    }

    private KafkaConsumer<byte[], byte[]> inGroup() {
        KafkaConsumer<byte[], byte[]> consumer = consumer(true);
        consumer.subscribe(List.of(topic));
        return consumer;
    }

    private double number(String name) {
        return Double.parseDouble(given.get(name));
    }

    private static double now() {
        return System.nanoTime() * 1e-9;
    }

    private static double processor() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() * 1e-9;
    }

    private static void say(String format, Object... arguments) {
        System.out.println(String.format(Locale.ROOT, format, arguments));
        System.out.flush();
    }

    private static boolean toldToGoOn() throws Exception {
        return System.in.available() > 0;
    }

    private void flood() {
        KafkaConsumer<byte[], byte[]> consumer = byHand();
        long[] counts = new long[partitions];
        long[] sums = new long[partitions];
        long outOfOrder = 0;
        long records = 0;
        double begin = now() + number("warm-up");
        boolean begun = false;
        double firstTime = 0;
        double firstProcessor = 0;
        long firstRecords = 0;
        while (true) {
            double time = now();
            if (!begun && time >= begin) {
                begun = true;
                firstTime = time;
                firstProcessor = processor();
                firstRecords = records;
            }
            if (begun && time >= firstTime + number("seconds")) {
                break;
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(A_WHILE)) {
                int partition = record.partition();
                if (record.offset() != counts[partition]) {
                    ++outOfOrder;
                }
                byte[] value = record.value();
                ++counts[partition];
                sums[partition] += (value[0] & 0xff) + 256 * (value[value.length - 1] & 0xff) + value.length;
                ++records;
            }
        }
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "result seconds=%.6f processor=%.6f records=%d out-of-order=%d",
            now() - firstTime, processor() - firstProcessor, records - firstRecords, outOfOrder));
        for (int i = 0; i < partitions; ++i) {
            line.append(' ').append(i).append('=').append(counts[i]).append(':').append(Long.toUnsignedString(sums[i]));
        }
        say("%s", line);
        Runtime.getRuntime().halt(0);
    }

    private void latency() {
        KafkaConsumer<byte[], byte[]> consumer = byHand();
        double[] latencies = new double[1 << 20];
        int count = 0;
        double begin = now() + number("warm-up");
        while (now() < begin + number("seconds")) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(A_WHILE)) {
                long time = System.nanoTime();
                long appended = ByteBuffer.wrap(record.value()).order(ByteOrder.nativeOrder()).getLong();
                if (time * 1e-9 >= begin) {
                    latencies[count++] = (time - appended) * 1e-3;
                }
            }
        }
        Arrays.sort(latencies, 0, count);
        say("result records=%d p50=%.1f p99=%.1f", count, latencies[(int) (0.5 * (count - 1))], latencies[(int) (0.99 * (count - 1))]);
        Runtime.getRuntime().halt(0);
    }

    private void idle() {
        String scenario = given.get("scenario");
        KafkaConsumer<byte[], byte[]> consumer = scenario.equals("assigned") ? consumer(true) : inGroup();
        if (scenario.equals("assigned")) {
            consumer.assign(allPartitions());
        } else if (scenario.equals("paused")) {
            while (consumer.assignment().isEmpty()) {
                consumer.poll(A_WHILE);
            }
            consumer.pause(consumer.assignment());
        }
        while (true) {
            try {
                consumer.poll(FOR_EVER);
            } catch (RetriableException e) {
                // Not the end of waiting.
            }
        }
    }

    private void startup() {
        double before = now();
        KafkaConsumer<byte[], byte[]> consumer = inGroup();
        while (consumer.poll(FOR_EVER).isEmpty()) {
            // Not yet.
        }
        say("result milliseconds=%.3f", (now() - before) * 1e3);
        consumer.close();
    }

    private void close() throws Exception {
        KafkaConsumer<byte[], byte[]> consumer = inGroup();
        while (!toldToGoOn()) {
            consumer.poll(A_WHILE);
        }
        double before = now();
        consumer.close();
        say("result milliseconds=%.3f", (now() - before) * 1e3);
    }

    private void stall() throws Exception {
        KafkaConsumer<byte[], byte[]> consumer = inGroup();
        while (consumer.poll(FOR_EVER).isEmpty()) {
            // Not yet.
        }
        while (!toldToGoOn()) {
            Thread.sleep(100);
        }
        Runtime.getRuntime().halt(0);
    }
}
