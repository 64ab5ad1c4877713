#include "testkit/simulator/order_twin.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/explain/wait_words.hpp"
#include "core/kernel/asking_order.hpp"
#include "protocol/writer.hpp"
#include "testkit/simulator/allocation_countdown.hpp"

namespace strandline::testkit::sim {

namespace {

namespace boundary = core::boundary;
namespace connection = core::connection;
namespace exchange = core::exchange;
using core::kernel::manager_index;

constexpr manager_index manager_count = exchange::manager::count;

std::uint64_t checksum(base::bytes_view bytes) { return std::hash<std::string_view>{}(base::as_text(bytes)); }

std::uint64_t checksum_of_body(const exchange::outbound_request& request) {
    protocol::writer out;
    if (!request.body.encode(out, request.version)) return 0;
    return checksum(std::move(out).take().view());
}

std::string words_of(const std::optional<error>& failure) { return failure ? failure->message() : ""; }

// Any broker will do, and the one with the least in flight is asked: which that is depends on what others have asked of
// it in this turn.
bool is_for_any_broker(const exchange::outbound_request& request) {
    return request.body.key() == protocol::api_key::metadata ||
           request.body.key() == protocol::api_key::find_coordinator;
}

std::string words_of(const exchange::outbound_request& request) {
    const auto to = is_for_any_broker(request) ? "any" : std::to_string(request.broker.value());
    return fmt::format("{} {} to broker {} ({}), version {}, until {}, content {:x}",
                       protocol::name(request.body.key()), request.operation, to, static_cast<int>(request.role),
                       request.version, request.expires_at.time_since_epoch().count(), checksum_of_body(request));
}
std::string words_of(const exchange::connection_wanted& wanted) {
    return fmt::format("a connection to broker {} ({})", wanted.broker.value(), static_cast<int>(wanted.role));
}
std::string words_of(const boundary::completion& done) {
    return fmt::format("the end of operation {}: {}", done.token.value(),
                       done.outcome ? std::string("done") : done.outcome.error().message());
}
std::string words_of(const boundary::notice& notice) {
    if (const auto* wanted = std::get_if<boundary::callback_wanted>(&notice)) {
        return fmt::format("a callback {} of {} partitions", static_cast<int>(wanted->what), wanted->which.size());
    }
    if (const auto* raised = std::get_if<boundary::error_raised>(&notice)) return raised->reason.message();
    return fmt::format("{} positions reset", std::get<boundary::positions_reset>(notice).which.size());
}
std::string words_of(const boundary::completed_fetch& data) {
    return fmt::format("data of slot {} of era {}: {} to {}, {} bytes {}", data.slot.value(), data.era.value(),
                       data.from_offset, data.next_offset, data.batches.size(), words_of(data.failure));
}
std::string words_of(const boundary::slot_updates& updates) {
    std::string all;
    for (const auto& one : updates.which) {
        all += fmt::format("slot {} of era {}: {}{}{}{} ", one.slot.value(), one.era.value(), int{one.assigned},
                           int{one.paused}, int{one.fenced}, int{one.callback_pending});
    }
    return all;
}
std::string words_of(const boundary::buffer_recall& recall) {
    return fmt::format("recall of slot {} of era {}", recall.slot.value(), recall.era.value());
}
std::string words_of(const exchange::stage_finished& finished) {
    return fmt::format("the end of stage {} with {} offsets left, {}", static_cast<int>(finished.stage),
                       finished.uncommitted.size(), finished.undone);
}

std::string words_of(const core::kernel::waiting& wait) {
    return fmt::format("for reason {} of {}, views {:#x}, {} inputs, until {}", wait.why.code, wait.why.subject,
                       wait.inputs.views(), wait.inputs.named().size(),
                       wait.inputs.wake_at().time_since_epoch().count());
}

bool is_same(const connection::network_order& a, const connection::network_order& b) {
    if (a.index() != b.index()) return false;
    return std::visit(
        [&]<class Order>(const Order& one) {
            const auto& other = std::get<Order>(b);
            if constexpr (std::is_same_v<Order, connection::open_connection>) {
                return one.id == other.id && one.to == other.to;
            } else if constexpr (std::is_same_v<Order, connection::write_bytes>) {
                return one.id == other.id && one.bytes == other.bytes;
            } else if constexpr (std::is_same_v<Order, connection::close_connection>) {
                return one.id == other.id;
            } else {
                return one.id == other.id && one.name == other.name;
            }
        },
        a);
}

// What is shown of the group and its partitions.
std::string difference_of(const boundary::snapshot& mine, const boundary::snapshot& others) {
    if (mine.version != others.version) return "another version";
    const auto& a = *mine.member;
    const auto& b = *others.member;
    if (a.member_id != b.member_id || a.member_epoch != b.member_epoch || a.state != b.state ||
        a.coordinator != b.coordinator || a.rejoins != b.rejoins || a.was_absent != b.was_absent) {
        return fmt::format("a member {} of epoch {} instead of {} of epoch {}", b.state, b.member_epoch, a.state,
                           a.member_epoch);
    }
    if (mine.checkpoint_wanted != others.checkpoint_wanted || mine.progress_wanted != others.progress_wanted ||
        mine.stopped != others.stopped || mine.fatal.has_value() != others.fatal.has_value()) {
        return "another wish for polls";
    }
    return {};
}

std::string difference_of(const boundary::page_list& mine, const boundary::page_list& others) {
    if (mine.size() != others.size()) return "other pages";
    for (std::size_t page = 0; page < mine.size(); ++page) {
        const auto& these = mine[page]->partitions;
        const auto& those = others[page]->partitions;
        if (these.size() != those.size()) return "other partitions";
        for (std::size_t i = 0; i < these.size(); ++i) {
            if (these[i].slot != those[i].slot || these[i].era != those[i].era || these[i].paused != those[i].paused ||
                these[i].fenced != those[i].fenced || these[i].position.has_value() != those[i].position.has_value() ||
                (these[i].position && these[i].position->offset != those[i].position->offset)) {
                return fmt::format("another state of slot {}", these[i].slot.value());
            }
        }
    }
    return {};
}

}  // namespace

// ---- turn_gist

void turn_gist::on_begun(std::uint64_t, const core::turn_inputs&, base::instant) {
    for (auto& one : managers_) {
        one.outputs.clear();
        one.numbers.clear();
    }
    connections_.clear();
    if (made_.snapshot) pages_before_ = made_.snapshot->pages;
    newest_number_ = std::max(newest_number_, newest_of_turn_);
    drew_ = 0;
    draws_before_ = draws_ ? *draws_ : 0;
}

void turn_gist::on_answer(manager_index manager, const exchange::plan&) {
    if (!draws_) return;
    if (*draws_ != draws_before_) drew_ |= std::uint32_t{1} << manager;
    draws_before_ = *draws_;
}

void turn_gist::note_number(manager_index from, std::uint64_t number) {
    newest_of_turn_ = std::max(newest_of_turn_, number);
    managers_[from].numbers.push_back(number);
}

void turn_gist::on_output(manager_index from, const exchange::output& output) {
    const uncounted_allocations ours;
    if (const auto* request = std::get_if<exchange::outbound_request>(&output)) {
        note_number(from, request->id.value());
        if (is_for_any_broker(*request)) {
            managers_[from].numbers.push_back(static_cast<std::uint64_t>(request->broker.value()));
        }
    }
    if (const auto* notice = std::get_if<boundary::notice>(&output)) {
        if (const auto* wanted = std::get_if<boundary::callback_wanted>(notice)) note_number(from, wanted->id.value());
    }
    auto words = std::visit([](const auto& what) { return words_of(what); }, output);
    if (std::holds_alternative<exchange::connection_wanted>(output)) {
        if (std::ranges::find(connections_, words) == connections_.end()) connections_.push_back(std::move(words));
    } else {
        managers_[from].outputs.push_back(std::move(words));
    }
}

void turn_gist::on_decided(std::uint64_t, const core::decision& made) {
    made_ = made;
    for (const auto& wait : made.snapshot->waits) {
        for (const auto& input : wait.inputs.named()) {
            const bool is_numbered = input.kind == core::kernel::input_kind::response ||
                                     input.kind == core::kernel::input_kind::acknowledgement;
            if (is_numbered) note_number(wait.manager, input.id);
        }
    }
}

// Since when is for explanations: a reason may have come and gone while another was asked.
bool turn_gist::waits_alike(const core::kernel::waiting& mine, const core::kernel::waiting& others) const {
    const auto& a = mine.inputs;
    const auto& b = others.inputs;
    if (a.wake_at() != b.wake_at() || a.views() != b.views() || a.awaits_space() != b.awaits_space() ||
        a.named().size() != b.named().size() || mine.why.code != others.why.code) {
        return false;
    }
    const auto is_new = [&](std::uint64_t number) { return number > newest_number_; };
    for (std::size_t i = 0; i < a.named().size(); ++i) {
        auto one = a.named()[i];
        auto two = b.named()[i];
        if (is_new(one.id) && is_new(two.id)) one.id = two.id;
        if (one != two) return false;
    }
    return mine.why.subject == others.why.subject || (is_new(mine.why.subject) && is_new(others.why.subject));
}

std::string turn_gist::difference(const turn_gist& other) const {
    for (manager_index i = 0; i < manager_count; ++i) {
        const auto name = core::explain::manager_name(i);
        const auto& mine = managers_[i].outputs;
        const auto& others = other.managers_[i].outputs;
        for (std::size_t k = 0; k < std::max(mine.size(), others.size()); ++k) {
            const std::string nothing = "nothing";
            const auto& one = k < mine.size() ? mine[k] : nothing;
            const auto& two = k < others.size() ? others[k] : nothing;
            if (one != two) return fmt::format("{} put out '{}' instead of '{}'", name, two, one);
        }
        const auto& wait = made_.snapshot->waits[i];
        const auto& others_wait = other.made_.snapshot->waits[i];
        if (!waits_alike(wait, others_wait)) {
            return fmt::format("{} waits otherwise: {} instead of {}", name, words_of(others_wait), words_of(wait));
        }
    }
    if (!std::ranges::is_permutation(connections_, other.connections_)) return "other connections are asked for";
    if (made_.park_until != other.made_.park_until) return "the reactor sleeps until another instant";
    if (made_.space != other.made_.space) return "space is awaited otherwise";
    if (made_.turn_again != other.made_.turn_again) return "another turn is wanted otherwise";
    const auto& shown = *made_.snapshot;
    const auto& others_shown = *other.made_.snapshot;
    if (auto what = difference_of(shown, others_shown); !what.empty()) return "it shows " + what;
    // Most turns change none of them.
    if (shown.pages == pages_before_ && others_shown.pages == other.pages_before_) return {};
    if (auto what = difference_of(*shown.pages, *others_shown.pages); !what.empty()) return "it shows " + what;
    return {};
}

bool turn_gist::is_numbered_as(const turn_gist& other) const {
    for (manager_index i = 0; i < manager_count; ++i) {
        if (managers_[i].numbers != other.managers_[i].numbers) return false;
    }
    return connections_ == other.connections_;
}

bool turn_gist::contends_for_an_attempt(const turn_gist& other) const {
    return connections_ != other.connections_ && !made_.snapshot->network->reachable;
}

// ---- order_twin

order_twin::twin::twin(const boundary::core_config& config, std::uint64_t random_seed)
    : random(random_seed), core(config, random, nullptr) {
    core.look_on(&gist);
}

order_twin::order_twin(core::turn_probe& next, const reactor::clock& time, seeded_choice choice,
                       std::function<void(std::string)> complain)
    : next_(next),
      time_(time),
      choice_(std::move(choice)),
      complain_(std::move(complain)),
      first_turn_(draw_first_turn()),
      order_(manager_count) {
    std::iota(order_.begin(), order_.end(), manager_index{0});
}

// Anywhere in a life, the beginning as often as all the rest.
std::uint64_t order_twin::draw_first_turn() {
    const auto doublings = choice_.between(0, 12);
    return static_cast<std::uint64_t>(choice_.between(1, std::int64_t{1} << doublings));
}

void order_twin::draw_order() {
    for (std::size_t i = order_.size() - 1; i > 0; --i) {
        const auto other = static_cast<std::size_t>(choice_.between(0, static_cast<std::int64_t>(i)));
        std::swap(order_[i], order_[other]);
    }
}

void order_twin::begin(const boundary::core_config& config, std::uint64_t random_seed) {
    second_.emplace(config, random_seed);
}

void order_twin::receive(connection::connection_id id, std::span<const std::byte> bytes) {
    if (!second_) return;
    const uncounted_allocations ours;
    while (!bytes.empty()) {
        const auto room = second_->core.receive_room(id);
        if (room.empty()) return;
        const auto taken = std::min(room.size(), bytes.size());
        std::memcpy(room.data(), bytes.data(), taken);
        bytes = bytes.subspan(taken);
        static_cast<void>(second_->core.received(id, taken));
    }
}

void order_twin::on_begun(std::uint64_t turn, const core::turn_inputs& inputs, base::instant now) {
    next_.on_begun(turn, inputs, now);
    if (!second_) return;
    const uncounted_allocations ours;
    gist_.on_begun(turn, inputs, now);
    inputs_ = inputs;
    now_ = now;
}

void order_twin::on_output(manager_index from, const exchange::output& output) {
    next_.on_output(from, output);
    if (second_) gist_.on_output(from, output);
}

void order_twin::on_decided(std::uint64_t turn, const core::decision& made) {
    if (second_) {
        const uncounted_allocations ours;
        gist_.on_decided(turn, made);
        if (turn >= first_turn_) draw_order();
        {
            const core::kernel::asking_order order(order_);
            static_cast<void>(second_->core.turn(std::move(inputs_), now_, time_.wall()));
        }
        orders_ = second_->core.take_effects().orders;
        const bool is_declared = second_->gist.several_drew() || gist_.contends_for_an_attempt(second_->gist);
        const auto difference = is_declared ? std::string() : gist_.difference(second_->gist);
        if (!difference.empty()) {
            complain_(fmt::format("asked in the order {}, {}", fmt::join(order_, " "), difference));
        }
        if (!difference.empty() || is_declared || !gist_.is_numbered_as(second_->gist)) end();
    }
    next_.on_decided(turn, made);
}

void order_twin::on_orders(const std::vector<connection::network_order>& orders) {
    const auto theirs = std::exchange(orders_, std::nullopt);
    if (!second_ || !theirs) return;
    // In which order requests went out on a connection numbers them there.
    if (!std::equal(orders.begin(), orders.end(), theirs->begin(), theirs->end(), is_same)) end();
}

}  // namespace strandline::testkit::sim
