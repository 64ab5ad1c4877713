import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.Field;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.Struct;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * Kafka's own message classes behind a binary protocol on stdin and stdout, for the conformance test.
 *
 * <p>A request is a byte and what belongs to it; numbers are big-endian, text is a short length and bytes.
 * <ul>
 *   <li>'v': the APIs. Answer: count, then key, oldest version, newest stable version, name of each.
 *   <li>'d' message version count (length bytes)...: reads each value and writes it again. Answer: count, then for each
 *       its bytes as Kafka writes them and its JSON (both with an int length).
 *   <li>'r' message version count seed: makes random values from Kafka's schemas. Answer as for 'd'.
 * </ul>
 * Each answer begins with '+'; '-' and a text instead say what went wrong.
 */
public final class ConformanceHelper {
    private record Value(byte[] bytes, byte[] json) {}

    private ConformanceHelper() {}

    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 20));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 20));
        // Nothing but answers may reach stdout, whatever the libraries print.
        System.setOut(System.err);
        while (true) {
            int operation = in.read();
            if (operation < 0) {
                return;
            }
            answer((char) operation, in, out);
            out.flush();
        }
    }

    private static void answer(char operation, DataInputStream in, DataOutputStream out) throws IOException {
        if (operation == 'v') {
            writeApis(out);
            return;
        }
        String name = in.readUTF();
        short version = in.readShort();
        int count = in.readInt();
        List<byte[]> inputs = new ArrayList<>();
        long seed = 0;
        if (operation == 'd') {
            for (int i = 0; i < count; i++) {
                inputs.add(in.readNBytes(in.readInt()));
            }
        } else {
            seed = in.readLong();
        }
        List<Value> values = new ArrayList<>(count);
        try {
            Message message = new Message(name, version);
            Random random = new Random(seed);
            for (int i = 0; i < count; i++) {
                values.add(message.rewritten(operation == 'd' ? inputs.get(i) : message.random(random)));
            }
        } catch (Throwable problem) {
            out.writeByte('-');
            out.writeUTF(name + " v" + version + ", value " + values.size() + ": " + problem);
            return;
        }
        out.writeByte('+');
        out.writeInt(values.size());
        for (Value value : values) {
            out.writeInt(value.bytes.length);
            out.write(value.bytes);
            out.writeInt(value.json.length);
            out.write(value.json);
        }
    }

    private static void writeApis(DataOutputStream out) throws IOException {
        out.writeByte('+');
        out.writeInt(ApiKeys.values().length);
        for (ApiKeys api : ApiKeys.values()) {
            out.writeShort(api.id);
            out.writeShort(api.oldestVersion());
            out.writeShort(api.latestVersion(false));
            out.writeUTF(api.name);
        }
    }

    /** One of Kafka's generated messages in one version. */
    private static final class Message {
        private final Class<? extends ApiMessage> type;
        private final MethodHandle toJson;
        private final Schema schema;
        private final short version;

        Message(String name, short version) throws ReflectiveOperationException {
            String className = "org.apache.kafka.common.message." + name + "Data";
            this.version = version;
            type = Class.forName(className).asSubclass(ApiMessage.class);
            schema = ((Schema[]) type.getField("SCHEMAS").get(null))[version];
            toJson = MethodHandles.lookup().unreflect(
                Class.forName(className + "JsonConverter").getMethod("write", type, short.class, boolean.class));
        }

        Value rewritten(byte[] bytes) throws Throwable {
            ApiMessage message = type.getConstructor().newInstance();
            ByteBuffer source = ByteBuffer.wrap(bytes);
            message.read(new ByteBufferAccessor(source), version);
            if (source.hasRemaining()) {
                throw new IOException(source.remaining() + " bytes left over");
            }
            Object json = toJson.invoke(message, version, false);
            return new Value(written(message), json.toString().getBytes(StandardCharsets.UTF_8));
        }

        private byte[] written(ApiMessage message) {
            ObjectSerializationCache cache = new ObjectSerializationCache();
            ByteBuffer target = ByteBuffer.allocate(message.size(cache, version));
            message.write(new ByteBufferAccessor(target), cache, version);
            return Arrays.copyOf(target.array(), target.position());
        }

        byte[] random(Random random) {
            Struct struct = RandomValues.struct(schema, random);
            ByteBuffer target = ByteBuffer.allocate(schema.sizeOf(struct));
            schema.write(target, struct);
            return target.array();
        }
    }

    /** Random values for Kafka's schema types; odd ones more often than chance would have it. */
    private static final class RandomValues {
        private static final String[] PIECES = {"a", "Z", "0", ".", "-", "\"", "\\", "\n", "é", "Ω", "漢", "😀"};

        static Struct struct(Schema schema, Random random) {
            Struct struct = new Struct(schema);
            for (BoundField field : schema.fields()) {
                struct.set(field, of(field.def.type, random));
            }
            return struct;
        }

        private static Object of(Type type, Random random) {
            if (type.isNullable() && random.nextInt(3) == 0) {
                return null;
            }
            if (type instanceof Schema schema) {
                return struct(schema, random);
            }
            if (type instanceof TaggedFields tagged) {
                return taggedFields(tagged, random);
            }
            if (type.isArray()) {
                Object[] elements = new Object[random.nextInt(4)];
                Arrays.setAll(elements, i -> of(type.arrayElementType().get(), random));
                return elements;
            }
            return simple(type.toString(), random);
        }

        private static Object simple(String type, Random random) {
            return switch (type) {
                case "BOOLEAN" -> random.nextBoolean();
                case "INT8" -> (byte) number(random, Byte.MIN_VALUE, Byte.MAX_VALUE);
                case "INT16" -> (short) number(random, Short.MIN_VALUE, Short.MAX_VALUE);
                case "INT32" -> (int) number(random, Integer.MIN_VALUE, Integer.MAX_VALUE);
                case "INT64" -> number(random, Long.MIN_VALUE, Long.MAX_VALUE);
                case "UUID" -> random.nextInt(8) == 0 ? Uuid.ZERO_UUID : new Uuid(random.nextLong(), random.nextLong());
                case "STRING", "COMPACT_STRING", "NULLABLE_STRING", "COMPACT_NULLABLE_STRING" -> text(random);
                case "BYTES", "COMPACT_BYTES", "NULLABLE_BYTES", "COMPACT_NULLABLE_BYTES" ->
                    ByteBuffer.wrap(bytes(random));
                case "RECORDS", "COMPACT_RECORDS", "NULLABLE_RECORDS", "COMPACT_NULLABLE_RECORDS" ->
                    MemoryRecords.readableRecords(ByteBuffer.wrap(bytes(random)));
                default -> throw new IllegalArgumentException("no random values for type " + type);
            };
        }

        private static NavigableMap<Integer, Object> taggedFields(TaggedFields tagged, Random random) {
            NavigableMap<Integer, Object> values = new TreeMap<>();
            for (var known : tagged.fields().entrySet()) {
                Field field = (Field) known.getValue();
                if (random.nextBoolean()) {
                    values.put((Integer) known.getKey(), of(field.type, random));
                }
            }
            if (random.nextInt(8) == 0) {
                int tag = 1000 + random.nextInt(100_000);
                values.put(tag, new RawTaggedField(tag, bytes(random)));
            }
            return values;
        }

        private static long number(Random random, long lowest, long highest) {
            return switch (random.nextInt(8)) {
                case 0 -> 0;
                case 1 -> -1;
                case 2 -> random.nextBoolean() ? lowest : highest;
                case 3 -> random.nextInt(100);
                default -> random.nextLong();
            };
        }

        /** Lengths around the points where an encoding changes, mostly short. */
        private static int length(Random random) {
            return switch (random.nextInt(16)) {
                case 0 -> 0;
                case 1 -> 126 + random.nextInt(3);
                case 2 -> 200 + random.nextInt(200);
                default -> 1 + random.nextInt(12);
            };
        }

        private static String text(Random random) {
            StringBuilder text = new StringBuilder();
            int length = length(random);
            while (text.length() < length) {
                text.append(PIECES[random.nextInt(random.nextInt(4) == 0 ? PIECES.length : 5)]);
            }
            return text.toString();
        }

        private static byte[] bytes(Random random) {
            byte[] bytes = new byte[length(random)];
            random.nextBytes(bytes);
            return bytes;
        }
    }
}
