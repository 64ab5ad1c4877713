#include "core/explain/partition_chains.hpp"

#include <fmt/format.h>

#include "core/exchange/manager.hpp"
#include "core/explain/network_search.hpp"
#include "core/explain/wait_words.hpp"

namespace strandline::core::explain {

namespace {

namespace manager_of = exchange::manager;
using exchange::connection_role;

void stands(chain_builder& chain, const partition_group& found) {
    const auto text =
        fmt::format("{} stands until it is sought: {}", to_string(found.some.front()), found.failure->message());
    chain.because_of(*found.failure);
    chain.application(text, "seek()");
    chain.blame(wait_cause::partition_stands, text);
}

void leader_unknown(chain_builder& chain, const partition_group& found) {
    chain.manager(manager_of::fetch, "awaits a leader for " + found.words());
    chain.blame(wait_cause::leader_unknown, fmt::format("the leader of {} is not known", found.words()));
    if (found.broker == protocol::no_broker) {
        chain.blame(wait_cause::leader_unknown, fmt::format("{} has no leader at present", found.words()));
    }
    chain.follow(manager_of::metadata);
}

void broker_in_trouble(chain_builder& chain, const partition_group& found, const situation& at) {
    const auto name = broker_name(found.broker, *at.published.network);
    chain.manager(manager_of::fetch, fmt::format("reads {} from {}", found.words(), name));
    const auto* const known = find_broker(*at.published.network, found.broker);
    const auto role = static_cast<std::size_t>(connection_role::fetch);
    const bool is_ready = known && known->is_ready(role);
    if (!is_ready || known->connections[role].throttled_until > at.now) {
        return chain.broker(found.broker, connection_role::fetch);
    }
    const auto& connection = known->connections[role];
    for (std::uint32_t i = 0; i < connection.listed; ++i) {
        if (connection.requests[i].api != protocol::api_key::fetch) continue;
        return chain.request(found_request{known, &connection.requests[i]});
    }
}

void looks_up(chain_builder& chain, const partition_group& found, standing which, kernel::manager_index manager) {
    const auto is_validation = which == standing::validating;
    const auto what = which == standing::looking_up_committed ? "the committed offset of"
                      : is_validation                         ? "its leader's word on the position of"
                                                              : "the offset to start from in";
    const auto text = fmt::format("await {} {}", what, found.words());
    chain.manager(manager_of::position, text);
    chain.blame(is_validation ? wait_cause::position_validation : wait_cause::position_lookup,
                is_validation ? fmt::format("whether the position of {} still exists is being asked", found.words())
                              : fmt::format("where to start in {} is being looked up", found.words()));
    chain.follow(manager);
}

void callback_pending(chain_builder& chain, const partition_group& found) {
    const auto text = fmt::format("the assigned-callback of {} has to run first, inside a poll", found.words());
    chain.manager(manager_of::membership, "waits for the rebalance listener");
    chain.application(text, "the callback's return");
    chain.blame(wait_cause::poll_awaited, text);
}

void fenced(chain_builder& chain, const partition_group& found) {
    chain.blame(wait_cause::checkpoint_awaited, fmt::format("{} is being given up", found.words()));
    chain.follow(manager_of::membership);
}

void paused(chain_builder& chain, const partition_group& found, const survey& all) {
    const auto text = all.all(standing::paused)
                          ? fmt::format("every assigned partition is paused ({})", found.words())
                          : fmt::format("{} of {} assigned partitions are paused", found.count, all.assigned);
    chain.application(text, "resume()");
    chain.blame(wait_cause::paused, text);
}

void not_fetched(chain_builder& chain) {
    chain.follow(manager_of::fetch);
    if (!chain.has_cause()) chain.blame(wait_cause::records_awaited, "the next fetch is about to be sent");
}

void behind(chain_builder& chain, const partition_group& found) {
    chain.blame(wait_cause::records_awaited, fmt::format("records of {} are being fetched", found.words()));
    chain.follow(manager_of::fetch);
}

void at_end(chain_builder& chain, const partition_group& found, const survey& all) {
    auto text = all.all(standing::at_end)
                    ? fmt::format("every assigned partition has been read to its end ({})", found.words())
                    : fmt::format("{} has been read to the end", found.words());
    if (found.in_transaction > 0) {
        text += fmt::format(", as far as transactions are decided: {} still open in {} of them",
                            found.in_transaction == 1 ? "one is" : "some are", found.in_transaction);
    }
    chain.blame(wait_cause::end_of_partitions, text);
    chain.follow(manager_of::fetch);
}

}  // namespace

void explain_standing(chain_builder& chain, standing which, const situation& at, const survey& all) {
    const auto& found = all.at(which);
    chain.concerns(found.some);
    chain.poll("records of " + found.words());
    switch (which) {
        case standing::stands: return stands(chain, found);
        case standing::topic_in_trouble: return;  // told of its topic
        case standing::leader_unknown: return leader_unknown(chain, found);
        case standing::broker_in_trouble: return broker_in_trouble(chain, found, at);
        case standing::looking_up_committed: return looks_up(chain, found, which, manager_of::commit);
        case standing::looking_up_reset:
        case standing::validating: return looks_up(chain, found, which, manager_of::position);
        case standing::callback_pending: return callback_pending(chain, found);
        case standing::fenced: return fenced(chain, found);
        case standing::not_fetched: return not_fetched(chain);
        case standing::behind: return behind(chain, found);
        case standing::at_end: return at_end(chain, found, all);
        case standing::paused: return paused(chain, found, all);
    }
}

}  // namespace strandline::core::explain
