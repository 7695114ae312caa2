// plan_guard: compares the plans, kernels and texts of a seeded corpus with their hashes in hashes.txt:
// docs/explanation/guard.md.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/command/command_line.hpp"
#include "cli/text/failure.hpp"
#include "support/parallel.hpp"
#include "support/text.hpp"
#include "tests/guard/record.hpp"

namespace seiche::guard {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::string hashes = SEICHE_GUARD_HASHES, write, compare;
    std::vector<std::uint32_t> problems;
    std::uint32_t jobs = static_cast<std::uint32_t>(support::processors());
    bool whole = false, update = false, list = false;
};

/// Of the whole, so many that a core has them within a minute.
bool is_of_sample(std::uint32_t number) {
    constexpr std::uint32_t of_wide = 37, of_others = 7;  // primes: no family is left out
    return number % (is_wide(number) ? of_wide : of_others) == 0;
}

std::vector<std::uint32_t> numbers_of(const Options& options) {
    for (const std::uint32_t number : options.problems)
        if (number >= all)
            throw cli::UsageError("--problem: expected a number below " + std::to_string(all) + ", got " +
                                  std::to_string(number));
    if (!options.problems.empty()) return options.problems;
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t n = 0; n < all; ++n)
        if (options.whole || options.update || is_of_sample(n)) numbers.push_back(n);
    return numbers;
}

Records make_records(const std::vector<std::uint32_t>& numbers, std::uint32_t jobs) {
    std::vector<Record> made(numbers.size());
    std::atomic<std::size_t> done{0};
    support::parallel(numbers.size(), jobs, [&](std::size_t i) {
        made[i] = record_of(numbers[i]);
        const std::size_t count = ++done;
        if (count % 500 == 0) std::fprintf(stderr, "%zu of %zu\n", count, numbers.size());
    });
    Records records;
    for (std::size_t i = 0; i < numbers.size(); ++i) records[numbers[i]] = std::move(made[i]);
    return records;
}

std::uint64_t plans_of(const Records& records) {
    std::uint64_t plans = 0;
    for (const auto& [number, record] : records) plans += record.cells.size();
    return plans;
}

/// How to see both sides of these.
std::string way_to_see(const std::vector<std::uint32_t>& numbers) {
    constexpr std::size_t most = 8;
    std::string words;
    for (std::size_t i = 0; i < std::min(most, numbers.size()); ++i)
        words += " --problem " + std::to_string(numbers[i]);
    return "Both sides: in a checkout from before the change\n    ./dev guard --write FOLDER" + words +
           "\nand in this one\n    ./dev guard --compare FOLDER\n"
           "If they are meant to differ: ./dev guard --update, and say in the commit which and what was measured.\n";
}

int compare_records(const Records& kept, const Records& now) {
    constexpr std::size_t most = 20;
    std::vector<std::uint32_t> differing;
    for (const auto& [number, record] : now) {
        const auto found = kept.find(number);
        const std::string what = found == kept.end() ? "not in the file" : difference(number, found->second, record);
        if (what.empty()) continue;
        differing.push_back(number);
        if (differing.size() <= most)
            std::printf("problem %u differs: %s\n    %s\n", number, command_of(draw(number)).c_str(), what.c_str());
    }
    if (differing.empty()) return 0;
    if (differing.size() > most) std::printf("and %zu more\n", differing.size() - most);
    std::printf("%zu of %zu problems differ from their hashes.\n%s", differing.size(), now.size(),
                way_to_see(differing).c_str());
    return 1;
}

// --- Both sides -------------------------------------------------------------------------------------------------

void write_file(const fs::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw cli::Failure("'" + path.string() + "': cannot be written");
}

/// What a diff shows best: each count of operations on a line of its own.
std::string readable(const std::string& text) {
    const std::string begin = "  operations ", next = "\n  operation ";
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        if (line.rfind(begin, 0) == 0) {
            std::string lines = next.substr(1);
            for (const char c : line.substr(begin.size())) lines += c == ' ' ? next : std::string(1, c);
            line = lines;
        }
        result += line + "\n";
        at = end + 1;
    }
    return result;
}

void write_texts(const fs::path& folder, const std::vector<std::uint32_t>& numbers, std::uint32_t jobs) {
    support::parallel(numbers.size(), jobs, [&](std::size_t i) {
        const Drawn drawn = draw(numbers[i]);
        const fs::path own = folder / std::to_string(drawn.number);
        fs::create_directories(own);
        write_file(own / "problem.txt", command_of(drawn) + "\n");
        for (const Profile* profile : profiles_of(drawn.number))
            for (const Part& part : parts_of(drawn, *profile))
                write_file(own / (profile->name + "." + part.name + ".txt"), readable(part.text));
    });
}

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Shows what differs between two files, by the system's diff; at most so many lines.
void show_difference(const fs::path& before, const fs::path& after) {
    const std::string command =
        "diff -u --label before '" + before.string() + "' --label now '" + after.string() + "' | head -n 60";
    std::fflush(stdout);
    if (std::system(command.c_str()) == -1) std::printf("(there is no diff here)\n");
}

int compare_texts(const fs::path& before, std::uint32_t jobs) {
    constexpr std::size_t most_shown = 10;
    std::vector<std::uint32_t> numbers;
    if (!fs::is_directory(before))
        throw cli::Failure("--compare: expected a folder that --write made, got '" + before.string() + "'");
    for (const auto& entry : fs::directory_iterator(before)) {
        const auto number = support::parse_unsigned(entry.path().filename().string());
        if (!number || *number >= all)
            throw cli::Failure("--compare: expected a folder that --write made, got '" + entry.path().string() +
                               "' in it");
        numbers.push_back(static_cast<std::uint32_t>(*number));
    }
    std::sort(numbers.begin(), numbers.end());
    const fs::path now = before.string() + ".now";
    write_texts(now, numbers, jobs);
    std::size_t differing = 0;
    for (const std::uint32_t number : numbers) {
        const fs::path own = before / std::to_string(number);
        std::vector<fs::path> names;
        for (const auto& file : fs::directory_iterator(own)) names.push_back(file.path().filename());
        std::sort(names.begin(), names.end());
        for (const fs::path& name : names) {
            const fs::path mine = now / std::to_string(number) / name;
            if (read_file(own / name) == read_file(mine) || ++differing > most_shown) continue;
            std::printf("== problem %u, %s\n   %s", number, name.string().c_str(),
                        read_file(own / "problem.txt").c_str());
            show_difference(own / name, mine);
        }
    }
    fs::remove_all(now);
    std::printf("%zu texts of %zu problems differ%s\n", differing, numbers.size(),
                differing > most_shown ? "; the first 10 are shown" : "");
    return differing == 0 ? 0 : 1;
}

void print_list(const std::vector<std::uint32_t>& numbers) {
    for (const std::uint32_t number : numbers) std::printf("%u\t%s\n", number, command_of(draw(number)).c_str());
}

/// Of the whole, or of the problems that were named alone.
void update(const Options& options, const Records& now) {
    Records records = options.problems.empty() ? Records{} : read_records(options.hashes);
    for (const auto& [number, record] : now) {
        if (!record.is_whole) throw cli::Failure("this build lacks a dialect (x86 needs Xbyak): nothing was written");
        records[number] = record;
    }
    write_records(options.hashes, records);
}

int run(const Options& options) {
    const std::vector<std::uint32_t> numbers = numbers_of(options);
    if (options.list) return print_list(numbers), 0;
    if (!options.write.empty()) return write_texts(options.write, numbers, options.jobs), 0;
    if (!options.compare.empty()) return compare_texts(options.compare, options.jobs);
    const auto start = std::chrono::steady_clock::now();
    const Records now = make_records(numbers, options.jobs);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("%zu problems, %llu plans, %.0f s\n", now.size(), static_cast<unsigned long long>(plans_of(now)),
                seconds);
    if (options.update) return update(options, now), 0;
    return compare_records(read_records(options.hashes), now);
}

}  // namespace
}  // namespace seiche::guard

int main(int count, char** arguments) {
    using namespace seiche;
    try {
        guard::Options options;
        int result = 0;
        cli::CommandLine line("Compares plans, kernels and emitted texts of a seeded corpus with their hashes.",
                              "plan_guard", "1", false);
        line.add_flag("--whole", options.whole, "All of the corpus; without it a sample");
        line.add_flag("--update", options.update, "Write the hashes anew: of the whole, or of each --problem");
        line.add_option("--problem", options.problems, "Only this one; may be given again");
        line.add_option("--write", options.write, "Write the texts themselves into this folder");
        line.add_option("--compare", options.compare, "Show what differs from such a folder, made by another build");
        line.add_flag("--list", options.list, "Print the problems as commands");
        line.add_option("--hashes", options.hashes, "The file of hashes").capture_default_str();
        line.add_option("-j,--jobs", options.jobs, "Threads").within(1, 1024);
        line.callback([&] { result = guard::run(options); });
        line.run({arguments + 1, arguments + count});
        return result;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "plan_guard: %s\n", error.what());
        return 2;
    }
}
