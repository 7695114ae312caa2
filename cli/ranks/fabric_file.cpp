#include "cli/ranks/fabric_file.hpp"

#include "cli/command/report.hpp"
#include "cli/io/input_file.hpp"
#include "cli/io/output_file.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "seiche/error.hpp"

namespace seiche::cli {

distributed::Fabric read_fabric(const std::string& path) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;
    io::InputFile file(path);
    if (file.bytes() > most_bytes) file.refuse("expected a fabric, got " + byte_text(file.bytes()));
    std::string text(static_cast<std::size_t>(file.bytes()), ' ');
    file.read(text.data(), text.size(), "fabric");
    try {
        return distributed::parse_fabric(text);
    } catch (const InvalidProblem& error) {  // the file's fault, not the command line's
        throw Failure("'" + path + "': " + message_of(error));
    }
}

void write_fabric(const std::string& path, const distributed::Fabric& fabric) {
    io::OutputFile file(path);
    file.write(distributed::to_string(fabric));
    file.commit();
}

}  // namespace seiche::cli
