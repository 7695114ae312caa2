// What every command shares: opening a device, notes on stderr, JSON on stdout, errors to exit status.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/failure.hpp"
#include "seiche/device.hpp"

namespace seiche::cli {

using Json = nlohmann::ordered_json;

/// Exit status of the tool.
enum Status : int { ok = 0, failed = 1, usage = 2 };

/// Prints "seiche: <line>" on stderr.
void note(const std::string& line);

/// Says on stderr how many of a file's samples lay beyond what they can hold, if any; `what` names that.
void note_clipped(std::uint64_t clipped, std::uint64_t of, const std::string& what);

/// Prints `json` on stdout, indented. Strings that are not UTF-8 are mended, numbers that are not finite become null.
void print_json(const Json& json);

/// "opencl:0 (the driver's own name)".
std::string device_text(const Device& device);

/// Opens a device (empty name: the default) and says on stderr which one it is.
Device open_device(const std::string& name);

/// Runs `work`; on an exception prints one line on stderr and returns the exit status that it stands for.
int guarded(const std::function<void()>& work);

/// A line that is rewritten in place while work is long; silent when stderr is not a terminal or the work is short.
class Progress {
public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// `done` of `total` parts are ready.
    void at(double done, double total);

private:
    std::string what_;
    double started_ = 0, last_ = 0;
    bool terminal_ = false, shown_ = false;
};

/// Seconds of a monotonic clock.
double now_seconds();

}  // namespace seiche::cli
