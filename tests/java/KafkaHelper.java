// Kafka's own clients behind a line protocol: one long-lived process instead of a JVM start for every step of a test.
//   java -cp 'LIBS/*:CLASSES' KafkaHelper BOOTSTRAP_SERVERS
// Each line on stdin is a JSON object whose "do" names a command; each is answered by one line on stdout, in order:
// {"ok": result} or {"failed": "reason"}. Ends with its input. What the commands take stands above each of them.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

public final class KafkaHelper {
    static final ObjectMapper JSON = new ObjectMapper();

    /** One thing the helper can do: takes the request, gives what stands behind "ok". */
    interface Command {
        JsonNode run(JsonNode request) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 1) {
            System.err.println("usage: KafkaHelper BOOTSTRAP_SERVERS");
            System.exit(2);
        }
        // Nothing but answers may reach stdout, whatever the libraries print.
        PrintStream answers = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.setOut(System.err);

        String brokers = arguments[0];
        Properties properties = new Properties();
        properties.put("bootstrap.servers", brokers);
        properties.put("default.api.timeout.ms", "30000");
        properties.put("request.timeout.ms", "10000");
        properties.put("reconnect.backoff.max.ms", "200");
        try (Admin admin = Admin.create(properties)) {
            Map<String, Command> commands = new HashMap<>();
            commands.put("ping", request -> JSON.createObjectNode());
            new TopicCommands(admin).addTo(commands);
            new GroupCommands(admin).addTo(commands);
            new ProduceCommands(brokers).addTo(commands);
            new TransactionCommands(brokers).addTo(commands);
            new ConsumeCommands(brokers).addTo(commands);
            new SegmentCommands().addTo(commands);
            serve(commands, answers);
        }
        // Background producers and consumers of a test that has gone away must not keep the process.
        System.exit(0);
    }

    private static void serve(Map<String, Command> commands, PrintStream answers) throws Exception {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            answers.println(JSON.writeValueAsString(answer(commands, line)));
            answers.flush();
        }
    }

    private static ObjectNode answer(Map<String, Command> commands, String line) {
        ObjectNode answer = JSON.createObjectNode();
        try {
            JsonNode request = JSON.readTree(line);
            Command command = commands.get(request.path("do").asText());
            if (command == null) {
                return answer.put("failed", "no command " + request.path("do"));
            }
            answer.set("ok", command.run(request));
        } catch (Throwable failure) {
            Throwable reason = failure;
            while ((reason instanceof ExecutionException || reason instanceof CompletionException) && reason.getCause() != null) {
                reason = reason.getCause();
            }
            answer.removeAll();
            answer.put("failed", reason.getClass().getSimpleName() + ": " + reason.getMessage());
            failure.printStackTrace();
        }
        return answer;
    }

    private KafkaHelper() {}
}
