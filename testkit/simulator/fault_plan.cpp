#include "testkit/simulator/fault_plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "testkit/simulator/duration_words.hpp"

namespace strandline::testkit::sim {

namespace {

constexpr std::array<std::string_view, 8> behaviours{"automatic", "commits",      "commits_async", "commits_each",
                                                     "breaks",    "by_partition", "wanders",       "asks"};
static_assert(static_cast<std::size_t>(behaviour::asks) + 1 == behaviours.size());

// The fields of each kind of line by name, for printing and for parsing.
template <class Visit>
void describe(fault& it, Visit&& visit) {
    visit("at", it.at);
    visit("broker", it.broker);
    visit("consumer", it.consumer);
    visit("topic", it.topic);
    visit("partition", it.partition);
    visit("api", it.api);
    visit("error", it.error);
    visit("amount", it.amount);
    visit("delay", it.delay);
    visit("lasts", it.lasts);
}
template <class Visit>
void describe(topic_plan& it, Visit&& visit) {
    visit("name", it.name);
    visit("partitions", it.partitions);
    visit("replication", it.replication);
    visit("every", it.every);
    visit("records", it.records);
    visit("bytes", it.bytes);
    visit("transactional", it.transactional);
    visit("compacted", it.compacted);
    visit("bursts", it.bursts);
}
template <class Visit>
void describe(consumer_plan& it, Visit&& visit) {
    visit("in_group", it.in_group);
    visit("has_group", it.has_group);
    visit("static", it.is_static);
    visit("by_pattern", it.by_pattern);
    visit("how", it.how);
    visit("read_committed", it.read_committed);
    visit("from_earliest", it.from_earliest);
    visit("never_resets", it.never_resets);
    visit("listener", it.has_listener);
    visit("poll", it.poll);
    visit("work", it.work);
    visit("max_poll_records", it.max_poll_records);
    visit("asks_in_between", it.asks_in_between);
    visit("seeks_to_committed", it.seeks_to_committed);
    visit("fetch_max_wait", it.fetch_max_wait);
    visit("retry_backoff", it.retry_backoff);
    visit("auto_commit_interval", it.auto_commit_interval);
    visit("max_poll_interval", it.max_poll_interval);
    visit("request_timeout", it.request_timeout);
    visit("metadata_max_age", it.metadata_max_age);
    visit("connections_max_idle", it.connections_max_idle);
    visit("memory_limit", it.memory_limit);
}
template <class Visit>
void describe(fault_plan& it, Visit&& visit) {
    visit("seed", it.seed);
    visit("profile", it.profile);
    visit("runs", it.runs);
    visit("calm", it.calm);
    visit("brokers", it.brokers);
    visit("idle_limit", it.idle_limit);
    visit("idle_is_forgotten", it.idle_is_forgotten);
}

std::string in_words(const std::string& value) { return value; }
std::string in_words(bool value) { return value ? "yes" : "no"; }
std::string in_words(behaviour value) { return std::string(to_string(value)); }
std::string in_words(base::duration value) { return to_words(value); }
template <class Number>
    requires std::is_integral_v<Number>
std::string in_words(Number value) {
    return fmt::format("{}", value);
}

bool read(std::string_view text, std::string& value) {
    value = text;
    return !text.empty();
}
bool read(std::string_view text, bool& value) {
    value = text == "yes";
    return value || text == "no";
}
bool read(std::string_view text, behaviour& value) {
    const auto found = std::find(behaviours.begin(), behaviours.end(), text);
    if (found == behaviours.end()) return false;
    value = static_cast<behaviour>(found - behaviours.begin());
    return true;
}
bool read(std::string_view text, base::duration& value) {
    const auto found = duration_from(text);
    if (found) value = *found;
    return found.has_value();
}
template <class Number>
    requires std::is_integral_v<Number>
bool read(std::string_view text, Number& value) {
    const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc{} && rest == text.data() + text.size();
}

// Fields that differ from those of a new one, each with a space before it.
template <class Line>
std::string fields_of(Line it) {
    Line standard;
    std::vector<std::string> defaults;
    describe(standard, [&](std::string_view, const auto& value) { defaults.push_back(in_words(value)); });
    std::string text;
    std::size_t index = 0;
    describe(it, [&](std::string_view name, const auto& value) {
        const auto words = in_words(value);
        if (words != defaults[index++]) text += fmt::format(" {}={}", name, words);
    });
    return text;
}

// The next word of a line; empty at its end.
std::string_view take_word(std::string_view& line) {
    const auto begin = std::min(line.find_first_not_of(" \t\r"), line.size());
    const auto end = std::min(line.find_first_of(" \t\r", begin), line.size());
    const auto word = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return word;
}

// What is wrong with "name=value"; empty: nothing.
template <class Line>
std::string set_field(Line& it, std::string_view word) {
    const auto mark = word.find('=');
    if (mark == std::string_view::npos) return fmt::format("'{}' is not name=value", word);
    const auto name = word.substr(0, mark);
    const auto text = word.substr(mark + 1);
    bool known = false;
    bool understood = false;
    describe(it, [&](std::string_view field, auto& value) {
        if (field != name) return;
        known = true;
        understood = read(text, value);
    });
    if (!known) return fmt::format("there is no field '{}' here", name);
    if (!understood) return fmt::format("'{}' is no value of {}", text, name);
    return {};
}

template <class Line>
std::string read_fields(std::string_view line, Line& it) {
    for (auto word = take_word(line); !word.empty(); word = take_word(line)) {
        if (auto wrong = set_field(it, word); !wrong.empty()) return wrong;
    }
    return {};
}

std::string read_fault(std::string_view line, fault& it) {
    bool named = false;
    for (auto word = take_word(line); !word.empty(); word = take_word(line)) {
        if (const auto kind = fault_kind_named(word)) {
            it.what = *kind;
            named = true;
        } else if (auto wrong = set_field(it, word); !wrong.empty()) {
            return word.find('=') == std::string_view::npos ? fmt::format("there is no fault '{}'", word) : wrong;
        }
    }
    return named ? std::string() : "it does not say which fault";
}

std::string read_line(std::string_view line, fault_plan& plan) {
    auto rest = line;
    const auto first = take_word(rest);
    if (first.empty() || first.front() == '#') return {};
    if (first == "topic") return read_fields(rest, plan.topics.emplace_back());
    if (first == "consumer") return read_fields(rest, plan.consumers.emplace_back());
    if (first == "fault") return read_fault(rest, plan.faults.emplace_back());
    return read_fields(line, plan);
}

}  // namespace

std::string_view to_string(behaviour how) noexcept { return behaviours[static_cast<std::size_t>(how)]; }

std::string to_string(const fault& what) {
    auto others = what;
    others.at = {};
    return fmt::format("at={} {}{}", to_words(what.at), to_string(what.what), fields_of(others));
}

std::string to_string(const fault_plan& plan) {
    auto text = fmt::format("seed={}\nprofile={}\nruns={}\ncalm={}\nbrokers={}\n", plan.seed, plan.profile,
                            to_words(plan.runs), to_words(plan.calm), plan.brokers);
    if (plan.idle_limit > base::duration::zero()) text += fmt::format("idle_limit={}\n", to_words(plan.idle_limit));
    if (plan.idle_is_forgotten) text += "idle_is_forgotten=yes\n";
    for (const auto& topic : plan.topics) text += fmt::format("topic{}\n", fields_of(topic));
    for (const auto& consumer : plan.consumers) text += fmt::format("consumer{}\n", fields_of(consumer));
    for (const auto& fault : plan.faults) text += fmt::format("fault {}\n", to_string(fault));
    return text;
}

result<fault_plan> parse_plan(std::string_view text) {
    fault_plan plan;
    for (int number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto wrong = read_line(text.substr(0, end), plan);
        if (!wrong.empty()) {
            return tl::unexpected(error(errc::invalid_argument, fmt::format("plan, line {}: {}", number, wrong)));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::stable_sort(plan.faults.begin(), plan.faults.end(),
                     [](const fault& a, const fault& b) { return a.at < b.at; });
    return plan;
}

}  // namespace strandline::testkit::sim
