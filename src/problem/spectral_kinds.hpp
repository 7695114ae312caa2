// The kinds of a spectral operator's axes: which may stand together, and which bins each has.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "expression/waves.hpp"
#include "problem/problem.hpp"
#include "seiche/spectral.hpp"

namespace seiche::problem {

/// Of the forward transform; c2c of a periodic axis, and of every one where the problem names no kinds.
Kind forward_kind(const SpectralProblem& problem, std::size_t axis);
bool has_real_kinds(const SpectralProblem& problem);
/// Of a real operator the last periodic axis, if there is one.
std::optional<std::size_t> halved_axis(const SpectralProblem& problem);

/// What k0, k1, ... are.
std::vector<expression::WaveNumber> wave_numbers(const SpectralProblem& problem);
/// Of a real-to-real axis the wave numbers begin there, halves left out.
std::int64_t least_wave_number(Kind kind);

/// Throws InvalidProblem for kinds that do not go together, or with the rest of the problem.
void check_kinds(const SpectralProblem& problem);

}  // namespace seiche::problem
