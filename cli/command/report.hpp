// What every command shares: opening a device, notes on stderr, JSON on stdout, errors to exit status.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/command/progress.hpp"
#include "cli/text/failure.hpp"
#include "seiche/device.hpp"

namespace seiche::cli {

using Json = nlohmann::ordered_json;

/// Exit status of the tool.
enum Status : int { ok = 0, failed = 1, usage = 2 };

/// Says on stderr how many of a file's samples lay beyond what they can hold, if any; `what` names that.
void note_clipped(std::uint64_t clipped, std::uint64_t of, const std::string& what);

/// Prints `json` on stdout, indented. Strings that are not UTF-8 are mended, numbers that are not finite become null.
void print_json(const Json& json);

/// One row of the report that people read.
struct Row {
    std::string name, value;
};
void print_rows(const std::vector<Row>& rows);

/// "opencl:0 (the driver's own name)".
std::string device_text(const Device& device);

/// Opens a device (empty name: the default) and says on stderr which one it is.
Device open_device(const std::string& name);

/// Runs `work`; on an exception prints one line on stderr and returns the exit status that it stands for.
int guarded(const std::function<void()>& work);

/// What the error says, without the names of classes.
std::string message_of(const std::exception& error);

/// The work of a command whose problems come from its command line: what the library takes for invalid is a UsageError
/// then.
std::function<void()> of_problems(std::function<void()> work);

}  // namespace seiche::cli
