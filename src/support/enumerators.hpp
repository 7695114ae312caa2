// Enumerators that a caller gives: any integer can be made one of them, and nothing behind the edge of the library
// looks again.
#pragma once

#include <cstdint>
#include <optional>

#include "seiche/convolution.hpp"
#include "seiche/device.hpp"
#include "seiche/emit.hpp"
#include "seiche/image.hpp"
#include "seiche/plan.hpp"
#include "seiche/problem.hpp"
#include "seiche/short_time.hpp"
#include "seiche/spectral.hpp"
#include "seiche/stage.hpp"
#include "seiche/tuning.hpp"

namespace seiche::support {

constexpr std::int64_t last_of(Kind) { return static_cast<std::int64_t>(Kind::ihfft); }
constexpr std::int64_t last_of(Precision) { return static_cast<std::int64_t>(Precision::f16); }
constexpr std::int64_t last_of(Storage) { return static_cast<std::int64_t>(Storage::f64); }
constexpr std::int64_t last_of(Direction) { return static_cast<std::int64_t>(Direction::inverse); }
constexpr std::int64_t last_of(Placement) { return static_cast<std::int64_t>(Placement::in_place); }
constexpr std::int64_t last_of(SpectrumOrder) { return static_cast<std::int64_t>(SpectrumOrder::pass); }
constexpr std::int64_t last_of(ImageFormat) { return static_cast<std::int64_t>(ImageFormat::rgba16f); }
constexpr std::int64_t last_of(StageType) { return static_cast<std::int64_t>(StageType::u32); }
constexpr std::int64_t last_of(Directions) { return static_cast<std::int64_t>(Directions::inverse); }
constexpr std::int64_t last_of(Algorithm) { return static_cast<std::int64_t>(Algorithm::bluestein); }
constexpr std::int64_t last_of(TwiddleMethod) { return static_cast<std::int64_t>(TwiddleMethod::recurrence); }
constexpr std::int64_t last_of(Dialect) { return static_cast<std::int64_t>(Dialect::arm64); }
constexpr std::int64_t last_of(Vectors) { return static_cast<std::int64_t>(Vectors::implicit_simd); }
constexpr std::int64_t last_of(HostElement) { return static_cast<std::int64_t>(HostElement::complex_f64x2); }
constexpr std::int64_t last_of(ConvolutionMode) { return static_cast<std::int64_t>(ConvolutionMode::causal); }
constexpr std::int64_t last_of(KernelDomain) { return static_cast<std::int64_t>(KernelDomain::frequency); }
constexpr std::int64_t last_of(ConvolutionProduct) { return static_cast<std::int64_t>(ConvolutionProduct::phase); }
constexpr std::int64_t last_of(SpectralPart) { return static_cast<std::int64_t>(SpectralPart::gradient); }
constexpr std::int64_t last_of(SpectralNumbers) { return static_cast<std::int64_t>(SpectralNumbers::analytic); }
constexpr std::int64_t last_of(SpectralAxisKind) { return static_cast<std::int64_t>(SpectralAxisKind::dst4); }
constexpr std::int64_t last_of(SpectralOrder) { return static_cast<std::int64_t>(SpectralOrder::spectrum_first); }
constexpr std::int64_t last_of(FramePadding) { return static_cast<std::int64_t>(FramePadding::reflect); }
constexpr std::int64_t last_of(BinValue) { return static_cast<std::int64_t>(BinValue::decibels); }
constexpr std::int64_t last_of(FrameOrder) { return static_cast<std::int64_t>(FrameOrder::frequencies_first); }
constexpr std::int64_t last_of(ChannelMatrix) { return static_cast<std::int64_t>(ChannelMatrix::diagonal); }

[[noreturn]] void refuse_enumerator(const char* field, std::int64_t last, std::int64_t got);

/// Throws InvalidProblem, naming the field, for a value that is no enumerator.
template <class Enumeration>
void check_enumerator(const char* field, Enumeration value) {
    const auto got = static_cast<std::int64_t>(value);
    if (got < 0 || got > last_of(Enumeration{})) refuse_enumerator(field, last_of(Enumeration{}), got);
}

template <class Enumeration>
void check_enumerator(const char* field, const std::optional<Enumeration>& value) {
    if (value) check_enumerator(field, *value);
}

/// The same of every enumerator in these.
void check_enumerators(const Problem& problem);
void check_enumerators(const Convolution& convolution);
void check_enumerators(const SpectralProblem& problem);
void check_enumerators(const Tuning& tuning);
void check_enumerators(const PlanOptions& options);

}  // namespace seiche::support
