// The part of librdkafka's C interface that the comparison uses, found at run time so that nothing depends on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace strandline::bench {

// As its header documents rd_kafka_message_t.
struct rdkafka_message {
    int err;
    void* topic_handle;
    std::int32_t partition;
    void* payload;
    std::size_t size;
    void* key;
    std::size_t key_size;
    std::int64_t offset;
    void* inner;
};

class librdkafka_api {
public:
    // Throws when the library or one of the functions is not there.
    explicit librdkafka_api(const std::string& library);

    const char* (*version)() = nullptr;
    void* (*conf_new)() = nullptr;
    int (*conf_set)(void* conf, const char* name, const char* value, char* error, std::size_t error_size) = nullptr;
    void* (*create)(int type, void* conf, char* error, std::size_t error_size) = nullptr;
    int (*poll_set_consumer)(void* client) = nullptr;
    void* (*list_new)(int size) = nullptr;
    void* (*list_add)(void* list, const char* topic, std::int32_t partition) = nullptr;
    int (*list_set_offset)(void* list, const char* topic, std::int32_t partition, std::int64_t offset) = nullptr;
    void (*list_destroy)(void* list) = nullptr;
    int (*assign)(void* client, const void* list) = nullptr;
    int (*subscribe)(void* client, const void* list) = nullptr;
    int (*assignment)(void* client, void** list) = nullptr;
    int (*pause_partitions)(void* client, void* list) = nullptr;
    void* (*queue_get_consumer)(void* client) = nullptr;
    void (*queue_destroy)(void* queue) = nullptr;
    std::ptrdiff_t (*consume_batch_queue)(void* queue, int timeout_ms, rdkafka_message** messages,
                                          std::size_t count) = nullptr;
    void (*message_destroy)(rdkafka_message* message) = nullptr;
    int (*consumer_close)(void* client) = nullptr;
    void (*destroy)(void* client) = nullptr;
};

}  // namespace strandline::bench
