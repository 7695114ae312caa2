// Wisdom in files.
#include "cli/problem/wisdom_file.hpp"

#include <atomic>

#include "cli/command/progress.hpp"
#include "cli/command/report.hpp"
#include "cli/io/input_file.hpp"
#include "cli/io/output_file.hpp"
#include "cli/text/failure.hpp"
#include "seiche/error.hpp"
#include "seiche/version.hpp"

namespace seiche::cli {

Wisdom read_wisdom(const std::string& path) {
    constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
    io::InputFile file(path);
    if (file.bytes() > most_bytes)
        file.refuse("expected wisdom, got a file of " + std::to_string(file.bytes()) + " bytes");
    std::string text(static_cast<std::size_t>(file.bytes()), ' ');
    file.read(text.data(), text.size(), "wisdom");
    try {
        return Wisdom::parse(text);
    } catch (const InvalidProblem& error) {
        throw Failure("'" + path + "': " + message_of(error));
    }
}

void write_wisdom(const std::string& path, const Wisdom& wisdom) {
    io::OutputFile file(path);
    file.write(wisdom.text());
    file.commit();
}

Device with_table_of(const Wisdom& wisdom, const Device& device) {
    const MeasuredTable table = wisdom.table(device.info());
    return table ? device.with_tables({table}) : device;
}

Tuning tuning_of(const Wisdom& wisdom, const DeviceInfo& device, const Problem& problem) {
    if (const WisdomEntry* entry = wisdom.find(device, problem)) return entry->tuning;
    static std::atomic_flag is_said;  // once, however many problems are looked up
    for (const WisdomEntry& entry : wisdom.entries()) {
        if (entry.device != device.description || entry.version == version() || is_said.test_and_set()) continue;
        note("wisdom: what Seiche " + entry.version + " measured on this device is not used by Seiche " + version() +
             ": measure again with seiche tune");
        break;
    }
    return {};
}

}  // namespace seiche::cli
