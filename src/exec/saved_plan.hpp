// Plans as bytes: the problem, what its kernels were compiled for and by, and their binaries. Contract of the folder.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "problem/problem.hpp"
#include "runtime/backend.hpp"
#include "seiche/convolution.hpp"
#include "seiche/plan.hpp"
#include "seiche/short_time.hpp"
#include "seiche/spectral.hpp"

namespace seiche::exec {

/// All that a binary depends on beside its source.
struct SavedTarget {
    std::string library;  ///< Version of Seiche.
    std::string backend, device, architecture, compiler;
    bool operator==(const SavedTarget&) const = default;
};
SavedTarget saved_target(runtime::Device& device);

/// Why kernels saved for `saved` are not used on `here`, in one line; empty if they are.
std::string difference(const SavedTarget& saved, const SavedTarget& here);

struct SavedKernel {
    std::string key;  ///< runtime::kernel_key of its source.
    std::vector<std::byte> binary;
    bool operator==(const SavedKernel&) const = default;
};

struct SavedPlan {
    SavedTarget target;
    Problem problem;
    PlanOptions options;
    std::uint64_t table_bytes = 0;     ///< Of all constant tables, with these limits.
    std::vector<SavedKernel> kernels;  ///< Each once.
};

struct SavedSpectral {
    SavedTarget target;
    std::variant<SpectralProblem, Convolution> source;
    Tuning tuning;
    std::uint64_t table_bytes = 0;     ///< Of all constant tables, with these limits.
    std::vector<SavedKernel> kernels;  ///< Each once.
};

/// What one part of a short-time plan launches.
struct SavedPart {
    std::uint64_t table_bytes = 0;     ///< Of its constant tables, with these limits.
    std::vector<SavedKernel> kernels;  ///< Each once.
};

struct SavedShortTime {
    SavedTarget target;
    ShortTimeProblem problem;
    Tuning tuning;                 ///< As it was given.
    std::vector<SavedPart> parts;  ///< In the order of their execution.
};

/// Of any of these, borrowed; null: none.
struct SavedBinaries {
    const SavedTarget* target = nullptr;
    const std::vector<SavedKernel>* kernels = nullptr;
    std::uint64_t table_bytes = 0;
    explicit operator bool() const { return target != nullptr; }
};

/// Throws InvalidProblem for binaries that were saved here with far fewer bytes of constant tables than are needed now:
/// then another problem was saved, and what is read is damaged. Other limits make some difference, but no such one.
void expect_tables(const SavedBinaries& saved, const std::string& difference, std::uint64_t needed_bytes);

/// Null: none.
const SavedKernel* find_kernel(const std::vector<SavedKernel>& kernels, const std::string& key);

/// "seiche plan" (or "seiche convolution", "seiche spectral", "seiche short-time") and a line end, the format's number,
/// the count of all bytes, the contents, 32 digits of a checksum.
std::vector<std::byte> to_bytes(const SavedPlan& plan);

/// The kernels of these plans, each once, as a pack (runtime/pack.hpp).
std::vector<std::byte> to_pack(const std::vector<SavedPlan>& plans);

/// Throws InvalidProblem, in one line, for bytes that are not those of a saved plan, are damaged or cut short. Whether
/// the problem makes sense is not looked at.
SavedPlan read_saved_plan(std::span<const std::byte> bytes);

/// The same of spectral operators; which of both kinds the bytes are, the caller knows.
std::vector<std::byte> to_bytes(const SavedSpectral& spectral);
SavedSpectral read_saved_convolution(std::span<const std::byte> bytes);
SavedSpectral read_saved_spectral(std::span<const std::byte> bytes);

std::vector<std::byte> to_bytes(const SavedShortTime& saved);
SavedShortTime read_saved_short_time(std::span<const std::byte> bytes);

}  // namespace seiche::exec
