// Log segments written by hand, for what no broker of today accepts from a producer but still serves: record formats 0
// and 1. The broker must be stopped; it recovers the log when it starts.

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;

final class SegmentCommands {
    void addTo(Map<String, KafkaHelper.Command> commands) {
        commands.put("write_segment", this::writeSegment);
    }

    /** log_dir, topic, partition (0), batches [{magic, compression (none), records [{key, value, timestamp}]}]: replaces the partition's log */
    private JsonNode writeSegment(JsonNode request) throws Exception {
        Path logDir = Path.of(request.get("log_dir").asText());
        Path folder = logDir.resolve(request.get("topic").asText() + "-" + request.path("partition").asInt(0));
        removeIf(folder, name -> name.endsWith(".log") || name.endsWith("index") || name.endsWith(".snapshot"));
        // Without its mark of a clean shutdown the broker reads the segment anew instead of trusting what it knew of it.
        removeIf(logDir, name -> name.equals(".kafka_cleanshutdown") || name.endsWith("checkpoint") && !name.startsWith("bootstrap"));
        long offset = 0;
        try (FileChannel segment = FileChannel.open(folder.resolve("00000000000000000000.log"), StandardOpenOption.CREATE,
                                                    StandardOpenOption.WRITE)) {
            for (JsonNode batch : request.get("batches")) {
                MemoryRecords records = records(batch, offset);
                offset += batch.get("records").size();
                ByteBuffer bytes = records.buffer().duplicate();
                while (bytes.hasRemaining()) {
                    segment.write(bytes);
                }
            }
        }
        return KafkaHelper.JSON.createObjectNode().put("end", offset);
    }

    private static MemoryRecords records(JsonNode batch, long baseOffset) {
        byte magic = (byte) batch.get("magic").asInt();
        Compression compression = Compression.of(CompressionType.forName(batch.path("compression").asText("none"))).build();
        TimestampType type = magic == 0 ? TimestampType.NO_TIMESTAMP_TYPE : TimestampType.CREATE_TIME;
        MemoryRecordsBuilder builder = MemoryRecords.builder(ByteBuffer.allocate(1024), magic, compression, type, baseOffset);
        for (JsonNode record : batch.get("records")) {
            builder.append(magic == 0 ? -1 : record.path("timestamp").asLong(1), RecordJson.bytes(record.path("key")),
                           RecordJson.bytes(record.path("value")));
        }
        return builder.build();
    }

    private static void removeIf(Path folder, java.util.function.Predicate<String> matches) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(file -> matches.test(file.getFileName().toString())).toList()) {
                Files.delete(file);
            }
        }
    }
}
