// Transactions step by step, several at once: interleaved, aborted, left open.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;

final class TransactionCommands {
    private final String brokers;
    private final Map<String, Producer<byte[], byte[]>> producers = new HashMap<>();

    TransactionCommands(String brokers) {
        this.brokers = brokers;
    }

    void addTo(Map<String, KafkaHelper.Command> commands) {
        commands.put("transaction_begin", this::begin);
        commands.put("transaction_send", this::send);
        commands.put("transaction_commit", request -> end(request, true));
        commands.put("transaction_abort", request -> end(request, false));
        commands.put("transaction_abandon", this::abandon);
    }

    /** id (transactional id), timeout_ms (60000), compression, config; the producer is kept from one transaction to the next */
    private JsonNode begin(JsonNode request) {
        Producer<byte[], byte[]> producer = producers.computeIfAbsent(request.get("id").asText(), id -> {
            Properties properties = ProduceCommands.properties(brokers, request);
            properties.put("transactional.id", id);
            properties.put("transaction.timeout.ms", request.path("timeout_ms").asText("60000"));
            Producer<byte[], byte[]> made = ProduceCommands.producer(properties);
            made.initTransactions();
            return made;
        });
        producer.beginTransaction();
        return KafkaHelper.JSON.createObjectNode();
    }

    /** id, topic, records: written and acknowledged when this returns -> offsets */
    private JsonNode send(JsonNode request) throws Exception {
        Producer<byte[], byte[]> producer = producers.get(request.get("id").asText());
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (JsonNode record : request.get("records")) {
            sent.add(producer.send(ProduceCommands.record(record, request.get("topic").asText())));
        }
        producer.flush();
        ArrayNode offsets = KafkaHelper.JSON.createArrayNode();
        for (Future<RecordMetadata> one : sent) {
            offsets.add(one.get().offset());
        }
        return offsets;
    }

    /** id */
    private JsonNode end(JsonNode request, boolean commit) {
        Producer<byte[], byte[]> producer = producers.get(request.get("id").asText());
        if (commit) {
            producer.commitTransaction();
        } else {
            producer.abortTransaction();
        }
        return KafkaHelper.JSON.createObjectNode();
    }

    /** id: the producer goes away without a word, its transaction stays open until it times out */
    private JsonNode abandon(JsonNode request) {
        producers.remove(request.get("id").asText()).close(Duration.ZERO);
        return KafkaHelper.JSON.createObjectNode();
    }
}
