// A sound whose frequencies are let through or held back by a filter of linear phase, or convolved with a kernel.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/device/device_transform.hpp"
#include "cli/device/tiled_convolution.hpp"
#include "cli/edit/filter.hpp"
#include "cli/io/sound_output.hpp"
#include "cli/signal/fir.hpp"
#include "cli/sound/sound_kernel.hpp"
#include "cli/sound/whole_sound.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

constexpr double default_attenuation = 60, least_attenuation = 21, most_attenuation = 180;
constexpr std::uint64_t most_taps = std::uint64_t{1} << 24;

/// What is to be designed, in Hz.
struct Request {
    std::string name;
    std::optional<double> low, high;
    bool is_stopped = false;
    double rate = 0;

    std::string option() const { return "--" + name + ": "; }
    /// Between neighbours among 0, the frequencies and half the rate.
    double least_distance() const {
        double least = rate / 2, last = 0;
        for (const std::optional<double>& edge : {low, high, std::optional<double>(rate / 2)}) {
            if (!edge) continue;
            least = std::min(least, *edge - last);
            last = *edge;
        }
        return least;
    }
};

void check_frequency(const Request& request, double frequency, const std::string& path) {
    if (!(frequency > 0))
        throw UsageError(request.option() + "expected a frequency above 0, got " + shortest(frequency));
    if (!(frequency < request.rate / 2))
        throw Failure(request.option() + "expected a frequency below " + shortest(request.rate / 2) +
                      " Hz, half the rate of '" + path + "', got " + shortest(frequency));
}

bool read_frequency(const std::string& word, double& hertz) {
    const std::string plain = without_suffix(word);
    const char* const end = plain.data() + plain.size();
    const auto result = std::from_chars(plain.data(), end, hertz);
    return result.ec == std::errc{} && result.ptr == end;
}

void parse_band(Request& request, const std::string& text) {
    // A minus sign of an exponent parts nothing.
    std::size_t minus = text.find('-', 1);
    while (minus != std::string::npos && (text[minus - 1] == 'e' || text[minus - 1] == 'E'))
        minus = text.find('-', minus + 1);
    double low = 0, high = 0;
    const bool has_both = minus != std::string::npos && read_frequency(text.substr(0, minus), low) &&
                          read_frequency(text.substr(minus + 1), high);
    if (!has_both)
        throw UsageError(request.option() + "expected two frequencies in Hz, LOW-HIGH, got '" + printable(text) + "'");
    request.low = low;
    request.high = high;
}

Request request_for(const FilterCommand& command, const io::SoundFile& sound) {
    Request request;
    request.rate = sound.format().sample_rate;
    if (command.lowpass) {
        request.name = "lowpass";
        request.high = command.lowpass;
    } else if (command.highpass) {
        request.name = "highpass";
        request.low = command.highpass;
    } else {
        request.is_stopped = command.bandstop.has_value();
        request.name = request.is_stopped ? "bandstop" : "bandpass";
        parse_band(request, request.is_stopped ? *command.bandstop : *command.bandpass);
    }
    for (const std::optional<double>& edge : {request.low, request.high})
        if (edge) check_frequency(request, *edge, sound.path());
    if (request.low && request.high && !(*request.low < *request.high))
        throw UsageError(request.option() + "expected the lower frequency first, got " + shortest(*request.low) + "-" +
                         shortest(*request.high));
    return request;
}

double attenuation_of(const FilterCommand& command) {
    const double attenuation = command.attenuation.value_or(default_attenuation);
    if (!(attenuation >= least_attenuation && attenuation <= most_attenuation))
        throw UsageError("--attenuation: expected " + shortest(least_attenuation) + " to " +
                         shortest(most_attenuation) + " dB, got " + shortest(attenuation));
    return attenuation;
}

std::uint64_t taps_of(const FilterCommand& command, const Request& request, double attenuation) {
    if (command.taps) {
        const std::int64_t taps = *command.taps;
        if (taps < 3 || taps % 2 == 0 || taps > static_cast<std::int64_t>(most_taps))
            throw UsageError("--taps: expected an odd number from 3 to 2^24, so that nothing is delayed, got " +
                             std::to_string(taps));
        return static_cast<std::uint64_t>(taps);
    }
    const double transition = command.transition.value_or(request.least_distance() / 2);
    const double least = signal::transition_of(most_taps, attenuation) * request.rate;
    const double most = 2 * request.least_distance();
    if (!(transition >= least && transition <= most))
        throw Failure("--transition: expected " + significant(least, 3) + " to " + significant(most, 6) +
                      " Hz between such frequencies, got " + shortest(transition));
    return signal::taps_for({attenuation, transition / request.rate});
}

/// The taps, and what is said of them.
struct Design {
    std::vector<double> taps;
    std::string text;
    Json facts;
};

Design design(const FilterCommand& command, const io::SoundFile& sound) {
    const Request request = request_for(command, sound);
    const double attenuation = attenuation_of(command);
    const std::uint64_t taps = taps_of(command, request, attenuation);
    const double transition = signal::transition_of(taps, attenuation) * request.rate;
    signal::Band band{request.low, request.high, request.is_stopped};
    for (std::optional<double>* edge : {&band.low, &band.high})
        if (*edge) **edge /= request.rate;
    std::string edges;
    Json hz = Json::array();
    for (const std::optional<double>& edge : {request.low, request.high})
        if (edge) {
            edges += (edges.empty() ? "" : "-") + shortest(*edge);
            hz.push_back(*edge);
        }
    return {signal::windowed_sinc(band, taps, signal::kaiser_beta(attenuation)),
            request.name + " " + edges + " Hz, " + std::to_string(taps) + " taps, " + significant(attenuation, 6) +
                " dB, transition " + significant(transition, 4) + " Hz",
            {{"filter", request.name},
             {"hz", hz},
             {"taps", taps},
             {"attenuation_db", attenuation},
             {"transition_hz", transition}}};
}

template <class T>
void run_as(const FilterCommand& command, io::SoundFile& sound, const Design& design, SoundKernel* kernel) {
    const Device device = open_device(command.device);
    require_precision(device, precision_of<T>());
    const std::uint64_t channels = sound.format().channels;
    const std::vector<T> taps =
        kernel != nullptr ? kernel->read<T>() : std::vector<T>(design.taps.begin(), design.taps.end());
    Convolution convolution;
    convolution.signal = {sound.frames()};
    convolution.kernel = {kernel != nullptr ? kernel->samples() : taps.size()};
    convolution.mode = ConvolutionMode::same;
    set_channels(convolution, channels, kernel != nullptr ? kernel->channels() : 1);
    ConvolutionFigures figures;
    std::vector<T> result =
        convolve_any_size(device, convolution, planar(read_sound<T>(sound), channels), taps, figures);
    const double gain_db = make_loud(command.loudness, io::stored_format(command.output, sound.format()), result);
    const std::uint64_t clipped =
        write_sound(command.output, sound.format(), interleaved(result, channels), sound.frames());
    note_clipped_sound(clipped, result, io::stored_format(command.output, sound.format()), gain_db);
    Json facts = design.facts;
    if (command.loudness.any()) facts["gain_db"] = gain_db;
    facts["size"] = {channels, sound.frames()};
    print_report(command,
                 {device, design.text, facts, counted(channels, "channel") + " of " + counted(sound.frames(), "sample"),
                  precision_of<T>(), figures, clipped});
}

}  // namespace

void filter_sound(const FilterCommand& command) {
    io::SoundFile sound = open_sound(command.input);
    std::unique_ptr<SoundKernel> kernel;
    Design made;
    if (command.kernel.empty()) {
        made = design(command, sound);
    } else {
        kernel = std::make_unique<SoundKernel>(command.kernel, sound);
        made.text = "kernel of " + counted(kernel->samples(), "sample");
        made.facts = {{"filter", "kernel"}, {"kernel", command.kernel}, {"taps", kernel->samples()}};
    }
    const bool wide = is_wide(sound.format()) || (kernel && kernel->is_wide());
    command.arithmetic(wide) == Precision::f64 ? run_as<double>(command, sound, made, kernel.get())
                                               : run_as<float>(command, sound, made, kernel.get());
}

}  // namespace seiche::cli
