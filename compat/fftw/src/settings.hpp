// What the variables of the environment say, asked for once. A setuid program's are its caller's and count as unset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace seiche_fftw {

struct Settings {
    /// SEICHE_FFTW_MIN_POINTS: transforms of fewer points go to a real FFTW where there is one.
    std::optional<std::uint64_t> min_points;
    std::string real;              ///< SEICHE_FFTW_REAL: a folder, a library, or "none".
    int log = 0;                   ///< SEICHE_FFTW_LOG: 1 what is refused, 2 every plan.
    bool has_report = false;       ///< SEICHE_FFTW_REPORT=1: a line at exit.
    bool has_own_threads = false;  ///< SEICHE_CPU_THREADS is set: it counts, not plan_with_nthreads.
    bool has_own_device = false;   ///< SEICHE_DEVICE is set.
    std::string library_path;      ///< LD_LIBRARY_PATH
};

const Settings& settings();

/// A line on standard error for SEICHE_FFTW_LOG of that level or more.
void log_line(int level, const std::string& line);

/// What was done in this process, for SEICHE_FFTW_REPORT.
enum class Count { direct, staged, copied, forwarded, refused, executions, forwarded_executions };
void count(Count what);

}  // namespace seiche_fftw
