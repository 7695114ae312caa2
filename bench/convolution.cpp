// seiche-convolution: times convolutions. Beside FFTW: a real one of two axes, in turn, in one process. FFTW gets what
// a careful user would give it: measured plans, all processors, the fastest of three padded sizes, rows of zeros that
// are never cleared again, and a product that is spread over the processors too. Never installed: FFTW is under the
// GPL.
#include <fftw3.h>
#include <sched.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <iostream>
#include <random>
#include <thread>

#include "seiche/seiche.hpp"

namespace {

using namespace seiche;

int usable_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

struct Size {
    std::uint64_t rows = 1, columns = 1;
    std::uint64_t points() const { return rows * columns; }
};

std::string text(const Size& size) { return std::to_string(size.rows) + "x" + std::to_string(size.columns); }

struct Images {
    Size signal, kernel, result;
    std::vector<float> x, h;
};

/// Both halves of the work by all processors.
void in_parallel(std::uint64_t count, const std::function<void(std::uint64_t, std::uint64_t)>& work) {
    const auto threads = static_cast<std::uint64_t>(usable_processors());
    std::vector<std::thread> others;
    for (std::uint64_t t = 1; t < threads; ++t)
        others.emplace_back(work, count * t / threads, count * (t + 1) / threads);
    work(0, count / threads);
    for (std::thread& other : others) other.join();
}

class Fftw {
public:
    Fftw(const Images& images, std::uint64_t least_rows, std::uint64_t least_columns) : images_(images) {
        fftwf_init_threads();
        fftwf_plan_with_nthreads(usable_processors());
        rows_ = least_rows;
        columns_ = least_columns;
        const std::size_t spectrum = rows_ * (columns_ / 2 + 1);
        real_ = fftwf_alloc_real(rows_ * columns_);
        bins_ = fftwf_alloc_complex(spectrum);
        kernel_ = fftwf_alloc_complex(spectrum);
        const auto n0 = static_cast<int>(rows_), n1 = static_cast<int>(columns_);
        forward_ = fftwf_plan_dft_r2c_2d(n0, n1, real_, bins_, FFTW_MEASURE);
        inverse_ = fftwf_plan_dft_c2r_2d(n0, n1, bins_, real_, FFTW_MEASURE);
        place(images_.h, images_.kernel);
        fftwf_execute(forward_);
        std::memcpy(kernel_, bins_, spectrum * sizeof *bins_);
        const auto scale = static_cast<float>(1.0 / static_cast<double>(rows_ * columns_));
        for (std::size_t i = 0; i < spectrum; ++i) {
            kernel_[i][0] *= scale;
            kernel_[i][1] *= scale;
        }
    }
    Fftw(const Fftw&) = delete;
    Fftw& operator=(const Fftw&) = delete;
    ~Fftw() {
        fftwf_destroy_plan(forward_);
        fftwf_destroy_plan(inverse_);
        fftwf_free(real_);
        fftwf_free(bins_);
        fftwf_free(kernel_);
    }

    double run(std::vector<float>& y) {
        const auto start = std::chrono::steady_clock::now();
        place(images_.x, images_.signal);
        fftwf_execute(forward_);
        in_parallel(rows_ * (columns_ / 2 + 1), [this](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t i = begin; i < end; ++i) {
                const float re = bins_[i][0] * kernel_[i][0] - bins_[i][1] * kernel_[i][1];
                bins_[i][1] = bins_[i][0] * kernel_[i][1] + bins_[i][1] * kernel_[i][0];
                bins_[i][0] = re;
            }
        });
        fftwf_execute(inverse_);
        const Size& size = images_.result;
        for (std::uint64_t i = 0; i < size.rows; ++i)
            std::memcpy(y.data() + i * size.columns, real_ + i * columns_, size.columns * sizeof(float));
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }

    std::string size() const { return text({rows_, columns_}); }

private:
    void place(const std::vector<float>& values, const Size& size) {
        std::memset(real_, 0, rows_ * columns_ * sizeof(float));
        for (std::uint64_t i = 0; i < size.rows; ++i)
            std::memcpy(real_ + i * columns_, values.data() + i * size.columns, size.columns * sizeof(float));
    }

    const Images& images_;
    std::uint64_t rows_ = 1, columns_ = 1;
    float* real_ = nullptr;
    fftwf_complex *bins_ = nullptr, *kernel_ = nullptr;
    fftwf_plan forward_ = nullptr, inverse_ = nullptr;
};

class Seiche {
public:
    Seiche(const std::string& device, const Images& images)
        : device_(device.empty() ? Device::open() : Device::open(device)), queue_(device_.create_queue()) {
        Convolution convolution;
        convolution.signal = {images.signal.rows, images.signal.columns};
        convolution.kernel = {images.kernel.rows, images.kernel.columns};
        plan_ = ConvolutionPlan(device_, convolution);
        ConvolutionPreparation preparation;
        const auto buffer = [&](std::uint64_t bytes) { return bytes == 0 ? Buffer() : device_.allocate(bytes); };
        preparation.kernels = buffer(plan_.kernel_bytes());
        preparation.spectrum = execution_.spectrum = buffer(plan_.spectrum_bytes());
        preparation.workspace = buffer(plan_.preparation_bytes());
        queue_.upload(preparation.kernels, images.h.data(), plan_.kernel_bytes());
        plan_.prepare(queue_, preparation);
        execution_.input = buffer(plan_.input_bytes());
        execution_.output = buffer(plan_.output_bytes());
        execution_.workspace = buffer(plan_.workspace_bytes());
        queue_.upload(execution_.input, images.x.data(), plan_.input_bytes());
        const std::vector<float> poison(images.result.points(), NAN);
        queue_.upload(execution_.output, poison.data(), plan_.output_bytes());
    }

    double run() {
        queue_.wait();
        const auto start = std::chrono::steady_clock::now();
        plan_.execute(queue_, execution_);
        queue_.wait();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }
    void read(std::vector<float>& y) { queue_.download(y.data(), execution_.output, plan_.output_bytes()); }
    const ConvolutionPlan& plan() const { return plan_; }

private:
    Device device_;
    Queue queue_;
    ConvolutionPlan plan_;
    ConvolutionExecution execution_;
};

double quantile(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

void print(const std::string& name, const std::vector<double>& times) {
    std::printf("%-28s %8.2f ms   quartiles %.2f to %.2f\n", name.c_str(), quantile(times, 0.5), quantile(times, 0.25),
                quantile(times, 0.75));
}

void compare(const Images& images, const std::string& device, unsigned repeat) {
    Seiche seiche(device, images);
    std::printf("%s * %s on %s, %d processors\n%s\n", text(images.signal).c_str(), text(images.kernel).c_str(),
                seiche.plan().device().info().description.c_str(), usable_processors(),
                seiche.plan().report().recipe.c_str());
    std::vector<float> y(images.result.points()), other(y.size());
    std::vector<std::unique_ptr<Fftw>> candidates;
    const std::vector<std::uint64_t>& ours = seiche.plan().padded_lengths();
    const auto even = [](std::uint64_t n) { return next_fast_length((n + 1) / 2) * 2; };
    const auto power = [](std::uint64_t n) { return std::uint64_t{1} << static_cast<int>(std::ceil(std::log2(n))); };
    for (const auto& size : std::vector<Size>{{next_fast_length(images.result.rows), even(images.result.columns)},
                                              {ours[0], ours[1]},
                                              {power(images.result.rows), power(images.result.columns)}})
        candidates.push_back(std::make_unique<Fftw>(images, size.rows, size.columns));
    std::vector<double> own;
    std::vector<std::vector<double>> peers(candidates.size());
    seiche.run();
    for (unsigned i = 0; i < repeat; ++i) {
        own.push_back(seiche.run());
        for (std::size_t k = 0; k < candidates.size(); ++k) peers[k].push_back(candidates[k]->run(other));
    }
    seiche.read(y);
    double error = 0, norm = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        error += (y[i] - other[i]) * (y[i] - other[i]);
        norm += other[i] * other[i];
    }
    print("Seiche", own);
    double best = INFINITY;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
        print("FFTW " + candidates[k]->size(), peers[k]);
        best = std::min(best, quantile(peers[k], 0.5));
    }
    std::printf("%.2f times as fast as FFTW's best; they differ by %.1e\n", best / quantile(own, 0.5),
                std::sqrt(error / norm));
}

double event_milliseconds(Queue& queue, const std::function<void()>& work) {
    const Event from = queue.record();
    work();
    return queue.milliseconds(from, queue.record());
}

/// Any rank and batch, on the device's clock, beside a copy of as many bytes as one read of the input and one write of
/// the output.
void time_alone(const Convolution& convolution, const std::string& name, unsigned repeat) {
    const Device device = name.empty() ? Device::open() : Device::open(name);
    Queue queue = device.create_queue();
    const ConvolutionPlan plan(device, convolution);
    const auto buffer = [&](std::uint64_t bytes) { return bytes == 0 ? Buffer() : device.allocate(bytes); };
    const auto filled = [&](std::uint64_t bytes) {
        std::mt19937 random(1);
        std::uniform_real_distribution<float> uniform(-1, 1);
        std::vector<float> values(bytes / sizeof(float));
        for (float& value : values) value = uniform(random);
        Buffer made = device.allocate(bytes);
        queue.upload(made, values.data(), bytes);
        return made;
    };
    ConvolutionPreparation preparation;
    preparation.kernels = filled(plan.kernel_bytes());
    preparation.workspace = buffer(plan.preparation_bytes());
    ConvolutionExecution execution;
    preparation.spectrum = execution.spectrum = buffer(plan.spectrum_bytes());
    plan.prepare(queue, preparation);
    execution.input = filled(plan.input_bytes());
    execution.output = buffer(plan.output_bytes());
    execution.workspace = buffer(plan.workspace_bytes());
    const std::uint64_t copied = (plan.input_bytes() + plan.output_bytes()) / 2;
    const Buffer from = device.allocate(copied), to = device.allocate(copied);
    plan.execute(queue, execution);
    std::vector<double> own, copy;
    for (unsigned i = 0; i < repeat; ++i) {
        own.push_back(event_milliseconds(queue, [&] { plan.execute(queue, execution); }));
        copy.push_back(event_milliseconds(queue, [&] { queue.copy(to, from, copied); }));
    }
    const PlanReport& report = plan.report();
    std::printf("%s on %s\n%s\n", report.problem.c_str(), device.info().description.c_str(), report.recipe.c_str());
    print("Seiche", own);
    print("copy", copy);
    std::printf("%.3f of copy; moves %.2f times what a copy does\n", quantile(copy, 0.5) / quantile(own, 0.5),
                static_cast<double>(report.moved_bytes) / static_cast<double>(report.ideal_bytes));
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Times a real two-dimensional convolution by Seiche and by FFTW, in turn.");
    std::vector<std::uint64_t> signal{2048, 2048}, kernel{31, 31};
    std::string device;
    unsigned repeat = 15;
    bool alone = false;
    Convolution convolution;
    app.add_option("--signal", signal, "lengths, slowest axis first")->capture_default_str();
    app.add_option("--kernel", kernel, "as many lengths")->capture_default_str();
    app.add_flag("--alone", alone, "without FFTW: any rank, on the device's own clock, beside its copy");
    app.add_option("--batch", convolution.batch, "signals; with --alone")->capture_default_str();
    app.add_option("--block", convolution.block, "points of a block; with --alone")->capture_default_str();
    app.add_flag("--complex", convolution.complex, "complex numbers; with --alone");
    app.add_option("--device", device, "e.g. opencl:pocl; default: as the tool chooses");
    app.add_option("--repeat", repeat, "runs of each")->check(CLI::PositiveNumber)->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        if (alone) {
            convolution.signal = signal;
            convolution.kernel = kernel;
            time_alone(convolution, device, repeat);
            return 0;
        }
        if (signal.size() != 2 || kernel.size() != 2)
            throw InvalidProblem("--signal and --kernel: expected two lengths each beside FFTW, got others");
        Images images{{signal[0], signal[1]}, {kernel[0], kernel[1]}, {}, {}, {}};
        images.result = {signal[0] + kernel[0] - 1, signal[1] + kernel[1] - 1};
        std::mt19937 random(1);
        std::uniform_real_distribution<float> uniform(-1, 1);
        images.x.resize(images.signal.points());
        images.h.resize(images.kernel.points());
        for (float& value : images.x) value = uniform(random);
        for (float& value : images.h) value = uniform(random);
        compare(images, device, repeat);
    } catch (const std::exception& error) {
        std::cerr << "seiche-convolution: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
