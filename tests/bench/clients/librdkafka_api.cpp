#include "tests/bench/clients/librdkafka_api.hpp"

#include <dlfcn.h>
#include <stdexcept>
#include <type_traits>

namespace strandline::bench {

librdkafka_api::librdkafka_api(const std::string& library) {
    void* const opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    // One thread loads; nobody else asks.
    if (!opened) throw std::runtime_error(::dlerror());  // NOLINT(concurrency-mt-unsafe)
    const auto find = [&](auto& function, const char* name) {
        void* const found = ::dlsym(opened, name);
        if (!found) throw std::runtime_error(library + " has no " + name);
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
    };
    find(version, "rd_kafka_version_str");
    find(conf_new, "rd_kafka_conf_new");
    find(conf_set, "rd_kafka_conf_set");
    find(create, "rd_kafka_new");
    find(poll_set_consumer, "rd_kafka_poll_set_consumer");
    find(list_new, "rd_kafka_topic_partition_list_new");
    find(list_add, "rd_kafka_topic_partition_list_add");
    find(list_set_offset, "rd_kafka_topic_partition_list_set_offset");
    find(list_destroy, "rd_kafka_topic_partition_list_destroy");
    find(assign, "rd_kafka_assign");
    find(subscribe, "rd_kafka_subscribe");
    find(assignment, "rd_kafka_assignment");
    find(pause_partitions, "rd_kafka_pause_partitions");
    find(queue_get_consumer, "rd_kafka_queue_get_consumer");
    find(queue_destroy, "rd_kafka_queue_destroy");
    find(consume_batch_queue, "rd_kafka_consume_batch_queue");
    find(message_destroy, "rd_kafka_message_destroy");
    find(consumer_close, "rd_kafka_consumer_close");
    find(destroy, "rd_kafka_destroy");
}

}  // namespace strandline::bench
