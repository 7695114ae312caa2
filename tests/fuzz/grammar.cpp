// Texts in the grammars of problems, convolutions and tunings, and the devices that they are planned for.
#include <algorithm>
#include <filesystem>

#include "cli/io/device_profile.hpp"
#include "cli/problem/profiles.hpp"
#include "seiche/textbook.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace seiche::fuzz {

namespace {

constexpr std::size_t longest_text = 200;

std::string joined(Random& random, std::uint64_t most, unsigned most_bits, char between) {
    std::string text = std::to_string(random.number(most_bits));
    for (std::uint64_t more = random.below(most); more > 0; --more)
        text += between + std::to_string(random.number(most_bits));
    return text;
}

std::string one_kind(Random& random) {
    return random.of(
        {"c2c", "r2c", "c2r", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht", "r2hc", "hc2r"});
}

std::string axis(Random& random, std::size_t rank) {
    return std::to_string(static_cast<std::int64_t>(random.below(2 * rank)) - static_cast<std::int64_t>(rank));
}

std::string block(Random& random, std::size_t rank, unsigned bits) {
    const std::uint64_t begin = random.below(std::uint64_t{1} << bits);
    return axis(random, rank) + ":" + std::to_string(begin) + "-" + std::to_string(begin + random.number(bits));
}

/// What may follow the lengths.
std::string word(Random& random, std::size_t rank, unsigned bits) {
    const auto number = [&](unsigned most) { return std::to_string(random.number(most)); };
    switch (random.below(20)) {
        case 0: return one_kind(random) + "," + one_kind(random);
        case 1: return "batch=" + number(random.once_in(8) ? 63 : 20);
        case 2: return random.of({"in-place", "out-of-place"});
        case 3: return "axes=" + axis(random, rank) + (random.once_in(2) ? "," + axis(random, rank) : "");
        case 4: return "halved=" + axis(random, rank);
        case 5:
            return random.of(
                {"orthonormal", "orthogonalize", "inverse-scale=1/n", "forward-scale=1/sqrt(n)", "inverse-scale=2.5"});
        case 6:
            return random.of({"istrides=", "ostrides="}) + joined(random, rank + 1, random.once_in(6) ? 62 : 20, ',');
        case 7: return random.of({"idist=", "odist="}) + number(random.once_in(6) ? 62 : 24);
        case 8: return random.of({"ioffset=", "ooffset="}) + std::to_string(16 * random.number(30));
        case 9: return "signal-zeros=" + block(random, rank, bits);
        case 10: return "spectrum-zeros=" + block(random, rank, bits);
        case 11: return random.of({"planar", "iplanar", "oplanar"});
        case 12: return random.of({"iparts=", "oparts=", "parts="}) + std::to_string(16 * random.number(32));
        case 13:
            return random.of({"image=", "iimage=", "oimage="}) + random.of({"r32f", "rg32f", "rgba32f", "rgba16f"});
        case 14: return random.of({"iwidth=", "owidth="}) + number(20);
        case 15: return random.of({"spectrum-order=pass", "spectrum-order=natural"});
        case 16: return "overwrite-input";
        case 17: return "storage=" + random.of({"f16", "bf16", "f32", "f64"});
        default: return random.of({"f32", "f64", "f64x2", "f16", "bf16", "f16-arithmetic"});
    }
}

}  // namespace

const std::vector<NamedLimits>& all_limits() {
    static const std::vector<NamedLimits> list = [] {
        std::vector<NamedLimits> all;
        for (const cli::Profile& profile : cli::profiles()) all.push_back({profile.name, profile.limits});
        for (const auto& file : std::filesystem::directory_iterator(SEICHE_PROFILES))
            all.push_back({file.path().filename().string(), cli::io::read_device_profile(file.path().string()).limits});
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
        return all;
    }();
    return list;
}

std::string problem_text(Random& random, unsigned most_bits) {
    const std::size_t rank = random.once_in(2) ? 1 : 1 + random.below(random.once_in(10) ? 16 : 4);
    const unsigned bits = std::max(1u, most_bits / static_cast<unsigned>(rank));
    std::string text;
    for (std::size_t i = 0; i < rank; ++i)
        text += (i == 0 ? "" : "x") + std::to_string(random.number(random.once_in(20) ? most_bits : bits));
    text += " " + (random.once_in(2) ? "c2c" : one_kind(random));
    for (std::uint64_t words = random.below(4); words > 0; --words) {
        const std::string more = " " + word(random, rank, bits);
        if (text.size() + more.size() <= longest_text) text += more;
    }
    return text;
}

std::string convolution_text(Random& random, unsigned most_bits) {
    const std::size_t rank = random.once_in(2) ? 1 : 1 + random.below(4);
    const unsigned bits = std::max(1u, most_bits / static_cast<unsigned>(rank));
    std::string text;
    const bool has_spectrum = random.once_in(8);
    for (const bool is_kernel : {false, true}) {
        if (is_kernel && has_spectrum) continue;
        for (std::size_t i = 0; i < rank; ++i)
            text += (i == 0 ? "" : "x") + std::to_string(random.number(is_kernel ? std::max(1u, bits / 2) : bits));
        if (!is_kernel) text += " * ";
    }
    text += has_spectrum ? "spectrum circular" : " " + random.of({"full", "same", "valid", "circular"});
    for (std::uint64_t words = random.below(5); words > 0; --words) {
        switch (random.below(9)) {
            case 0: text += " " + random.of({"correlate", "convolve", "phase"}); break;
            case 1: text += " " + random.of({"complex", "real"}); break;
            case 2: text += " " + random.of({"f64", "f64x2", "f16", "bf16", "f32"}); break;
            case 3: text += " batch=" + std::to_string(random.number(random.once_in(8) ? 60 : 16)); break;
            case 4: text += " inputs=" + std::to_string(random.number(random.once_in(8) ? 32 : 3)); break;
            case 5: text += " outputs=" + std::to_string(random.number(random.once_in(8) ? 32 : 3)); break;
            case 6: text += " channels=" + random.of({"full", "symmetric", "diagonal"}); break;
            case 7: text += " storage=" + random.of({"f16", "f32", "f64"}); break;
            default: text += " block=" + std::to_string(random.number(random.once_in(8) ? 60 : 14)); break;
        }
    }
    return text.substr(0, longest_text);
}

std::string tuning_text(Random& random) {
    static const std::vector<TextbookRecipe> recipes = textbook_recipes();
    const auto small_or_any = [&](unsigned usual, unsigned most) {
        return std::to_string(random.number(random.once_in(4) ? most : usual));
    };
    std::string text;
    for (std::uint64_t words = 1 + random.below(3); words > 0; --words) {
        if (!text.empty()) text += ' ';
        switch (random.below(14)) {
            case 0: text += "radices=" + joined(random, 5, random.once_in(4) ? 32 : 5, 'x'); break;
            case 1: text += "passes=" + joined(random, 4, random.once_in(4) ? 64 : 10, 'x'); break;
            case 2: text += "algorithm=" + random.of({"direct", "rader", "bluestein"}); break;
            case 3: text += "padded-length=" + small_or_any(14, 64); break;
            case 4:
            case 5: text += "threads=" + small_or_any(9, 32); break;
            case 6:
            case 7: text += "transforms-per-group=" + small_or_any(6, 32); break;
            case 8:
            case 9: text += "groups-per-cluster=" + small_or_any(4, 32); break;
            case 10: text += random.of({"separate-passes=yes", "trailing-passes=yes"}); break;
            case 11: text += "vector-lanes=" + small_or_any(5, 32); break;
            case 12: text += "buffer-bytes=" + small_or_any(20, 64); break;
            default:
                text += "recipe=" + random.of(recipes).name;
                if (random.once_in(2))
                    text += " twiddles=" + random.of({"table", "on-the-fly", "native", "recurrence"});
        }
    }
    return text;
}

}  // namespace seiche::fuzz
