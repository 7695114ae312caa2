// The rules of kinds. FFTW's definitions say which functions an inverse real-to-real kind adds up.
#include "problem/spectral_kinds.hpp"

#include <algorithm>
#include <string>

#include "seiche/error.hpp"

namespace seiche {

namespace {

Kind kind_of(SpectralAxisKind kind) {
    switch (kind) {
        case SpectralAxisKind::dct1: return Kind::dct1;
        case SpectralAxisKind::dct2: return Kind::dct2;
        case SpectralAxisKind::dct3: return Kind::dct3;
        case SpectralAxisKind::dct4: return Kind::dct4;
        case SpectralAxisKind::dst1: return Kind::dst1;
        case SpectralAxisKind::dst2: return Kind::dst2;
        case SpectralAxisKind::dst3: return Kind::dst3;
        case SpectralAxisKind::dst4: return Kind::dst4;
        case SpectralAxisKind::periodic: break;
    }
    return Kind::c2c;
}

}  // namespace

const char* to_string(SpectralAxisKind kind) noexcept {
    return kind == SpectralAxisKind::periodic ? "periodic" : to_string(kind_of(kind));
}

}  // namespace seiche

namespace seiche::problem {

namespace {

[[noreturn]] void refuse(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem("spectral." + field + ": expected " + rule + ", got " + got);
}

std::string element(const char* field, std::size_t axis) {
    return std::string(field) + "[" + std::to_string(axis) + "]";
}

template <class Range>
std::string text(const Range& range) {
    return std::to_string(range.begin) + " to " + std::to_string(range.end);
}

/// Arrays between the two kinds of transforms are whole.
void check_mixture(const SpectralProblem& p, std::size_t axis) {
    const std::uint64_t n = p.lengths[axis];
    const Kind kind = forward_kind(p, axis);
    if (is_real_to_real(kind)) {
        if (p.kept.empty()) return;
        const std::int64_t least = least_wave_number(kind);
        if (p.kept[axis] != ModeRange{least, least + static_cast<std::int64_t>(n)})
            refuse(element("kept", axis), "all modes of a real-to-real axis beside periodic ones", text(p.kept[axis]));
        return;
    }
    for (const auto& [field, ranges] : {std::pair{"input", &p.input}, std::pair{"output", &p.output}})
        if (!ranges->empty() && (*ranges)[axis] != PointRange{0, n})
            refuse(element(field, axis), "all points of a periodic axis beside real-to-real ones",
                   text((*ranges)[axis]));
}

}  // namespace

Kind forward_kind(const SpectralProblem& p, std::size_t axis) {
    return p.kinds.empty() ? Kind::c2c : kind_of(p.kinds[axis]);
}

bool has_real_kinds(const SpectralProblem& p) {
    return std::any_of(p.kinds.begin(), p.kinds.end(),
                       [](SpectralAxisKind kind) { return kind != SpectralAxisKind::periodic; });
}

std::optional<std::size_t> halved_axis(const SpectralProblem& p) {
    if (p.numbers != SpectralNumbers::real) return std::nullopt;
    for (std::size_t axis = p.lengths.size(); axis-- > 0;)
        if (!is_real_to_real(forward_kind(p, axis))) return axis;
    return std::nullopt;
}

std::vector<expression::WaveNumber> wave_numbers(const SpectralProblem& p) {
    using expression::WaveNumber;
    std::vector<WaveNumber> waves;
    for (std::size_t axis = 0; axis < p.lengths.size(); ++axis) {
        switch (forward_kind(p, axis)) {
            case Kind::dct1:
            case Kind::dct2: waves.push_back(WaveNumber::index); break;
            case Kind::dst1:
            case Kind::dst2: waves.push_back(WaveNumber::next); break;
            case Kind::dct3:
            case Kind::dct4:
            case Kind::dst3:
            case Kind::dst4: waves.push_back(WaveNumber::half); break;
            default: waves.push_back(halved_axis(p) == axis ? WaveNumber::index : WaveNumber::with_sign);
        }
    }
    return waves;
}

std::int64_t least_wave_number(Kind kind) { return kind == Kind::dst1 || kind == Kind::dst2 ? 1 : 0; }

void check_kinds(const SpectralProblem& p) {
    if (!p.kinds.empty() && p.kinds.size() != p.lengths.size())
        refuse("kinds", "a kind for each of " + std::to_string(p.lengths.size()) + " axes, or none",
               std::to_string(p.kinds.size()));
    if (!has_real_kinds(p)) return;
    if (p.numbers != SpectralNumbers::real) refuse("numbers", "real with real-to-real kinds", to_string(p.numbers));
    if (p.channels != SpectralChannels{})
        refuse("channels", "none with real-to-real kinds",
               std::to_string(p.channels.inputs) + " and " + std::to_string(p.channels.outputs));
    for (std::size_t axis = 0; axis < p.lengths.size(); ++axis) {
        if (p.kinds[axis] == SpectralAxisKind::dct1 && p.lengths[axis] < 2)
            refuse(element("lengths", axis), "at least 2, because dct1 has no length 1",
                   std::to_string(p.lengths[axis]));
        if (halved_axis(p)) check_mixture(p, axis);
    }
}

}  // namespace seiche::problem
