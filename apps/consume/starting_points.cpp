#include "apps/consume/starting_points.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace strandline::apps::consume {

namespace {

using kind = command_line::offset_spec::kind;
using offsets_by_partition = std::map<topic_partition, std::int64_t>;

class assigning {
public:
    explicit assigning(session& run) : run_(run) {}

    bool go() {
        const auto wanted = find_partitions();
        if (!wanted || !assign(*wanted)) return false;
        const auto& from = run_.options.from;
        const bool needs_range = run_.options.exit_eof || from.what == kind::absolute || from.what == kind::before_end;
        if (needs_range && !find_range(*wanted)) return false;
        return seek(*wanted);
    }

private:
    std::optional<partitions> find_partitions() {
        partitions wanted;
        for (const auto& topic : run_.options.topics) {
            const auto found = attempt(run_, "looking for topic " + topic, [&](std::chrono::milliseconds within) {
                return run_.source.try_partitions_for(topic, within);
            });
            if (!found) return std::nullopt;
            if (found->empty()) {
                run_.fail(fmt::format("topic {} does not exist; check its name, or make it first", topic));
                return std::nullopt;
            }
            if (!choose(topic, *found, wanted)) return std::nullopt;
        }
        std::ranges::sort(wanted);
        const auto twice = std::ranges::unique(wanted);
        wanted.erase(twice.begin(), twice.end());
        return wanted;
    }

    bool choose(const std::string& topic, const std::vector<partition_info>& found, partitions& wanted) {
        if (run_.options.partitions.empty()) {
            for (const auto& each : found) wanted.push_back(each.partition);
            return true;
        }
        for (const auto number : run_.options.partitions) {
            const bool exists =
                std::ranges::any_of(found, [&](const auto& each) { return each.partition.partition == number; });
            if (!exists) {
                run_.fail(
                    fmt::format("partition {} of topic {} does not exist; it has {}", number, topic, found.size()));
                return false;
            }
            wanted.push_back({topic, number});
        }
        return true;
    }

    bool assign(const partitions& wanted) {
        const auto done = run_.source.try_assign(wanted);
        if (!done) run_.fail(done.error().message());
        return done.has_value();
    }

    bool find_range(const partitions& wanted) {
        auto begin = attempt(run_, "looking up where the partitions begin", [&](std::chrono::milliseconds within) {
            return run_.source.try_beginning_offsets(wanted, within);
        });
        if (!begin) return false;
        auto end = attempt(run_, "looking up where the partitions end", [&](std::chrono::milliseconds within) {
            return run_.source.try_end_offsets(wanted, within);
        });
        if (!end) return false;
        begin_ = std::move(*begin);
        end_ = std::move(*end);
        return true;
    }

    bool seek(const partitions& wanted) {
        const auto& from = run_.options.from;
        if (from.what == kind::time) return seek_to_time(wanted);
        if (!run_.options.exit_eof && (from.what == kind::beginning || from.what == kind::end)) {
            const auto done = from.what == kind::beginning ? run_.source.try_seek_to_beginning(wanted)
                                                           : run_.source.try_seek_to_end(wanted);
            if (!done) run_.fail(done.error().message());
            return done.has_value();
        }
        return std::ranges::all_of(wanted, [&](const auto& each) { return start(each); });
    }

    // Its range is known.
    bool start(const topic_partition& partition) {
        const auto& from = run_.options.from;
        const auto begin = begin_.at(partition);
        const auto end = end_.at(partition);
        switch (from.what) {
            case kind::beginning: return start_at(partition, begin);
            case kind::end: return start_at(partition, end);
            case kind::before_end: return start_at(partition, std::max(begin, end - from.number));
            case kind::absolute: break;
            case kind::time: return false;
        }
        if (from.number > end) {
            run_.fail(fmt::format("{} ends at {}: -o {} lies above it", to_string(partition), end, from.number));
            return false;
        }
        if (from.number < begin) {
            run_.notes.note(fmt::format("{}: nothing is left below {}, starting there", to_string(partition), begin));
        }
        return start_at(partition, std::max(begin, from.number));
    }

    bool seek_to_time(const partitions& wanted) {
        std::map<topic_partition, consumer_calls::time_point> times;
        for (const auto& each : wanted) {
            times[each] = consumer_calls::time_point(std::chrono::milliseconds(run_.options.from.number));
        }
        const auto found = attempt(run_, "looking up offsets by time", [&](std::chrono::milliseconds within) {
            return run_.source.try_offsets_for_times(times, within);
        });
        if (!found) return false;
        if (!run_.options.exit_eof) {
            // Everything that comes from now on is newer, where nothing is there yet.
            auto end = attempt(run_, "looking up where the partitions end", [&](std::chrono::milliseconds within) {
                return run_.source.try_end_offsets(wanted, within);
            });
            if (!end) return false;
            end_ = std::move(*end);
        }
        return std::ranges::all_of(wanted, [&](const auto& each) {
            const auto at = found->find(each);
            return start_at(each, at != found->end() && at->second ? at->second->offset : end_.at(each));
        });
    }

    bool start_at(const topic_partition& partition, std::int64_t offset) {
        const auto done = run_.source.try_seek(partition, offset);
        if (!done) {
            run_.fail(done.error().message());
            return false;
        }
        auto& progress = run_.progress[partition];
        progress.next = offset_and_metadata(offset);
        if (run_.options.exit_eof) {
            progress.end = end_.at(partition);
            progress.finished = offset >= *progress.end;
        }
        return true;
    }

    session& run_;
    offsets_by_partition begin_;
    offsets_by_partition end_;
};

}  // namespace

bool assign_by_hand(session& run) { return assigning(run).go(); }

}  // namespace strandline::apps::consume
