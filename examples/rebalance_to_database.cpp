// Keeps offsets in a database of its own, together with what it made of the records: exactly once for that database.
#include <chrono>
#include <iostream>
#include <map>

#include <strandline/consumer.hpp>

using namespace std::chrono_literals;

// Stands for a real one, where both are written in one transaction.
struct database {
    std::map<strandline::topic_partition, std::int64_t> next_offset;
    std::map<std::string, int> orders_by_key;

    void store(const strandline::record& record) {
        ++orders_by_key[std::string(record.key_text().value_or("-"))];
        next_offset[record.topic_partition()] = record.offset() + 1;
    }
};

struct to_database : strandline::rebalance_listener {
    explicit to_database(database& which) : store(which) {}

    void on_assigned(strandline::access access, const strandline::partitions& added) override {
        std::cout << "assigned " << to_string(added) << std::endl;
        for (const auto& partition : added) {
            const auto known = store.next_offset.find(partition);
            access.seek(partition, known == store.next_offset.end() ? 0 : known->second);
        }
    }
    void on_revoked(strandline::access, const strandline::partitions& leaving) override {
        std::cout << "revoked " << to_string(leaving) << std::endl;
    }
    void on_lost(strandline::access, const strandline::partitions& gone) override {
        std::cout << "lost " << to_string(gone) << std::endl;  // nothing to save: the database is right already
    }

    database& store;
};

int main(int argc, char** argv) {
    const std::string brokers = argc > 1 ? argv[1] : "localhost:9092";
    database store;
    to_database listener(store);
    strandline::consumer consumer({.bootstrap_servers = brokers, .group_id = "ledger", .enable_auto_commit = false});
    consumer.subscribe({"orders"}, listener);  // the listener must outlive the subscription
    for (int stored = 0; stored < 9;) {
        for (const auto& record : consumer.poll(1s)) {
            store.store(record);
            ++stored;
        }
    }
    for (const auto& [key, count] : store.orders_by_key) std::cout << key << ": " << count << "\n";
    consumer.close();
}
