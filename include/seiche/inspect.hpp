// Inspection: what a plan is made of, as values and as text, without a device if need be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/problem.hpp"
#include "seiche/tuning.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

/// What one kernel launch is and does, for the problem's batch.
struct KernelReport {
    std::string name;  ///< Also the entry point in the generated source.
    std::string spec;  ///< One line of text: length, radices, threads, stages.
    Direction direction = Direction::forward;
    std::uint64_t groups = 0;
    std::uint32_t group_size = 0;
    std::uint64_t shared_bytes = 0;
    std::uint64_t bytes_read = 0;  ///< From global memory, tables apart.
    std::uint64_t bytes_written = 0;
    std::uint64_t table_bytes = 0;   ///< Size of the constant tables.
    std::uint64_t instructions = 0;  ///< Of the intermediate representation.
};

struct PlanReport {
    std::string problem;  ///< The problem's text.
    /// E.g. "(four-step 65536 (stockham 256 16 16) (stockham 256 16 16))". Of types II and III in several passes the
    /// inverse's, which is of the other type, may be another: this is that of the first kernels.
    std::string recipe;
    std::vector<KernelReport> kernels;  ///< Forward first, then inverse.
    /// For each axis of the problem the digits that its positions in the spectrum have, slowest first (SpectrumOrder);
    /// one, the count of its elements there, where the order is natural.
    std::vector<std::vector<std::uint64_t>> spectrum_digits;
    /// The frequency that lies at a position along an axis of the problem in the spectrum. Throws InvalidProblem for an
    /// axis or a position that is not there. A negative axis counts from the last.
    std::uint64_t spectrum_index(int axis, std::uint64_t position) const;
    std::uint64_t workspace_bytes = 0;  ///< Of the direction that needs more.
    std::uint64_t ideal_bytes = 0;  ///< One round trip: each input element read once, each output element written once.
    std::uint64_t moved_bytes = 0;  ///< What one forward (or, in an inverse-only plan, one inverse) execution moves.
    /// How often a value is rounded to the arrays' `Storage` in one execution; 0 where that is the arithmetic's own.
    std::uint32_t storage_roundings = 0;
    double plan_milliseconds = 0;  ///< Wall time of making the plan.
    std::uint32_t compiled = 0;    ///< Kernels compiled now.
    std::uint32_t cached = 0;      ///< Kernels taken from the cache on disk or of the process.
    std::uint32_t loaded = 0;      ///< Kernels taken from the bytes of a saved plan.
    std::string replanned;         ///< Why (some of) a saved plan's kernels were not used; empty: they were.
    std::string text() const;      ///< For people.
};

/// Plans without a device: the report of what would run on one with these limits.
PlanReport inspect(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning = {});

/// Counts from running one group of each kernel in the interpreter (docs/explanation/intermediate-representation.md).
struct AnalysisReport {
    std::string kernel;
    std::uint64_t out_of_bounds = 0, uninitialised_reads = 0, races = 0;
    std::uint64_t shared_wavefronts = 0, shared_wavefronts_ideal = 0;  ///< Bank conflicts are the difference.
    std::uint64_t sectors = 0, sectors_ideal = 0;  ///< 32-byte pieces touched by data accesses, and the least possible.
    std::uint64_t bytes_read = 0, bytes_written = 0, table_bytes_read = 0, flops = 0;
    std::uint64_t shared_bytes_read = 0, shared_bytes_written = 0;  ///< Of shared memory, neighbours' too.
    std::uint32_t registers_live = 0;                               ///< Most 32-bit values live at once per thread.
    std::vector<std::string> findings;  ///< One line each, naming both operations of a race.
};

/// Interprets every kernel of the forward plan (batch as given by the problem) and counts.
std::vector<AnalysisReport> analyse(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning = {});

}  // namespace seiche
SEICHE_EXPORT_END
