// The rules of short-time transforms, and what they ask of plans: sizes, and the texts of their stages.
#pragma once

#include <cstdint>
#include <string>

#include "seiche/short_time.hpp"

namespace seiche::problem {

/// Throws InvalidProblem for what makes no sense. Of an inverse: where the windows' squares leave a sample out.
void check(const ShortTimeProblem& problem);

/// Samples that are padded at each end.
std::uint64_t padded_samples(const ShortTimeProblem& problem);
std::uint64_t signal_bytes(const ShortTimeProblem& problem);
std::uint64_t spectra_bytes(const ShortTimeProblem& problem);

/// The forward transform: frames of `signal`, bins to the output or, where they are real numbers, to `spectra`.
Problem forward_problem(const ShortTimeProblem& problem);

/// The forward transform of signals that were padded in memory, and what makes the padding: `padded`, at both ends of
/// each signal, from `signal`. What is between is a copy.
ShortTimeProblem padded_problem(const ShortTimeProblem& problem);
Problem ends_problem(const ShortTimeProblem& problem);

/// The inverse in two plans: frames times windows to an array [batch][frame][sample], and their sums from there.
Problem frames_problem(const ShortTimeProblem& problem);
Problem sums_problem(const ShortTimeProblem& problem);
std::uint64_t frames_bytes(const ShortTimeProblem& problem);

}  // namespace seiche::problem
