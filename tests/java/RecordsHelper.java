// Kafka's own record format behind a line protocol: batches are written and read by the classes its clients use.
//   java -cp 'LIBS/*:CLASSES' RecordsHelper
// Each line on stdin is answered by one line on stdout. Bytes are hex, null is ~, fields are separated by blanks:
//   write MAGIC CODEC TIMESTAMP_TYPE APPEND_TIME BASE_OFFSET PRODUCER_ID EPOCH SEQUENCE TRANSACTIONAL RECORD...
//       -> ok BYTES
//   marker TYPE OFFSET PRODUCER_ID EPOCH COORDINATOR_EPOCH TIMESTAMP -> ok BYTES     (TYPE is ABORT or COMMIT)
//   read BYTES -> ok BATCH...
// A RECORD is offset:timestamp:key:value:headers, the headers name=value, comma between them. A BATCH is
// base/last/next/magic/codec/timestampType/maxTimestamp/producerId/epoch/sequence/transactional/control/[RECORD;...].
// Failures are answered by "failed REASON".

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Utils;

public final class RecordsHelper {
    private static final HexFormat HEX = HexFormat.of();

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.setOut(System.err);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            answers.println(answer(line));
            answers.flush();
        }
    }

    private static String answer(String line) {
        try {
            String[] words = line.split(" ");
            return switch (words[0]) {
                case "write" -> "ok " + write(words);
                case "marker" -> "ok " + marker(words);
                case "read" -> "ok " + read(HEX.parseHex(words.length > 1 ? words[1] : ""));
                default -> "failed no command " + words[0];
            };
        } catch (Throwable failure) {
            return "failed " + failure.toString().replace('\n', ' ');
        }
    }

    private static String write(String[] words) {
        byte magic = Byte.parseByte(words[1]);
        Compression compression = Compression.of(words[2]).build();
        TimestampType timestampType = TimestampType.forName(words[3]);
        MemoryRecordsBuilder builder = MemoryRecords.builder(ByteBuffer.allocate(1024), magic, compression, timestampType,
            Long.parseLong(words[5]), Long.parseLong(words[4]), Long.parseLong(words[6]), Short.parseShort(words[7]),
            Integer.parseInt(words[8]), Boolean.parseBoolean(words[9]), 0);
        for (int i = 10; i < words.length; ++i) {
            String[] fields = words[i].split(":", -1);
            SimpleRecord record =
                new SimpleRecord(Long.parseLong(fields[1]), bytes(fields[2]), bytes(fields[3]), headers(fields[4]));
            builder.appendWithOffset(Long.parseLong(fields[0]), record);
        }
        return hex(builder.build().buffer());
    }

    private static String marker(String[] words) {
        EndTransactionMarker marker =
            new EndTransactionMarker(ControlRecordType.valueOf(words[1]), Integer.parseInt(words[5]));
        return hex(MemoryRecords.withEndTransactionMarker(Long.parseLong(words[2]), Long.parseLong(words[6]), 0,
            Long.parseLong(words[3]), Short.parseShort(words[4]), marker).buffer());
    }

    private static String read(byte[] encoded) {
        List<String> batches = new ArrayList<>();
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(ByteBuffer.wrap(encoded)).batches()) {
            batch.ensureValid();
            List<String> records = new ArrayList<>();
            for (Record record : batch) {
                record.ensureValid();
                records.add(text(record));
            }
            batches.add(String.join("/", Long.toString(batch.baseOffset()), Long.toString(batch.lastOffset()),
                Long.toString(batch.nextOffset()), Byte.toString(batch.magic()), batch.compressionType().name,
                batch.timestampType().name, Long.toString(batch.maxTimestamp()), Long.toString(batch.producerId()),
                Short.toString(batch.producerEpoch()), Integer.toString(batch.baseSequence()),
                Boolean.toString(batch.isTransactional()), Boolean.toString(batch.isControlBatch()),
                "[" + String.join(";", records) + "]"));
        }
        return String.join(" ", batches);
    }

    private static String text(Record record) {
        List<String> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            headers.add(HEX.formatHex(header.key().getBytes(StandardCharsets.UTF_8)) + "=" + hexOrNull(header.value()));
        }
        return record.offset() + ":" + record.timestamp() + ":" + hexOrNull(Utils.toNullableArray(record.key())) + ":"
            + hexOrNull(Utils.toNullableArray(record.value())) + ":" + String.join(",", headers);
    }

    private static Header[] headers(String text) {
        if (text.isEmpty()) {
            return new Header[0];
        }
        String[] parts = text.split(",");
        Header[] headers = new Header[parts.length];
        for (int i = 0; i < parts.length; ++i) {
            String[] pair = parts[i].split("=", -1);
            headers[i] = new RecordHeader(new String(bytes(pair[0]), StandardCharsets.UTF_8), bytes(pair[1]));
        }
        return headers;
    }

    private static byte[] bytes(String text) {
        return text.equals("~") ? null : HEX.parseHex(text);
    }

    private static String hexOrNull(byte[] bytes) {
        return bytes == null ? "~" : HEX.formatHex(bytes);
    }

    private static String hex(ByteBuffer buffer) {
        return HEX.formatHex(Utils.toArray(buffer.duplicate()));
    }
}
