// A spectral operator by its definition, in double precision on the host: what results are compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/reference/host_spectrum.hpp"
#include "cli/reference/random_data.hpp"
#include "seiche/spectral.hpp"

namespace seiche::cli {

/// What the middle stage's arguments are.
struct OperatorArguments {
    std::vector<std::pair<std::string, std::vector<std::byte>>> buffers;
    std::vector<StageScalarArgument> scalars;

    /// Into memory of the device.
    void bring(Queue& queue, const Device& device, std::vector<StageBufferArgument>& to) const;
    std::uint64_t bytes() const;
};
OperatorArguments random_arguments(Random& random, const UserStage& stage);

/// The operator of one of a batch's entries, whose middle stage still sees that entry's number.
SpectralProblem of_entry(SpectralProblem problem, std::uint64_t entry);

/// An operator without load and store stages, for whole batches.
class HostOperator {
public:
    explicit HostOperator(SpectralProblem problem);
    /// Of one batch entry, its channels among them.
    std::uint64_t input_points() const;
    std::uint64_t output_points() const;
    std::uint64_t weights() const;  ///< 0 without channels.

    /// The outputs of all entries, one behind the other. The middle stage is computed in f64 by the interpreter, apart
    /// from the transforms.
    HostArrayOfPoints results(const HostArrayOfPoints& inputs, const HostArrayOfPoints& weights,
                              const OperatorArguments& arguments) const;

private:
    using Lengths = std::vector<std::uint64_t>;

    bool is_real() const { return problem_.numbers == SpectralNumbers::real; }
    std::uint32_t inputs() const { return problem_.channels.inputs == 0 ? 1 : problem_.channels.inputs; }
    std::uint32_t outputs() const { return problem_.channels.outputs == 0 ? 1 : problem_.channels.outputs; }
    Lengths counts(const std::vector<PointRange>& ranges) const;
    std::uint64_t place(std::uint64_t i, const Lengths& lengths, const std::vector<PointRange>& ranges) const;
    std::vector<std::uint64_t> kept_modes() const;
    HostArrayOfPoints spectrum(const HostArrayOfPoints& inputs, std::uint64_t first) const;
    HostArrayOfPoints kept_spectra(const HostArrayOfPoints& inputs, std::uint32_t channel,
                                   const OperatorArguments& arguments) const;
    HostArrayOfPoints inverse(HostArrayOfPoints spectrum) const;

    SpectralProblem problem_;
    Lengths bins_, input_, output_;
    std::uint64_t size_, row_;          // points, and bins
    std::vector<std::uint64_t> modes_;  // their bins, in the order of weights
};

}  // namespace seiche::cli
