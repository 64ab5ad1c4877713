#include "apps/command_line/consume_settings.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <strandline/properties.hpp>

#include "apps/command_line/duration_text.hpp"
#include "apps/command_line/escapes.hpp"
#include "apps/command_line/number_text.hpp"
#include "apps/command_line/partition_list.hpp"

namespace strandline::apps::command_line {

namespace {

// Different names may mean one property: what comes later takes the place of what came before, whatever it was called.
class layered_properties {
public:
    void set(const std::string& name, const std::string& value) {
        const auto meaning = canonical(name);
        std::erase_if(given_, [&](const auto& each) { return canonical(each.first) == meaning; });
        given_[name] = value;
    }
    bool has(std::string_view name) const {
        return std::ranges::any_of(given_, [&](const auto& each) { return canonical(each.first) == name; });
    }
    const properties& all() const noexcept { return given_; }

private:
    std::string canonical(const std::string& name) const {
        for (const auto& each : known_) {
            if (each.name == name) return std::string(each.alias_of.empty() ? each.name : each.alias_of);
        }
        return name;
    }

    std::vector<property_description> known_ = consumer_properties();
    properties given_;
};

// Stops at the first thing that is wrong.
class settling {
public:
    settling(const consume_words& words, std::chrono::sys_time<std::chrono::milliseconds> now)
        : words_(words), now_(now) {}

    text_result<consume_options> run() {
        read_values();
        read_properties();
        if (failure_.empty()) settle_config();
        if (failure_.empty()) check_exclusions();
        if (failure_.empty()) settle_format();
        if (!failure_.empty()) return tl::unexpected(failure_);
        return std::move(made_);
    }

private:
    void refuse(std::string text) {
        if (failure_.empty()) failure_ = std::move(text);
    }
    template <class Value>
    void take(std::string_view option, std::string_view text, text_result<Value> read, Value& to) {
        if (read) {
            to = std::move(*read);
        } else {
            refuse(fmt::format("{} \"{}\" {}", option, text, read.error()));
        }
    }

    void read_values() {
        made_.topics = words_.topics;
        made_.exit_eof = words_.exit_eof;
        made_.stats = words_.stats;
        if (words_.quiet) made_.verbosity = output::notes::level::quiet;
        if (words_.verbose) made_.verbosity = output::notes::level::verbose;
        if (words_.partitions) {
            take("-p", *words_.partitions, read_partition_list(*words_.partitions), made_.partitions);
        }
        if (words_.offset) take("-o", *words_.offset, read_offset_spec(*words_.offset, now_), made_.from);
        if (words_.count) made_.count = read_count(*words_.count);
        if (words_.timeout) {
            take("--timeout", *words_.timeout, read_duration(*words_.timeout), made_.timeout.emplace());
        }
        if (words_.connect_timeout) {
            take("--connect-timeout", *words_.connect_timeout, read_duration(*words_.connect_timeout),
                 made_.connect_timeout);
        }
    }

    std::uint64_t read_count(std::string_view text) {
        const auto number = read_number<std::uint64_t>(text).value_or(0);
        if (number == 0) {
            refuse(fmt::format("-c \"{}\" is no number of records; accepted: 1 or more", text));
        }
        return number;
    }

    void read_properties() {
        for (const auto& file : words_.files) {
            const auto found = load_properties(file);
            if (!found) return refuse(fmt::format("-F: {}", found.error().message()));
            for (const auto& [name, value] : *found) given_.set(name, value);
        }
        for (const auto& text : words_.properties) {
            const auto equals = text.find('=');
            if (equals == std::string::npos || equals == 0) {
                // It may be a secret that lost its name: it is not shown.
                return refuse("-X: a property is written key=value");
            }
            given_.set(text.substr(0, equals), text.substr(equals + 1));
        }
        if (words_.brokers) given_.set("bootstrap.servers", *words_.brokers);
        if (words_.group) given_.set("group.id", *words_.group);
    }

    void settle_config() {
        auto parsed = consumer_config::parse(given_.all());
        if (!parsed) return refuse(parsed.error().message());
        auto& config = made_.config = std::move(*parsed);
        if (config.bootstrap_servers.empty()) return refuse("-b is missing: HOST:PORT of at least one broker");
        // What was printed is committed, by name, and nothing else.
        if (given_.has("enable.auto.commit") && *config.enable_auto_commit) {
            config.warnings.emplace_back(
                "enable.auto.commit has no effect: what was printed is committed, with -g, and nothing else");
        }
        config.enable_auto_commit = false;
        // Looking at a topic does not make it.
        if (!given_.has("allow.auto.create.topics")) config.allow_auto_create_topics = false;
        if (config.client_id.empty()) config.client_id = "strandline-consume";
        settle_reset(config);
        if (const auto verdict = check(config); !verdict) refuse(verdict.error().message());
    }

    void settle_reset(consumer_config& config) {
        using kind = offset_spec::kind;
        if (!config.group_id) {
            // Where records are gone it goes on with the oldest that there is, rather than jump over all of them.
            if (!given_.has("auto.offset.reset")) config.auto_offset_reset = offset_reset::earliest;
            return;
        }
        if (!words_.offset) return;
        switch (made_.from.what) {
            case kind::beginning: config.auto_offset_reset = offset_reset::earliest; return;
            case kind::end: config.auto_offset_reset = offset_reset::latest; return;
            case kind::absolute:
            case kind::before_end:
            case kind::time:
                refuse(
                    fmt::format("-o \"{}\" is not possible with -g; accepted there: beginning, end", *words_.offset));
        }
    }

    void check_exclusions() {
        if (made_.topics.empty()) return refuse("TOPIC is missing: which topic to consume");
        if (std::ranges::any_of(made_.topics, &std::string::empty)) return refuse("TOPIC is empty");
        if (words_.partitions && made_.config.group_id) {
            return refuse("-p excludes -g: in a group, the group decides who reads which partition");
        }
        if (words_.partitions && made_.topics.size() > 1) return refuse("-p is possible with one topic only");
        if (words_.quiet && words_.verbose) return refuse("-q excludes -v");
    }

    void settle_format() {
        const bool delimited = words_.key_delimiter || words_.record_delimiter;
        if (words_.json && words_.format) return refuse("-J excludes -f");
        if (words_.json && words_.key_delimiter) return refuse("-J excludes -K");
        if (words_.json && words_.record_delimiter) return refuse("-J excludes -D");
        if (words_.format && delimited) return refuse("-f excludes -K and -D: the format says it all");
        if (words_.json) return;
        if (!delimited) {
            const auto& text = words_.format.value_or("%s\\n");
            take("-f", text, output::record_format::compile(text), made_.format.emplace());
            return;
        }
        std::string key;
        std::string record = "\n";
        if (words_.key_delimiter) take("-K", *words_.key_delimiter, unescaped(*words_.key_delimiter), key);
        if (words_.record_delimiter) take("-D", *words_.record_delimiter, unescaped(*words_.record_delimiter), record);
        made_.format = output::record_format::delimited(words_.key_delimiter ? &key : nullptr, record);
    }

    const consume_words& words_;
    std::chrono::sys_time<std::chrono::milliseconds> now_;
    layered_properties given_;
    consume_options made_;
    std::string failure_;
};

}  // namespace

text_result<consume_options> settle(const consume_words& words, std::chrono::sys_time<std::chrono::milliseconds> now) {
    return settling(words, now).run();
}

}  // namespace strandline::apps::command_line
