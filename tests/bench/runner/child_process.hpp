// A process that the runner starts and talks with by lines.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace strandline::bench {

class child_process {
public:
    // `core`: the only one that it may use.
    child_process(const std::vector<std::string>& command, std::optional<int> core);
    // Kills it if it has not ended.
    ~child_process();
    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;

    pid_t id() const noexcept { return id_; }
    // Nothing: it has ended, or said nothing for so long.
    std::optional<std::string> read_line(double seconds);
    void write_line(const std::string& line);
    void send_signal(int signal);
    bool has_ended() const;

private:
    pid_t id_ = -1;
    int input_ = -1;
    int output_ = -1;
    std::string arrived_;
};

}  // namespace strandline::bench
