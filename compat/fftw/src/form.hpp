// The one form that every planner of FFTW's interface becomes: dimensions, repetitions, and how each array lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "precision.hpp"

namespace seiche_fftw {

/// A length, and how far apart neighbours lie in the input and in the output, in real numbers.
struct Dimension {
    std::ptrdiff_t n = 1, in = 0, out = 0;
};

enum class Type { dft, r2c, c2r, r2r };

/// What an array holds. Interleaved complex numbers are two real numbers beside each other; split ones lie in two
/// arrays of real numbers.
enum class Side { real, interleaved, split };

/// The arrays of an execution. A real or interleaved array is given by its first pointer.
struct Arrays {
    Real *in = nullptr, *in_imaginary = nullptr, *out = nullptr, *out_imaginary = nullptr;
};

struct Form {
    Type type = Type::dft;
    std::vector<Dimension> dims;              ///< Transformed, slowest first; the last one is halved by r2c and c2r.
    std::vector<Dimension> many;              ///< Repeated over.
    std::vector<seiche_fftw_r2r_kind> kinds;  ///< Of r2r, one for each of `dims`.
    bool is_inverse = false;                  ///< Of dft: the sign is +1. Both sides are interleaved then.
    bool is_in_place = false;
    /// The callers' real and imaginary parts change places, on both sides (a split transform of the sign +1).
    bool is_swapped = false;
    Side in = Side::interleaved, out = Side::interleaved;
    unsigned flags = 0;
    int threads = 1;

    /// Real or complex numbers of the larger array, over all repetitions. 0: nothing is to be done.
    std::uint64_t points() const;
    /// How many elements the arrays have along a dimension of `dims`.
    std::ptrdiff_t in_count(std::size_t dim) const;
    std::ptrdiff_t out_count(std::size_t dim) const;
    /// The pointers of an execution as this form counts them.
    Arrays arranged(const Arrays& given) const;
    /// For people and as the key of wisdom: "c2c- 64:2:2 x 3:128:128 in-place", without brackets and quotes.
    std::string text() const;
};

/// Arguments of `plan_many_*` and of the simpler planners, which are it with a howmany of 1.
struct ManyArguments {
    int rank = 0;
    const int* n = nullptr;
    int howmany = 1;
    const int* in_embed = nullptr;
    int in_stride = 1, in_distance = 0;
    const int* out_embed = nullptr;
    int out_stride = 1, out_distance = 0;
};

/// What all planners are given beside dimensions. Without `in_imaginary` and `out_imaginary` complex arrays are
/// interleaved.
struct CommonArguments {
    Type type = Type::dft;
    Arrays arrays;
    int sign = FFTW_FORWARD;
    const seiche_fftw_r2r_kind* kinds = nullptr;
    unsigned flags = 0;
};

/// Nothing where FFTW's planners return a null pointer: ranks below 0, lengths below 1, repetitions below 0, kinds that
/// are none, one point of REDFT00; and for arrays beyond what a pointer reaches.
std::optional<Form> make_form(const CommonArguments& common, const ManyArguments& many);
/// The same of guru and guru64 dimensions.
std::optional<Form> make_form(const CommonArguments& common, int rank, const seiche_fftw_iodim* dims, int howmany_rank,
                              const seiche_fftw_iodim* howmany_dims);
std::optional<Form> make_form(const CommonArguments& common, int rank, const seiche_fftw_iodim64* dims,
                              int howmany_rank, const seiche_fftw_iodim64* howmany_dims);

}  // namespace seiche_fftw
