// CUDA's assembler as a program, for tests of PTX without a card.
#pragma once

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace seiche::test {

inline bool has_ptxas() { return !std::string(SEICHE_PTXAS).empty(); }

struct Assembly {
    bool succeeded = false;
    std::string log;  ///< Its report, with registers and what was spilled.
};

/// As the driver does: to machine code that may be linked.
inline Assembly assemble(const std::string& text, const std::string& architecture) {
    namespace fs = std::filesystem;
    static std::atomic<int> number = 0;
    const fs::path folder = fs::path(SEICHE_PTXAS_FOLDER) / std::to_string(number++);
    fs::create_directories(folder);
    const std::string source = (folder / "kernel.ptx").string(), log = (folder / "log").string();
    std::ofstream(source) << text;
    const std::string command = std::string(SEICHE_PTXAS) + " -v --compile-only -arch=" + architecture + " " + source +
                                " -o " + (folder / "kernel.cubin").string() + " > " + log + " 2>&1";
    Assembly result;
    result.succeeded = std::system(command.c_str()) == 0;
    std::ifstream stream(log);
    result.log.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    stream.close();
    fs::remove_all(folder);
    return result;
}

}  // namespace seiche::test
