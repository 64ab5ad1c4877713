#include "tests/simulation/options.hpp"

#include <charconv>
#include <functional>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "testkit/simulator/plan_generator.hpp"

namespace strandline::simulation {

namespace {

template <class Number>
bool read(std::string_view text, Number& value) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc{} && end == text.data() + text.size();
}

std::string wrong_seed(const options& read_so_far) {
    return read_so_far.last_seed < read_so_far.first_seed.value_or(0) ? "the first seed must not be above the last"
                                                                      : "";
}

// What is wrong with the value; empty: nothing.
using setter = std::function<std::string(options&, std::string_view)>;

std::string set_seeds(options& into, std::string_view text) {
    const auto dots = text.find("..");
    std::uint64_t first = 0;
    if (dots == std::string_view::npos || !read(text.substr(0, dots), first) ||
        !read(text.substr(dots + 2), into.last_seed)) {
        return "give two numbers, as in 1..100";
    }
    into.first_seed = first;
    return wrong_seed(into);
}

const std::map<std::string_view, setter>& with_value() {
    static const std::map<std::string_view, setter> all{
        {"--seed",
         [](options& into, std::string_view text) -> std::string {
             std::uint64_t seed = 0;
             if (!read(text, seed)) return "give a number";
             into.first_seed = into.last_seed = seed;
             return {};
         }},
        {"--seeds", set_seeds},
        {"--hours",
         [](options& into, std::string_view text) -> std::string {
             double hours = 0;
             if (!read(text, hours) || !(hours > 0)) return "give consumer-hours, as in 500 or 0.5";
             into.hours = hours;
             return {};
         }},
        {"--jobs",
         [](options& into, std::string_view text) -> std::string {
             if (!read(text, into.jobs) || into.jobs < 1 || into.jobs > 64) return "give a number from 1 to 64";
             return {};
         }},
        {"--profile",
         [](options& into, std::string_view text) -> std::string {
             into.profile = text;
             if (testkit::sim::is_profile(text)) return {};
             std::string known;
             for (const auto& one : testkit::sim::profiles()) known += fmt::format(" {}", one.name);
             return "there is no such profile; known:" + known;
         }},
        {"--plan",
         [](options& into, std::string_view text) -> std::string {
             into.plan_file = text;
             return text.empty() ? "give a file" : "";
         }},
        {"--results",
         [](options& into, std::string_view text) -> std::string {
             into.results_file = text;
             return text.empty() ? "give a file" : "";
         }},
    };
    return all;
}

const std::map<std::string_view, bool options::*>& switches() {
    static const std::map<std::string_view, bool options::*> all{{"--trace", &options::trace},
                                                                 {"--twice", &options::twice},
                                                                 {"--digests", &options::digests},
                                                                 {"--situations", &options::lists_situations},
                                                                 {"--shrink", &options::shrinks},
                                                                 {"--standard", &options::standard},
                                                                 {"--checkers", &options::lists_checkers},
                                                                 {"--show-plan", &options::shows_plan},
                                                                 {"--help", &options::help},
                                                                 {"-h", &options::help}};
    return all;
}

tl::unexpected<error> refuse(std::string words) {
    return tl::unexpected(error(errc::invalid_argument, std::move(words) + " (see strandline-simulate --help)"));
}

}  // namespace

result<options> parse_options(const std::vector<std::string>& words) {
    options made;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string_view word = words[i];
        if (const auto found = switches().find(word); found != switches().end()) {
            made.*(found->second) = true;
            continue;
        }
        const auto mark = word.find('=');
        const auto name = word.substr(0, mark);
        const auto found = with_value().find(name);
        if (found == with_value().end()) return refuse(fmt::format("unknown option '{}'", word));
        if (mark == std::string_view::npos && ++i == words.size()) return refuse(fmt::format("{} needs a value", name));
        const auto value = mark == std::string_view::npos ? std::string_view(words[i]) : word.substr(mark + 1);
        const auto wrong = found->second(made, value);
        if (!wrong.empty()) return refuse(fmt::format("{} '{}': {}", name, value, wrong));
    }
    const int kinds = (made.first_seed ? 1 : 0) + (made.plan_file.empty() ? 0 : 1) + (made.standard ? 1 : 0) +
                      (made.lists_checkers ? 1 : 0);
    if (kinds > 1) return refuse("say one of --seed, --seeds, --plan, --standard and --checkers");
    if (kinds == 0 && !made.hours && !made.help)
        return refuse("say what to run: --seed, --seeds, --hours, --plan or --standard");
    if (made.hours && (!made.plan_file.empty() || made.standard)) return refuse("--hours goes with seeds only");
    const bool one_run = !made.plan_file.empty() || (made.first_seed && *made.first_seed == made.last_seed);
    if (made.trace && !one_run) return refuse("--trace goes with one run: --seed or --plan");
    return made;
}

std::string usage() {
    std::string text =
        "Runs the consumer in simulated worlds: real code, virtual time, seeded faults, checked.\n"
        "\n"
        "  strandline-simulate --seed N             one seed; the same seed is the same run\n"
        "  strandline-simulate --seeds A..B         many\n"
        "  strandline-simulate --hours H            as many as make H consumer-hours, from --seed N or 1\n"
        "  strandline-simulate --plan FILE          a plan as printed for a seed\n"
        "  strandline-simulate --standard           the standard set, each twice, and what it must reach\n"
        "  strandline-simulate --checkers           what is checked in every run, and what of it waits\n"
        "\n"
        "  --profile NAME   what kind of worlds and faults (below); mixed\n"
        "  --trace          every turn, as lines\n"
        "  --show-plan      what the seed does\n"
        "  --shrink         reduce a failing plan to a short one, and print it\n"
        "  --twice          run each twice and compare the traces\n"
        "  --digests        the trace of each run as one number: what builds may be compared by\n"
        "  --situations     what the runs came into, and how often\n"
        "  --jobs N         so many at a time; 1\n"
        "  --results FILE   write the totals there, as name=value\n"
        "\n"
        "The exit status is 0 if nothing complained, 1 if something did, 2 if the command line is wrong.\n"
        "\n"
        "Profiles:\n";
    for (const auto& one : testkit::sim::profiles()) text += fmt::format("  {:<14} {}\n", one.name, one.what);
    return text;
}

}  // namespace strandline::simulation
