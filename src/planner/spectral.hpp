// The contract of planning spectral operators, convolutions among them: what is transformed, to which lengths, and what
// will be launched.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "planner/recipe.hpp"
#include "problem/spectral.hpp"

namespace seiche::planner {

/// The transforms of an operator, all of the same padded lengths. Their spectra are dense; signals, kernels and results
/// are compact: only what pruning keeps is in memory.
struct SpectralDesign {
    struct Transform {
        problem::Canonical problem;
        Recipe recipe;
    };
    /// What comes before the transforms of the periodic axes, and after them.
    struct RealAxes {
        Transform there, back;
    };
    problem::Canonical signal;  ///< Forward, to the spectrum of each input channel.
    problem::Canonical kernel;  ///< Forward, scaled by 1 / N, to the plan's spectra; empty: there is none.
    problem::Canonical result;  ///< Inverse.
    /// A real kernel of one axis given in frequency goes back to time first.
    std::optional<Transform> kernel_in_time;
    Recipe recipe;         ///< Of the signal and, backwards, of the result.
    Recipe result_recipe;  ///< Of the result, where the spectrum is in memory.
    Recipe kernel_recipe;  ///< Of the kernel; empty: a copy.
    /// The core of the pass that transforms, multiplies and transforms back; of the last axis. None: its passes are
    /// convolutions themselves, and the product is the end of the last.
    std::optional<Stockham> fused;
    /// Real and of one axis: a transform of half as many points, which makes the convolution negacyclic. What folds
    /// back does so onto points that nobody wants, whatever its sign.
    bool is_right_angled = false;
    /// A group has a plane, so that its rows, its columns with the middle, and its rows back are one kernel.
    bool is_plane_on_chip = false;
    std::uint64_t blocks = 1, step = 0;  ///< Of overlap-save; a block advances by so many points.
    problem::CanonicalSpectral spectral;
    std::vector<std::uint64_t> lengths;  ///< Padded, of each axis.
    std::uint64_t spectrum_points = 1;   ///< Of one channel.
    std::optional<RealAxes> real_axes;   ///< Of an operator that has real-to-real and periodic axes.

    /// Both transforms and the middle.
    bool is_one_kernel() const { return fused && recipe.axes.size() == 1 && recipe.axes.back().passes.size() == 1; }
    /// Of a spectrum in memory: kept modes are all that is there.
    bool is_spectrum_dense() const { return spectrum_points == spectral.modes(); }
    /// What the middle multiplies by; a product's is in the spectra.
    double middle_scale() const {
        if (spectral.kernels != 0) return 1.0;
        return spectral.scale / static_cast<double>(real_axes ? real_axes->there.problem.n * signal.n : signal.n);
    }
};

/// What is left of shared memory beside what threads have there of sums over bins.
DeviceLimits without_room_for_partials(DeviceLimits limits, const problem::CanonicalSpectral& spectral);

/// Outputs of a full matrix of channels whose sums one kernel holds at most.
constexpr std::uint32_t most_sums = 4;

/// Throws Unsupported for what this device cannot do.
SpectralDesign design(const problem::CanonicalSpectral& spectral, const DeviceLimits& limits, const Tuning& tuning);

/// E.g. "(convolve (stockham 8192 16 8 8 8) 4096 blocks)".
std::string to_string(const SpectralDesign& design);

/// Role::input are signals (or kernels), Role::output results (or spectra).
struct SpectralSchedule {
    std::vector<Step> steps;
    std::array<std::uint64_t, 4> workspace_elements{};  ///< Of a, b, c and d, per batch entry.
    std::uint64_t partial_bytes = 0;                    ///< Of partial sums over bins, per batch entry.
};

/// Of one array, or of a workspace, in bytes.
std::uint64_t array_bytes(const SpectralSchedule& schedule, const SpectralDesign& design, bool is_preparation,
                          Role role, std::uint64_t batch);
/// Of all kernels, or all weights, together.
std::uint64_t spectra_bytes(const SpectralDesign& design);

SpectralSchedule lower_preparation(const SpectralDesign& design, const DeviceLimits& limits, const Tuning& tuning);
SpectralSchedule lower_execution(const SpectralDesign& design, const DeviceLimits& limits, const Tuning& tuning);

}  // namespace seiche::planner
