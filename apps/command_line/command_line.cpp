#include "apps/command_line/command_line.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Version.hpp>
#include <fmt/format.h>

#include <strandline/version.hpp>

#include "apps/command_line/consume_settings.hpp"
#include "apps/command_line/number_text.hpp"

namespace strandline::apps::command_line {

namespace {

constexpr const char* consume_footer = R"(
With -f: %t topic, %p partition, %o offset, %k key, %s value, %K %S their lengths (-1: null), %T timestamp in ms,
%h headers, %%; escapes \n \r \t \\ \0 \xNN.

Signals: SIGINT or SIGTERM ends it and commits what was printed, SIGUSR1 says on stderr what it waits for. It says so
by itself, once, when no record has come for 30 s though some wait or nothing is assigned (not with -q).

Examples, with "strandline fake --port 9092 --demo" running beside it:
  strandline consume -b 127.0.0.1:9092 -c 10 -f '%t-%p at %o: %k %s\n' demo
  strandline consume -b 127.0.0.1:9092 -g readers -o beginning --exit-eof --json demo)";

constexpr const char* fake_footer = R"(
A Kafka cluster for trying things: any client may produce to it and consume from it. It keeps nothing.

Examples:
  strandline fake --port 9092 --demo
  strandline fake --topic orders:3 --topic payments)";

constexpr const char* all_footer = R"(
Try:
  strandline fake --port 9092 --demo
  strandline consume -b 127.0.0.1:9092 -c 10 demo

strandline COMMAND --help tells the options of each.)";

// One value, which may begin with a dash or be empty.
CLI::Option* add(CLI::App& to, const std::string& names, std::optional<std::string>& target, const std::string& value,
                 const std::string& meaning) {
    return to.add_option_function<std::string>(
                 names, [&target](const std::string& text) { target = text; }, meaning)
        ->type_name(value);
}

void add_all(CLI::App& to, const std::string& names, std::vector<std::string>& target, const std::string& value,
             const std::string& meaning) {
    to.add_option(names, target, meaning)->type_name(value)->allow_extra_args(false);
}

CLI::App& add_consume(CLI::App& all, consume_words& words) {
    auto& command = *all.add_subcommand("consume", "Print the records of topics");
    command.footer(consume_footer);
    add(command, "-b,--brokers", words.brokers, "HOST:PORT[,...]", "bootstrap brokers");
    add(command, "-g,--group", words.group, "ID",
        "join this group and commit what was printed; without it, every partition is read and nothing committed");
    add(command, "-p,--partition", words.partitions, "LIST", "only these partitions: 0,2,5-7");
    add(command, "-o,--offset", words.offset, "WHERE",
        "where to start: beginning (default), end, N, -N (before the end), @TIME (ms, RFC 3339, or -1h before now); "
        "with -g beginning or end (default), where the group has no committed offset");
    add(command, "-c,--count", words.count, "N", "stop after exactly N records");
    command.add_flag("-e,--exit-eof", words.exit_eof, "stop at the end that each partition had at first");
    add(command, "--timeout", words.timeout, "D", "stop after this time: 500ms, 10s, 5m");
    add(command, "--connect-timeout", words.connect_timeout, "D",
        "give up when no broker has answered within this time (10s)");
    add(command, "-f,--format", words.format, "FMT", "how to print a record ('%s\\n'), see below");
    command.add_flag("-J,--json", words.json, "one JSON object a line");
    add(command, "-K", words.key_delimiter, "D", "print the key and this before the value");
    add(command, "-D", words.record_delimiter, "D", "print this after each record instead of a newline");
    add_all(command, "-X", words.properties, "KEY=VALUE",
            "any property, by its name in Java or in librdkafka; repeatable");
    add_all(command, "-F", words.files, "FILE", "properties from a file; -X and options come after it");
    command.add_flag("-q", words.quiet, "no notes on stderr");
    command.add_flag("-v", words.verbose, "more notes on stderr");
    command.add_flag("--stats", words.stats, "at the end, one line of figures on stderr");
    command.add_option("TOPIC", words.topics, "topics to consume")->type_name("");
    return command;
}

struct fake_words {
    std::optional<std::string> port;
    std::vector<std::string> topics;
    bool demo = false;
};

CLI::App& add_fake(CLI::App& all, fake_words& words) {
    auto& command = *all.add_subcommand("fake", "Run a fake Kafka cluster on a loopback port");
    command.footer(fake_footer);
    add(command, "--port", words.port, "P", "port on 127.0.0.1 (0, the default: any free one)");
    add_all(command, "--topic", words.topics, "NAME[:PARTITIONS]", "make this topic; repeatable");
    command.add_flag("--demo", words.demo, "keep producing readable records to the topic demo");
    return command;
}

text_result<fake_options> settle(const fake_words& words) {
    fake_options made;
    made.demo = words.demo;
    if (words.port) {
        const auto port = read_number<std::uint16_t>(*words.port);
        if (!port) {
            return tl::unexpected(fmt::format("--port \"{}\" is no port; accepted: 0 to 65535", *words.port));
        }
        made.port = *port;
    }
    for (const auto& text : words.topics) {
        auto topic = read_topic(text);
        if (!topic) return tl::unexpected(fmt::format("--topic \"{}\" {}", text, topic.error()));
        for (const auto& other : made.topics) {
            if (other.name == topic->name) return tl::unexpected(fmt::format("--topic {} is given twice", other.name));
        }
        made.topics.push_back(std::move(*topic));
    }
    return made;
}

std::string version_text() {
    return fmt::format("strandline {} ({}, CLI11 {})\n", version(), linked_libraries(), CLI11_VERSION);
}

// Several things may be wrong, each told on a line of its own.
std::string on_one_line(std::string_view text) {
    std::string joined;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.empty()) continue;
        if (!joined.empty()) joined += "; ";
        joined += line;
    }
    return joined;
}

template <class Options>
request answered(text_result<Options> settled, const std::string& command) {
    if (!settled) return usage_error{on_one_line(settled.error()), command};
    return std::move(*settled);
}

}  // namespace

request read(int argc, const char* const* argv) {
    CLI::App all("Strandline, a Kafka consumer", "strandline");
    all.footer(all_footer);
    all.set_version_flag("--version", version_text());
    all.set_help_flag("-h,--help", "this text");
    all.require_subcommand(0, 1);
    consume_words consume;
    fake_words fake;
    const auto& consume_command = add_consume(all, consume);
    const auto& fake_command = add_fake(all, fake);
    std::string command;
    if (argc > 1 && (argv[1] == consume_command.get_name() || argv[1] == fake_command.get_name())) command = argv[1];

    try {
        all.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return help_text{all.help()};
    } catch (const CLI::CallForVersion&) {
        return help_text{version_text()};
    } catch (const CLI::ParseError& failure) {
        return usage_error{on_one_line(failure.what()), command};
    }
    if (consume_command) {
        const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
        return answered(settle(consume, now), command);
    }
    if (fake_command) return answered(settle(fake), command);
    return usage_error{"COMMAND is missing: consume or fake", {}};
}

}  // namespace strandline::apps::command_line
