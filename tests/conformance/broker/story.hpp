// What is asked of a broker, as data: stories of steps, each a request and what may differ in the answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "tests/conformance/broker/question.hpp"

namespace strandline::conformance::broker {

// A step reads as one line, what is particular about it behind it:
//     step("by an id nobody has", 12, metadata_of(some_id)).differs({"port"})
class step {
public:
    step(std::string sentence, std::int16_t request_version, question request)
        : says(std::move(sentence)), version(request_version), asked(std::move(request)) {}

    // Fields, wherever in the answer, whose values may differ between the two.
    step differs(std::vector<std::string> fields) && {
        may_differ = std::move(fields);
        return std::move(*this);
    }
    // The same, where an older broker is asked: what newer ones do otherwise.
    step differed_once(std::vector<std::string> fields) && {
        may_differ_from_older = std::move(fields);
        return std::move(*this);
    }
    // The value at this JSON pointer gets a name: later steps may use it, and it is compared by that name.
    step learns(std::string name, std::string pointer) && {
        learned.emplace_back(std::move(name), std::move(pointer));
        return std::move(*this);
    }
    // Later steps may use it, but it must be the same on both.
    step keeps(std::string name, std::string pointer) && {
        kept.emplace_back(std::move(name), std::move(pointer));
        return std::move(*this);
    }
    // Asked again until the answer has this there: what brokers do in their own time.
    step until(std::string pointer, boost::json::value expected) && {
        conditions.emplace_back(std::move(pointer), std::move(expected));
        return std::move(*this);
    }
    // A list whose order means nothing.
    step in_any_order() && {
        ordered = false;
        return std::move(*this);
    }
    step takes_at_least(std::chrono::milliseconds span) && {
        at_least = span;
        return std::move(*this);
    }
    // On a connection of its own, kept under this name.
    step on(std::string name) && {
        connection = std::move(name);
        return std::move(*this);
    }
    // Sent, and the story goes on; `answer_on` of that connection takes the answer.
    step sent_ahead_on(std::string name) && {
        connection = std::move(name);
        awaits = false;
        return std::move(*this);
    }
    // As if in this version, which may be one that does not exist.
    step claiming(std::int16_t header_version) && {
        claimed_version = header_version;
        return std::move(*this);
    }

    std::string says;
    std::int16_t version;
    question asked;
    std::vector<std::string> may_differ = {};
    std::vector<std::string> may_differ_from_older = {};
    std::vector<std::pair<std::string, std::string>> learned = {};
    std::vector<std::pair<std::string, std::string>> kept = {};
    std::vector<std::pair<std::string, boost::json::value>> conditions = {};
    bool ordered = true;
    std::chrono::milliseconds at_least{0};
    std::string connection = {};
    bool sends = true;
    bool awaits = true;
    std::int16_t claimed_version = -1;
};

// Takes the answer to what was sent ahead.
inline step answer_on(std::string connection, step sent) {
    sent.says = "the answer to: " + sent.says;
    sent.connection = std::move(connection);
    sent.sends = false;
    sent.awaits = true;
    return sent;
}

struct story {
    std::string name;
    std::vector<step> steps;
    // The first version of Kafka that behaves so; the newest one is always asked.
    std::string since = "4.0.0";
};

// One list from pieces: steps that several stories begin with.
inline std::vector<step> joined(std::vector<step> first, std::vector<step> second) {
    for (auto& one : second) first.push_back(std::move(one));
    return first;
}

}  // namespace strandline::conformance::broker
