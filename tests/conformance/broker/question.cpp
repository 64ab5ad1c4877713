#include "tests/conformance/broker/question.hpp"

#include <stdexcept>
#include <string>

#include "protocol/base64.hpp"
#include "protocol/codec.hpp"
#include "protocol/json.hpp"
#include "protocol/messages/all.hpp"
#include "records/batch_scanner.hpp"
#include "records/control_record.hpp"
#include "records/decompression_context.hpp"
#include "records/record_reader.hpp"

namespace strandline::conformance::broker {

namespace {

namespace json = boost::json;

json::value text_of(const std::optional<base::bytes_view>& bytes) {
    return bytes ? json::value(base::as_text(*bytes)) : json::value(nullptr);
}

json::array tell_records(const records::record_batch& batch) {
    json::array told;
    records::decompression_context context;
    records::record_reader reader(batch, context);
    records::record_view record;
    while (reader.next(record) == records::read_status::record) {
        told.push_back({{"offset", record.offset},
                        {"timestamp", record.timestamp},
                        {"key", text_of(record.key())},
                        {"value", text_of(record.value())}});
    }
    return told;
}

json::object tell(const records::record_batch& batch) {
    json::object told{{"baseOffset", batch.base_offset()},         {"lastOffset", batch.last_offset()},
                      {"leaderEpoch", batch.leader_epoch()},       {"codec", static_cast<int>(batch.codec())},
                      {"transactional", batch.is_transactional()}, {"producerId", batch.producer_id()},
                      {"producerEpoch", batch.producer_epoch()},   {"baseSequence", batch.base_sequence()}};
    if (batch.is_control()) {
        // Written by the broker, at its own time.
        const auto control = records::read_control_record(batch);
        told["control"] = control && *control ? static_cast<int>((*control)->type) : -1;
    } else {
        told["records"] = tell_records(batch);
    }
    return told;
}

void tell_all_records(json::value& answer) {
    if (auto* array = answer.if_array()) {
        for (auto& element : *array) tell_all_records(element);
    }
    auto* object = answer.if_object();
    if (!object) return;
    for (auto& member : *object) {
        if (member.key() != "records" || !member.value().is_string()) {
            tell_all_records(member.value());
            continue;
        }
        json::array batches;
        const auto bytes = protocol::from_base64(member.value().get_string());
        records::batch_scanner scanner(base::shared_bytes::copy_of(*bytes));
        records::record_batch batch;
        auto status = scanner.next(batch);
        for (; status == records::scan_status::batch; status = scanner.next(batch)) batches.push_back(tell(batch));
        if (status == records::scan_status::truncated) batches.push_back("cut off");
        if (status == records::scan_status::corrupt) batches.push_back("corrupt");
        member.value() = std::move(batches);
    }
}

}  // namespace

json::value read_answer(protocol::api_key key, std::int16_t version, const base::shared_bytes& body) {
    std::optional<json::value> read;
    protocol::messages::all_requests::for_each([&](auto request) {
        using response = typename decltype(request)::type::response;
        if (response::key != key) return;
        const auto message = protocol::decode<response>(body, version);
        if (!message) throw std::runtime_error("an answer that cannot be read: " + message.error().to_string());
        read = protocol::to_json(*message, version).value();
    });
    if (!read) throw std::logic_error("no such API");
    tell_all_records(*read);
    return *read;
}

}  // namespace strandline::conformance::broker
