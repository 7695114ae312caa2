// Cases as text, their random input, and whether a peer's answer is right.
#include "bench/case.hpp"

#include <charconv>
#include <cmath>
#include <complex>
#include <limits>
#include <sstream>

#include "cli/dft_bins.hpp"

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

template <class T>
void fill(std::vector<unsigned char>& bytes) {
    auto* values = reinterpret_cast<T*>(bytes.data());
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
        state += 0x9e3779b97f4a7c15u;  // splitmix64
        std::uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        values[i] = static_cast<T>(static_cast<std::int64_t>(z ^ (z >> 31)) >> 40) / static_cast<T>(1 << 23);
    }
}

template <class T>
double worst_error(const Case& what, const unsigned char* input, const unsigned char* output) {
    const auto* x = reinterpret_cast<const std::complex<T>*>(input);
    const auto* y = reinterpret_cast<const std::complex<T>*>(output);
    const std::uint64_t n = what.points();
    for (std::uint64_t i = 0; i < n * what.batch; ++i) {
        if (!std::isfinite(y[i].real()) || !std::isfinite(y[i].imag())) return std::numeric_limits<double>::quiet_NaN();
    }
    constexpr int bins = 4;
    const double size = std::sqrt(2.0 / 3.0 * static_cast<double>(n));  // of an output, in the mean
    double worst = 0;
    for (const std::uint64_t array : {std::uint64_t{0}, what.batch - 1}) {
        for (int i = 0; i < bins; ++i) {
            const std::uint64_t at = n / bins * static_cast<std::uint64_t>(i) + static_cast<std::uint64_t>(i) % n;
            std::vector<std::uint64_t> bin(what.lengths.size());
            std::uint64_t rest = at % n;
            for (std::size_t axis = bin.size(); axis-- > 0; rest /= what.lengths[axis])
                bin[axis] = rest % what.lengths[axis];
            const auto expected = cli::dft_bin(x + array * n, what.lengths, bin, false);
            const auto got = static_cast<std::complex<long double>>(y[array * n + at % n]);
            worst = std::max(worst, static_cast<double>(std::abs(got - expected)) / size);
        }
    }
    return worst;
}

}  // namespace

std::uint64_t Case::points() const {
    std::uint64_t total = 1;
    for (const std::uint64_t n : lengths) total *= n;
    return total;
}

std::uint64_t Case::bytes() const { return points() * batch * (fp64 ? 16u : 8u); }

Case parse_case(const std::string& text) {
    std::istringstream words(text);
    std::string precision, shape, batch, placement, index;
    words >> precision >> shape >> batch >> placement >> index;
    Case what;
    if (precision != "f32" && precision != "f64") throw PeerError("expected f32 or f64, got '" + precision + "'");
    what.fp64 = precision == "f64";
    std::istringstream lengths(shape);
    for (std::string length; std::getline(lengths, length, 'x');) what.lengths.push_back(parse_count(length, "length"));
    if (what.lengths.empty()) throw PeerError("expected a shape such as 1024x1024, got nothing");
    what.batch = parse_count(batch, "batch");
    if (placement != "in" && placement != "out") throw PeerError("expected in or out, got '" + placement + "'");
    what.in_place = placement == "in";
    if (!index.empty() && index != "0") what.device_index = static_cast<int>(parse_count(index, "device index"));
    std::getline(words >> std::ws, what.device_name);
    return what;
}

std::vector<unsigned char> random_input(const Case& what) {
    std::vector<unsigned char> bytes(what.bytes());
    what.fp64 ? fill<double>(bytes) : fill<float>(bytes);
    return bytes;
}

double error_of(const Case& what, const std::vector<unsigned char>& input, const std::vector<unsigned char>& output) {
    return what.fp64 ? worst_error<double>(what, input.data(), output.data())
                     : worst_error<float>(what, input.data(), output.data());
}

}  // namespace seiche::bench
