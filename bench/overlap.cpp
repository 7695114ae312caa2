// seiche-overlap: what it gains to copy chunks of data to and from the device on several queues while others are
// transformed. Pinned memory, chunk by chunk: upload, executions, download. Wall-clock times, since the host's copies
// are what is measured; every contender once in each round.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <random>
#include <seiche/seiche.hpp>

namespace {

using namespace seiche;
using Sample = std::complex<float>;

struct Sizes {
    std::uint64_t length = 4096, rows = 2048;  // of a chunk
    std::size_t chunks = 16, queues = 2;
    unsigned executions = 1;  // of each chunk: forward, inverse, forward ...
};

struct Lane {
    Queue queue;
    Execution execution;
};

class Pipeline {
public:
    Pipeline(const Device& device, const Sizes& sizes) : sizes_(sizes), device_(device) {
        Problem problem;
        problem.lengths = {sizes.length};
        problem.batch = sizes.rows;
        problem.placement = Placement::in_place;
        problem.inverse_scale = Scale::by_n();
        plan_ = Plan(device, problem);
        bytes_ = plan_.input_bytes();
        from_ = device.allocate_host(sizes.chunks * bytes_);
        to_ = device.allocate_host(sizes.chunks * bytes_);
        std::mt19937 random(1);
        std::uniform_real_distribution<float> uniform(-1, 1);
        auto* values = static_cast<float*>(from_.data());
        for (std::size_t i = 0; i < sizes.chunks * bytes_ / sizeof(float); ++i) values[i] = uniform(random);
        for (std::size_t i = 0; i < sizes.queues; ++i) {
            Lane lane{device.create_queue(), {}};
            lane.execution.input = device.allocate(bytes_);
            if (plan_.workspace_bytes() != 0) lane.execution.workspace = device.allocate(plan_.workspace_bytes());
            lanes_.push_back(std::move(lane));
        }
    }

    const Plan& plan() const { return plan_; }
    double megabytes() const { return static_cast<double>(sizes_.chunks * bytes_) * 1e-6; }

    /// Milliseconds for all chunks on so many queues, with or without copies and transforms.
    double run(std::size_t queues, bool copies, bool transforms) {
        if (copies && transforms) std::memset(to_.data(), 0xff, sizes_.chunks * bytes_);  // NaN
        const auto start = std::chrono::steady_clock::now();
        for (std::size_t chunk = 0; chunk < sizes_.chunks; ++chunk) {
            Lane& lane = lanes_[chunk % queues];
            if (copies) lane.queue.enqueue_upload(lane.execution.input, place(from_, chunk), bytes_);
            for (unsigned i = 0; transforms && i < sizes_.executions; ++i) {
                lane.execution.direction = i % 2 == 0 ? Direction::forward : Direction::inverse;
                plan_.execute(lane.queue, lane.execution);
            }
            if (copies) lane.queue.enqueue_download(place(to_, chunk), lane.execution.input, bytes_);
        }
        for (std::size_t i = 0; i < queues; ++i) lanes_[i].queue.wait();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }

    /// Throws where the last run's results are not what copies that wait give, bit by bit, or (an odd number of
    /// executions) not the transform's definition.
    void verify(const char* contender) {
        if (expected_.empty()) expect();
        if (std::memcmp(expected_.data(), to_.data(), sizes_.chunks * bytes_) != 0)
            throw InternalError(std::string(contender) + ": the results differ from those of copies that wait");
    }

private:
    void* place(const HostMemory& memory, std::uint64_t chunk) const {
        return static_cast<unsigned char*>(memory.data()) + chunk * bytes_;
    }

    void expect() {
        expected_.resize(sizes_.chunks * bytes_);
        Queue queue = device_.create_queue();
        Execution execution = lanes_.front().execution;
        for (std::size_t chunk = 0; chunk < sizes_.chunks; ++chunk) {
            queue.upload(execution.input, place(from_, chunk), bytes_);
            for (unsigned i = 0; i < sizes_.executions; ++i) {
                execution.direction = i % 2 == 0 ? Direction::forward : Direction::inverse;
                plan_.execute(queue, execution);
            }
            queue.download(expected_.data() + chunk * bytes_, execution.input, bytes_);
        }
        if (sizes_.executions % 2 == 1) compare_with_definition();
    }

    /// A few bins of the first and the last row.
    void compare_with_definition() const {
        const auto n = sizes_.length;
        const double noise = std::sqrt(static_cast<double>(n));
        for (const std::uint64_t row : {std::uint64_t{0}, sizes_.chunks * sizes_.rows - 1}) {
            const Sample* x = static_cast<const Sample*>(from_.data()) + row * n;
            Sample got;
            for (const std::uint64_t k : {std::uint64_t{0}, std::uint64_t{1}, n / 3, n - 1}) {
                std::complex<double> sum;
                for (std::uint64_t j = 0; j < n; ++j) {
                    const double turn = -2 * std::acos(-1.0) * static_cast<double>(j * (k % n) % n);
                    sum += std::complex<double>(x[j]) * std::polar(1.0, turn / static_cast<double>(n));
                }
                std::memcpy(&got, expected_.data() + (row * n + k % n) * sizeof got, sizeof got);
                // Errors of f32 grow with the executions; noise of unit size has bins of about sqrt(n).
                if (!(std::abs(std::complex<double>(got) - sum) < 1e-5 * sizes_.executions * noise))
                    throw InternalError("bin " + std::to_string(k) + " of row " + std::to_string(row) + " is wrong");
            }
        }
    }

    Sizes sizes_;
    Device device_;
    Plan plan_;
    std::uint64_t bytes_ = 0;
    HostMemory from_, to_;
    std::vector<Lane> lanes_;
    std::vector<unsigned char> expected_;
};

struct Contender {
    std::string name;
    std::size_t queues;
    bool copies, transforms;
    std::vector<double> times;

    double quantile(double part) const {
        std::vector<double> sorted = times;
        std::sort(sorted.begin(), sorted.end());
        return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
    }
};

void measure(const Device& device, const Sizes& sizes, unsigned repeat) {
    Pipeline pipeline(device, sizes);
    const std::string many = std::to_string(sizes.queues) + " queues";
    std::vector<Contender> contenders{{"transforms alone, 1 queue", 1, false, true, {}},
                                      {"copies alone, 1 queue", 1, true, false, {}},
                                      {"copies alone, " + many, sizes.queues, true, false, {}},
                                      {"both, 1 queue", 1, true, true, {}},
                                      {"both, " + many, sizes.queues, true, true, {}}};
    for (unsigned round = 0; round <= repeat; ++round)
        for (Contender& contender : contenders) {
            const double time = pipeline.run(contender.queues, contender.copies, contender.transforms);
            if (contender.copies && contender.transforms) pipeline.verify(contender.name.c_str());
            if (round != 0) contender.times.push_back(time);  // the first one warms up
        }
    std::printf("%s on %s\n%zu chunks, %.1f MB there and as many back, %u executions each\n",
                pipeline.plan().report().problem.c_str(), device.info().description.c_str(), sizes.chunks,
                pipeline.megabytes(), sizes.executions);
    for (const Contender& c : contenders) {
        std::printf("%-28s %9.3f ms   quartiles %.3f to %.3f", c.name.c_str(), c.quantile(0.5), c.quantile(0.25),
                    c.quantile(0.75));
        if (c.copies) std::printf("   %.1f GB/s each way", pipeline.megabytes() / c.quantile(0.5));
        std::printf("\n");
    }
    const double one = contenders[3].quantile(0.5), both = contenders[4].quantile(0.5),
                 bound = std::max(contenders[2].quantile(0.5), contenders[0].quantile(0.5));
    std::printf("%s: %.2f times as fast as 1, %.2f of the bound (the slower of copies alone and transforms alone)\n",
                many.c_str(), one / both, bound / both);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Times copies to and from the device beside transforms, on one queue and on several.");
    Sizes sizes;
    std::string device;
    unsigned repeat = 15;
    app.add_option("--length", sizes.length, "points of a transform, complex f32 in place")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--rows", sizes.rows, "transforms of a chunk")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--chunks", sizes.chunks, "chunks, each uploaded, transformed, downloaded")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--queues", sizes.queues, "queues that take the chunks in turn")
        ->check(CLI::Range(2, 16))
        ->capture_default_str();
    app.add_option("--executions", sizes.executions, "of each chunk, forward and inverse in turn")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--device", device, "e.g. cuda:0; default: as the tool chooses");
    app.add_option("--repeat", repeat, "rounds")->check(CLI::PositiveNumber)->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        measure(device.empty() ? Device::open() : Device::open(device), sizes, repeat);
    } catch (const std::exception& error) {
        std::cerr << "seiche-overlap: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
