// The texts of the files that SEICHE_TABLES names.
#include <fstream>
#include <iterator>

#include "exec/inspect.hpp"
#include "runtime/library.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche::exec {

std::vector<NamedText> environment_tables() {
    constexpr char separator = std::filesystem::path::preferred_separator == '/' ? ':' : ';';
    constexpr std::uintmax_t most_bytes = std::uintmax_t{64} << 20;
    std::vector<NamedText> texts;
    const std::string paths = runtime::environment("SEICHE_TABLES");
    for (const std::string_view path : support::split(paths, separator)) {
        if (path.empty()) continue;
        std::ifstream file(runtime::path_of(path), std::ios::binary);
        std::error_code failed;
        const std::uintmax_t bytes = std::filesystem::file_size(runtime::path_of(path), failed);
        const std::string name = "SEICHE_TABLES: '" + std::string(path) + "'";
        if (!file || failed) throw InvalidProblem(name + ": expected a file that can be read");
        if (bytes > most_bytes)
            throw InvalidProblem(name + ": expected at most 64 MiB, got " + std::to_string(bytes) + " bytes");
        texts.push_back({name, {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}});
    }
    return texts;
}

}  // namespace seiche::exec
