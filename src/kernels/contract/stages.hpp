// What happens to the points of a sequence between memory and the core: the stages of a pass.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "expression/program.hpp"
#include "seiche/double_double.hpp"

namespace seiche::kernels {

/// Exchanges real and imaginary part: on load and on store together it makes the inverse transform.
struct SwapParts {
    bool operator==(const SwapParts&) const = default;
};
/// Multiplies by a real factor.
struct Multiply {
    DoubleDouble factor = 1.0;  ///< As much of it as the precision has.
    bool operator==(const Multiply&) const = default;
};
/// Multiplies element j by exp(-2 pi i j q / length), q the index of loops[loop] (Gentleman & Sande 1966; Bailey 1990,
/// "four-step").
struct FourStepTwiddle {
    std::uint64_t length = 1;
    std::uint32_t loop = 0;
    /// What a pass of a cluster has loaded of it by the time that its points come; complete() chooses.
    enum class Prefetch : std::uint8_t { nothing, factors, products } prefetch = Prefetch::nothing;
    bool operator==(const FourStepTwiddle&) const = default;
};
/// Multiplies element j by exp(-pi i j^2 / length) where j < length; elements beyond are neither read nor written and
/// count as 0 (Bluestein 1970). In one pass of several j = element * element_stride + index of loops[loop].
struct Chirp {
    std::uint64_t length = 1;
    std::uint64_t element_stride = 1;  ///< j advances by this from one element of the sequence to the next.
    std::int32_t loop = -1;            ///< The index of this loop is added to j; -1: none.
    bool operator==(const Chirp&) const = default;
};
/// Multiplies by the spectrum of Bluestein's kernel: FFT of exp(+pi i j^2 / length) wrapped to `padded` points, divided
/// by `padded`. The element's index is found as in Chirp.
struct ChirpSpectrum {
    std::uint64_t length = 1;
    std::uint64_t padded = 1;
    std::uint64_t element_stride = 1;
    std::int32_t loop = -1;
    /// Results that are wanted, the first ones; with fewer of them, or of points that are not 0, `padded` may be
    /// shorter than 2 length - 1: points and results together, less one (Rabiner, Schafer & Rader 1969). 0: all.
    std::uint64_t results = 0;
    bool operator==(const ChirpSpectrum&) const = default;
};
/// Doubles all elements of the axis but those that are their own mirrors, of which it keeps the real parts: of the
/// first half of a real signal's spectrum, whose transform then has that of the whole as its real part. j is found as
/// in Chirp.
struct OneSided {
    std::uint64_t element_stride = 1;
    std::int32_t loop = -1;
    std::uint64_t middle = 0;  ///< Beside element 0 its own mirror: half of an even length, with GroupShape.
    bool operator==(const OneSided&) const = default;
};
/// Where a point stands along one axis of the problem: its element times a step, plus indices of loops times theirs.
struct LogicalIndex {
    struct Part {
        std::uint32_t loop = 0;
        std::uint64_t step = 1;
        bool operator==(const Part&) const = default;
    };
    std::uint64_t element_step = 0;
    std::vector<Part> parts;
    bool operator==(const LogicalIndex&) const = default;
};
/// A user's stage. On load it is the first, in the middle of a convolution too, on store the last; its buffers and
/// scalars are parameters of the kernel.
struct UserProgram {
    /// What of the kernel's is one element of the user's array.
    enum class Element : std::uint8_t {
        point,
        number,    ///< The real part of a point.
        part,      ///< Each part of a point, one after the other along axis `paired`.
        mapped,    ///< An element of a real map, which applies the stage itself: the point stages leave it out.
        mirrored,  ///< A bin of a real signal's whole spectrum: above half of axis `paired`, of `mirrors` bins, the
                   ///< conjugate of the bin below. The stage sees the lower ones.
        halved,    ///< A bin of half of such a spectrum: in sums it counts for its mirror too.
    };
    expression::Side side = expression::Side::load;
    std::shared_ptr<const expression::Program> program;
    std::vector<LogicalIndex> axes;  ///< Of the problem; of parts that of the first.
    Element element = Element::point;
    std::uint32_t paired = 0;
    std::uint64_t mirrors = 0;
    bool operator==(const UserProgram& other) const {
        return side == other.side && axes == other.axes && element == other.element && paired == other.paired &&
               mirrors == other.mirrors && *program == *other.program;
    }
};
/// Multiplies element k by the spectrum of Rader's kernel (Rader 1968): FFT of w^(g^-j), j = 0 .. prime-2, divided by
/// prime - 1, where w = exp(-2 pi i / prime) and g is the smallest generator modulo the prime. With a padded length of
/// at least prime - 2 the spectra of its even and odd part instead, one behind the other: g^((prime-1)/2) = -1, so that
/// the even part of the sequence meets the cosines alone, the odd part the sines, each over half of the powers.
struct RaderSpectrum {
    std::uint64_t prime = 3;
    std::uint64_t padded = 0;
    bool operator==(const RaderSpectrum&) const = default;
};
/// Multiplies by an element of the buffer of spectra, which is a parameter of the kernel: that at element times
/// `element_stride` plus the index of each loop times its stride.
struct SpectrumProduct {
    std::uint64_t element_stride = 1;
    std::vector<std::int64_t> loop_strides;  ///< Of each of the kernel's loops.
    bool conjugated = false;                 ///< The spectrum is.
    /// The product is divided by its magnitude, or 0 where that is, and multiplied by this; 0: it is not.
    double magnitude = 0.0;
    bool operator==(const SpectrumProduct&) const = default;
};
/// Multiplies point j by exp(-2 pi i (step j + offset) / length): of type IV and of right-angle convolutions, before
/// and after the core. In one pass of several j = element * element_stride + index of loops[loop], and the factor the
/// product of one for each.
struct Turn {
    std::uint64_t length = 1, step = 1, offset = 0;
    std::uint64_t element_stride = 1;
    std::int32_t loop = -1;  ///< -1: none.
    bool operator==(const Turn&) const = default;
};
using Stage = std::variant<SwapParts, Multiply, FourStepTwiddle, Chirp, ChirpSpectrum, RaderSpectrum, SpectrumProduct,
                           UserProgram, Turn, OneSided>;

}  // namespace seiche::kernels
