#include "tests/conformance/subject.hpp"

#include <stdexcept>
#include <utility>

#include <boost/json.hpp>

#include "protocol/json.hpp"
#include "protocol/messages/all.hpp"
#include "tests/conformance/random_message.hpp"

namespace strandline::conformance {

namespace {

template <class Message>
protocol::result<base::shared_bytes> encoded(const Message& message, std::int16_t version) {
    const auto expected_size = protocol::measure(message, version);
    protocol::writer out(expected_size);
    if (auto written = protocol::encode(out, message, version); !written) return tl::unexpected(written.error());
    if (out.size() != expected_size) throw std::logic_error("measure is wrong for " + std::string(Message::name));
    return std::move(out).take();
}

// Kafka tells the size of records only.
void tell_sizes_of_records(boost::json::value& json) {
    if (auto* const array = json.if_array()) {
        for (auto& element : *array) tell_sizes_of_records(element);
    } else if (auto* const object = json.if_object()) {
        for (auto& member : *object) tell_sizes_of_records(member.value());
        const auto records = object->find("records");
        if (records == object->end() || !records->value().is_string()) return;
        const auto size = protocol::from_base64(records->value().get_string())->size();
        object->erase(records);
        (*object)["recordsSizeInBytes"] = static_cast<std::int64_t>(size);
    }
}

template <class Message>
subject subject_of() {
    return {
        .name = Message::name,
        .key = Message::key,
        .min_version = Message::min_version,
        .max_version = Message::max_version,
        .random = [](base::random_source& random,
                     std::int16_t version) { return encoded(random_message<Message>(random, version), version); },
        .refusal = [](const base::shared_bytes& bytes, std::int16_t version) -> std::optional<protocol::codec_error> {
            auto message = protocol::decode<Message>(bytes, version);
            if (message) return std::nullopt;
            return std::move(message).error();
        },
        .rewrite = [](const base::shared_bytes& bytes, std::int16_t version) -> protocol::result<base::shared_bytes> {
            return protocol::decode<Message>(bytes, version).and_then([version](const Message& message) {
                return encoded(message, version);
            });
        },
        .json = [](const base::shared_bytes& bytes, std::int16_t version) -> protocol::result<boost::json::value> {
            return protocol::decode<Message>(bytes, version).and_then([version](const Message& message) {
                return protocol::to_json(message, version);
            });
        },
        .reread_json = [](const boost::json::value& json,
                          std::int16_t version) -> protocol::result<boost::json::value> {
            return protocol::from_json<Message>(json, version).and_then([version](const Message& message) {
                return protocol::to_json(message, version);
            });
        },
    };
}

}  // namespace

std::optional<std::string> json_difference(const subject& message, const base::shared_bytes& bytes,
                                           std::int16_t version, std::string_view kafka_json) {
    auto ours = message.json(bytes, version);
    if (!ours) return ours.error().to_string();
    // JSON leaves out unknown tagged fields, so what is read from it is written and read once more.
    const auto first = message.reread_json(*ours, version);
    if (!first) return "our own JSON is refused: " + first.error().to_string();
    const auto second = message.reread_json(*first, version);
    if (!second || *second != *first) return "our own JSON is not read as it was written";

    tell_sizes_of_records(*ours);
    if (*ours == boost::json::parse(kafka_json)) return std::nullopt;
    return "ours " + boost::json::serialize(*ours) + "\nKafka's " + std::string(kafka_json);
}

const std::vector<subject>& all_subjects() {
    static const auto subjects = [] {
        std::vector<subject> made;
        protocol::messages::all_requests::for_each([&](auto request) {
            using type = typename decltype(request)::type;
            made.push_back(subject_of<type>());
            made.push_back(subject_of<typename type::response>());
        });
        return made;
    }();
    return subjects;
}

}  // namespace strandline::conformance
