// Cases as text, their random input, and whether a peer's answer is right.
#include "bench/case.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <mutex>
#include <sstream>
#include <type_traits>

#include "cli/reference/dft_bins.hpp"
#include "cli/reference/kind_bins.hpp"
#include "cli/reference/random_data.hpp"
#include "cli/system/in_parallel.hpp"
#include "seiche/half.hpp"

namespace seiche::bench {
namespace {

std::uint64_t parse_count(const std::string& text, const char* what) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value == 0) {
        throw PeerError(std::string("expected a ") + what + ", got '" + text + "'");
    }
    return value;
}

Number parse_number(const std::string& text) {
    for (const Number number : {Number::f32, Number::f64, Number::f16, Number::bf16}) {
        if (text == to_string(number)) return number;
    }
    throw PeerError("expected f32, f64, f16 or bf16, got '" + text + "'");
}

struct KindName {
    Kind kind;
    const char* name;
};
constexpr KindName kind_names[] = {
    {Kind::c2c, "c2c"},   {Kind::r2c, "r2c"},   {Kind::c2r, "c2r"},   {Kind::dct1, "dct1"}, {Kind::dct2, "dct2"},
    {Kind::dct3, "dct3"}, {Kind::dct4, "dct4"}, {Kind::dst1, "dst1"}, {Kind::dst2, "dst2"}, {Kind::dst3, "dst3"},
    {Kind::dst4, "dst4"}, {Kind::dht, "dht"},   {Kind::r2hc, "r2hc"}, {Kind::hc2r, "hc2r"}};

Kind parse_kind(const std::string& text) {
    for (const KindName& name : kind_names) {
        if (text == name.name) return name.kind;
    }
    throw PeerError("expected a kind such as c2c or dct2, got '" + text + "'");
}

/// One kind for all axes or one for each.
std::vector<Kind> parse_kinds(const std::string& text, std::size_t rank) {
    std::vector<Kind> kinds;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) kinds.push_back(parse_kind(word));
    if (kinds.size() == 1) {
        const bool halved = kinds[0] == Kind::r2c || kinds[0] == Kind::c2r;
        kinds.insert(kinds.begin(), rank - 1, halved ? Kind::c2c : kinds[0]);
    }
    if (kinds.size() != rank) throw PeerError("expected one kind, or one for each axis, got '" + text + "'");
    return kinds;
}

/// A half as it lies in memory, which counts as a float.
template <std::uint16_t (*to_half)(float), float (*from_half)(std::uint16_t)>
class Half {
public:
    Half() = default;
    explicit Half(float value) : bits_(to_half(value)) {}
    explicit operator float() const { return from_half(bits_); }

private:
    std::uint16_t bits_ = 0;
};
using F16 = Half<to_f16, from_f16>;
using Bf16 = Half<to_bf16, from_bf16>;

/// What a number in memory is computed with.
template <class T>
using Real = std::conditional_t<sizeof(T) == 2, float, T>;

/// Calls `work` with a number of the type that the case's arrays have.
template <class Work>
auto with_number(const Case& what, const Work& work) {
    switch (what.number) {
        case Number::f32: return work(float{});
        case Number::f64: return work(double{});
        case Number::f16: return work(F16{});
        case Number::bf16: break;
    }
    return work(Bf16{});
}

std::uint64_t number_bytes(const Case& what) {
    return with_number(what, [](auto zero) { return sizeof zero; });
}

template <class T>
void fill(T* values, std::uint64_t count) {
    cli::in_ranges(count, 0, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) {
            const auto bits = static_cast<std::int64_t>(cli::splitmix(1 + i * 0x9e3779b97f4a7c15u));
            values[i] = T(static_cast<Real<T>>(bits >> 40) / Real<T>(1 << 23));
        }
    });
}

/// Makes one array the spectrum of a real signal.
template <class T>
void make_hermitian(const Case& what, std::complex<T>* values) {
    const std::uint64_t n = what.lengths.back(), row = what.row(false), rows = what.points() / n;
    for (std::uint64_t i = 0; i < rows; ++i) {
        std::uint64_t mirrored = 0, rest = i, weight = 1;
        for (std::size_t axis = what.lengths.size() - 1; axis-- > 0;) {
            const std::uint64_t length = what.lengths[axis];
            mirrored += (length - rest % length) % length * weight;
            rest /= length;
            weight *= length;
        }
        for (const std::uint64_t k : {std::uint64_t{0}, n / 2}) {
            if (k != 0 && 2 * k != n) continue;
            std::complex<T>& value = values[i * row + k];
            value = mirrored < i    ? std::conj(values[mirrored * row + k])
                    : mirrored == i ? std::complex<T>(value.real())
                                    : value;
        }
    }
}

/// All spectra: libraries differ in what they make of others.
template <class T>
void make_hermitian(const Case& what, unsigned char* input) {
    auto* values = reinterpret_cast<std::complex<T>*>(input);
    cli::in_ranges(what.batch, 0, [&](std::size_t first, std::size_t end) {
        for (std::size_t array = first; array < end; ++array)
            make_hermitian(what, values + array * what.distance(false));
    });
}

/// Spectra of real even signals, wherever a row begins.
template <class T>
void drop_imaginary_parts(const Case& what, unsigned char* input) {
    auto* numbers = reinterpret_cast<T*>(input);
    for (std::uint64_t i = 1; i < what.input_bytes() / sizeof(T); i += 2) numbers[i] = 0;
}

/// One of the arrays of a case as complex numbers, wherever they lie.
template <class T>
class View {
public:
    View(const Case& what, const unsigned char* bytes, bool output)
        : numbers_(reinterpret_cast<const T*>(bytes)), real_(what.is_real(output)), row_(what.row(output)) {
        const std::uint64_t n = what.lengths.back();
        const bool halved = output ? what.kind() == Kind::r2c : what.kind() == Kind::c2r;
        count_ = halved ? n / 2 + 1 : n;
    }
    std::uint64_t row_count() const { return count_; }
    /// Element i, counted over all arrays without their padding.
    std::complex<long double> operator()(std::uint64_t i) const {
        const std::uint64_t at = place(i);
        if (real_) return static_cast<long double>(Real<T>(numbers_[at]));
        return {Real<T>(numbers_[2 * at]), Real<T>(numbers_[2 * at + 1])};
    }

    double norm(std::uint64_t i) const {
        const std::uint64_t at = place(i);
        if (real_) return std::norm(static_cast<double>(Real<T>(numbers_[at])));
        return std::norm(std::complex<double>(Real<T>(numbers_[2 * at]), Real<T>(numbers_[2 * at + 1])));
    }

private:
    std::uint64_t place(std::uint64_t i) const { return row_ == count_ ? i : i / count_ * row_ + i % count_; }

    const T* numbers_;
    bool real_;
    std::uint64_t row_, count_ = 1;
};

/// Not a number if one element is not finite.
template <class T>
double root_mean_square(const View<T>& y, std::uint64_t count) {
    std::mutex mutex;
    double squares = 0;
    cli::in_ranges(count, 0, [&](std::size_t first, std::size_t end) {
        double sum = 0;
        for (std::size_t i = first; i < end; ++i) sum += y.norm(i);
        const std::lock_guard lock(mutex);
        squares += sum;
    });
    return std::isfinite(squares) ? std::sqrt(squares / static_cast<double>(count))
                                  : std::numeric_limits<double>::quiet_NaN();
}

std::vector<cli::KindAxis> axes_of(const Case& what) {
    std::vector<cli::KindAxis> axes;
    for (std::size_t axis = 0; axis < what.lengths.size(); ++axis)
        axes.push_back({what.kinds[axis], what.lengths[axis]});
    return axes;
}

std::uint64_t outputs_of(const Case& what) {
    std::uint64_t outputs = 1;
    for (const cli::KindAxis& axis : axes_of(what)) outputs *= axis.output_count();
    return outputs;
}

/// Output `at` of one array.
template <class T>
std::complex<long double> output_of(const Case& what, const unsigned char* input, std::uint64_t array,
                                    std::uint64_t at) {
    const View<T> x(what, input, false);
    const std::uint64_t first = array * (what.points() / what.lengths.back()) * x.row_count();
    const std::vector<cli::KindAxis> axes = axes_of(what);
    std::vector<std::uint64_t> bin(axes.size());
    for (std::size_t axis = bin.size(); axis-- > 0; at /= axes[axis].output_count())
        bin[axis] = at % axes[axis].output_count();
    if (what.kind() != Kind::c2c)
        return cli::kind_bin([&](std::uint64_t j) { return x(first + j); }, axes, bin, what.kind() == Kind::c2r);
    // The same, many times as fast.
    const auto point = [numbers = reinterpret_cast<const T*>(input), first](std::uint64_t j) {
        const T* pair = numbers + 2 * (first + j);
        return std::complex<Real<T>>(Real<T>(pair[0]), Real<T>(pair[1]));
    };
    return cli::dft_bin(point, what.lengths, bin, false);
}

template <class T>
double worst_error(const Case& what, const std::vector<ExpectedOutput>& expected, const unsigned char* output) {
    const View<T> y(what, output, true);
    const double size = root_mean_square(y, outputs_of(what) * what.batch);
    if (!std::isfinite(size)) return size;
    double worst = 0;
    for (const ExpectedOutput& one : expected)
        worst = std::max(worst, static_cast<double>(std::abs(y(one.output) - one.value)) / size);
    return worst;
}

}  // namespace

const char* to_string(Number number) noexcept {
    switch (number) {
        case Number::f32: return "f32";
        case Number::f64: return "f64";
        case Number::f16: return "f16";
        case Number::bf16: break;
    }
    return "bf16";
}

std::uint64_t Case::points() const {
    std::uint64_t total = 1;
    for (const std::uint64_t n : lengths) total *= n;
    return total;
}

bool Case::is_real(bool output) const {
    if (kind() == Kind::c2c) return false;
    return kind() != (output ? Kind::r2c : Kind::c2r);
}

std::uint64_t Case::row(bool output) const {
    const std::uint64_t n = lengths.back();
    if (kind() != Kind::r2c && kind() != Kind::c2r) return n;
    if (!is_real(output)) return n / 2 + 1;
    return in_place ? 2 * (n / 2 + 1) : n;
}

std::uint64_t Case::input_bytes() const {
    return distance(false) * batch * number_bytes(*this) * (is_real(false) ? 1u : 2u);
}

std::uint64_t Case::output_bytes() const {
    return distance(true) * batch * number_bytes(*this) * (is_real(true) ? 1u : 2u);
}

std::uint64_t Case::bytes() const { return std::max(input_bytes(), output_bytes()); }

void require_complex(const Case& what, const char* peer) {
    if (std::any_of(what.kinds.begin(), what.kinds.end(), [](Kind kind) { return kind != Kind::c2c; }))
        throw PeerError(std::string(peer) + ": complex transforms only");
}

void require_forward(const Case& what, const char* peer) {
    if (what.kind() != Kind::r2c) require_complex(what, peer);
}

void refuse_halves(const Case& what, const char* peer) {
    if (what.has_halves())
        throw PeerError(std::string(peer) + ": timed in f32 and f64 only, got " + to_string(what.number));
}

bool has_graphs(const std::string& peer) { return peer == "cufft" || peer == "vkfft-cuda"; }

Case parse_case(const std::string& text) {
    std::istringstream words(text);
    std::string number, kinds, shape, batch, placement, index;
    words >> number >> kinds >> shape >> batch >> placement >> index;
    Case what;
    what.number = parse_number(number);
    std::istringstream lengths(shape);
    for (std::string length; std::getline(lengths, length, 'x');) what.lengths.push_back(parse_count(length, "length"));
    if (what.lengths.empty()) throw PeerError("expected a shape such as 1024x1024, got nothing");
    what.kinds = parse_kinds(kinds, what.lengths.size());
    if (what.has_halves()) require_complex(what, number.c_str());
    what.batch = parse_count(batch, "batch");
    if (const std::size_t comma = placement.find(','); comma != std::string::npos) {
        if (placement.substr(comma) != ",graph") throw PeerError("expected ,graph, got '" + placement + "'");
        what.in_graph = true;
        placement.erase(comma);
    }
    if (placement != "in" && placement != "out" && placement != "cached")
        throw PeerError("expected in, out or cached, got '" + placement + "'");
    what.in_place = placement == "in";
    what.cached_input = placement == "cached";
    if (!index.empty() && index != "0") what.device_index = static_cast<int>(parse_count(index, "device index"));
    std::getline(words >> std::ws, what.device_name);
    return what;
}

void make_random_input(const Case& what, unsigned char* input) {
    with_number(what, [&]<class T>(T) { fill(reinterpret_cast<T*>(input), what.input_bytes() / sizeof(T)); });
    if (!what.cached_input) {
        if (what.kind() == Kind::c2r)
            what.has_doubles() ? make_hermitian<double>(what, input) : make_hermitian<float>(what, input);
        return;
    }
    if (what.kind() == Kind::c2r)
        what.has_doubles() ? drop_imaginary_parts<double>(what, input) : drop_imaginary_parts<float>(what, input);
    const std::uint64_t bytes = what.input_bytes();
    for (std::uint64_t i = cached_period; i < bytes; i += cached_period)
        std::memcpy(input + i, input, std::min(cached_period, bytes - i));
}

std::vector<ExpectedOutput> some_outputs(const Case& what, const unsigned char* input) {
    constexpr std::uint64_t bins = 4;
    const std::uint64_t outputs = outputs_of(what), arrays = what.batch == 1 ? 1 : 2;
    std::vector<ExpectedOutput> expected(arrays * bins);
    cli::in_parallel(expected.size(), 0, [&](std::size_t i) {
        const std::uint64_t array = i / bins * (what.batch - 1), bin = i % bins;
        const std::uint64_t at = (outputs / bins * bin + bin) % outputs;
        expected[i] = {array * outputs + at,
                       with_number(what, [&]<class T>(T) { return output_of<T>(what, input, array, at); })};
    });
    return expected;
}

double error_of(const Case& what, const std::vector<ExpectedOutput>& expected, const unsigned char* output) {
    return with_number(what, [&]<class T>(T) { return worst_error<T>(what, expected, output); });
}

double tolerance_of(const Case& what) {
    constexpr double of_f32 = 2e-5, of_f64 = 2e-13, of_halves = 4;
    if (!what.has_halves()) return what.has_doubles() ? of_f64 : of_f32;
    const double unit = what.number == Number::f16 ? 0x1p-11 : 0x1p-8;
    return of_halves * unit * std::sqrt(std::log2(std::max(2.0, static_cast<double>(what.points()))));
}

}  // namespace seiche::bench
