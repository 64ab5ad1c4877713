// Producing with Kafka's own producer: given records, many generated ones, and a steady stream in the background.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

final class ProduceCommands {
    private final String brokers;
    private final Map<Properties, Producer<byte[], byte[]>> producers = new HashMap<>();
    private final Map<String, Stream> streams = new HashMap<>();

    ProduceCommands(String brokers) {
        this.brokers = brokers;
    }

    void addTo(Map<String, KafkaHelper.Command> commands) {
        commands.put("produce", this::produce);
        commands.put("produce_many", this::produceMany);
        commands.put("produce_start", this::produceStart);
        commands.put("produce_count", this::produceCount);
        commands.put("produce_stop", this::produceStop);
    }

    static Producer<byte[], byte[]> producer(Properties properties) {
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    static Properties properties(String brokers, JsonNode request) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", brokers);
        properties.put("linger.ms", "20");
        properties.put("batch.size", "1000000");
        properties.put("max.request.size", "20000000");
        properties.put("reconnect.backoff.max.ms", "200");
        if (request.has("compression")) {
            properties.put("compression.type", request.get("compression").asText());
        }
        request.path("config").properties().forEach(field -> properties.put(field.getKey(), field.getValue().asText()));
        return properties;
    }

    static ProducerRecord<byte[], byte[]> record(JsonNode record, String topic) {
        Integer partition = record.has("partition") ? record.get("partition").asInt() : null;
        Long timestamp = record.has("timestamp") ? record.get("timestamp").asLong() : null;
        ProducerRecord<byte[], byte[]> result = new ProducerRecord<>(topic, partition, timestamp, RecordJson.bytes(record.path("key")),
                                                                     RecordJson.bytes(record.path("value")));
        for (JsonNode header : record.path("headers")) {
            result.headers().add(header.get(0).asText(), RecordJson.bytes(header.get(1)));
        }
        return result;
    }

    private Producer<byte[], byte[]> cached(JsonNode request) {
        return producers.computeIfAbsent(properties(brokers, request), ProduceCommands::producer);
    }

    /** topic, records [{partition, key, value, headers, timestamp}], compression, config: one batch a partition where it fits -> offsets */
    private JsonNode produce(JsonNode request) throws Exception {
        Producer<byte[], byte[]> producer = cached(request);
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (JsonNode record : request.get("records")) {
            sent.add(producer.send(record(record, request.get("topic").asText())));
        }
        producer.flush();
        ArrayNode offsets = KafkaHelper.JSON.createArrayNode();
        for (Future<RecordMetadata> one : sent) {
            offsets.add(one.get().offset());
        }
        return offsets;
    }

    /** topic, partitions (1), count, value_size, compression, config: record i has key "i", goes to partition i mod partitions */
    private JsonNode produceMany(JsonNode request) throws Exception {
        Producer<byte[], byte[]> producer = cached(request);
        String topic = request.get("topic").asText();
        int partitions = request.path("partitions").asInt(1);
        byte[] padding = new byte[request.path("value_size").asInt(100)];
        new java.util.Random(1).nextBytes(padding);
        for (int i = 0; i < padding.length; ++i) {
            padding[i] = (byte) ('a' + (padding[i] & 15));
        }
        AtomicLong failed = new AtomicLong();
        long count = request.get("count").asLong();
        for (long i = 0; i < count; ++i) {
            byte[] key = Long.toString(i).getBytes(StandardCharsets.UTF_8);
            producer.send(new ProducerRecord<>(topic, (int) (i % partitions), key, padding), (metadata, failure) -> {
                if (failure != null) {
                    failed.incrementAndGet();
                }
            });
        }
        producer.flush();
        if (failed.get() != 0) {
            throw new IllegalStateException(failed.get() + " of " + count + " records were refused");
        }
        return KafkaHelper.JSON.createObjectNode().put("count", count);
    }

    /** id, topic, partitions (1), rate (per second, 1000), value_size (20), config: goes on until produce_stop */
    private JsonNode produceStart(JsonNode request) {
        Stream stream = new Stream(request);
        if (streams.putIfAbsent(request.get("id").asText(), stream) != null) {
            throw new IllegalArgumentException("there is a stream " + request.get("id"));
        }
        stream.start();
        return KafkaHelper.JSON.createObjectNode();
    }

    /** id -> acknowledged, failed, so far */
    private JsonNode produceCount(JsonNode request) {
        return streams.get(request.get("id").asText()).counts();
    }

    /** id -> acknowledged, failed, once every record is one of the two */
    private JsonNode produceStop(JsonNode request) throws Exception {
        return streams.remove(request.get("id").asText()).finish();
    }

    /** Record i has value "i" (padded with dots) and key "i", and goes to partition i mod partitions. */
    private final class Stream extends Thread {
        private final String topic;
        private final int partitions;
        private final long nanosEach;
        private final int size;
        private final Producer<byte[], byte[]> producer;
        private final AtomicLong acknowledged = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();
        private volatile boolean stopping = false;

        Stream(JsonNode request) {
            topic = request.get("topic").asText();
            partitions = request.path("partitions").asInt(1);
            nanosEach = 1_000_000_000L / request.path("rate").asLong(1000);
            size = request.path("value_size").asInt(20);
            Properties properties = properties(brokers, request);
            // With several in flight the producer may never recover from a leader that moves: its sequence numbers come
            // out of order for as long as it tries.
            properties.put("max.in.flight.requests.per.connection", "1");
            producer = producer(properties);
            setDaemon(true);
        }

        @Override
        public void run() {
            long begin = System.nanoTime();
            for (long i = 0; !stopping; ++i) {
                String number = Long.toString(i);
                byte[] key = number.getBytes(StandardCharsets.UTF_8);
                byte[] value = (number + ".".repeat(Math.max(0, size - number.length()))).getBytes(StandardCharsets.UTF_8);
                producer.send(new ProducerRecord<>(topic, (int) (i % partitions), key, value), (metadata, failure) -> {
                    (failure == null ? acknowledged : failed).incrementAndGet();
                });
                for (long wait = begin + (i + 1) * nanosEach - System.nanoTime(); wait > 0 && !stopping;
                     wait = begin + (i + 1) * nanosEach - System.nanoTime()) {
                    LockSupport.parkNanos(Math.min(wait, 50_000_000L));
                }
            }
            producer.close();
        }

        JsonNode counts() {
            return KafkaHelper.JSON.createObjectNode().put("acknowledged", acknowledged.get()).put("failed", failed.get());
        }

        JsonNode finish() throws InterruptedException {
            stopping = true;
            join();
            return counts();
        }
    }
}
