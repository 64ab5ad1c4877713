// The places are compiled in by CMake.
#include "tests/live/installation.hpp"

#include <stdexcept>

namespace strandline::live {

namespace {

using std::filesystem::path;

path existing(const path& place, const std::string& remedy) {
    if (!std::filesystem::exists(place)) throw std::runtime_error(place.string() + " is missing: " + remedy);
    return place;
}

const path kafka_folder = STRANDLINE_KAFKA_DIR;
const path java_sources = STRANDLINE_JAVA_SOURCES;

std::string fetching(const std::string& version) {
    return "run " + (java_sources / "fetch").string() + " " + version + " " + kafka_folder.string();
}

}  // namespace

path kafka_jars(const std::string& version) {
    return existing(kafka_folder / version / "complete", fetching(version)).parent_path() / "libs";
}

path kafka_helper_classes() { return existing(kafka_folder / "classes", fetching(newest_kafka)); }

path strandline_tool() { return existing(STRANDLINE_TOOL, "build the tool first"); }

path broker_script() { return java_sources / "broker"; }

path fresh_folder(const std::string& name) {
    const auto folder = path(STRANDLINE_LIVE_FOLDER) / name;
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
}

}  // namespace strandline::live
