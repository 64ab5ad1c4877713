// Configs of topics, brokers and groups: shown and changed.
#include "tests/conformance/broker/requests.hpp"
#include "tests/conformance/broker/stories.hpp"

namespace strandline::conformance::broker {

namespace {

enum resource : std::int8_t { topic = 2, broker = 4, group = 32 };
enum operation : std::int8_t { set = 0, remove = 1, append = 2, subtract = 3 };

messages::describe_configs_request configs_of(std::int8_t type, const std::string& name, std::vector<std::string> keys,
                                              bool synonyms = false) {
    messages::describe_configs_request request;
    request.include_synonyms = synonyms;
    auto& asked = request.resources.emplace_back();
    asked.resource_type = type;
    asked.resource_name = name;
    asked.configuration_keys = std::move(keys);
    return request;
}

struct change {
    std::string name;
    std::int8_t operation;
    std::optional<std::string> value;
};

messages::incremental_alter_configs_request alter(std::int8_t type, const std::string& name,
                                                  const std::vector<change>& changes, bool only_check = false) {
    messages::incremental_alter_configs_request request;
    request.validate_only = only_check;
    auto& asked = request.resources.emplace_back();
    asked.resource_type = type;
    asked.resource_name = name;
    for (const auto& one : changes) {
        auto& made = asked.configs.emplace_back();
        made.name = one.name;
        made.config_operation = one.operation;
        made.value = one.value;
    }
    return request;
}

// What the test brokers leave as Kafka has it.
const std::vector<std::string> plain_keys{"cleanup.policy", "compression.type", "max.message.bytes",
                                          "message.timestamp.type", "segment.bytes"};

// The broker keeps its own synonyms for what a topic does not set.
step shown(const std::string& what, const std::string& topic_name, std::vector<std::string> keys = plain_keys) {
    return step(what, 4, configs_of(topic, topic_name, std::move(keys))).in_any_order();
}

}  // namespace

std::vector<story> config_stories() {
    return {
        {"configs of a topic are shown",
         joined(with_topic("shown-configs", 1, {{"retention.ms", "1000"}}),
                {shown("some", "shown-configs"), shown("one that was set", "shown-configs", {"retention.ms"}),
                 step("as they were shown long ago", 1, configs_of(topic, "shown-configs", {"retention.ms"})),
                 step("and where one that was set comes from", 4,
                      configs_of(topic, "shown-configs", {"retention.ms"}, true))
                     // Only a real broker's synonyms say what the test brokers' settings are.
                     .differs({"synonyms"}),
                 shown("one that nobody knows", "shown-configs", {"no.such.config"})})},
        {"configs of what does not exist",
         {step("a topic nobody has", 4, configs_of(topic, "nobody-made-it", plain_keys)),
          step("a topic with a name that is none", 4, configs_of(topic, "a b", plain_keys)),
          step("a broker nobody knows", 4, configs_of(broker, "9", {"num.partitions"})),
          step("a broker whose number is none", 4, configs_of(broker, "one", {"num.partitions"})),
          step("a kind of resource that is none", 4, configs_of(99, "any", {}))}},
        {"configs of a broker are shown",
         {step("one of its own", 4, configs_of(broker, "1", {"num.partitions"})),
          step("of all brokers, where none is set", 4, configs_of(broker, "", {"num.partitions"}))}},
        {"configs of a topic are changed",
         joined(
             with_topic("changed-configs"),
             {step("set", 1, alter(topic, "changed-configs", {{"retention.ms", set, "5000"}})),
              shown("it is set", "changed-configs", {"retention.ms"}).until("/results/0/configs/0/value", "5000"),
              step("set two, long ago", 0,
                   alter(topic, "changed-configs", {{"segment.bytes", set, "2000000"}, {"retention.ms", set, "6000"}})),
              shown("both are", "changed-configs", {"retention.ms", "segment.bytes"})
                  .until("/results/0/configs/0/value", "6000"),
              step("append", 1, alter(topic, "changed-configs", {{"cleanup.policy", append, "compact"}})),
              shown("it is there", "changed-configs", {"cleanup.policy"})
                  .until("/results/0/configs/0/value", "delete,compact"),
              step("append what is there", 1, alter(topic, "changed-configs", {{"cleanup.policy", append, "compact"}})),
              step("subtract", 1, alter(topic, "changed-configs", {{"cleanup.policy", subtract, "delete"}})),
              shown("it is gone", "changed-configs", {"cleanup.policy"}).until("/results/0/configs/0/value", "compact"),
              step("delete", 1, alter(topic, "changed-configs", {{"segment.bytes", remove, std::nullopt}})),
              shown("it is as it was", "changed-configs", {"segment.bytes"})
                  .until("/results/0/configs/0/value", "1073741824"),
              step("only to see whether it could be", 1,
                   alter(topic, "changed-configs", {{"retention.ms", set, "7000"}}, true)),
              shown("it is not", "changed-configs", {"retention.ms"})})},
        {"changes of configs that are refused",
         joined(with_topic("stubborn-configs"),
                {step("a config nobody knows", 1, alter(topic, "stubborn-configs", {{"no.such.config", set, "1"}})),
                 step("a number that is none", 1, alter(topic, "stubborn-configs", {{"retention.ms", set, "soon"}})),
                 step("no value", 1, alter(topic, "stubborn-configs", {{"retention.ms", set, std::nullopt}})),
                 step("append to a number", 1, alter(topic, "stubborn-configs", {{"retention.ms", append, "1"}})),
                 step("subtract from a number", 1, alter(topic, "stubborn-configs", {{"retention.ms", subtract, "1"}})),
                 step("an operation that is none", 1, alter(topic, "stubborn-configs", {{"retention.ms", 9, "1"}})),
                 step("the same one twice", 1,
                      alter(topic, "stubborn-configs", {{"retention.ms", set, "1"}, {"retention.ms", set, "2"}})),
                 step("one right and one wrong", 1,
                      alter(topic, "stubborn-configs", {{"retention.ms", set, "1"}, {"segment.bytes", set, "few"}})),
                 shown("nothing of all that is set", "stubborn-configs", {"segment.bytes"}),
                 step("of a topic nobody has", 1, alter(topic, "nobody-made-it", {{"retention.ms", set, "1"}})),
                 step("of a broker nobody knows", 1, alter(broker, "9", {{"log.retention.ms", set, "1"}})),
                 step("of a kind of resource that is none", 1, alter(99, "any", {{"retention.ms", set, "1"}}))})},
        {"configs of a group",
         {step("set", 1, alter(group, "configured-group", {{"consumer.session.timeout.ms", set, "7000"}})),
          step("it is set", 4, configs_of(group, "configured-group", {"consumer.session.timeout.ms"}))
              .until("/results/0/configs/0/value", "7000"),
          step("one that nobody knows", 1, alter(group, "configured-group", {{"no.such.config", set, "1"}})),
          step("a number that is none", 1,
               alter(group, "configured-group", {{"consumer.session.timeout.ms", set, "soon"}})),
          step("of a group nobody has", 4, configs_of(group, "nobodys-group", {"consumer.session.timeout.ms"}))
              .differed_once({"configSource"}),
          step("of a group without a name", 4, configs_of(group, "", {"consumer.session.timeout.ms"}))}},
    };
}

}  // namespace strandline::conformance::broker
