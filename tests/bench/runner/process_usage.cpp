#include "tests/bench/runner/process_usage.hpp"

#include <filesystem>
#include <fstream>
#include <string>

namespace strandline::bench {
namespace {

namespace fs = std::filesystem;

double field(const fs::path& status, const std::string& name) {
    std::ifstream in(status);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(name + ":")) return std::stod(line.substr(name.size() + 1));
    }
    return 0;
}

}  // namespace

process_usage process_usage::of(pid_t process, const std::string& name) {
    process_usage all;
    std::error_code gone;
    for (const auto& thread : fs::directory_iterator("/proc/" + std::to_string(process) + "/task", gone)) {
        std::string its_name;
        std::getline(std::ifstream(thread.path() / "comm"), its_name);
        if (!name.empty() && its_name != name) continue;
        double nanoseconds = 0;
        std::ifstream(thread.path() / "schedstat") >> nanoseconds;
        all.processor_seconds += nanoseconds * 1e-9;
        all.voluntary_switches += field(thread.path() / "status", "voluntary_ctxt_switches");
    }
    return all;
}

resident_memory resident_memory::of(pid_t process) {
    const fs::path status = "/proc/" + std::to_string(process) + "/status";
    return {field(status, "VmRSS") / 1024, field(status, "VmHWM") / 1024};
}

}  // namespace strandline::bench
