// The environment, the log and the report at exit.
#include "settings.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "precision.hpp"

namespace seiche_fftw {

namespace {

std::string variable(const char* name) {
    const char* const value = secure_getenv(name);
    return value == nullptr ? "" : value;
}

std::optional<std::uint64_t> number(const std::string& text) {
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos || text.size() > 18)
        return std::nullopt;
    return std::strtoull(text.c_str(), nullptr, 10);
}

void warn(const std::string& line) { std::fprintf(stderr, "seiche (%s): %s\n", library_file, line.c_str()); }

Settings read_settings() {
    Settings read;
    const std::string min_points = variable("SEICHE_FFTW_MIN_POINTS");
    read.min_points = number(min_points);
    if (!min_points.empty() && !read.min_points)
        warn("SEICHE_FFTW_MIN_POINTS: expected a number of points, got \"" + min_points + "\"; the default counts");
    read.real = variable("SEICHE_FFTW_REAL");
    read.log = static_cast<int>(number(variable("SEICHE_FFTW_LOG")).value_or(0));
    read.has_report = number(variable("SEICHE_FFTW_REPORT")).value_or(0) != 0;
    read.has_own_threads = !variable("SEICHE_CPU_THREADS").empty();
    read.has_own_device = !variable("SEICHE_DEVICE").empty();
    read.library_path = variable("LD_LIBRARY_PATH");
    return read;
}

std::array<std::atomic<std::uint64_t>, 7> counts;

void report_at_exit() {
    const auto of = [](Count what) {
        return static_cast<unsigned long long>(counts[static_cast<std::size_t>(what)].load());
    };
    std::fprintf(stderr,
                 "seiche (%s): plans: %llu in place of the arrays, %llu by way of dense arrays, %llu copies, %llu "
                 "forwarded to FFTW, %llu refused; executions: %llu, %llu of them forwarded\n",
                 library_file, of(Count::direct), of(Count::staged), of(Count::copied), of(Count::forwarded),
                 of(Count::refused), of(Count::executions), of(Count::forwarded_executions));
}

}  // namespace

const Settings& settings() {
    static const auto* const kept = [] {
        auto* made = new Settings(read_settings());
        if (made->has_report) std::atexit(report_at_exit);
        return made;
    }();
    return *kept;
}

void log_line(int level, const std::string& line) {
    if (settings().log >= level) warn(line);
}

void count(Count what) {
    if (settings().has_report) counts[static_cast<std::size_t>(what)].fetch_add(1, std::memory_order_relaxed);
}

}  // namespace seiche_fftw
