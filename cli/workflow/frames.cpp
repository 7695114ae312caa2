// Spectra with stages of one's own on load and store: plans of seiche/plan.hpp.
#include <cmath>
#include <cstdlib>
#include <string>

#include "cli/check/check_frames.hpp"
#include "cli/check/host_frames.hpp"
#include "cli/reference/host_spectrum.hpp"
#include "cli/text/failure.hpp"
#include "cli/workflow/prepared.hpp"
#include "cli/workflow/workflow.hpp"

namespace seiche::cli {
namespace {

constexpr double pi = 3.14159265358979323846;

double to_f32(double value) { return static_cast<float>(value); }

/// The output is a buffer of the store stage, named "result".
class PreparedFrames : public PreparedWorkflow {
public:
    PreparedFrames(const Device& device, const Problem& problem, const WorkflowArrays& arrays,
                   const std::vector<std::string>& names) {
        PlanOptions options;
        options.directions = Directions::forward;
        plan_ = Plan(device, problem, options);
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i].empty())
                execution_.input = arrays.inputs[i];
            else
                execution_.stage_buffers.push_back({names[i], arrays.inputs[i]});
        }
        execution_.stage_buffers.push_back({"result", arrays.output});
        if (plan_.output_bytes() != 0) execution_.output = device.allocate(plan_.output_bytes());
        if (plan_.workspace_bytes() != 0) execution_.workspace = device.allocate(plan_.workspace_bytes());
    }
    void enqueue(Queue& queue) const override { plan_.execute(queue, execution_); }
    std::vector<PlanReport> reports() const override { return {plan_.report()}; }

private:
    Plan plan_;
    Execution execution_;
};

/// Decibels of the transforms of windowed pulses along range and Doppler.
class RangeDoppler : public Workflow {
public:
    using Workflow::Workflow;
    std::vector<WorkflowInput> inputs() const override {
        const auto hamming = [](std::uint64_t n) {
            return [n](std::uint64_t i) {
                return to_f32(0.54 - 0.46 * std::cos(2 * pi * static_cast<double>(i) / static_cast<double>(n)));
            };
        };
        return {{2 * entries() * points()}, {length(2), hamming(length(2))}, {length(1), hamming(length(1))}};
    }
    std::uint64_t entries() const override { return length(0); }
    std::uint64_t entry_numbers() const override { return points(); }
    std::uint64_t points() const override { return length(1) * length(2); }
    std::unique_ptr<PreparedWorkflow> prepare(const Device& device, const WorkflowArrays& arrays) const override {
        Problem p;
        p.lengths = {length(1), length(2)};
        p.batch = entries();
        p.may_overwrite_input = false;
        p.forward_load = "return value * w[i1] * v[i0];";
        p.forward_load.buffers = {{"w", StageType::f32, length(2)}, {"v", StageType::f32, length(1)}};
        p.forward_store = "store result[(batch * n0 + i0) * n1 + i1] = 20 * log10(abs(value) + 1e-12);";
        p.forward_store.buffers = {{"result", StageType::f32, entries() * points()}};
        return std::make_unique<PreparedFrames>(device, p, arrays, std::vector<std::string>{"", "w", "v"});
    }
    std::vector<double> expected(std::uint64_t entry) const override {
        const auto x = numbers_of(0), w = numbers_of(1), v = numbers_of(2);
        HostArrayOfPoints array(points());
        for (std::uint64_t i = 0; i < array.size(); ++i) {
            const std::uint64_t at = entry * array.size() + i;
            array[i] = std::complex<double>(x(2 * at), x(2 * at + 1)) * w(i % length(2)) * v(i / length(2));
        }
        transform_on_host(array, {length(1), length(2)}, Direction::forward);
        std::vector<double> decibels;
        decibels.reserve(array.size());
        for (const std::complex<double>& bin : array) decibels.push_back(20 * std::log10(std::abs(bin) + 1e-12));
        return decibels;
    }
};

/// |stft|^2 of centred frames under a Hann window, the signal continued by reflection, as torch.stft has it by default;
/// frames by frequencies.
class StftPower : public Workflow {
public:
    explicit StftPower(const WorkflowText& what) : Workflow(what) {
        if (frame() % 2 != 0 || samples() < frame())
            throw UsageError("stft-power: expected frames of an even length, at most the signal's, got " +
                             to_string(what));
    }
    std::vector<WorkflowInput> inputs() const override {
        const auto hann = [n = frame()](std::uint64_t i) {
            return to_f32(0.5 - 0.5 * std::cos(2 * pi * static_cast<double>(i) / static_cast<double>(n)));
        };
        return {{entries() * samples()}, {frame(), hann}};
    }
    std::uint64_t entries() const override { return length(0); }
    std::uint64_t entry_numbers() const override { return frames() * bins(); }
    std::uint64_t points() const override { return frame(); }
    double bound() const override { return 6.0; }  // squares
    std::unique_ptr<PreparedWorkflow> prepare(const Device& device, const WorkflowArrays& arrays) const override {
        Problem p;
        p.lengths = {frames(), frame()};
        p.axes = {1};
        p.kind = Kind::r2c;
        p.batch = entries();
        const std::string last = std::to_string(samples() - 1);
        p.forward_load = "let p = abs(i0 * " + std::to_string(hop()) + " + i1 - " + std::to_string(frame() / 2) +
                         "); return x[batch * " + std::to_string(samples()) + " + min(min(p, 2 * " + last + " - p), " +
                         last + ")] * w[i1];";
        p.forward_load.buffers = {{"x", StageType::f32, entries() * samples()}, {"w", StageType::f32, frame()}};
        p.forward_store = "store result[(batch * n0 + i0) * " + std::to_string(bins()) + " + i1] = norm(value);";
        p.forward_store.buffers = {{"result", StageType::f32, entries() * entry_numbers()}};
        return std::make_unique<PreparedFrames>(device, p, arrays, std::vector<std::string>{"x", "w"});
    }
    std::vector<double> expected(std::uint64_t entry) const override {
        const auto x = numbers_of(0), w = numbers_of(1);
        const auto last = static_cast<std::int64_t>(samples()) - 1;
        HostArrayOfPoints lines(frames() * frame());
        for (std::uint64_t f = 0; f < frames(); ++f) {
            for (std::uint64_t i = 0; i < frame(); ++i) {
                std::int64_t at =
                    std::abs(static_cast<std::int64_t>(f * hop() + i) - static_cast<std::int64_t>(frame() / 2));
                if (at > last) at = 2 * last - at;
                lines[f * frame() + i] = x(entry * samples() + static_cast<std::uint64_t>(at)) * w(i);
            }
        }
        transform_axis_on_host(lines, {frames(), frame()}, 1, Direction::forward);
        std::vector<double> power;
        power.reserve(entry_numbers());
        for (std::uint64_t f = 0; f < frames(); ++f)
            for (std::uint64_t k = 0; k < bins(); ++k) power.push_back(std::norm(lines[f * frame() + k]));
        return power;
    }

private:
    std::uint64_t samples() const { return length(1); }
    std::uint64_t frame() const { return what().second[0]; }
    std::uint64_t hop() const { return what().second[1]; }
    std::uint64_t frames() const { return samples() / hop() + 1; }
    std::uint64_t bins() const { return frame() / 2 + 1; }
};

/// The inverse by least squares under a Hann window, frames by frequencies, of signals that frames are centred on. Bins
/// 0 and the middle one have no imaginary part, as a real frame's.
class Istft : public Workflow {
public:
    explicit Istft(const WorkflowText& what) : Workflow(what) {
        if (what.second[0] % 2 != 0 || what.shape[1] < what.second[0])
            throw UsageError("istft: expected frames of an even length, at most the signal's, got " + to_string(what));
    }
    std::vector<WorkflowInput> inputs() const override {
        const ShortTimeProblem p = problem();
        const auto part = [bins = p.bins()](std::uint64_t i) {
            const std::uint64_t bin = i / 2 % bins;
            return i % 2 == 1 && (bin == 0 || bin + 1 == bins) ? 0 : random(0, i);
        };
        return {{entries() * spectra_numbers(p), part}};
    }
    std::uint64_t entries() const override { return length(0); }
    std::uint64_t entry_numbers() const override { return length(1); }
    std::uint64_t points() const override { return what().second[0]; }
    double bound() const override { return bound_of(problem()); }
    std::unique_ptr<PreparedWorkflow> prepare(const Device& device, const WorkflowArrays& arrays) const override {
        return std::make_unique<PreparedShortTime>(device, problem(), arrays);
    }
    std::vector<double> expected(std::uint64_t entry) const override {
        const ShortTimeProblem p = problem();
        const auto number = numbers_of(0);
        std::vector<double> spectra(spectra_numbers(p));
        for (std::size_t i = 0; i < spectra.size(); ++i) spectra[i] = number(entry * spectra.size() + i);
        return frames_on_host(p, spectra);
    }

private:
    ShortTimeProblem problem() const {
        ShortTimeProblem p =
            parse_short_time(std::to_string(length(1)) + " frames=" + std::to_string(what().second[0]) + "/" +
                             std::to_string(what().second[1]));
        p.direction = Direction::inverse;
        p.batch = entries();
        return p;
    }
};

}  // namespace

std::unique_ptr<Workflow> make_frame_workflow(const WorkflowText& what) {
    if (what.kind == WorkflowKind::istft) return std::make_unique<Istft>(what);
    if (what.kind == WorkflowKind::range_doppler) return std::make_unique<RangeDoppler>(what);
    return std::make_unique<StftPower>(what);
}

}  // namespace seiche::cli
