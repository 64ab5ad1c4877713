// What a client asks first: versions, coordinators, brokers.
#include "tests/conformance/broker/requests.hpp"
#include "tests/conformance/broker/stories.hpp"

namespace strandline::conformance::broker {

namespace {

// A real broker has more APIs and features; that ours are among them is a test of its own.
const std::vector<std::string> what_is_spoken{"apiKeys", "supportedFeatures", "finalizedFeatures",
                                              "finalizedFeaturesEpoch"};

messages::api_versions_request versions(const std::string& name, const std::string& version) {
    messages::api_versions_request request;
    request.client_software_name = name;
    request.client_software_version = version;
    return request;
}

messages::api_versions_request versions_of(std::optional<std::string> cluster, std::int32_t broker) {
    auto request = versions("strandline", "1.0");
    request.cluster_id = std::move(cluster);
    request.node_id = protocol::broker_id(broker);
    return request;
}

messages::find_coordinator_request one_coordinator(const std::string& key, std::int8_t type = 0) {
    messages::find_coordinator_request request;
    request.coordinator_key = key;
    request.key_type = type;
    return request;
}

messages::find_coordinator_request coordinators(std::vector<std::string> keys, std::int8_t type = 0) {
    messages::find_coordinator_request request;
    request.coordinator_keys = std::move(keys);
    request.key_type = type;
    return request;
}

messages::describe_cluster_request cluster(std::int8_t endpoint_type = 1, bool fenced = false,
                                           bool operations = false) {
    messages::describe_cluster_request request;
    request.endpoint_type = endpoint_type;
    request.include_fenced_brokers = fenced;
    request.include_cluster_authorized_operations = operations;
    return request;
}

std::vector<story> version_stories() {
    return {
        {"a client asks what the broker speaks",
         {step("in the first version", 0, messages::api_versions_request{}).differs(what_is_spoken),
          step("before there were names", 2, messages::api_versions_request{}).differs(what_is_spoken),
          step("with a name", 3, versions("strandline", "1.0")).differs(what_is_spoken),
          step("with a name, later", 4, versions("strandline", "1.0")).differs(what_is_spoken)}},
        {"a client asks in a version nobody speaks",
         {step("is told the versions of that question alone", 3, versions("strandline", "1.0"))
              .claiming(99)
              .differed_once({"maxVersion"}),
          step("and may ask again on the same connection", 3, versions("strandline", "1.0")).differs(what_is_spoken)}},
        {"a client with a name that is none",
         {step("an empty name", 3, versions("", "1.0")), step("an empty version", 3, versions("strandline", "")),
          step("a name with blanks", 3, versions("strand line", "1.0")),
          step("a name that begins with a dash", 3, versions("-line", "1.0"))}},
        {"a client says whom it means",
         {step("nobody in particular", 5, versions_of(std::nullopt, -1)).differs(what_is_spoken),
          step("a broker of no cluster", 5, versions_of(std::nullopt, 1)),
          step("a cluster without a broker", 5, versions_of("somewhere-else", -1)),
          step("this broker", 5, [](const known& k) { return versions_of(k.text("clusterId"), 1); })
              .differs(what_is_spoken),
          step("another broker", 5, [](const known& k) { return versions_of(k.text("clusterId"), 7); }),
          step("another cluster", 5, versions_of("somewhere-else", 1))},
         "4.4.0"},
        {"requests in versions nobody speaks end the connection",
         {step("metadata", 12, metadata_of({"any"})).claiming(99), step("fetch", 12, fetch("any")).claiming(99),
          step("heartbeat", 1, short_heartbeat("any", "me", 1)).claiming(99)}},
    };
}

std::vector<story> coordinator_stories() {
    return {
        {"coordinators of groups",
         {step("one, in the first version", 0, one_coordinator("found-group")),
          step("one, with messages", 2, one_coordinator("found-group")),
          step("one, flexible", 3, one_coordinator("found-group")),
          step("several", 4, coordinators({"found-group", "another-group"})), step("none", 4, coordinators({})),
          step("of a group without a name", 4, coordinators({""})), step("newest", 6, coordinators({"found-group"}))}},
        {"coordinators of transactions",
         {step("one", 3, one_coordinator("found-transaction", 1)),
          step("several", 4, coordinators({"found-transaction", "another"}, 1)),
          step("without a name", 4, coordinators({""}, 1))}},
        {"coordinators of what does not exist",
         {step("type 7, old", 3, one_coordinator("key", 7)), step("type 7, new", 4, coordinators({"key"}, 7)),
          step("type -1", 4, coordinators({"key"}, -1)),
          // The fake has no share groups, and older versions may not ask for them.
          step("a share group's, before there were any", 5, coordinators({"group:topic:0"}, 2))}},
    };
}

std::vector<story> broker_stories() {
    return {
        {"the brokers of the cluster",
         {step("first version", 0, cluster()), step("with endpoint types", 1, cluster()),
          step("also fenced ones", 2, cluster(1, true)), step("with operations", 1, cluster(1, false, true)),
          step("controllers, from a broker", 1, cluster(2)), step("an endpoint type that is none", 1, cluster(9))},
         "4.0.0"},
    };
}

}  // namespace

std::vector<story> cluster_stories() {
    auto all = version_stories();
    for (auto* some : {&coordinator_stories, &broker_stories}) {
        for (auto& one : some()) all.push_back(std::move(one));
    }
    return all;
}

}  // namespace strandline::conformance::broker
