// Short-time transforms by their definition, in double precision on the host: what results are compared with.
#pragma once

#include <vector>

#include "seiche/short_time.hpp"

namespace seiche::cli {

/// Numbers of one signal, and of its spectra: two for each bin where those are complex.
std::uint64_t signal_numbers(const ShortTimeProblem& problem);
std::uint64_t spectra_numbers(const ShortTimeProblem& problem);

/// The spectra of one signal, or the signal of one array of spectra, as the problem's direction is; numbers in the
/// order of its arrays.
std::vector<double> frames_on_host(const ShortTimeProblem& problem, const std::vector<double>& numbers);

/// A number of a result as it is to be compared: decibels as powers, since close to 0 those of a bin say little.
double comparable(const ShortTimeProblem& problem, double number);

}  // namespace seiche::cli
