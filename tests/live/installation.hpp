// Where the build has put what live tests run: the tool, Kafka's jars, our Java helper, the script that starts a
// broker.
#pragma once

#include <filesystem>
#include <string>

namespace strandline::live {

inline constexpr auto newest_kafka = "4.4.0";

// Each throws std::runtime_error, saying how to make it, when it is not there.
std::filesystem::path kafka_jars(const std::string& version);
std::filesystem::path kafka_helper_classes();
std::filesystem::path strandline_tool();

std::filesystem::path broker_script();
// A new, empty folder for the data and logs of `name`, below the build directory.
std::filesystem::path fresh_folder(const std::string& name);

}  // namespace strandline::live
