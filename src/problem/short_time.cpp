#include "problem/short_time.hpp"

#include <algorithm>
#include <cmath>

#include "seiche/error.hpp"
#include "support/enumerators.hpp"
#include "support/text.hpp"

namespace seiche {

const char* to_string(FramePadding padding) noexcept {
    switch (padding) {
        case FramePadding::none: return "none";
        case FramePadding::zeros: return "zeros";
        case FramePadding::reflect: break;
    }
    return "reflect";
}

const char* to_string(BinValue value) noexcept {
    switch (value) {
        case BinValue::complex: return "complex";
        case BinValue::power: return "power";
        case BinValue::decibels: break;
    }
    return "decibels";
}

const char* to_string(FrameOrder order) noexcept {
    return order == FrameOrder::frames_first ? "frames-first" : "frequencies-first";
}

std::uint64_t ShortTimeProblem::frames() const {
    const std::uint64_t padded = samples + 2 * problem::padded_samples(*this);
    return hop == 0 || padded < window.size() ? 0 : (padded - window.size()) / hop + 1;
}

}  // namespace seiche

namespace seiche::problem {

namespace {

constexpr std::uint64_t most_samples = std::uint64_t{1} << 30, longest = std::uint64_t{1} << 20;

[[noreturn]] void refuse(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem("short_time." + field + ": expected " + rule + ", got " + got);
}

/// The sum of squared windows at sample `at` of the first frame's and the others'.
double squares_at(const ShortTimeProblem& p, std::uint64_t at, std::uint64_t frames) {
    const std::uint64_t length = p.window.size(), last = std::min(at / p.hop, frames - 1);
    double sum = 0;
    for (std::uint64_t frame = last + 1; frame-- > 0 && at - frame * p.hop < length;) {
        const double w = p.window[at - frame * p.hop];
        sum += w * w;
    }
    return sum;
}

/// Samples of a result that frames reach are determined where windows do not vanish; relative to the largest sum,
/// because a smaller one would be a division of rounding errors.
void check_is_invertible(const ShortTimeProblem& p) {
    constexpr double least = 1e-10;
    const std::uint64_t length = p.window.size(), frames = p.frames(), begin = padded_samples(p);
    const std::uint64_t end = std::min(begin + p.samples, (frames - 1) * p.hop + length);
    double largest = 0;
    for (std::uint64_t at = 0; at < length; ++at) largest = std::max(largest, squares_at(p, at, frames));
    // All sums behind the first frame and ahead of the last one are those of its first hop.
    for (std::uint64_t at = begin; at < end; ++at) {
        if (at >= begin + length + p.hop && at + length + p.hop < end) at = end - length - p.hop;
        const double squares = squares_at(p, at, frames);
        if (squares > least * largest) continue;
        refuse("window",
               "windows whose squares, added every " + std::to_string(p.hop) +
                   " samples, are more than 1e-10 of their "
                   "largest sum at each sample of the inverse",
               support::to_text(squares) + " at sample " + std::to_string(at - begin));
    }
}

bool is_real(const ShortTimeProblem& p) { return p.value != BinValue::complex; }
StageType type_of(const ShortTimeProblem& p) { return p.precision == Precision::f64 ? StageType::f64 : StageType::f32; }
std::uint64_t spectra_elements(const ShortTimeProblem& p) { return p.batch * p.frames() * p.bins(); }

/// Transforms along the last axis, of [batch][frames][length].
Problem transform_of(const ShortTimeProblem& p, Kind kind) {
    Problem result;
    result.lengths = {p.frames(), p.window.size()};
    result.axes = {1};
    result.kind = kind;
    result.batch = p.batch;
    result.precision = p.precision;
    return result;
}

Layout spectra_layout(const ShortTimeProblem& p) {
    Layout layout;
    if (p.order == FrameOrder::frequencies_first) layout.strides = {1, static_cast<std::int64_t>(p.frames())};
    return layout;
}

/// Reads the padded signal at `position`, times a factor. Numbers stay above 0, which takes half of the arithmetic.
std::string load_text(const ShortTimeProblem& p, const std::string& position, const std::string& factor) {
    const std::uint64_t half = padded_samples(p), last = half + p.samples - 1;  // of the padded signal's samples
    const std::string first = std::to_string(half), end = std::to_string(last);
    const std::string signal = "signal[batch * " + std::to_string(p.samples) + " + q - " + first + "]" + factor;
    std::string text = "let p = " + position + "; ";
    if (p.padding == FramePadding::zeros)
        return text + "let q = max(" + first + ", min(p, " + end + ")); return q == p ? " + signal + " : 0;";
    // Mirrored at the first sample, then at the last.
    text += "let l = max(p, " + std::to_string(2 * half) + " - min(p, " + first + "));";
    text += "let r = min(l, " + std::to_string(2 * last) + " - max(" + end + ", min(l, " + std::to_string(2 * last) +
            ")));";
    return text + "let q = max(" + first + ", min(r, " + end + ")); return " + signal + ";";
}

/// Where a bin's number goes.
std::string store_text(const ShortTimeProblem& p) {
    const std::string frames = std::to_string(p.frames()), bins = std::to_string(p.bins());
    const std::string at = p.order == FrameOrder::frames_first ? "(batch * " + frames + " + i0) * " + bins + " + i1"
                                                               : "(batch * " + bins + " + i1) * " + frames + " + i0";
    const std::string power = "norm(value)";
    return "store spectra[" + at +
           "] = " + (p.value == BinValue::power ? power : "10 * log10(max(" + power + ", 1e-10))") + ";";
}

}  // namespace

std::uint64_t padded_samples(const ShortTimeProblem& p) {
    return p.padding == FramePadding::none ? 0 : p.window.size() / 2;
}

void check(const ShortTimeProblem& p) {
    support::check_enumerator("short_time.direction", p.direction);
    support::check_enumerator("short_time.padding", p.padding);
    support::check_enumerator("short_time.value", p.value);
    support::check_enumerator("short_time.order", p.order);
    support::check_enumerator("short_time.precision", p.precision);
    const bool is_inverse = p.direction == Direction::inverse;
    if (p.precision != Precision::f32 && p.precision != Precision::f64)
        refuse("precision", "f32 or f64", to_string(p.precision));
    if (p.window.empty() || p.window.size() > longest)
        refuse("window", "1 to 2^20 values", std::to_string(p.window.size()));
    for (std::size_t i = 0; i < p.window.size(); ++i)
        if (!std::isfinite(p.window[i]))
            refuse("window[" + std::to_string(i) + "]", "a finite number", support::to_text(p.window[i]));
    if (p.samples == 0 || p.samples > most_samples) refuse("samples", "1 to 2^30", std::to_string(p.samples));
    if (p.hop == 0 || p.hop > most_samples) refuse("hop", "1 to 2^30", std::to_string(p.hop));
    if (is_inverse && p.hop > p.window.size())
        refuse("hop", "at most the window's " + std::to_string(p.window.size()) + " samples for an inverse",
               std::to_string(p.hop));
    if (p.padding == FramePadding::reflect && p.samples <= padded_samples(p))
        refuse("samples", "more than half of a frame to reflect, " + std::to_string(padded_samples(p)),
               std::to_string(p.samples));
    if (p.frames() == 0)
        refuse("samples", "at least a frame of " + std::to_string(p.window.size()), std::to_string(p.samples));
    if (is_inverse && is_real(p)) refuse("value", "complex for an inverse", to_string(p.value));
    if (p.batch == 0 || p.batch > most_samples) refuse("batch", "1 to 2^30", std::to_string(p.batch));
    if (is_inverse) check_is_invertible(p);
}

std::uint64_t signal_bytes(const ShortTimeProblem& p) {
    return p.batch * p.samples * stored_bytes(p.precision, Storage::same);
}

std::uint64_t spectra_bytes(const ShortTimeProblem& p) {
    return spectra_elements(p) * (is_real(p) ? 1 : 2) * stored_bytes(p.precision, Storage::same);
}

std::uint64_t frames_bytes(const ShortTimeProblem& p) {
    return p.batch * p.frames() * p.window.size() * stored_bytes(p.precision, Storage::same);
}

Problem forward_problem(const ShortTimeProblem& p) {
    Problem result = transform_of(p, Kind::r2c);
    const StageBuffer window{"window", type_of(p), p.window.size()};
    if (p.padding == FramePadding::none) {
        result.input.strides = {static_cast<std::int64_t>(p.hop), 1};
        result.input.batch_distance = static_cast<std::int64_t>(p.samples);
        result.forward_load = "return value * window[i1];";
        result.forward_load.buffers = {window};
    } else {
        // Sample i1 of frame i0.
        result.forward_load = load_text(p, "i0 * " + std::to_string(p.hop) + " + i1", " * window[i1]");
        result.forward_load.buffers = {{"signal", type_of(p), p.batch * p.samples}, window};
    }
    // Of real bins too, which go elsewhere: the threads of a group are to have neighbours in memory together.
    result.output = spectra_layout(p);
    if (!is_real(p)) return result;
    result.forward_store = store_text(p);
    result.forward_store.buffers = {{"spectra", type_of(p), spectra_elements(p)}};
    return result;
}

ShortTimeProblem padded_problem(const ShortTimeProblem& p) {
    ShortTimeProblem result = p;
    result.samples += 2 * padded_samples(p);
    result.padding = FramePadding::none;
    return result;
}

Problem ends_problem(const ShortTimeProblem& p) {
    const std::uint64_t half = padded_samples(p), whole = p.samples + 2 * half;
    const std::string at = "(i0 < " + std::to_string(half) + " ? i0 : i0 + " + std::to_string(p.samples) + ")";
    Problem result;
    result.lengths = {2 * half, 1};
    result.axes = {1};
    result.kind = Kind::r2hc;
    result.batch = p.batch;
    result.precision = p.precision;
    result.forward_load = load_text(p, at, "");
    result.forward_load.buffers = {{"signal", type_of(p), p.batch * p.samples}};
    result.forward_store = "store padded[batch * " + std::to_string(whole) + " + " + at + "] = value;";
    result.forward_store.buffers = {{"padded", type_of(p), p.batch * whole}};
    return result;
}

Problem frames_problem(const ShortTimeProblem& p) {
    Problem result = transform_of(p, Kind::c2r);
    result.input = spectra_layout(p);
    result.inverse_scale = Scale::by_n();
    result.inverse_store = "return value * window[i1];";
    result.inverse_store.buffers = {{"window", type_of(p), p.window.size()}};
    return result;
}

namespace {

/// With the number in place of each '#'.
std::string numbered(const std::string& text, std::uint64_t number) {
    std::string result;
    for (const char letter : text) {
        if (letter == '#')
            result += std::to_string(number);
        else
            result += letter;
    }
    return result;
}

}  // namespace

Problem sums_problem(const ShortTimeProblem& p) {
    const std::uint64_t length = p.window.size(), frames = p.frames(), hop = p.hop;
    Problem result;
    result.lengths = {p.samples, 1};
    result.axes = {1};
    result.kind = Kind::r2hc;
    result.batch = p.batch;
    result.precision = p.precision;
    const std::string last_frame = std::to_string(frames - 1), last_number = std::to_string(length - 1);
    const std::string names = "let f# = last - #; let e# = at + " + std::to_string(hop) + " * #; let w# = min(e#, " +
                              last_number + "); let c# = f# >= 0 && f# <= " + last_frame + " && e# <= " + last_number +
                              ";";
    const std::string number = "(c# ? frames[(batch * " + std::to_string(frames) + " + max(0, min(f#, " + last_frame +
                               "))) * " + std::to_string(length) + " + w#] : 0)";
    std::string text = "let p = i0 + " + std::to_string(padded_samples(p)) + "; let last = div(p, " +
                       std::to_string(hop) + "); let at = mod(p, " + std::to_string(hop) + ");";
    std::string sum, squares;
    for (std::uint64_t r = 0; r * hop < length; ++r) {
        text += numbered(names, r);
        sum += numbered(r == 0 ? number : " + " + number, r);
        squares += numbered(r == 0 ? "(c# ? squares[w#] : 0)" : " + (c# ? squares[w#] : 0)", r);
    }
    text += "let s = " + squares + "; return s > 0 ? (" + sum + ") / s : 0;";
    result.forward_load = text;
    result.forward_load.buffers = {{"frames", type_of(p), p.batch * frames * length}, {"squares", type_of(p), length}};
    return result;
}

}  // namespace seiche::problem
