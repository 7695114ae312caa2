// Convolutions by cuFFT. Padding is a pass of its own, since cuFFT reads what it transforms. Its zeros are written
// once: no transform here overwrites them. Results stay where cuFFT leaves them, cut out of longer rows, as a view of
// them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "bench/rivals/composition.hpp"

namespace seiche::rivals {
namespace {

/// Rows of twice the length: signals, kernels and results.
class LongConvolution : public Composition {
public:
    explicit LongConvolution(const Job& job)
        : Composition(job),
          batch_(job.length(0)),
          channels_(job.length(1)),
          samples_(job.length(2)),
          signals_(4 * batch_ * channels_ * 2 * samples_),
          taps_(4 * channels_ * 2 * samples_),
          results_(4 * batch_ * channels_ * 2 * samples_),
          spectra_(8 * batch_ * channels_ * bins()),
          responses_(8 * channels_ * bins()),
          forward_(Type::r2c, {2 * samples_}, batch_ * channels_, job.stream),
          of_kernels_(Type::r2c, {2 * samples_}, channels_, job.stream),
          inverse_(Type::c2r, {2 * samples_}, batch_ * channels_, job.stream) {
        fill(signals_.address(), 0, 4 * batch_ * channels_ * 2 * samples_);
        fill(taps_.address(), 0, 4 * channels_ * 2 * samples_);
    }
    void enqueue() override {
        const auto n = static_cast<unsigned>(samples_), pitch = 2 * n;
        const Address distance = channels_ * pitch;
        kernels_.launch("pad", {blocks(n), channels_, 1}, job_.inputs[1], taps_.address(), n, pitch, distance);
        of_kernels_.run(taps_.address(), responses_.address());
        kernels_.launch("pad", {blocks(n), channels_, batch_}, job_.inputs[0], signals_.address(), n, pitch, distance);
        forward_.run(signals_.address(), spectra_.address());
        kernels_.launch("product", {blocks(bins()), channels_, batch_}, spectra_.address(), responses_.address(),
                        static_cast<unsigned>(bins()), over(2 * samples_));
        inverse_.run(spectra_.address(), results_.address());
    }
    void read(std::uint64_t entry, void* to) override {
        check(driver().download(to, results_.address() + entry * 8 * samples_, 4 * samples_), "cuMemcpyDtoH");
    }

protected:
    std::string steps() const override { return "pad, r2c, product, c2r; results a view"; }
    Address result() const override { return results_.address(); }
    std::uint64_t result_bytes() const override { return 4 * batch_ * channels_ * 2 * samples_; }

private:
    std::uint64_t bins() const { return samples_ + 1; }
    std::uint64_t batch_, channels_, samples_;
    Memory signals_, taps_, results_, spectra_, responses_;
    Transform forward_, of_kernels_, inverse_;
};

/// Planes of `rows` x `columns`, no result of which wraps around.
struct Planes {
    Planes(const Job& job, std::uint64_t rows, std::uint64_t columns)
        : batch(job.length(0)),
          rows(rows),
          columns(columns),
          forward(Type::r2c, {rows, columns}, batch, job.stream),
          of_kernel(Type::r2c, {rows, columns}, 1, job.stream),
          inverse(Type::c2r, {rows, columns}, batch, job.stream) {}
    std::uint64_t points() const { return rows * columns; }
    std::uint64_t bins() const { return rows * (columns / 2 + 1); }

    std::uint64_t batch, rows, columns;
    Transform forward, of_kernel, inverse;
};

class ImageConvolution : public Composition {
public:
    explicit ImageConvolution(const Job& job)
        : Composition(job),
          heights_(good_lengths(job.length(1), kernel(0))),
          widths_(good_lengths(job.length(2), kernel(1))),
          pictures_(4 * most_points()),
          taps_(4 * most_points() / job.length(0)),
          results_(4 * most_points()),
          spectra_(8 * most_points()),
          responses_(8 * most_points() / job.length(0)) {
        choose();
        fill(pictures_.address(), 0, 4 * job.length(0) * planes_->points());
        fill(taps_.address(), 0, 4 * planes_->points());
    }
    void enqueue() override {
        const auto pitch = static_cast<unsigned>(planes_->columns);
        const Address distance = planes_->points();
        const auto k = static_cast<unsigned>(kernel(1)), n = static_cast<unsigned>(job_.length(2));
        kernels_.launch("pad", {blocks(k), kernel(0), 1}, job_.inputs[1], taps_.address(), k, pitch, distance);
        planes_->of_kernel.run(taps_.address(), responses_.address());
        kernels_.launch("pad", {blocks(n), job_.length(1), planes_->batch}, job_.inputs[0], pictures_.address(), n,
                        pitch, distance);
        planes_->forward.run(pictures_.address(), spectra_.address());
        kernels_.launch("product", {blocks(planes_->bins()), 1, planes_->batch}, spectra_.address(),
                        responses_.address(), static_cast<unsigned>(planes_->bins()), over(planes_->points()));
        planes_->inverse.run(spectra_.address(), results_.address());
    }
    void read(std::uint64_t entry, void* to) override {
        auto* row = static_cast<unsigned char*>(to);
        const std::uint64_t bytes = 4 * job_.length(2);
        for (std::uint64_t y = 0; y < job_.length(1); ++y, row += bytes) {
            const std::uint64_t at = entry * planes_->points() + (y + (kernel(0) - 1) / 2) * planes_->columns;
            check(driver().download(row, results_.address() + 4 * (at + (kernel(1) - 1) / 2), bytes), "cuMemcpyDtoH");
        }
    }

protected:
    std::string steps() const override {
        return "pad to " + std::to_string(planes_->rows) + "x" + std::to_string(planes_->columns) +
               " (the fastest of " + std::to_string(heights_.size()) + "), r2c, product, c2r; results a view";
    }
    Address result() const override { return results_.address(); }
    std::uint64_t result_bytes() const override { return 4 * planes_->batch * planes_->points(); }

private:
    std::uint64_t kernel(std::size_t axis) const { return job_.workflow.what().second[axis]; }

    /// Products of 2, 3, 5 and 7 from where nothing that is wanted wraps around, each with a large power of two.
    static std::vector<std::uint64_t> good_lengths(std::uint64_t signal, std::uint64_t kernel) {
        constexpr std::size_t most = 6;
        const std::uint64_t least = std::max(signal + kernel / 2, kernel);
        std::vector<std::uint64_t> lengths;
        for (std::uint64_t n = least + least % 2; lengths.size() < most; n += 2) {
            std::uint64_t rest = n;
            for (const std::uint64_t prime : {2u, 3u, 5u, 7u})
                while (rest % prime == 0) rest /= prime;
            if (rest == 1) lengths.push_back(n);
        }
        return lengths;
    }
    std::uint64_t most_points() const { return job_.length(0) * heights_.back() * (widths_.back() + 2); }

    double milliseconds(const Planes& planes) const {
        constexpr int runs = 3;
        for (int i = 0; i < 2; ++i) planes.forward.run(pictures_.address(), spectra_.address());
        check(driver().wait(job_.stream), "cuStreamSynchronize");
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < runs; ++i) {
            planes.forward.run(pictures_.address(), spectra_.address());
            planes.inverse.run(spectra_.address(), results_.address());
        }
        check(driver().wait(job_.stream), "cuStreamSynchronize");
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }
    /// By time, as somebody does who tries a few lengths.
    void choose() {
        double best = 0;
        fill(pictures_.address(), 0, 4 * most_points());
        for (std::size_t i = 0; i < heights_.size(); ++i) {
            auto planes = std::make_unique<Planes>(job_, heights_[i], widths_[i]);
            const double time = milliseconds(*planes);
            if (planes_ && time >= best) continue;
            best = time;
            planes_ = std::move(planes);
        }
    }

    std::vector<std::uint64_t> heights_, widths_;
    Memory pictures_, taps_, results_, spectra_, responses_;
    std::unique_ptr<Planes> planes_;
};

class PhaseCorrelation : public Composition {
public:
    explicit PhaseCorrelation(const Job& job)
        : Composition(job),
          batch_(job.length(0)),
          bins_(job.length(1) * (job.length(2) / 2 + 1)),
          first_(8 * batch_ * bins_),
          second_(8 * batch_ * bins_),
          forward_(Type::r2c, {job.length(1), job.length(2)}, batch_, job.stream),
          inverse_(Type::c2r, {job.length(1), job.length(2)}, batch_, job.stream) {}
    void enqueue() override {
        forward_.run(job_.inputs[0], first_.address());
        forward_.run(job_.inputs[1], second_.address());
        kernels_.launch("phase", {blocks(bins_), 1, batch_}, first_.address(), second_.address(),
                        static_cast<unsigned>(bins_), over(job_.length(1) * job_.length(2)));
        inverse_.run(first_.address(), job_.output);
    }

protected:
    std::string steps() const override { return "r2c twice, cross-power spectrum, c2r"; }

private:
    std::uint64_t batch_, bins_;
    Memory first_, second_;
    Transform forward_, inverse_;
};

}  // namespace

std::unique_ptr<Composition> compose_convolution(const Job& job) {
    switch (job.workflow.what().kind) {
        case cli::WorkflowKind::long_convolution: return std::make_unique<LongConvolution>(job);
        case cli::WorkflowKind::phase_correlation: return std::make_unique<PhaseCorrelation>(job);
        default: return std::make_unique<ImageConvolution>(job);
    }
}

}  // namespace seiche::rivals
