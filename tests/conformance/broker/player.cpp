#include "tests/conformance/broker/player.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "protocol/header.hpp"
#include "protocol/messages/api_versions.hpp"
#include "tests/live/patience.hpp"

namespace strandline::conformance::broker {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr auto patience = 20s;
constexpr auto hung_up = "hung up";

// Length, API key, then the version.
constexpr std::size_t version_in_frame = 6;

base::shared_bytes claiming(const base::shared_bytes& frame, std::int16_t version) {
    base::buffer changed(frame.size());
    std::copy_n(frame.data(), frame.size(), changed.writable().data());
    changed.writable()[version_in_frame] = static_cast<std::byte>(version >> 8);
    changed.writable()[version_in_frame + 1] = static_cast<std::byte>(version & 0xff);
    return std::move(changed).freeze(frame.size());
}

json::value read_frame(const step& one, const base::shared_bytes& frame) {
    // A version that the broker does not speak is answered in version 0, if at all.
    const auto version = one.claimed_version >= 0 ? std::int16_t{0} : one.version;
    const auto answer = protocol::split_response(frame, one.asked.key(), version);
    if (!answer) throw std::runtime_error("an answer that cannot be read: " + answer.error().to_string());
    return read_answer(one.asked.key(), version, answer->body);
}

bool holds(const json::value& answer, const std::pair<std::string, json::value>& condition) {
    boost::system::error_code missing;
    const auto* found = answer.find_pointer(condition.first, missing);
    return found && *found == condition.second;
}

bool has_all_learned(const step& one, const json::value& answer) {
    const auto has = [&](const auto& entry) {
        boost::system::error_code missing;
        return answer.find_pointer(entry.second, missing) != nullptr;
    };
    return std::all_of(one.learned.begin(), one.learned.end(), has) &&
           std::all_of(one.kept.begin(), one.kept.end(), has);
}

void sort_lists(json::value& of) {
    if (auto* object = of.if_object()) {
        for (auto& member : *object) sort_lists(member.value());
    } else if (auto* array = of.if_array()) {
        for (auto& element : *array) sort_lists(element);
        std::stable_sort(array->begin(), array->end(),
                         [](const auto& a, const auto& b) { return json::serialize(a) < json::serialize(b); });
    }
}

void compare(const step& one, const std::string& where, const json::value& ours, const json::value& kafkas,
             std::string& out) {
    if (ours.is_object() && kafkas.is_object()) {
        for (const auto& [name, value] : kafkas.get_object()) {
            if (std::find(one.may_differ.begin(), one.may_differ.end(), name) != one.may_differ.end()) continue;
            const auto* same = ours.get_object().if_contains(name);
            compare(one, where + "/" + std::string(name), same ? *same : json::value("absent"), value, out);
        }
        for (const auto& [name, value] : ours.get_object()) {
            if (std::find(one.may_differ.begin(), one.may_differ.end(), name) != one.may_differ.end()) continue;
            if (!kafkas.get_object().contains(name)) {
                compare(one, where + "/" + std::string(name), value, json::value("absent"), out);
            }
        }
    } else if (ours.is_array() && kafkas.is_array() && ours.get_array().size() == kafkas.get_array().size()) {
        for (std::size_t i = 0; i < ours.get_array().size(); ++i) {
            compare(one, where + "/" + std::to_string(i), ours.get_array()[i], kafkas.get_array()[i], out);
        }
    } else if (ours != kafkas) {
        out += "  " + where + ": ours " + json::serialize(ours) + ", Kafka's " + json::serialize(kafkas) + "\n";
    }
}

}  // namespace

std::string difference(const step& one, const json::value& ours, const json::value& kafkas) {
    auto left = ours;
    auto right = kafkas;
    // Names may have another order than what they stand for.
    if (!one.ordered) {
        sort_lists(left);
        sort_lists(right);
    }
    std::string found;
    compare(one, "", left, right, found);
    return found;
}

conversation& player::on(const std::string& name) {
    auto& open = open_[name];
    if (!open) open = std::make_unique<conversation>(port_);
    return *open;
}

json::value player::ask(const step& one) {
    if (one.sends) {
        const protocol::correlation_id id(++last_id_);
        auto frame = protocol::encode_request_frame(one.asked.build(facts_), one.version, id, "conformance");
        if (!frame) throw std::runtime_error("a request that cannot be written: " + frame.error().to_string());
        on(one.connection).send(one.claimed_version >= 0 ? claiming(*frame, one.claimed_version) : *frame);
        sent_[one.connection] = clock::now();
    }
    if (!one.awaits) return nullptr;
    const auto frame = on(one.connection).receive(patience);
    const auto taken = clock::now() - sent_[one.connection];
    if (taken < one.at_least) throw std::runtime_error("answered too early: " + one.says);
    if (!frame) {
        open_.erase(one.connection);
        return hung_up;
    }
    auto answer = read_frame(one, *frame);
    if (!one.ordered) sort_lists(answer);
    return answer;
}

json::value player::ask_until(const step& one) {
    json::value answer;
    const auto settled = [&] {
        answer = ask(one);
        // The next attempt may need it.
        if (has_all_learned(one, answer)) learn(one, answer);
        return std::all_of(one.conditions.begin(), one.conditions.end(),
                           [&](const auto& condition) { return holds(answer, condition); });
    };
    if (one.conditions.empty()) return ask(one);
    try {
        live::eventually(one.says, patience, settled);
    } catch (const live::not_in_time& late) {
        throw std::runtime_error(std::string(late.what()) + ": " + json::serialize(answer));
    }
    return answer;
}

void player::learn(const step& one, const json::value& answer) {
    const auto value_at = [&](const std::string& pointer) {
        boost::system::error_code missing;
        const auto* found = answer.find_pointer(pointer, missing);
        if (!found) throw std::runtime_error("there is no " + pointer + " in " + json::serialize(answer));
        return *found;
    };
    for (const auto& [name, pointer] : one.learned) {
        facts_.learn(name, value_at(pointer), pointer.substr(pointer.rfind('/') + 1));
    }
    for (const auto& [name, pointer] : one.kept) facts_.learn(name, value_at(pointer), "");
}

json::value player::play(const step& one) {
    const auto answer = ask_until(one);
    learn(one, answer);
    return facts_.with_names(answer);
}

std::vector<protocol::api_version_range> player::versions() {
    std::vector<protocol::api_version_range> spoken;
    const auto answer = ask(step("versions", 0, protocol::messages::api_versions_request{}));
    for (const auto& one : answer.at("apiKeys").as_array()) {
        spoken.push_back(
            {static_cast<protocol::api_key>(one.at("apiKey").to_number<std::int16_t>()),
             {one.at("minVersion").to_number<std::int16_t>(), one.at("maxVersion").to_number<std::int16_t>()}});
    }
    return spoken;
}

}  // namespace strandline::conformance::broker
