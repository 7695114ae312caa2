// Whether a plan's answers are right: the error against the reference, in the units of the accuracy contract, and
// what must not be touched.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/check/large_memory.hpp"
#include "seiche/plan.hpp"

namespace seiche::cli {

/// The relative L2 error in units of u sqrt(log2 max(N, 2)), u = 2^-24, 2^-53 or (f64x2 in memory too) 2^-104, root
/// mean square over the transforms.
struct Accuracy {
    double units = 0;
    double bound = 0;              ///< What the contract allows.
    std::uint64_t transforms = 0;  ///< How many were compared.
    std::string fault;             ///< Something worse than rounding: an output not written, a canary dead; else empty.
    bool good() const { return fault.empty() && units <= bound; }
};

/// 1.0, or 2.5 where a transformed length (of a real kind: its inner complex length) has a prime factor above 13; 0.5
/// more where a scale is applied, and 0.5 more for each axis of a real-to-real kind. 4 for f64x2.
double accuracy_bound(const Problem& problem, Direction direction);
/// Of a textbook recipe: three times that. With native or recurrent roots n + 16 u, n the longest axis: a power of the
/// first root by n multiplications is off by as many roundings, native functions by about 2^-21. Still far below what
/// is no transform.
double textbook_bound(const Problem& problem, Direction direction, TwiddleMethod twiddles);
/// The relative error that so many roundings to the storage may add: 0.45 u sqrt(roundings) (1 + 3 * 0.91 / sqrt(N))
/// where N values are compared in `transforms` transforms. Rounding correctly costs 0.426 u where values are spread as
/// by a normal distribution, and u / sqrt(3) where they crowd above a power of two; the root of the mean of N squares
/// scatters by 0.91 / sqrt(N) of itself (docs/explanation/accuracy.md). At least u sqrt(roundings / 2) where an axis
/// has fewer than 32 points, or pruning keeps fewer than 64 values: sums of few stored numbers, times a short factor,
/// are often ties. u sqrt(roundings) where N < 64: of a single value it is anything up to u. Cutting off would cost
/// 0.85 u and more.
double storage_error(const Problem& problem, std::uint32_t roundings, std::uint64_t transforms);

struct VerifyOptions {
    Directions directions = Directions::both;
    std::uint64_t seed = 1;
    std::uint64_t transforms = 64;    ///< Compare at least so many, in several executions if need be,
    std::uint64_t points = 1u << 18;  ///< unless they have more points than this together; at least one.
    Tuning tuning = {};               ///< Of the plan.
};

/// The arrays on the host, which many verifiers may use, one run at a time.
struct HostArrays {
    HostArrays() = default;
    /// Those that a GPU reads and writes by itself (pinned), as far as there is such memory.
    explicit HostArrays(const Device& device);
    LargeMemory input, output, stored;  ///< The last: what is converted, as it lies in a buffer.
};

/// Runs a plan on random data and compares. Keeps its buffers between calls. The output, the workspace and what a c2r
/// of one axis ignores are filled with NaN first; bytes that do not belong to the output, and an input out of place
/// that may not be overwritten, must stay as they were. A spectrum in pass order is read as the plan says.
class Verifier {
public:
    /// Where the data begin in the buffers, a multiple of a complex element's size; arrays on the host, else it has
    /// some of its own; and of an input that is the same so many bytes again and again, through CUDA, those (0: it is
    /// not).
    struct Memory {
        std::uint64_t byte_offset = 0;
        std::shared_ptr<HostArrays> host = nullptr;
        std::uint64_t input_period = 0;
    };
    /// Throws Failure for an input that repeats itself where it is not dense, in one buffer and left as it is, or one
    /// array is longer than the period.
    Verifier(const Device& device, const Plan& plan, const Memory& memory);
    Verifier(const Device& device, const Plan& plan) : Verifier(device, plan, Memory()) {}
    ~Verifier();
    Accuracy run(Direction direction, const VerifyOptions& options);
    /// The arguments of the execution that `run` makes: buffers of this object, filled once it has run.
    Execution execution(Direction direction) const;

    struct Base;

private:
    std::unique_ptr<Base> impl_;
};

/// Makes a plan for the directions and runs it, with buffers that are aligned to an element only where the seed is odd;
/// the worse of two directions, where the problem has both.
Accuracy verify(const Device& device, const Problem& problem, const VerifyOptions& options);

}  // namespace seiche::cli
