// The short-time transform of a recording on a device: powers, frame by frame, and how exact they were.
#include "cli/sound/short_time.hpp"

#include <algorithm>
#include <cmath>

#include "cli/command/report.hpp"
#include "cli/reference/reference_dft.hpp"
#include "cli/signal/frames.hpp"
#include "cli/sound/sound_words.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

constexpr double full_scale_sine_power = 0.5;

/// The factors from |X|^2 to a power at frequency 0 (and, for an even length, rate/2) and at all others, which in a
/// sound's spectrum stand for their negative twins too.
struct PowerFactors {
    double edge = 0, inner = 0;
};

PowerFactors power_factors(const std::vector<double>& window, const ShortTimeOptions& options,
                           const io::Recording& file) {
    double sum = 0, squares = 0;
    for (const double w : window) sum += w, squares += w * w;
    const double gain = options.density ? file.rate() * squares : sum * sum;
    if (file.is_two_sided()) return {1.0 / gain, 1.0 / gain};
    return {1.0 / (gain * full_scale_sine_power), 2.0 / (gain * full_scale_sine_power)};
}

/// Compares some frames, evenly spread, with the reference.
template <class T>
class Judge {
public:
    Judge(std::uint64_t length, std::uint64_t frames) : dft_(length), reference_(length), input_(length) {
        constexpr std::uint64_t most_samples = 1 << 21, most_frames = 16;  // a second or so of host time
        const std::uint64_t wanted = std::clamp<std::uint64_t>(most_samples / length, 1, most_frames);
        every_ = std::max<std::uint64_t>(1, frames / wanted);
    }

    void see(std::uint64_t frame, std::uint32_t channels, const std::complex<T>* in, const std::complex<T>* out) {
        if (frame % every_ != 0) return;
        const std::uint64_t n = dft_.length(), offset = frame / every_ % channels * n;
        for (std::uint64_t j = 0; j < n; ++j) input_[j] = Wide(in[offset + j]);
        dft_.run(input_.data(), 1, reference_.data(), Direction::forward);
        long double fault = 0, size = 0;
        for (std::uint64_t k = 0; k < n; ++k) {
            fault += std::norm(Wide(out[offset + k]) - reference_[k]);
            size += std::norm(reference_[k]);
        }
        if (!std::isfinite(size)) return;  // a recording with NaN or infinity in it has no error
        fault_ += fault;
        size_ += size;
        ++checked_;
    }

    double error() const {
        return size_ > 0 ? static_cast<double>(std::sqrt(fault_ / size_)) : fault_ > 0 ? INFINITY : 0;
    }
    std::uint64_t checked() const { return checked_; }

private:
    ReferenceDft dft_;
    std::vector<Wide> reference_, input_;
    std::uint64_t every_ = 1, checked_ = 0;
    long double fault_ = 0, size_ = 0;
};

/// How many frames are transformed at once.
std::uint64_t frames_at_once(const io::Recording& file, const ShortTimeOptions& options, std::uint64_t frames) {
    constexpr std::uint64_t samples_at_once = 1 << 20;
    const std::uint64_t frame = std::max(options.length, std::min(options.hop, options.part.count)) * file.channels();
    return std::clamp<std::uint64_t>(samples_at_once / frame, 1, frames);
}

Problem frames_problem(const ShortTimeOptions& options, std::uint64_t batch) {
    Problem problem;
    problem.lengths = {options.length};
    problem.batch = batch;
    problem.precision = options.precision;
    return problem;
}

template <class T>
class ShortTime {
public:
    ShortTime(const Device& device, io::Recording& file, const ShortTimeOptions& options)
        : options_(options),
          channels_(options.channels(file)),
          frames_(file, options.part, options.length, options.hop),
          at_once_(frames_at_once(file, options, frames_.count())),
          window_(signal::make_window(options.window, options.length)),
          factors_(power_factors(window_, options, file)),
          transform_(device, frames_problem(options, at_once_ * channels_), Direction::forward),
          judge_(options.length, frames_.count()),
          powers_(frequency_bins(file, options.length).count),
          first_(file.is_two_sided() ? (options.length + 1) / 2 % options.length : 0),
          progress_(file.path()) {}

    ShortTimeFigures run(const TakePowers& take) {
        in_.resize(options_.length * at_once_ * channels_);
        for (std::uint64_t first = 0; first < frames_.count(); first += at_once_) {
            const std::uint64_t batch = std::min(at_once_, frames_.count() - first);
            fill(first, batch);
            transform_.run(in_, out_, batch * channels_);
            deliver(first, batch, take);
            progress_.at(static_cast<double>(first + batch), static_cast<double>(frames_.count()));
        }
        return {transform_.figures(), frames_.count(), judge_.checked(), judge_.error(),
                frames_.not_finite(), broken_,         is_silent_,       channels_};
    }

private:
    /// Windowed frames, the channels of a frame one after the other.
    void fill(std::uint64_t first, std::uint64_t batch) {
        frames_.load(first, batch);
        auto to = in_.begin();
        for (std::uint64_t f = first; f < first + batch; ++f)
            for (std::uint32_t c = 0; c < channels_; ++c)
                for (std::uint64_t j = 0; j < options_.length; ++j)
                    *to++ =
                        std::complex<T>((options_.mixdown ? frames_.mixed(f, j) : frames_.at(f, j, c)) * window_[j]);
    }

    void deliver(std::uint64_t first, std::uint64_t batch, const TakePowers& take) {
        const std::uint64_t n = options_.length;
        for (std::uint64_t f = 0; f < batch; ++f) {
            judge_.see(first + f, channels_, &in_[f * channels_ * n], &out_[f * channels_ * n]);
            for (std::uint32_t c = 0; c < channels_; ++c) {
                const std::complex<T>* x = &out_[(f * channels_ + c) * n];
                for (std::uint64_t i = 0, k = first_; i < powers_.size(); ++i, k = k + 1 == n ? 0 : k + 1)
                    powers_[i] =
                        std::norm(std::complex<double>(x[k])) * (k == 0 || 2 * k == n ? factors_.edge : factors_.inner);
                if (!is_sound(powers_)) ++broken_;
                is_silent_ = is_silent_ && std::all_of(powers_.begin(), powers_.end(), [](double p) { return p == 0; });
                take(first + f, c, powers_);
            }
        }
    }

    ShortTimeOptions options_;
    std::uint32_t channels_;
    signal::FrameReader frames_;
    std::uint64_t at_once_;
    std::vector<double> window_;
    PowerFactors factors_;
    DeviceTransform<T> transform_;
    Judge<T> judge_;
    std::vector<std::complex<T>> in_, out_;
    std::vector<double> powers_;
    std::uint64_t first_;  ///< The index whose frequency is the lowest.
    Progress progress_;
    std::uint64_t broken_ = 0;
    bool is_silent_ = true;
};

}  // namespace

Bins frequency_bins(const io::Recording& file, std::uint64_t length) {
    const double step = file.rate() / static_cast<double>(length);
    const std::uint64_t half = length / 2;
    if (!file.is_two_sided()) return {half + 1, 0, step};
    return {length, file.centre() - static_cast<double>(half) * step, step};
}

ShortTimeFigures short_time_powers(const Device& device, io::Recording& file, const ShortTimeOptions& options,
                                   const TakePowers& take) {
    return options.precision == Precision::f32 ? ShortTime<float>(device, file, options).run(take)
                                               : ShortTime<double>(device, file, options).run(take);
}

void require_one_frame(const io::Recording& file, const ShortTimeOptions& options) {
    if (options.part.count < options.length)
        throw Failure("'" + file.path() + "': expected at least --length " + counted(options.length, "sample") +
                      ", got " + std::to_string(file.frames()));
}

bool is_sound(const std::vector<double>& powers) {
    return std::all_of(powers.begin(), powers.end(), [](double power) { return std::isfinite(power); });
}

void note_oddities(const io::Recording& file, const ShortTimeFigures& figures, const std::string& fate) {
    const std::string path = "'" + file.path() + "': ";
    if (figures.is_silent) note(path + "silent: all of its samples are 0");
    const std::uint64_t frames = figures.frames * figures.channels;
    const std::string which = counted(figures.broken, "frame") + " of " + std::to_string(frames) + " " + fate;
    if (figures.not_finite.count > 0)
        note(path + counted(figures.not_finite.count, "sample") +
             (figures.not_finite.count == 1 ? " is not finite: " : " are not finite, first ") +
             place_text(figures.not_finite.first, file.rate()) +
             of_channel(figures.not_finite.channel, {file.channels(), !file.is_radio()}) + "; " + which);
    else if (figures.broken > 0)
        note(path + "too loud for f32: " + which + "; use --precision f64");
}

double decibels(double power) { return 10.0 * std::log10(power); }

}  // namespace seiche::cli
