// librdkafka, by its batch interface, which is its fastest.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/bench/clients/librdkafka_api.hpp"
#include "tests/bench/clients/measured_window.hpp"
#include "tests/bench/clients/scenario.hpp"
#include "tests/bench/clock.hpp"

namespace strandline::bench {
namespace {

constexpr int a_while_ms = 100;
constexpr int for_ever_ms = -1;
constexpr int consumer_type = 1;
constexpr std::size_t most_messages = 10'000;

class librdkafka_consumer {
public:
    using properties = std::initializer_list<std::pair<const char*, const char*>>;

    librdkafka_consumer(const librdkafka_api& api, const scenario& wanted, properties more)
        : api_(api), wanted_(wanted) {
        void* const conf = api_.conf_new();
        set(conf, "bootstrap.servers", wanted.brokers.c_str());
        set(conf, "group.id", wanted.group.c_str());
        set(conf, "check.crcs", "true");
        set(conf, "log_level", "0");
        set(conf, "auto.offset.reset", "earliest");
        for (const auto& [name, value] : more) set(conf, name, value);
        // It has no zero: one millisecond is the least.
        if (wanted.retry_backoff_ms >= 0) {
            set(conf, "retry.backoff.ms", std::to_string(std::max<std::int64_t>(wanted.retry_backoff_ms, 1)).c_str());
        }
        char error[512];
        client_ = api_.create(consumer_type, conf, error, sizeof error);
        if (!client_) throw std::runtime_error(error);
        api_.poll_set_consumer(client_);
        queue_ = api_.queue_get_consumer(client_);
    }
    ~librdkafka_consumer() { close(); }
    librdkafka_consumer(const librdkafka_consumer&) = delete;
    librdkafka_consumer& operator=(const librdkafka_consumer&) = delete;

    void assign_all() {
        void* const list = api_.list_new(static_cast<int>(wanted_.partitions));
        for (std::size_t i = 0; i < wanted_.partitions; ++i) {
            api_.list_add(list, wanted_.topic.c_str(), static_cast<std::int32_t>(i));
            api_.list_set_offset(list, wanted_.topic.c_str(), static_cast<std::int32_t>(i), 0);
        }
        api_.assign(client_, list);
        api_.list_destroy(list);
    }
    // True once something was assigned and is paused.
    bool pause_all() {
        void* list = nullptr;
        api_.assignment(client_, &list);
        // Its first member is the number of partitions.
        int count = 0;
        std::memcpy(&count, list, sizeof count);
        if (count > 0) api_.pause_partitions(client_, list);
        api_.list_destroy(list);
        return count > 0;
    }
    void subscribe() {
        void* const list = api_.list_new(1);
        api_.list_add(list, wanted_.topic.c_str(), -1);
        api_.subscribe(client_, list);
        api_.list_destroy(list);
    }

    // Calls on_record(message) for each; gives their number.
    std::size_t poll(int timeout_ms, auto&& on_record, std::size_t most = most_messages) {
        const auto count = api_.consume_batch_queue(queue_, timeout_ms, messages_.data(), most);
        std::size_t records = 0;
        for (auto* const message : std::span(messages_).first(static_cast<std::size_t>(count < 0 ? 0 : count))) {
            if (message->err == 0) {
                on_record(*message);
                ++records;
            }
            api_.message_destroy(message);
        }
        return records;
    }
    // Looks at none of them.
    std::size_t pass(int timeout_ms, std::size_t most) {
        return poll(timeout_ms, [](const rdkafka_message&) {}, most);
    }

    void close() {
        if (!client_) return;
        api_.queue_destroy(queue_);
        api_.consumer_close(client_);
        api_.destroy(std::exchange(client_, nullptr));
    }

private:
    void set(void* conf, const char* name, const char* value) {
        char error[512];
        if (api_.conf_set(conf, name, value, error, sizeof error) != 0) throw std::runtime_error(error);
    }

    const librdkafka_api& api_;
    const scenario& wanted_;
    void* client_ = nullptr;
    void* queue_ = nullptr;
    std::vector<rdkafka_message*> messages_ = std::vector<rdkafka_message*>(most_messages);
};

void flood(const librdkafka_api& api, const scenario& wanted) {
    librdkafka_consumer reading(api, wanted, {{"enable.auto.commit", "false"}});
    reading.assign_all();
    tally read(wanted.partitions);
    measured_window window(wanted.warm_up, wanted.seconds);
    while (window.goes_on(read)) {
        reading.poll(a_while_ms, [&](const rdkafka_message& message) {
            read.add(message.partition, message.offset, static_cast<const std::byte*>(message.payload), message.size);
        });
    }
    window.print(read);
    std::_Exit(0);  // its own way to end takes long with so much in its queue, and is measured elsewhere
}

void latency(const librdkafka_api& api, const scenario& wanted) {
    librdkafka_consumer reading(api, wanted, {{"enable.auto.commit", "false"}});
    reading.assign_all();
    std::vector<double> latencies;
    const auto begin = monotonic_seconds() + wanted.warm_up;
    while (monotonic_seconds() < begin + wanted.seconds) {
        reading.poll(
            a_while_ms,
            [&](const rdkafka_message& message) {
                const auto now = monotonic_nanoseconds();
                std::int64_t appended = 0;
                std::memcpy(&appended, message.payload, sizeof appended);
                if (static_cast<double>(now) * 1e-9 >= begin)
                    latencies.push_back(static_cast<double>(now - appended) * 1e-3);
            },
            1);
    }
    print_latencies(std::move(latencies));
}

void run_in_group(const librdkafka_api& api, const scenario& wanted) {
    const auto before_start = monotonic_seconds();
    librdkafka_consumer member(api, wanted, {{"group.protocol", "consumer"}});
    if (wanted.name == "assigned") {
        member.assign_all();
    } else {
        member.subscribe();
    }
    if (wanted.name == "idle" || wanted.name == "assigned") {
        while (true) member.pass(for_ever_ms, most_messages);
    } else if (wanted.name == "paused") {
        while (!member.pause_all()) member.pass(a_while_ms, most_messages);
        while (true) member.pass(for_ever_ms, most_messages);
    } else if (wanted.name == "draining") {
        while (true) member.pass(for_ever_ms, 5);
    } else if (wanted.name == "startup") {
        // One record at a time: a batch would wait until it is full.
        while (member.pass(for_ever_ms, 1) == 0) {
        }
        print_milliseconds(before_start, monotonic_seconds());
    } else if (wanted.name == "close") {
        while (!told_to_go_on()) member.pass(a_while_ms, most_messages);
        const auto before = monotonic_seconds();
        member.close();
        print_milliseconds(before, monotonic_seconds());
    } else if (wanted.name == "stall") {
        while (member.pass(for_ever_ms, 1) == 0) {
        }
        while (!told_to_go_on()) std::this_thread::sleep_for(std::chrono::milliseconds(a_while_ms));
    }
}

}  // namespace

int run_librdkafka_client(const scenario& wanted) {
    const librdkafka_api api(wanted.library);
    if (wanted.name == "flood") {
        flood(api, wanted);
    } else if (wanted.name == "latency") {
        latency(api, wanted);
    } else {
        run_in_group(api, wanted);
    }
    return 0;
}

}  // namespace strandline::bench
