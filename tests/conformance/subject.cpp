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

// JSON leaves out unknown tagged fields, so what is read from it is written and read once more.
template <class Message>
std::optional<std::string> rereading_difference(const boost::json::value& json, std::int16_t version) {
    const auto first = protocol::from_json<Message>(json, version);
    if (!first) return "our own JSON is refused: " + first.error().to_string();
    const auto second = protocol::from_json<Message>(protocol::to_json(*first, version).value(), version);
    if (second == *first) return std::nullopt;
    return "our own JSON is not read as it was written";
}

template <class Message>
std::optional<std::string> json_difference(const base::shared_bytes& bytes, std::int16_t version,
                                           std::string_view kafka_json) {
    const auto message = protocol::decode<Message>(bytes, version);
    if (!message) return message.error().to_string();
    const auto ours = protocol::to_json(*message, version);
    if (!ours) return ours.error().to_string();

    if (const auto difference = rereading_difference<Message>(*ours, version)) return difference;

    boost::json::value comparable = *ours;
    tell_sizes_of_records(comparable);
    if (comparable == boost::json::parse(kafka_json)) return std::nullopt;
    return "ours " + boost::json::serialize(comparable) + "\nKafka's " + std::string(kafka_json);
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
        .json_difference = &json_difference<Message>,
    };
}

}  // namespace

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
