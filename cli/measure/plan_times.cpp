// How long making a plan takes: cold, from the disk cache, and again, each in fresh processes.
#include "cli/measure/plan_times.hpp"

#include <cstdio>
#include <filesystem>
#include <locale>
#include <sstream>
#include <vector>

#include "cli/command/progress.hpp"
#include "cli/measure/spread.hpp"
#include "cli/system/child_process.hpp"
#include "cli/system/system.hpp"
#include "cli/text/text.hpp"
#include "seiche/plan.hpp"

namespace seiche::cli {
namespace {

namespace fs = std::filesystem;

/// A folder that goes when it goes out of scope.
class TemporaryFolder {
public:
    TemporaryFolder() : path_(path_of(make_temporary_folder("seiche-plan-times"))) {}
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::string folder(const std::string& name) const {
        fs::create_directories(path_ / name);
        return (path_ / name).string();
    }

private:
    fs::path path_;
};

struct Probe {
    double first_ms = 0, later_ms = 0, again_us = 0;
    unsigned compiled = 0;
};

Probe probe(const std::string& problem, const std::string& device, const TemporaryFolder& caches) {
    // The drivers' own caches move too: a cold plan must be cold all the way down.
    ChildProcess child({own_path(), "bench", problem, "--device", device, "--plan-probe"},
                       {{"SEICHE_CACHE_DIR", caches.folder("kernels")},
                        {"POCL_CACHE_DIR", caches.folder("pocl")},
                        {"CUDA_CACHE_PATH", caches.folder("cuda")},
                        {"__GL_SHADER_DISK_CACHE_PATH", caches.folder("nvidia")},
                        {"MESA_SHADER_CACHE_DIR", caches.folder("mesa")}});
    const std::string answer = child.receive();
    std::istringstream words(answer);
    words.imbue(std::locale::classic());
    std::string first;
    Probe result;
    words >> first >> result.first_ms >> result.compiled >> result.later_ms >> result.again_us;
    if (first != "plan" || !words) throw Failure("measuring plan times: " + answer);
    return result;
}

std::string plan_line(const std::string& text, const std::string& name) {
    constexpr int repeats = 101;
    const Device device = Device::open(name);
    const Problem problem = parse_problem(text);
    PlanOptions options;
    options.directions = Directions::forward;
    const double start = now_seconds();
    const Plan first(device, problem, options);
    const double first_ms = (now_seconds() - start) * 1e3;
    std::vector<double> again;
    for (int i = 0; i < repeats; ++i) {
        const double before = now_seconds();
        const Plan same(device, problem, options);
        again.push_back((now_seconds() - before) * 1e6);
    }
    Problem other = problem;
    other.forward_scale = Scale::factor(1.25);
    const double before = now_seconds();
    const Plan later(device, other, options);
    const double later_ms = (now_seconds() - before) * 1e3;
    return "plan " + shortest(first_ms) + " " + std::to_string(first.report().compiled) + " " + shortest(later_ms) +
           " " + shortest(spread_of(again).median);
}

}  // namespace

PlanTimes measure_plan_times(const std::string& problem, const std::string& device, unsigned rounds) {
    std::vector<double> cold, later, disk, disk_later, again;
    PlanTimes times;
    for (unsigned i = 0; i < rounds; ++i) {
        const TemporaryFolder caches;
        const Probe fresh = probe(problem, device, caches), cached = probe(problem, device, caches);
        cold.push_back(fresh.first_ms);
        later.push_back(fresh.later_ms);
        disk.push_back(cached.first_ms);
        disk_later.push_back(cached.later_ms);
        again.push_back(cached.again_us);
        times.kernels = fresh.compiled;
    }
    times.cold_ms = spread_of(cold).median;
    times.cold_later_ms = spread_of(later).median;
    times.disk_ms = spread_of(disk).median;
    times.disk_later_ms = spread_of(disk_later).median;
    times.again_us = spread_of(again).median;
    times.rounds = rounds;
    return times;
}

void run_plan_probe(const std::string& problem, const std::string& device) {
    std::string line;
    try {
        line = plan_line(problem, device);
    } catch (const std::exception& error) {
        line = std::string("error ") + one_line(error.what());
    }
    print(line + "\n");
}

}  // namespace seiche::cli
