#include "tests/interleavings/explorer/exploration.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <fmt/format.h>

namespace strandline::interleavings {

namespace {

actor_id first_of(actor_set set) noexcept { return static_cast<actor_id>(std::countr_zero(set)); }

// A choice that was made on the way to where the exploration is.
struct choice {
    actor_set enabled = 0;
    actor_set wanted = 0;  // whose step must be tried here
    actor_set asleep = 0;  // whose step was tried here, or would only repeat what was tried before
    actor_id chosen = 0;
    step made;
    vector_clock knew{};   // to who made it, before
    vector_clock known{};  // and with it
    std::vector<object_id> ended;  // in it
    std::array<step, most_actors> next;
};

class explorer {
public:
    explorer(const prepare_run& prepare, const exploration_options& how) : prepare_(prepare), how_(how) {}

    findings run() {
        do {
            run_once();
        } while (found_.found == fault::none && turn_back());
        return std::move(found_);
    }

private:
    struct traced_step {
        actor_id by;
        step what;
    };

    void run_once() {
        world_.begin(how_.tails);
        auto finish = prepare_(world_);
        world_.start_actors();
        found_.actors = world_.actors();
        trace_.clear();
        inherited_ = 0;
        repeats_ = false;
        while (world_.found() == fault::none && go_on()) {
        }
        world_.end_actors();
        if (world_.found() == fault::none) finish();
        finish = nullptr;
        ++(repeats_ ? found_.equivalent : found_.interleavings);
        found_.longest = std::max(found_.longest, trace_.size());
        if (world_.found() != fault::none) tell();
    }

    // One step. False: the run is at its end.
    bool go_on() {
        const auto enabled = world_.enabled();
        if (enabled == 0) {
            if (!world_.rests_well()) world_.fail(fault::stuck, who_waits());
            return false;
        }
        if (trace_.size() == world::most_steps) {
            world_.fail(fault::endless, fmt::format("no end after {} steps", trace_.size()));
            return false;
        }
        const auto depth = trace_.size();
        if (repeats_) {
            take(first_of(enabled));
            return true;
        }
        if (depth == path_.size() && !choose(enabled)) {
            repeats_ = true;
            return true;
        }
        auto& at = path_[depth];
        if (at.enabled != enabled) {
            world_.fail(fault::misuse, "the scenario does not do the same again: something besides the steps decides");
            return false;
        }
        at.made = world_.next(at.chosen);
        at.knew = world_.knowledge(at.chosen);
        take(at.chosen);
        at.known = world_.knowledge(at.chosen);
        at.ended = world_.ended();
        inherited_ = 0;
        for (actor_id each = 0; each < actors(); ++each) {
            if (how_.how != reduction::none && each != at.chosen && has(at.asleep, each) &&
                !conflicts_with(at, at.next[each])) {
                inherited_ = static_cast<actor_set>(inherited_ | only(each));
            }
        }
        if (how_.how == reduction::full && depth >= turned_at_) find_races(depth);
        return true;
    }

    // An actor_id has room for all of them: a world takes no more than fit into an actor_set.
    actor_id actors() const noexcept { return static_cast<actor_id>(found_.actors); }

    void take(actor_id who) {
        trace_.push_back({who, world_.next(who)});
        world_.take(who);
    }

    // False: every step possible now would repeat another run.
    bool choose(actor_set enabled) {
        const auto fresh = static_cast<actor_set>(enabled & ~inherited_);
        if (fresh == 0) return false;
        choice made;
        made.enabled = enabled;
        made.asleep = inherited_;
        // Who ran goes on, so that a run reads well.
        const bool same = !trace_.empty() && has(fresh, trace_.back().by);
        made.chosen = same ? trace_.back().by : first_of(fresh);
        made.wanted = how_.how == reduction::full ? only(made.chosen) : enabled;
        for (actor_id each = 0; each < actors(); ++each) {
            if (world_.is_under_way(each)) made.next[each] = world_.next(each);
        }
        path_.push_back(std::move(made));
        return true;
    }

    // The step at `depth` was just made: before which steps might it have come as well?
    void find_races(std::size_t depth) {
        const auto& newest = path_[depth];
        // Whatever made it possible to answer or to wake, something else might have.
        const bool enabled_by_others = newest.made.what == step::kind::wake || newest.made.what == step::kind::answer;
        auto settled = newest.knew;
        for (auto before = depth; before-- > 0;) {
            const auto& earlier = path_[before];
            if (earlier.chosen == newest.chosen || settled[earlier.chosen] > before) continue;
            if (!conflicts_with(newest, earlier.made)) continue;
            try_before(before, depth);
            if (!enabled_by_others) join(settled, earlier.known);
        }
    }

    // What ends must not be needed by a step that might come afterwards as well.
    static bool conflicts_with(const choice& made, const step& other) noexcept {
        if (conflicts(made.made, other)) return true;
        return std::ranges::any_of(made.ended,
                                   [&](object_id object) { return conflicts(other, access{object, use::exclusive}); });
    }

    // The later step should come before the earlier one. What was made between them and does not follow from the
    // earlier one may precede it; whoever can begin with that is to be tried.
    void try_before(std::size_t earlier, std::size_t later) {
        if (!could_come_before(earlier, later)) return;
        auto& at = path_[earlier];
        actor_set first = 0;
        for (actor_id each = 0; each < actors(); ++each) {
            if (has(at.enabled, each) && can_begin(each, earlier, later))
                first = static_cast<actor_set>(first | only(each));
        }
        if (first == 0) {
            at.wanted = static_cast<actor_set>(at.wanted | at.enabled);
        } else if ((first & (at.wanted | at.asleep)) == 0) {
            const auto by = path_[later].chosen;
            at.wanted = static_cast<actor_set>(at.wanted | only(has(first, by) ? by : first_of(first)));
        }
    }

    bool follows(std::size_t step_made, std::size_t earlier) const noexcept {
        return path_[step_made].known[path_[earlier].chosen] > earlier;
    }

    // Whether the first of what `each` is to make has to wait for nothing else that is.
    bool can_begin(actor_id each, std::size_t earlier, std::size_t later) const noexcept {
        auto its = earlier + 1;
        while (its < later && (path_[its].chosen != each || follows(its, earlier))) ++its;
        if (path_[its].chosen != each) return false;
        for (auto other = earlier + 1; other < its; ++other) {
            if (path_[other].chosen != each && !follows(other, earlier) && follows(its, other)) return false;
        }
        return true;
    }

    // A wake, or the answer to a bell, needs something that makes it possible, and that must not follow from the
    // earlier.
    bool could_come_before(std::size_t earlier, std::size_t later) const noexcept {
        const auto& [wanted, by] = std::pair(path_[later].made, path_[later].chosen);
        if (wanted.what != step::kind::wake && wanted.what != step::kind::answer) return true;
        for (auto at = later; at-- > 0;) {
            const auto& made = path_[at].made;
            if (path_[at].chosen == by) {
                if (made.object == wanted.object && wanted.what == step::kind::wake) return false;  // its wait
                if (made.object == wanted.object && made.what == step::kind::answer) return false;
            }
            if (at == earlier || (at > earlier && follows(at, earlier))) continue;
            const bool announces =
                made.object == wanted.object && (made.what == step::kind::notify || made.what == step::kind::ring);
            const bool passes = wanted.timed && made.object == clock_object && made.what == step::kind::write;
            if (announces || passes) return true;
        }
        return false;
    }

    // To the newest choice that leaves something to try. False: there is none.
    bool turn_back() {
        while (!path_.empty()) {
            auto& newest = path_.back();
            newest.asleep = static_cast<actor_set>(newest.asleep | only(newest.chosen));
            const auto left = static_cast<actor_set>(newest.wanted & newest.enabled & ~newest.asleep);
            if (left != 0) {
                if (found_.interleavings + found_.equivalent >= how_.most_interleavings) return false;
                newest.chosen = first_of(left);
                turned_at_ = path_.size() - 1;
                return true;
            }
            path_.pop_back();
        }
        found_.complete = true;
        return false;
    }

    std::string who_waits() const {
        std::string words;
        for (actor_id each = 0; each < actors(); ++each) {
            if (!world_.is_under_way(each)) continue;
            words += fmt::format("{}{} waits for {}", words.empty() ? "" : "; ", world_.name(each),
                                 about(world_.next(each)));
        }
        return words;
    }

    static std::string about(const step& what) {
        return fmt::format("{} {}{}", name_of(what.what), what.object, what.timed ? " with a deadline" : "");
    }

    void tell() {
        found_.found = world_.found();
        found_.words = world_.words();
        for (const auto& [by, what] : trace_)
            found_.schedule.push_back(fmt::format("{}: {}", world_.name(by), about(what)));
    }

    const prepare_run& prepare_;
    exploration_options how_;
    world world_;
    std::vector<choice> path_;
    std::size_t turned_at_ = 0;
    std::vector<traced_step> trace_;
    actor_set inherited_ = 0;
    bool repeats_ = false;
    findings found_;
};

}  // namespace

findings explore(const prepare_run& prepare, const exploration_options& how) { return explorer(prepare, how).run(); }

std::string findings::text() const {
    auto said = fmt::format("{} actors, {} interleavings, {} of them repeated in part, at most {} steps", actors,
                            interleavings, equivalent, longest);
    if (found == fault::none) return complete ? said : said + ": NOT ALL OF THEM, the limit was reached";
    said += fmt::format("\n{}: {}", name_of(found), words);
    for (const auto& line : schedule) said += "\n  " + line;
    return said;
}

}  // namespace strandline::interleavings
