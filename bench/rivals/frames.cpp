// Spectra of frames and of pulses by cuFFT.
#include "bench/rivals/composition.hpp"

namespace seiche::rivals {
namespace {

class RangeDoppler : public Composition {
public:
    explicit RangeDoppler(const Job& job)
        : Composition(job),
          points_(job.length(1) * job.length(2)),
          spectra_(8 * job.length(0) * points_),
          transform_(Type::c2c, {job.length(1), job.length(2)}, job.length(0), job.stream) {}
    void enqueue() override {
        kernels_.launch("window", {blocks(job_.length(2)), job_.length(1), job_.length(0)}, job_.inputs[0],
                        spectra_.address(), job_.inputs[1], job_.inputs[2], static_cast<unsigned>(job_.length(2)));
        transform_.run(spectra_.address(), spectra_.address());
        kernels_.launch("decibels", {blocks(points_), 1, job_.length(0)}, spectra_.address(), job_.output,
                        static_cast<unsigned>(points_));
    }

protected:
    std::string steps() const override { return "window, c2c in place, decibels"; }

private:
    std::uint64_t points_;
    Memory spectra_;
    Transform transform_;
};

/// Frames overlap in the signals, which cuFFT reads as they lie: those of all signals are one batch, with a few between
/// signals that nobody wants. The window is a sum of three bins of each spectrum.
class StftPower : public Composition {
public:
    explicit StftPower(const Job& job)
        : Composition(job),
          samples_(job.length(1)),
          frame_(job.workflow.what().second[0]),
          hop_(job.workflow.what().second[1]),
          frames_(samples_ / hop_ + 1),
          frames_apart_((samples_ + frame_ + hop_ - 1) / hop_),
          signals_(4 * (job.length(0) * frames_apart_ * hop_ + frame_)),
          spectra_(8 * job.length(0) * frames_apart_ * bins()),
          transform_(Type::r2c, {frame_}, {{frame_}, hop_}, {{bins()}, bins()}, job.length(0) * frames_apart_,
                     job.stream) {
        fill(signals_.address(), 0, 4 * (job.length(0) * frames_apart_ * hop_ + frame_));
    }
    void enqueue() override {
        const auto half = static_cast<int>(frame_ / 2), samples = static_cast<int>(samples_);
        const Address distance = frames_apart_ * hop_;
        kernels_.launch("reflect", {blocks(samples_ + frame_), 1, job_.length(0)}, job_.inputs[0], signals_.address(),
                        samples, half, distance);
        transform_.run(signals_.address(), spectra_.address());
        kernels_.launch("hann_power", {blocks(bins()), frames_, job_.length(0)}, spectra_.address(), job_.output,
                        static_cast<unsigned>(bins()), static_cast<unsigned>(frames_apart_));
    }

protected:
    std::string steps() const override { return "reflect, r2c of overlapping frames, window and power"; }

private:
    std::uint64_t bins() const { return frame_ / 2 + 1; }
    std::uint64_t samples_, frame_, hop_, frames_, frames_apart_;
    Memory signals_, spectra_;
    Transform transform_;
};

/// Frames one behind the other, and a kernel that gathers those of each sample: no atomic addition. What a sample is
/// divided by is made once.
class Istft : public Composition {
public:
    explicit Istft(const Job& job)
        : Composition(job),
          samples_(job.length(1)),
          frame_(job.workflow.what().second[0]),
          hop_(job.workflow.what().second[1]),
          frames_(samples_ / hop_ + 1),
          window_(4 * frame_),
          weights_(4 * samples_),
          lines_(4 * job.length(0) * frames_ * frame_),
          transform_(Type::c2r, {frame_}, job.length(0) * frames_, job.stream) {
        kernels_.launch("hann", {blocks(frame_)}, window_.address(), static_cast<unsigned>(frame_));
        kernels_.launch("overlap_weights", {blocks(samples_)}, window_.address(), weights_.address(), number(samples_),
                        number(frame_), number(hop_), number(frames_));
    }
    void enqueue() override {
        transform_.run(job_.inputs[0], lines_.address());
        kernels_.launch("overlap_add", {blocks(samples_), 1, job_.length(0)}, lines_.address(), window_.address(),
                        weights_.address(), job_.output, number(samples_), number(frame_), number(hop_),
                        number(frames_));
    }

protected:
    std::string steps() const override { return "c2r of frames, windows and overlap-add"; }

private:
    static int number(std::uint64_t count) { return static_cast<int>(count); }
    std::uint64_t samples_, frame_, hop_, frames_;
    Memory window_, weights_, lines_;
    Transform transform_;
};

}  // namespace

std::unique_ptr<Composition> compose_frames(const Job& job) {
    if (job.workflow.what().kind == cli::WorkflowKind::istft) return std::make_unique<Istft>(job);
    if (job.workflow.what().kind == cli::WorkflowKind::range_doppler) return std::make_unique<RangeDoppler>(job);
    return std::make_unique<StftPower>(job);
}

}  // namespace seiche::rivals
