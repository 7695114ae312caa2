// Drawing: a family by the number, so that every stretch of the corpus has them all, then lengths and words by chance.
#include "tests/guard/problems.hpp"

#include <algorithm>
#include <bit>

#include "seiche/error.hpp"
#include "seiche/wisdom.hpp"
#include "support/text.hpp"
#include "tests/guard/random.hpp"

namespace seiche::guard {

namespace {

bool is_prime(std::uint64_t n) {
    for (std::uint64_t p = 2; p * p <= n; ++p)
        if (n % p == 0) return false;
    return n >= 2;
}

std::uint64_t prime_from(std::uint64_t n) {
    n = std::max<std::uint64_t>(n, 2);
    while (!is_prime(n)) ++n;
    return n;
}

/// A product of such factors from 2^(bits-1) on, at most 2^(bits+1).
std::uint64_t product(Random& random, unsigned bits, std::initializer_list<std::uint64_t> factors) {
    const std::uint64_t most = std::uint64_t{2} << bits;
    std::uint64_t n = 1;
    while (n < std::uint64_t{1} << (bits - 1)) {
        const std::uint64_t factor = random.of(factors);
        n *= n * factor <= most ? factor : 2;
    }
    return n;
}

/// Of every class: powers of two, smooth, primes, primes times a few, squares of primes, any; of so many bits.
std::uint64_t length(Random& random, unsigned most_bits, unsigned least_bits = 1) {
    const auto bits = static_cast<unsigned>(random.within(least_bits, most_bits));
    const std::uint64_t power = std::uint64_t{1} << bits, any = random.within(power / 2, power);
    switch (random.below(12)) {
        case 0:
        case 1:
        case 2: return power;
        case 3:
        case 4: return product(random, bits, {2, 2, 2, 3, 5, 7});
        case 5: return product(random, bits, {2, 3, 3, 5, 5, 7});
        case 6: return product(random, bits, {2, 2, 3, 5, 7, 11, 13});
        case 7: return prime_from(any);
        case 8: {
            const std::uint64_t prime = prime_from(random.within(11, 200));
            return prime * random.of({1, 2, 3, 4, 5, 8, 16, 60});
        }
        case 9: {
            const std::uint64_t prime = prime_from(std::uint64_t{1} << (bits / 2));
            return prime * (random.percent(50) ? prime : prime_from(prime + 1));
        }
        case 10: return product(random, bits, {2, 3, 17, 19, 23, 29, 31});
        default: return std::max<std::uint64_t>(any, 1);
    }
}

/// The elements of a list in braces are drawn from left to right; the operands of + in any order, by the standard.
std::string joined(std::initializer_list<std::string> parts) {
    std::string text;
    for (const std::string& part : parts) text += part;
    return text;
}

std::string shape_text(const std::vector<std::uint64_t>& lengths) { return support::join_numbers(lengths, "x"); }

/// So many axes, of so many bits together.
std::vector<std::uint64_t> lengths(Random& random, std::size_t rank, unsigned most_bits) {
    std::vector<std::uint64_t> list;
    if (rank == 1) return {length(random, most_bits)};
    const bool is_cube = random.percent(30);
    const unsigned own = std::max(3u, most_bits / static_cast<unsigned>(rank)), least = random.percent(30) ? 1 : 3;
    while (list.size() < rank) list.push_back(is_cube && !list.empty() ? list[0] : length(random, own, least));
    if (is_cube || !random.percent(20)) return list;
    const std::size_t longer = random.below(rank);
    list[longer] = length(random, std::min(most_bits - 6, own + 5), least);
    return list;
}

std::string precision_words(Random& random) {
    const std::uint64_t chance = random.below(20);
    if (chance < 11) return " f32";
    if (chance < 14) return " f64";
    return random.of({" f64x2", " f16", " bf16", " f16-arithmetic", " f64 storage=f32", " f64x2 storage=f64"});
}

std::uint64_t points_of(const std::vector<std::uint64_t>& shape) {
    std::uint64_t points = 1;
    for (const std::uint64_t n : shape) points *= n;
    return points;
}

std::string batch_word(Random& random, std::uint64_t points) {
    const std::uint64_t many =
        std::max<std::uint64_t>(1, (std::uint64_t{1} << 25) / std::max<std::uint64_t>(points, 1));
    const std::uint64_t batch = random.percent(50) ? many : random.of({1, 1, 2, 3, 7, 16, 100, 1000});
    return batch == 1 ? "" : " batch=" + std::to_string(batch);
}

std::string real_kind(Random& random) {
    return random.of({"dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht", "r2hc", "hc2r"});
}

std::string some_kind(Random& random, std::size_t rank) {
    const std::uint64_t chance = random.below(10);
    if (chance < 5) return " c2c";
    if (chance < 9) return random.of({" r2c", " c2r"});
    std::string kinds = " " + real_kind(random);
    for (std::size_t i = 1; i < rank; ++i) kinds += "," + real_kind(random);
    return kinds;
}

std::string scale_words(Random& random) {
    return random.of({" inverse-scale=1/n", " norm=ortho", " norm=forward", " forward-scale=0.5", ""});
}

std::size_t few_axes(Random& random) { return random.percent(50) ? 1 : random.percent(60) ? 2 : random.within(3, 4); }

unsigned bits_of_rank(Random& random, std::size_t rank) {
    if (rank == 1) return random.percent(25) ? 27 : 16;
    return random.percent(25) ? 26 : 18;
}

/// Strides of rows that lie in larger ones, the axes in this order or turned round.
std::string strides(Random& random, const std::vector<std::uint64_t>& counts) {
    std::vector<std::uint64_t> list(counts.size());
    const bool is_turned = random.percent(40);
    std::uint64_t stride = random.of({1, 1, 2, 3});
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::size_t axis = is_turned ? i : counts.size() - 1 - i;
        list[axis] = stride;
        stride *= counts[axis] + random.of({0, 0, 1, 2, 8});
    }
    return support::join_numbers(list, ",");
}

// --- Families ---------------------------------------------------------------------------------------------------

void one_axis(Random& random, Drawn& drawn) {
    const std::vector<std::uint64_t> shape{length(random, random.percent(30) ? 27 : 15)};
    drawn.text = joined({shape_text(shape), " c2c", precision_words(random), batch_word(random, shape[0])});
    if (random.percent(25)) drawn.text += " in-place";
    if (random.percent(15)) drawn.text += scale_words(random);
}

void several_axes(Random& random, Drawn& drawn) {
    const std::size_t rank = random.within(2, 4);
    const auto shape = lengths(random, rank, bits_of_rank(random, rank));
    drawn.text = joined({shape_text(shape), " c2c", precision_words(random), batch_word(random, points_of(shape))});
    if (random.percent(25)) drawn.text += " in-place";
    if (random.percent(30)) drawn.text += " axes=" + std::to_string(random.below(rank));
}

void halved(Random& random, Drawn& drawn) {
    const std::size_t rank = few_axes(random);
    const auto shape = lengths(random, rank, bits_of_rank(random, rank));
    drawn.text = joined({shape_text(shape), random.of({" r2c", " r2c", " c2r", " hfft", " ihfft"}),
                         precision_words(random), batch_word(random, points_of(shape))});
    if (random.percent(20)) drawn.text += " in-place";
    if (random.percent(15)) drawn.text += " halved=" + std::to_string(random.below(rank));
    if (random.percent(15)) drawn.text += scale_words(random);
}

void real_to_real(Random& random, Drawn& drawn) {
    const std::size_t rank = random.percent(60) ? 1 : random.within(2, 3);
    const bool is_small = random.percent(50);
    const auto shape = lengths(random, rank, is_small ? (rank == 1 ? 10 : 12) : bits_of_rank(random, rank));
    drawn.text = joined({shape_text(shape), " ", real_kind(random)});
    if (rank > 1 && random.percent(50))
        for (std::size_t i = 1; i < rank; ++i) drawn.text += "," + real_kind(random);
    drawn.text += joined({precision_words(random), batch_word(random, points_of(shape))});
    if (random.percent(20)) drawn.text += random.of({" orthonormal", " orthogonalize", " in-place"});
}

void laid_out(Random& random, Drawn& drawn) {
    const std::size_t rank = few_axes(random);
    const auto shape = lengths(random, rank, 16);
    drawn.text = joined({shape_text(shape), some_kind(random, rank), precision_words(random),
                         " batch=", std::to_string(random.of({1, 3, 64, 1000}))});
    switch (random.below(10)) {
        case 0: drawn.text += " istrides=" + strides(random, shape); break;
        case 1: drawn.text += " ostrides=" + strides(random, shape); break;
        case 2:
            drawn.text += joined({" istrides=", strides(random, shape), " ostrides=", strides(random, shape)});
            break;
        case 3: drawn.text += " istrides=" + strides(random, shape) + " in-place"; break;
        case 4: drawn.text += random.of({" planar", " iplanar", " oplanar", " planar in-place"}); break;
        case 5: drawn.text += " idist=" + std::to_string(points_of(shape) + random.of({1, 8, 64})); break;
        case 6:
            drawn.text +=
                random.of({" ioffset=64", " ooffset=128", " ioffset=32 ooffset=32", " ioffset=4096 in-place"});
            break;
        case 7:
            drawn.text +=
                joined({random.of({" parts=", " iparts=", " oparts="}), std::to_string(random.of({65536, 1 << 20}))});
            break;
        case 8:
            drawn.text += joined(
                {random.of({" image=", " iimage=", " oimage="}), random.of({"r32f", "rg32f", "rgba32f", "rgba16f"})});
            break;
        default:
            drawn.text +=
                joined({" istrides=", strides(random, shape), random.of({" planar", " overwrite-input", " oplanar"})});
    }
}

void pruned(Random& random, Drawn& drawn) {
    const std::size_t rank = few_axes(random);
    const auto shape = lengths(random, rank, bits_of_rank(random, rank));
    drawn.text = joined(
        {shape_text(shape), some_kind(random, rank), precision_words(random), batch_word(random, points_of(shape))});
    if (random.percent(30)) {
        drawn.text += random.of({" spectrum-order=pass", " overwrite-input", " spectrum-order=pass in-place"});
        return;
    }
    const bool is_halved = drawn.text.find("r2c") != std::string::npos || drawn.text.find("c2r") != std::string::npos;
    const auto block = [&](bool of_spectrum) {
        const std::size_t axis = random.below(rank);
        const std::uint64_t own = shape[axis],
                            elements = of_spectrum && is_halved && axis + 1 == rank ? own / 2 + 1 : own;
        const std::uint64_t n = std::max<std::uint64_t>(elements, 2);
        const std::uint64_t begin = random.percent(60) ? n / 2 : random.below(n), end = random.within(begin + 1, n);
        return std::to_string(axis) + ":" + std::to_string(begin) + "-" + std::to_string(random.percent(50) ? n : end);
    };
    if (random.percent(75)) drawn.text += " signal-zeros=" + block(false);
    if (random.percent(40)) drawn.text += " spectrum-zeros=" + block(true);
}

void staged(Random& random, Drawn& drawn) {
    const std::size_t rank = few_axes(random);
    const auto shape = lengths(random, rank, bits_of_rank(random, rank));
    drawn.text = joined({shape_text(shape), some_kind(random, rank), random.of({" f32", " f32", " f64", " f16"}),
                         batch_word(random, points_of(shape))});
    const std::string n = std::to_string(shape[0]);
    switch (random.below(5)) {
        case 0: drawn.load = "return value * 0.5;"; break;
        case 1:
            drawn.load = "return value * window[i0];";
            drawn.buffers.push_back("window=f32:" + n);
            break;
        case 2: drawn.load = "return i0 % 2 == 0 ? value : -value;"; break;
        case 3:
            drawn.load = "return value * gain;";
            drawn.scalars.emplace_back("gain=f32");
            break;
        default:
            drawn.load = random.of({"return samples[i0] / 32768.0;", "return samples[i0] * 2;"});
            drawn.buffers.push_back("samples=i16:" + n);
    }
    if (random.percent(60)) {
        drawn.store = random.of({"return value * 2;", "return value / (1 + i0);", "store power[i0] = abs(value);"});
        if (drawn.store[0] == 's') drawn.buffers.push_back("power=f32:" + n);
    }
    if (!random.percent(20)) return;
    drawn.buffers.clear();
    drawn.scalars.clear();
    drawn.load.clear();
    drawn.store = "return value * cospi(i0 / n0);";
}

void convolved(Random& random, Drawn& drawn) {
    const std::size_t rank = random.percent(55) ? 1 : random.within(2, 3);
    const auto signal = lengths(random, rank, random.percent(25) ? 24 : 16);
    std::vector<std::uint64_t> kernel;
    for (const std::uint64_t n : signal)
        kernel.push_back(random.percent(30) ? n : random.within(1, std::max<std::uint64_t>(1, n / 3)));
    const bool is_spectrum = random.percent(15);
    drawn.text = shape_text(signal) + " * " +
                 (is_spectrum ? "spectrum circular"
                              : shape_text(kernel) + " " + random.of({"full", "same", "valid", "circular"}));
    drawn.text += joined({random.of({" real", " real", " complex"}), random.of({"", "", " correlate"})});
    drawn.text += random.of({" f32", " f32", " f64", " f16", " bf16", " f64x2"});
    if (random.percent(10)) drawn.text = shape_text(signal) + " * " + shape_text(signal) + " circular phase";
    if (random.percent(35)) {
        const std::string same = std::to_string(random.within(1, 4));
        switch (random.below(3)) {
            case 0:
                drawn.text += joined({" inputs=", std::to_string(random.within(1, 4)),
                                      " outputs=", std::to_string(random.within(1, 4))});
                break;
            case 1: drawn.text += " inputs=" + same + " outputs=" + same + " channels=symmetric"; break;
            default: drawn.text += " inputs=" + same + " outputs=" + same + " channels=diagonal"; break;
        }
    }
    if (random.percent(40)) drawn.text += " batch=" + std::to_string(random.of({2, 10, 1000}));
    const bool may_have_blocks = rank == 1 && drawn.text.find("circular") == std::string::npos;
    if (may_have_blocks && random.percent(40)) drawn.text += " block=" + std::to_string(random.of({1, 1024, 4096}));
}

void textbook(Random& random, Drawn& drawn) {
    const std::uint64_t n = random.percent(80) ? std::uint64_t{1} << random.within(1, 18) : random.within(2, 200);
    drawn.text = joined({std::to_string(n), " c2c", random.of({" f32", " f32", " f64"}), batch_word(random, n)});
    if (random.percent(20)) drawn.text = std::to_string(n) + "x64 c2c f32";
    if (random.percent(30)) drawn.text += " in-place";
    drawn.tuning = "recipe=" + random.of({"direct",
                                          "matrix",
                                          "dit",
                                          "dif",
                                          "cooley-tukey-per-stage",
                                          "cooley-tukey-one-pass",
                                          "cooley-tukey-natural",
                                          "stockham-radix-2",
                                          "stockham-radix-4",
                                          "split-radix",
                                          "locality",
                                          "locality-unpadded",
                                          "locality-straightforward",
                                          "locality-transposing",
                                          "multistage",
                                          "multistage-2",
                                          "multistage-4",
                                          "multistage-8",
                                          "multistage-16",
                                          "level-by-level",
                                          "level-by-block",
                                          "level-by-flag",
                                          "brute-force"});
    if (random.percent(40)) drawn.tuning += " twiddles=" + random.of({"table", "on-the-fly", "native", "recurrence"});
}

/// Radices of a power of two, or passes of one: exponents that are drawn and multiply to it.
std::string factors(Random& random, std::uint64_t n, unsigned least, unsigned most) {
    std::vector<std::uint64_t> list;
    auto left = static_cast<unsigned>(std::bit_width(n) - 1);
    while (left > 0) {
        const auto own = std::min(left, static_cast<unsigned>(random.within(least, most)));
        list.push_back(std::uint64_t{1} << own);
        left -= own;
    }
    return support::join_numbers(list, "x");
}

void forced(Random& random, Drawn& drawn) {
    const bool is_long = random.percent(50);
    const std::uint64_t power = std::uint64_t{1} << (is_long ? random.within(13, 22) : random.within(3, 12));
    std::string kind = random.of({" c2c", " c2c", " r2c", " c2r", " dct2", " dct4"});
    std::string shape = std::to_string(power);
    const std::uint64_t points = kind == " c2c" ? power : power / 2;  // of the complex core
    switch (random.below(9)) {
        case 0: drawn.tuning = "radices=" + factors(random, is_long ? 4096 : points, 2, 5); break;
        case 1: drawn.tuning = "passes=" + factors(random, points, 5, 11); break;
        case 2: {
            shape = std::to_string(prime_from(random.within(11, 4000)));
            drawn.tuning = "algorithm=" + random.of({"direct", "rader", "bluestein"});
            break;
        }
        case 3: {
            const std::uint64_t n = random.within(5, 3000);
            shape = std::to_string(n);
            drawn.tuning = "padded-length=" + std::to_string(std::bit_ceil(2 * n - 1));
            break;
        }
        case 4: drawn.tuning = "threads=" + std::to_string(random.of({1, 2, 4, 8, 16, 32, 64, 128, 256})); break;
        case 5: drawn.tuning = "transforms-per-group=" + std::to_string(random.of({1, 2, 4, 8, 16, 32})); break;
        case 6: drawn.tuning = "groups-per-cluster=" + std::to_string(random.of({1, 2, 4, 8, 16})); break;
        case 7:
            drawn.tuning = random.of(
                {"separate-passes=yes", "trailing-passes=yes", "trailing-passes=yes", "buffer-bytes=1048576"});
            break;
        default: drawn.tuning = "vector-lanes=" + std::to_string(random.of({1, 2, 4, 8, 16})); break;
    }
    if (is_long && drawn.tuning.rfind("radices", 0) == 0) shape = std::to_string(kind == " c2c" ? 4096 : 8192);
    if (drawn.tuning.rfind("algorithm", 0) == 0 && random.percent(60)) kind = " c2c";
    if (random.percent(20) && drawn.tuning[0] != 'p' && drawn.tuning[0] != 'r')
        shape = random.of({"64x64x64", "512x512", "100x100x100", "1024x128"});
    drawn.text = joined({shape, kind, random.of({" f32", " f32", " f64"}), batch_word(random, power)});
    if (random.percent(25)) drawn.text += " in-place";
}

/// Arrays of about 256 MiB, as benchmarks have them: what was measured, and what fills a device.
void filling(Random& random, Drawn& drawn) {
    const auto smooth = [&](unsigned least, unsigned most) {
        const auto bits = static_cast<unsigned>(random.within(least, most));
        return random.percent(50) ? std::uint64_t{1} << bits : product(random, bits, {2, 2, 2, 3, 5, 7});
    };
    std::vector<std::uint64_t> shape;
    switch (random.below(4)) {
        case 0: shape = {smooth(2, 12)}; break;
        case 1: shape = {smooth(12, 25)}; break;
        case 2:
            shape = {smooth(4, 12)};
            shape.push_back(random.percent(50) ? shape[0] : smooth(4, 12));
            break;
        default: {
            const std::uint64_t cube[] = {8, 16, 24, 32, 48, 60, 64, 81, 96, 100, 128, 192, 200, 256, 360, 400, 512};
            shape.assign(3, cube[random.below(std::size(cube))]);
            if (random.percent(30)) shape[0] = smooth(3, 8);
        }
    }
    const bool is_wide = random.percent(30);
    drawn.text = joined({shape_text(shape), random.of({" c2c", " c2c", " r2c", " c2r", " dct2"})});
    drawn.text += is_wide ? " f64" : random.of({" f32", " f32", " f32", " f16"});
    const std::uint64_t batch = (std::uint64_t{1} << (is_wide ? 24 : 25)) / points_of(shape);
    if (batch > 1) drawn.text += " batch=" + std::to_string(batch);
    if (random.percent(25)) drawn.text += " in-place";
    if (shape.size() == 2 && random.percent(20)) drawn.text += " axes=0";
}

using Family = void (*)(Random&, Drawn&);
constexpr Family families[] = {one_axis,  several_axes, halved,       real_to_real, one_axis,     laid_out, pruned,
                               staged,    one_axis,     several_axes, halved,       real_to_real, forced,   convolved,
                               convolved, textbook,     forced,       filling,      filling,      filling};

std::pair<std::string, std::string> halves(const std::string& text, char separator) {
    const std::size_t at = text.find(separator);
    return {text.substr(0, at), text.substr(at + 1)};
}

StageType type_named(const std::string& name) {
    for (const StageType type : {StageType::f32, StageType::f64, StageType::i16, StageType::u8})
        if (name == to_string(type)) return type;
    throw InternalError("guard: no such type: " + name);
}

UserStage stage_of(const Drawn& drawn, const std::string& text) {
    UserStage stage(text);
    for (const std::string& buffer : drawn.buffers) {
        const auto [name, rest] = halves(buffer, '=');
        const auto [type, count] = halves(rest, ':');
        if (text.find(name) != std::string::npos)
            stage.buffers.push_back({name, type_named(type), support::parse_unsigned(count).value()});
    }
    for (const std::string& scalar : drawn.scalars) {
        const auto [name, type] = halves(scalar, '=');
        if (text.find(name) != std::string::npos) stage.scalars.push_back({name, type_named(type)});
    }
    return stage;
}

}  // namespace

Drawn draw(std::uint32_t number) {
    constexpr std::uint64_t seed = 0x5e1c4e00000000;  // that two numbers' streams overlap is not to be expected:
    Random random(Random(seed + number).bits());      // they begin anywhere in a period of 2^64
    Drawn drawn;
    drawn.number = number;
    families[number % std::size(families)](random, drawn);
    return drawn;
}

Problem problem_of(const Drawn& drawn) {
    Problem problem = parse_problem(drawn.text);
    const bool is_inverse = problem.kind == Kind::c2r || problem.kind == Kind::ihfft;
    (is_inverse ? problem.inverse_load : problem.forward_load) = stage_of(drawn, drawn.load);
    (is_inverse ? problem.inverse_store : problem.forward_store) = stage_of(drawn, drawn.store);
    return problem;
}

Tuning tuning_of(const Drawn& drawn) { return parse_tuning(drawn.tuning); }

std::string command_of(const Drawn& drawn) {
    std::string text = "seiche plan \"" + drawn.text + "\"";
    for (const std::string_view word : support::split(drawn.tuning, ' ')) {
        const auto [name, value] = halves(std::string(word), '=');
        if (!name.empty()) text += " --" + name + (value == "yes" ? "" : " " + value);
    }
    if (!drawn.load.empty()) text += " --load-stage '" + drawn.load + "'";
    if (!drawn.store.empty()) text += " --store-stage '" + drawn.store + "'";
    for (const std::string& buffer : drawn.buffers) text += " --stage-buffer " + buffer;
    for (const std::string& scalar : drawn.scalars) text += " --stage-scalar " + scalar;
    return text;
}

}  // namespace seiche::guard
