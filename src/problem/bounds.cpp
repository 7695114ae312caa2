// The bounds of tunings, limits and sizes.
#include "problem/bounds.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "seiche/error.hpp"
#include "support/primes.hpp"
#include "support/text.hpp"

namespace seiche::problem {

namespace {

constexpr std::size_t most_factors = 64;                       // each at least 2, of numbers of 64 bits
constexpr std::uint64_t most_points = std::uint64_t{1} << 40;  // of a pass or a padded length
constexpr std::uint64_t largest_radix = 0xffffffff;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 56;  // of a memory, and of what it moves in a second
constexpr std::uint32_t most_lanes = 256, most_shared = 1u << 30, most_units = 1u << 20;
constexpr std::uint32_t most_registers = 1u << 16, most_sector = 1u << 16, most_vector = 1u << 12;
constexpr std::size_t longest_name = 200;

[[noreturn]] void refuse(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem(field + ": expected " + rule + ", got " + got);
}

void check_range(const std::string& field, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
    if (value >= least && value <= most) return;
    const std::string rule = least == 0 ? "at most " + support::to_text(most)
                                        : "from " + support::to_text(least) + " to " + support::to_text(most);
    refuse(field, rule, support::to_text(value));
}

/// Factors from 1 to `most` whose product has 64 bits.
template <class Number>
void check_factors(const std::string& field, const std::vector<Number>& factors, std::uint64_t most) {
    if (factors.size() > most_factors)
        refuse(field, "at most " + std::to_string(most_factors) + " numbers", std::to_string(factors.size()));
    std::uint64_t product = 1;
    for (const Number factor : factors) {
        check_range(field, factor, 1, most);
        if (!support::checked_multiply(product, factor, product))
            refuse(field, "numbers whose product is below 2^64", support::join_numbers(factors, "x"));
    }
}

template <class Enum>
void check_enum(const std::string& field, Enum value, Enum last) {
    check_range(field, static_cast<std::uint64_t>(value), 0, static_cast<std::uint64_t>(last));
}

}  // namespace

void check_tuning(const Tuning& tuning) {
    check_factors("tuning.radices", tuning.radices, largest_radix);
    check_factors("tuning.passes", tuning.passes, most_points);
    if (tuning.passes.size() > 1)
        for (const std::uint64_t pass : tuning.passes) check_range("tuning.passes", pass, 2, most_points);
    check_enum("tuning.algorithm", tuning.algorithm, Algorithm::bluestein);
    check_enum("tuning.twiddles", tuning.twiddles, TwiddleMethod::recurrence);
    check_range("tuning.padded_length", tuning.padded_length, 0, most_points);
    check_range("tuning.threads_per_transform", tuning.threads_per_transform, 0, most_group);
    check_range("tuning.transforms_per_group", tuning.transforms_per_group, 0, most_group);
    const std::uint64_t threads = std::uint64_t{tuning.threads_per_transform} * tuning.transforms_per_group;
    if (threads > most_group)
        refuse("tuning.threads_per_transform and transforms_per_group",
               "at most " + std::to_string(most_group) + " threads in a group",
               std::to_string(tuning.threads_per_transform) + " x " + std::to_string(tuning.transforms_per_group));
    check_range("tuning.groups_per_cluster", tuning.groups_per_cluster, 0, most_cluster);
    check_range("tuning.vector_lanes", tuning.vector_lanes, 0, most_lanes);
    check_range("tuning.buffer_bytes", tuning.buffer_bytes, 0, most_bytes);
    if (tuning.recipe.size() > longest_name)
        refuse("tuning.recipe", "a name of at most " + std::to_string(longest_name) + " characters",
               std::to_string(tuning.recipe.size()));
}

void check_limits(const DeviceLimits& limits) {
    const auto check = [](const char* field, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
        check_range(std::string("limits of the device: ") + field, value, least, most);
    };
    check_enum("limits of the device: vectors", limits.vectors, Vectors::implicit_simd);
    check("subgroup_size", limits.subgroup_size, 1, most_lanes);
    check("vector_bytes", limits.vector_bytes, 4, most_vector);
    check("max_group_size", limits.max_group_size, 1, most_units);
    check("shared_bytes", limits.shared_bytes, 0, most_shared);
    check("shared_bytes_per_unit", limits.shared_bytes_per_unit, 0, most_shared);
    check("registers_per_thread", limits.registers_per_thread, 1, most_registers);
    check("compute_units", limits.compute_units, 1, most_units);
    check("max_cluster_size", limits.max_cluster_size, 0, most_cluster);
    check("sector_bytes", limits.sector_bytes, 1, most_sector);
    check("shared_banks", limits.shared_banks, 1, most_sector);
    check("tables", limits.tables.size(), 0, most_tables);
}

void check_size(const Canonical& problem) {
    const std::uint64_t in = problem.input_bytes(problem.batch.count), out = problem.output_bytes(problem.batch.count);
    if (std::max(in, out) <= most_addressed) return;
    throw Unsupported(std::string(in >= out ? "input" : "output") +
                      ": expected at most 2^48 bytes, which the addresses of a device reach, got " +
                      support::to_text(std::max(in, out)));
}

void check_size(const CanonicalSpectral& convolution) {
    std::uint64_t points = 1, copies = 0, bytes = 0;
    bool fits = true;
    for (const SpectralAxis& axis : convolution.axes)
        fits = fits && support::checked_multiply(points, axis.least, points);
    fits = fits &&
           support::checked_multiply(convolution.batch, std::max(convolution.inputs, convolution.outputs), copies) &&
           support::checked_multiply(points, std::max(copies, convolution.kernels), bytes) &&
           support::checked_multiply(bytes, 2 * seiche::stored_bytes(convolution.precision, Storage::same), bytes);
    if (!fits || bytes > most_addressed)
        throw Unsupported(std::string(convolution.kernels != 0 ? "signal, kernel, channels and batch"
                                                               : "spectral.lengths and batch") +
                          ": expected spectra of at most 2^48 bytes, which the addresses of a "
                          "device reach, got more");
}

}  // namespace seiche::problem
