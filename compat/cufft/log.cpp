#include "log.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "entry.hpp"

namespace seiche::compat {

namespace {

#ifdef SEICHE_COMPAT_HIPFFT
constexpr const char *variable_prefix = "SEICHE_HIPFFT_", *library_name = "libseiche_hipfft.so";
#define SEICHE_FFT_CODE(name) "HIPFFT_" name
#else
constexpr const char *variable_prefix = "SEICHE_CUFFT_", *library_name = SEICHE_COMPAT_SONAME;
#define SEICHE_FFT_CODE(name) "CUFFT_" name
#endif

std::atomic<std::uint64_t> plans{0}, executions{0}, refusals{0};

/// Of function and code: never freed, since calls may come while the process ends.
struct Refusals {
    std::mutex mutex;
    std::map<std::pair<std::string, int>, std::uint64_t> counts;
};
Refusals& refused_calls() {
    static auto* const calls = new Refusals;
    return *calls;
}

bool is_set(const char* name) {
    const std::string value = setting(name);
    return !value.empty() && value != "0";
}

bool writes_log() {
    static const bool writes = is_set("LOG");
    return writes;
}

/// In one call of the system, so that lines of several threads and processes stay whole.
void write_line(const std::string& text) noexcept {
    const std::string line = "seiche " + text + "\n";
    if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

std::string counted(std::uint64_t count, const char* word) {
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

/// At the end of a process that used the library, or that asked in vain.
struct Report {
    Report() : wanted(is_set("REPORT")) {}
    ~Report() {
        if (!wanted || plans + executions + refusals == 0) return;
        std::string text = std::string(library_name) + ": " + counted(plans, "plan") + ", " +
                           counted(executions, "execution") + ", " + counted(refusals, "call") + " refused";
        const std::lock_guard lock(refused_calls().mutex);
        const char* before = ": ";
        for (const auto& [call, count] : refused_calls().counts) {
            text += before + call.first + " " + name_of(call.second) + " " + std::to_string(count);
            before = ", ";
        }
        write_line(text);
    }
    bool wanted;
};
const Report report;

}  // namespace

const char* name_of(int code) noexcept {
    switch (code) {
        case success: return SEICHE_FFT_CODE("SUCCESS");
        case invalid_plan: return SEICHE_FFT_CODE("INVALID_PLAN");
        case alloc_failed: return SEICHE_FFT_CODE("ALLOC_FAILED");
        case invalid_type: return SEICHE_FFT_CODE("INVALID_TYPE");
        case invalid_value: return SEICHE_FFT_CODE("INVALID_VALUE");
        case internal_error: return SEICHE_FFT_CODE("INTERNAL_ERROR");
        case exec_failed: return SEICHE_FFT_CODE("EXEC_FAILED");
        case setup_failed: return SEICHE_FFT_CODE("SETUP_FAILED");
        case invalid_size: return SEICHE_FFT_CODE("INVALID_SIZE");
        case unaligned_data: return SEICHE_FFT_CODE("UNALIGNED_DATA");
        case invalid_device: return SEICHE_FFT_CODE("INVALID_DEVICE");
        case no_workspace: return SEICHE_FFT_CODE("NO_WORKSPACE");
        case not_implemented: return SEICHE_FFT_CODE("NOT_IMPLEMENTED");
        case not_supported: return SEICHE_FFT_CODE("NOT_SUPPORTED");
        case missing_dependency: return SEICHE_FFT_CODE("MISSING_DEPENDENCY");
        case nvrtc_failure: return SEICHE_FFT_CODE("NVRTC_FAILURE");
        case nvjitlink_failure: return SEICHE_FFT_CODE("NVJITLINK_FAILURE");
        default: return "an unknown code";
    }
}

std::string environment(const char* name) {
    const char* const value = secure_getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

std::string setting(const char* name) { return environment((std::string(variable_prefix) + name).c_str()); }

int log_refused(const char* function, Code code, const char* why) noexcept {
    try {
        ++refusals;
        {
            const std::lock_guard lock(refused_calls().mutex);
            ++refused_calls().counts[{std::string(SEICHE_FFT_WORD) + function, code}];
        }
        if (!writes_log()) return code;
        std::string line =
            std::string(library_name) + ": " + SEICHE_FFT_WORD + function + " returned " + name_of(code) + ": " + why;
        std::replace(line.begin(), line.end(), '\n', ' ');
        write_line(line);
    } catch (...) {
        return code;  // what cannot be written is lost; the code is what counts
    }
    return code;
}

void count_plan() noexcept { plans.fetch_add(1, std::memory_order_relaxed); }
void count_execution() noexcept { executions.fetch_add(1, std::memory_order_relaxed); }

Code code_of(const Error& error, bool executing) noexcept {
    switch (error.kind()) {
        case ErrorKind::invalid_problem: return invalid_value;
        case ErrorKind::missing_function: return invalid_value;
        case ErrorKind::unsupported: return not_supported;
        case ErrorKind::backend: return executing ? exec_failed : internal_error;
        default: return internal_error;
    }
}

}  // namespace seiche::compat
