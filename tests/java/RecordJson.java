// Records and bytes as JSON, in the layout of `strandline consume -J`, so that the two can be compared line by line.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

final class RecordJson {
    /** null, text, or {"base64": "..."} where the bytes are no UTF-8. */
    static JsonNode bytes(byte[] bytes) {
        if (bytes == null) {
            return KafkaHelper.JSON.nullNode();
        }
        try {
            return new TextNode(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            return KafkaHelper.JSON.createObjectNode().put("base64", Base64.getEncoder().encodeToString(bytes));
        }
    }

    /** The reverse; a missing field is null as well. */
    static byte[] bytes(JsonNode node) {
        if (node.isNull() || node.isMissingNode()) {
            return null;
        }
        return node.isObject() ? Base64.getDecoder().decode(node.get("base64").asText())
                               : node.asText().getBytes(StandardCharsets.UTF_8);
    }

    static String line(ConsumerRecord<byte[], byte[]> record) throws Exception {
        ObjectNode line = KafkaHelper.JSON.createObjectNode();
        line.put("topic", record.topic());
        line.put("partition", record.partition());
        line.put("offset", record.offset());
        line.put("timestamp", record.timestamp());
        line.put("timestamp_type", switch (record.timestampType()) {
            case CREATE_TIME -> "create";
            case LOG_APPEND_TIME -> "append";
            case NO_TIMESTAMP_TYPE -> "none";
        });
        line.put("leader_epoch", record.leaderEpoch().orElse(null));
        line.set("key", bytes(record.key()));
        line.set("value", bytes(record.value()));
        ArrayNode headers = line.putArray("headers");
        for (Header header : record.headers()) {
            headers.addArray().add(header.key()).add(bytes(header.value()));
        }
        return KafkaHelper.JSON.writeValueAsString(line);
    }

    private RecordJson() {}
}
