// seiche-issue: what the host spends to enqueue one execution, beside a launch of an empty kernel by the driver alone.
// CUDA only. Every contender once in each round; a round's launches fit the driver's own queue, so that none waits.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <seiche/seiche.hpp>
#include <string>
#include <vector>

#include "bench/loaded_library.hpp"

namespace {

using namespace seiche;

// Three parameters, as a transform with a table has: input, output, table.
constexpr const char* empty_kernel = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry nothing(.param .u64 a, .param .u64 b, .param .u64 c) { ret; }
)";

/// The driver's calls without anything of ours in between.
class Driver {
public:
    explicit Driver(int ordinal) {
        const bench::LoadedLibrary library({"libcuda.so.1"}, "/usr/lib/wsl/lib");
        int (*init)(unsigned), (*get)(int*, int), (*retain)(void**, int), (*set_current)(void*),
            (*load)(void**, const void*), (*function)(void**, void*, const char*), (*create)(void**, unsigned);
        library.find(init, "cuInit");
        library.find(get, "cuDeviceGet");
        library.find(retain, "cuDevicePrimaryCtxRetain");
        library.find(set_current, "cuCtxSetCurrent");
        library.find(load, "cuModuleLoadData");
        library.find(function, "cuModuleGetFunction");
        library.find(create, "cuStreamCreate");
        library.find(launch_, "cuLaunchKernel");
        library.find(synchronize_, "cuStreamSynchronize");
        int device = 0;
        void *context = nullptr, *module = nullptr;
        check(init(0), "cuInit");
        check(get(&device, ordinal), "cuDeviceGet");
        check(retain(&context, device), "cuDevicePrimaryCtxRetain");
        check(set_current(context), "cuCtxSetCurrent");
        check(load(&module, empty_kernel), "cuModuleLoadData");
        check(function(&function_, module, "nothing"), "cuModuleGetFunction");
        check(create(&stream_, 1), "cuStreamCreate");  // as ours: it does not wait for the default stream
    }

    void launch() const {
        std::uint64_t values[3] = {};
        void* arguments[3] = {&values[0], &values[1], &values[2]};
        check(launch_(function_, 1, 1, 1, 32, 1, 1, 0, stream_, arguments, nullptr), "cuLaunchKernel");
    }
    void wait() const { check(synchronize_(stream_), "cuStreamSynchronize"); }

private:
    static void check(int code, const char* call) {
        if (code != 0) throw bench::PeerError(std::string(call) + " failed with code " + std::to_string(code));
    }

    int (*launch_)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                   void**) = nullptr;
    int (*synchronize_)(void*) = nullptr;
    void *function_ = nullptr, *stream_ = nullptr;
};

/// A plan with all that its execution needs.
class Transform {
public:
    Transform(const Device& device, const Problem& problem) : queue_(device.create_queue()) {
        PlanOptions options;
        options.directions = problem.kind == Kind::c2r ? Directions::inverse : Directions::forward;
        execution_.direction = problem.kind == Kind::c2r ? Direction::inverse : Direction::forward;
        plan_ = Plan(device, problem, options);
        const bool in_place = problem.placement == Placement::in_place;
        execution_.input = device.allocate(std::max(plan_.input_bytes(), in_place ? plan_.output_bytes() : 0));
        if (!in_place) execution_.output = device.allocate(plan_.output_bytes());
        if (plan_.workspace_bytes() != 0) execution_.workspace = device.allocate(plan_.workspace_bytes());
        const std::vector<std::byte> zeros(execution_.input.buffer.bytes());  // what it is does not touch the host
        queue_.upload(execution_.input, zeros.data(), zeros.size());
    }

    void execute() { plan_.execute(queue_, execution_); }
    void wait() { queue_.wait(); }
    std::size_t kernels() const { return plan_.report().kernels.size(); }

private:
    Queue queue_;
    Plan plan_;
    Execution execution_;
};

struct Contender {
    std::string name;
    std::function<void()> enqueue, wait;
    std::vector<double> enqueued, done;  // microseconds of one

    static double quantile(std::vector<double> values, double part) {
        std::sort(values.begin(), values.end());
        return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
    }
};

void measure(const Device& device, const std::vector<std::string>& problems, unsigned launches, unsigned repeat) {
    const Driver driver(std::stoi(device.info().name.substr(device.info().name.find(':') + 1)));
    std::vector<Contender> contenders{{"an empty kernel", [&] { driver.launch(); }, [&] { driver.wait(); }, {}, {}}};
    for (const std::string& text : problems) {
        const auto transform = std::make_shared<Transform>(device, parse_problem(text));
        contenders.push_back({text + ", " + std::to_string(transform->kernels()) + " kernels",
                              [transform] { transform->execute(); },
                              [transform] { transform->wait(); },
                              {},
                              {}});
    }
    const auto since = [&](std::chrono::steady_clock::time_point start) {
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / launches;
    };
    for (unsigned round = 0; round <= repeat; ++round)
        for (Contender& contender : contenders) {
            const auto start = std::chrono::steady_clock::now();
            for (unsigned i = 0; i < launches; ++i) contender.enqueue();
            const double enqueued = since(start);
            contender.wait();
            if (round == 0) continue;  // warms up
            contender.enqueued.push_back(enqueued);
            contender.done.push_back(since(start));
        }
    std::printf("%s, %u launches in a row, medians of %u; microseconds of one\n", device.info().description.c_str(),
                launches, repeat);
    std::printf("%-40s %9s  %-16s %9s %8s\n", "", "host", "quartiles", "to end", "of empty");
    const double empty = Contender::quantile(contenders.front().enqueued, 0.5);
    for (const Contender& c : contenders)
        std::printf("%-40s %9.2f  %5.2f .. %-6.2f %9.2f %8.2f\n", c.name.c_str(), Contender::quantile(c.enqueued, 0.5),
                    Contender::quantile(c.enqueued, 0.25), Contender::quantile(c.enqueued, 0.75),
                    Contender::quantile(c.done, 0.5), Contender::quantile(c.enqueued, 0.5) / empty);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app(
        "Times the host while it enqueues executions, beside launches of an empty kernel by the driver alone.");
    std::vector<std::string> problems{"64 f32", "256 f32", "1024 f32", "4096 f32", "1000 f32", "1048576 f32"};
    std::string device = "cuda:0";
    unsigned launches = 200, repeat = 101;
    app.add_option("PROBLEM", problems, "problem texts, e.g. \"1024 f32\"")->capture_default_str();
    app.add_option("--device", device, "a card of CUDA's")->capture_default_str();
    app.add_option("--launches", launches, "executions in a row; beyond some 1000 the driver makes the host wait")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--repeat", repeat, "rounds")->check(CLI::PositiveNumber)->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        if (!device.starts_with("cuda"))
            throw InvalidProblem("--device: expected one of CUDA, e.g. cuda:0, got " + device);
        measure(Device::open(device), problems, launches, repeat);
    } catch (const std::exception& error) {
        std::cerr << "seiche-issue: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
