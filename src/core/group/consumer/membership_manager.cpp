#include "core/group/consumer/membership_manager.hpp"

#include "core/group/consumer/membership.hpp"

namespace strandline::core::group::consumer {

namespace command = boundary::command;
using boundary::operation_token;
using exchange::turn_time;

membership_manager::membership_manager(const exchange::manager_context& context,
                                       kernel::view<exchange::coordinator_view> coordinator,
                                       kernel::view<exchange::connections_handle> connections,
                                       kernel::view<exchange::cluster_view> cluster,
                                       kernel::view<exchange::lifecycle_view> lifecycle)
    : membership_(std::make_unique<membership>(context, coordinator, connections, cluster, lifecycle)) {}

membership_manager::~membership_manager() = default;

const kernel::versioned<exchange::member_view>& membership_manager::view_source() const noexcept {
    return membership_->view();
}

void membership_manager::on_command(const command::subscribe& command, operation_token token, base::instant deadline,
                                    turn_time time) {
    membership_->subscribe(command, token, deadline, time);
}
void membership_manager::on_command(const command::unsubscribe&, operation_token token, base::instant deadline,
                                    turn_time time) {
    membership_->unsubscribe(token, deadline, time);
}
void membership_manager::on_command(const command::assign&, operation_token, base::instant, turn_time time) {
    membership_->yield_to_assignment_by_hand(time);
}
void membership_manager::on_command(const command::callback_finished& command, operation_token, base::instant,
                                    turn_time time) {
    membership_->on_callback_finished(command, time);
}
void membership_manager::on_cancel(operation_token token, turn_time) { membership_->on_cancel(token); }

void membership_manager::on_checkpoint(const boundary::checkpoint& checkpoint, turn_time time) {
    membership_->on_checkpoint(checkpoint, time);
}
void membership_manager::on_response(const exchange::response& response, turn_time time) {
    membership_->on_response(response, time);
}
void membership_manager::on_fact(const exchange::topics_changed&, turn_time) { membership_->on_topics_changed(); }
void membership_manager::on_fact(const exchange::fences_met& fact, turn_time) {
    membership_->on_fences_met(fact.ticket);
}
void membership_manager::on_fact(const exchange::revocation_committed& fact, turn_time) {
    membership_->on_revocation_committed(fact.ticket);
}
void membership_manager::on_fact(const exchange::member_fenced& fact, turn_time time) {
    membership_->on_member_fenced(fact.seen, time);
}
void membership_manager::on_turn(turn_time time) { membership_->on_turn(time); }

exchange::plan membership_manager::plan(turn_time time) { return membership_->plan(time); }

bool membership_manager::checkpoint_wanted() const noexcept { return membership_->waits_for_poll(); }

std::string_view membership_manager::state_name() const noexcept { return to_string(membership_->state()); }
boundary::member_standing membership_manager::standing() const noexcept { return standing_of(membership_->state()); }
const kernel::walked_steps& membership_manager::walked() const noexcept { return membership_->walked(); }
bool membership_manager::rejoins() const noexcept { return membership_->rejoins(); }
bool membership_manager::application_was_absent() const noexcept { return membership_->application_was_absent(); }
const std::string& membership_manager::member_id() const noexcept { return membership_->view().get().member_id; }
const std::vector<std::string>& membership_manager::subscribed_topics() const noexcept {
    return membership_->subscription().topics();
}
const std::string& membership_manager::subscribed_pattern() const noexcept {
    return membership_->subscription().pattern();
}
const std::vector<std::string>& membership_manager::unmatched_topics() const { return membership_->unmatched_topics(); }

}  // namespace strandline::core::group::consumer
