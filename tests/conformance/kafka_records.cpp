#include "tests/conformance/kafka_records.hpp"

#include <array>
#include <cerrno>
#include <stdexcept>
#include <unistd.h>

#include "tests/live/installation.hpp"

namespace strandline::conformance {

namespace {

live::child_options helper() {
    const auto jars = live::kafka_jars(live::newest_kafka).string() + "/*:" + live::kafka_helper_classes().string();
    return {.command = {"java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", jars,
                        "RecordsHelper"},
            .collect_output = false};
}

base::shared_bytes from_hex(const std::string& hex) {
    const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
    base::buffer bytes(hex.size() / 2);
    for (std::size_t i = 0; i < bytes.capacity(); ++i) {
        bytes.writable()[i] = static_cast<std::byte>(digit(hex[2 * i]) << 4U | digit(hex[2 * i + 1]));
    }
    const std::size_t size = bytes.capacity();
    return std::move(bytes).freeze(size);
}

}  // namespace

kafka_records::kafka_records() : process_(helper()) {}

base::shared_bytes kafka_records::write(const std::string& description) {
    return from_hex(ask("write " + description));
}

base::shared_bytes kafka_records::marker(const std::string& description) {
    return from_hex(ask("marker " + description));
}

std::string kafka_records::read(base::bytes_view batches) { return ask("read " + to_hex(batches)); }

std::string kafka_records::ask(const std::string& request) {
    process_.write(request + '\n');
    const auto answer = read_line();
    if (answer.starts_with("ok ")) return answer.substr(3);
    throw std::runtime_error("Kafka's record classes: " + answer + " to " + request.substr(0, 200));
}

std::string kafka_records::read_line() {
    for (std::size_t searched = 0;;) {
        const auto end = unread_.find('\n', searched);
        if (end != std::string::npos) {
            auto line = unread_.substr(0, end);
            unread_.erase(0, end + 1);
            return line;
        }
        searched = unread_.size();
        std::array<char, 65'536> chunk;
        const auto got = ::read(process_.output_descriptor(), chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw std::runtime_error("RecordsHelper ended: " + process_.errors().text());
        unread_.append(chunk.data(), static_cast<std::size_t>(got));
    }
}

std::string to_hex(base::bytes_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    hex.reserve(bytes.size() * 2);
    for (const auto byte : bytes) {
        const auto octet = std::to_integer<unsigned>(byte);
        hex += digits[octet >> 4U];
        hex += digits[octet & 0x0fU];
    }
    return hex;
}

}  // namespace strandline::conformance
