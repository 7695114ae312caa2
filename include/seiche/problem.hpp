// The problem: what is to be transformed. Nothing here changes how fast, only what the answer is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "seiche/image.hpp"
#include "seiche/stage.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

/// What is computed, in FFTW's definitions (https://www.fftw.org/fftw3_doc/What-FFTW-Really-Computes.html), none
/// scaled:
///
/// - c2c: complex to complex; the inverse has the other sign.
/// - r2c: real to complex, forward only: of the halved axis, n real numbers, the n/2 + 1 first values are written.
/// - c2r: complex to real, inverse only: the way back. The other axes are transformed first. Of the halved axis the
///   imaginary parts of element 0 and, n even, of element n/2 are ignored then, since a real signal has none. Along one
///   axis that is so whatever they hold, NaN and infinities too. With other axes a NaN in these elements may reach
///   results by way of those axes' transforms, as in numpy.
/// - dct1: x[0] + (-1)^k x[n-1] + 2 sum_{0<j<n-1} x[j] cos(pi j k / (n-1)), n >= 2; its own inverse, times 2 (n-1).
/// - dct2: 2 sum x[j] cos(pi (j + 1/2) k / n); dct3: its inverse, times 2 n.
/// - dct4: 2 sum x[j] cos(pi (j + 1/2) (k + 1/2) / n); its own inverse, times 2 n.
/// - dst1: 2 sum x[j] sin(pi (j + 1) (k + 1) / (n + 1)); its own inverse, times 2 (n+1).
/// - dst2: 2 sum x[j] sin(pi (j + 1/2) (k + 1) / n); dst3: its inverse, times 2 n.
/// - dst4: 2 sum x[j] sin(pi (j + 1/2) (k + 1/2) / n); its own inverse, times 2 n.
/// - dht: sum x[j] (cos(2 pi j k / n) + sin(2 pi j k / n)), Hartley; its own inverse, times n.
/// - r2hc: the real parts of r2c's values 0 .. n/2, then the imaginary parts of (n-1)/2 .. 1; hc2r: its inverse, times
///   n.
/// - hfft: c2r with the forward sign, forward only, as numpy's: of a signal with Hermitian symmetry the n/2 + 1 first
///   values are read and the real spectrum is written. As a load stage does, it conjugates what it reads.
/// - ihfft: r2c with the inverse sign, inverse only, as numpy's: the way back.
///
/// The inverse of a real-to-real kind is the kind that undoes it.
enum class Kind { c2c, r2c, c2r, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4, dht, r2hc, hc2r, hfft, ihfft };

/// "c2c", "dct2", ...
const char* to_string(Kind kind) noexcept;
/// False for c2c, r2c, c2r, hfft and ihfft.
bool is_real_to_real(Kind kind) noexcept;
/// The kind of the other direction: dct3 for dct2, c2r for r2c, itself for c2c, dct1, dct4, dht ...
Kind inverse_of(Kind kind) noexcept;
/// The N of one axis that Scale::by_n divides by, and that forward and inverse together multiply by: n, 2 n, 2 (n-1) or
/// 2 (n+1).
std::uint64_t logical_length(Kind kind, std::uint64_t n) noexcept;

/// Of the arithmetic, and of one real number in memory if `Storage` is same. f64x2 is double-double, about 31 digits
/// (see double_double.hpp). f16 is IEEE half in memory and in arithmetic, about 3 digits: beyond 65504 a value becomes
/// an infinity, which an unscaled transform of N points reaches with inputs above 65504 / N; below 2^-14 digits are
/// lost. Where halves are to be stored only, f32 on Storage::f16 is as small in memory, reaches as far in a kernel and
/// is more exact. It goes with every kind and length, and takes DeviceLimits::fp16_arithmetic.
enum class Precision { f32, f64, f64x2, f16 };
/// "f32", "f64", "f64x2", "f16-arithmetic" (the word f16 in a problem's text is Storage::f16).
const char* to_string(Precision precision) noexcept;
/// What one real number takes in the input and the output: as the arithmetic has it, or IEEE half (f16) or bfloat16 (1
/// sign, 8 exponent and 7 fraction bits) under f32 arithmetic, or f32 under f64 arithmetic, or f64 under f64x2
/// arithmetic. Values are rounded to nearest even; what overflows becomes an infinity (f16 beyond 65504).
enum class Storage { same, f16, bf16, f32, f64 };
/// "f16", "bf16", "f32", "f64"; "same".
const char* to_string(Storage storage) noexcept;
/// Bytes of one real number in memory.
constexpr std::uint64_t stored_bytes(Precision precision, Storage storage) noexcept {
    switch (storage) {
        case Storage::f16:
        case Storage::bf16: return 2;
        case Storage::f32: return 4;
        case Storage::f64: return 8;
        case Storage::same: break;
    }
    if (precision == Precision::f16) return 2;
    return precision == Precision::f32 ? 4 : precision == Precision::f64 ? 8 : 16;
}
enum class Direction { forward, inverse };  ///< exp(-2 pi i j k / n), exp(+2 pi i j k / n).
enum class Placement { out_of_place, in_place };

/// How the spectrum's elements lie along each complex axis: the output of the forward transform, the input of the
/// inverse.
///
/// natural   element k is frequency k.
/// pass      each pass of an axis writes where it read, which saves its workspace and keeps its accesses neighbouring.
///           An axis that takes passes of n_1, ..., n_P points has at position (..(d_1 n_2 + d_2) n_3 + ..) n_P + d_P
///           the frequency d_1 + n_1 (d_2 + n_2 (d_3 + ..)): the digits of the position, slowest first, are those of
///           the frequency, fastest first. An axis that is one pass, the halved axis of an r2c or c2r, and a length
///           that takes Bluestein's algorithm in several passes stay natural. The passes are the plan's:
///           Plan::spectrum_index maps positions, PlanReport::spectrum_digits has the n_1, ..., n_P. They follow from
///           lengths, precision, layout, batch, device and tuning, so that the plans of both directions agree.
enum class SpectrumOrder { natural, pass };

/// The factor that one direction multiplies its output by. N is the product of the transformed lengths; of real-to-real
/// kinds of their logical lengths (see Kind).
class Scale {
public:
    enum class Rule { none, by_n, by_sqrt_n, factor };

    constexpr Scale() = default;
    static constexpr Scale none() { return {}; }
    static constexpr Scale by_n() { return {Rule::by_n, 1.0}; }            ///< 1 / N
    static constexpr Scale by_sqrt_n() { return {Rule::by_sqrt_n, 1.0}; }  ///< 1 / sqrt(N)
    static constexpr Scale factor(double value) { return {Rule::factor, value}; }

    constexpr Rule rule() const { return rule_; }
    /// The factor itself for a transform of `n` points in all.
    double value(double n) const;

    friend constexpr bool operator==(const Scale& a, const Scale& b) {
        return a.rule_ == b.rule_ && a.factor_ == b.factor_;
    }
    friend constexpr bool operator!=(const Scale& a, const Scale& b) { return !(a == b); }

private:
    constexpr Scale(Rule rule, double factor) : rule_(rule), factor_(factor) {}
    Rule rule_ = Rule::none;
    double factor_ = 1.0;
};

/// How both directions are scaled, in numpy's and SciPy's words; for `Problem::set_norm`.
enum class Norm {
    backward,  ///< Forward by 1, inverse by 1 / N.
    ortho,     ///< Both by 1 / sqrt(N).
    forward,   ///< Forward by 1 / N, inverse by 1.
};
/// "backward", "ortho", "forward".
const char* to_string(Norm norm) noexcept;

/// Where the elements of an array lie. All distances are in elements of that array, complex or real numbers, not in
/// bytes. Below 0 they lead to elements before the first one, as in FFTW and NumPy; `byte_offset` leaves room for
/// these.
struct Layout {
    /// One stride per axis of `Problem::lengths`, not 0. Empty: row-major and dense (the last axis is contiguous);
    /// for the real array of an r2c or c2r in place: rows padded to the 2 (n/2 + 1) numbers that the complex row takes.
    /// An input may have strides of 0: all elements along that axis are the same one (broadcast). In place the output
    /// has strides of its own then.
    std::vector<std::int64_t> strides = {};
    /// From one array of the batch to the next. 0: each begins where the rows of the one before end, padding included.
    /// That is the largest count times stride of any axis, whatever its sign, or the distance between the lowest and
    /// the highest element and one more where that is more: 32 for strides {8, 1} of {4, 6}, 24 without strides. Below
    /// 0 the offset bounds the batch of an execution.
    std::int64_t batch_distance = 0;
    /// From the start of the buffer to the first element, the one of index 0 along each axis in the first array; a
    /// multiple of the element's size. At least the bytes of what lies before that element: 7 complex numbers for the
    /// stride -1 of 8, and for the batch of the execution where its distance is below 0.
    std::uint64_t byte_offset = 0;
    /// Complex arrays only: real and imaginary parts lie apart, each as an array of real numbers with the strides and
    /// the distance above. The imaginary half has a buffer of its own (`Execution::input_imaginary`, where the byte
    /// offset holds too), or follows in the same one: as many numbers after the first real part as lie from the lowest
    /// real part of the execution's arrays to the highest, both included.
    bool planar = false;
    /// The array lies in several buffers (`Execution::input_parts`), one after the other, each of so many bytes but the
    /// last, which may be shorter; at most 16 of them, and of a planar array so many for each half. A multiple of a
    /// complex number's bytes (planar: of a real one's), and so is the byte offset, which counts from the start of the
    /// first buffer. 0: in one buffer.
    std::uint64_t part_bytes = 0;
    /// The array is an image (`Execution::input_image`) whose rows count as memory, one after the other: an element at
    /// distance d from the first is texel d, of which x is d mod `image_width` and y what is left; where a texel is two
    /// complex numbers (rgba32f, rgba16f), it is the one or the other half of texel d / 2. Without strides each row of
    /// the last axis begins with a row of texels. Strides 1, 2 w, 2 of axes 2 x h x w, whose first is not transformed,
    /// are two fields of h x w in the channels of one image. Out of place, in f32, not planar, in no parts, without a
    /// byte offset and strides below 0; of an output in natural order. An output of two numbers a texel fills texels:
    /// one axis at most has stride 1, all other distances are even, and half a texel that no element has is 0
    /// afterwards.
    ImageFormat image = ImageFormat::none;
    /// Texels of a row of the image that the array takes, which may be more in the execution's. 0: those of a row of
    /// the last axis.
    std::uint64_t image_width = 0;

    friend bool operator==(const Layout& a, const Layout& b) {
        return a.strides == b.strides && a.batch_distance == b.batch_distance && a.byte_offset == b.byte_offset &&
               a.planar == b.planar && a.part_bytes == b.part_bytes && a.image == b.image &&
               a.image_width == b.image_width;
    }
    friend bool operator!=(const Layout& a, const Layout& b) { return !(a == b); }
};

/// Elements begin .. end-1 along an axis of `Problem::lengths`; a negative axis counts from the last.
struct Block {
    int axis = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    friend bool operator==(const Block& a, const Block& b) {
        return a.axis == b.axis && a.begin == b.begin && a.end == b.end;
    }
    friend bool operator!=(const Block& a, const Block& b) { return !(a == b); }
};

/// A transform. Only `lengths` is needed; everything else has the default that a newcomer expects.
struct Problem {
    /// The shape of one array, slowest axis first (as numpy and FFTW have it). An axis that is not transformed may have
    /// length 0; arrays are empty then, and an execution does nothing.
    std::vector<std::uint64_t> lengths = {};
    std::vector<int> axes = {};  ///< The axes to transform; negative counts from the last. Empty: all.
    std::uint64_t batch = 1;     ///< How many arrays, 0 for none. May be changed at each execution.
    Kind kind = Kind::c2c;
    /// Real-to-real only: a kind for each transformed axis, in the order of `axes` (or of `lengths`). Empty: all
    /// `kind`.
    std::vector<Kind> axis_kinds = {};
    /// r2c, c2r, hfft and ihfft only: which transformed axis has n/2 + 1 values in the complex array; the others are
    /// transformed as c2c. Negative counts from the last. None: the last one of `axes` (or of `lengths`).
    std::optional<int> halved_axis = {};
    /// Real-to-real only: `orthogonalize`, and a scale of 1 / sqrt(N) in each direction, so that the transform's matrix
    /// is orthogonal (SciPy's norm="ortho"). Both scales must be none then.
    bool orthonormal = false;
    /// Real-to-real only: weighs edge values so that the rows of the matrix are orthogonal and as long as each other,
    /// whatever the scales, as SciPy's orthogonalize=True does. Of dct1 the first and the last element are multiplied
    /// by sqrt(2) in the input and divided by it in the output; of dct2 the first one is divided in the output, of dct3
    /// multiplied in the input; of dst2 and dst3 the same of the last one. Other kinds need nothing. An inverse undoes
    /// it, as the kind of that direction says.
    bool orthogonalize = false;
    Precision precision = Precision::f32;
    Storage storage = Storage::same;  ///< Of both arrays, on GPUs f16 and bf16 of workspaces too.
    Placement placement = Placement::out_of_place;
    Scale forward_scale = Scale::none();
    Scale inverse_scale = Scale::none();
    Layout input = {};
    /// In place both arrays lie in one buffer. Strides that are left empty here follow from `input`; of an r2c or c2r
    /// those of either array from the other's: the complex array's doubled or the real one's halved, and both 1 along
    /// the halved axis. Strides that cannot follow so have to be given for both; without any, the real array's rows are
    /// padded to the complex array's if the halved axis is the last one, and are dense if not. Where strides are alike,
    /// a distance or an offset of 0 follows too. Where elements do not lie alike in both arrays, the results are those
    /// of a transform out of place, written when all of the input has been read, which may take a copy of it in the
    /// workspace. `planar` and `part_bytes` are the same of both.
    Layout output = {};
    /// Pruning: blocks of transformed axes, any number, whose elements the forward transform takes as 0 without reading
    /// them and the inverse does not compute; and of the spectrum, where it is the other way round. An element is left
    /// out if it is in a block of any axis. In an output (and in place in either array) such elements are undefined
    /// afterwards: passes over other axes may leave their results there.
    std::vector<Block> signal_zeros = {}, spectrum_zeros = {};
    SpectrumOrder spectrum_order = SpectrumOrder::natural;  ///< c2c, r2c and c2r, without `spectrum_zeros`.
    /// Out of place the input may serve as workspace, which makes `Plan::workspace_bytes` less where passes would need
    /// one; its elements, none beside them, are undefined after an execution. Without this the input is never written.
    /// It is left alone all the same where elements of it share memory, their storage is narrower than the arithmetic,
    /// pruning leaves some unread, or a stage loads them. In place this says nothing.
    bool may_overwrite_input = false;
    /// What is done to each point on its way in and out (docs/reference/stages.md). Empty: nothing. They see the
    /// problem's data: before the transform, and after it and its scale. Points of a real array are real numbers.
    UserStage forward_load = {}, forward_store = {}, inverse_load = {}, inverse_store = {};

    /// Sets both scales and leaves edge values alone: of cosine and sine transforms SciPy sets `orthogonalize` beside
    /// norm="ortho" unless it is told not to.
    void set_norm(Norm norm) {
        forward_scale = norm == Norm::forward ? Scale::by_n()
                        : norm == Norm::ortho ? Scale::by_sqrt_n()
                                              : Scale::none();
        inverse_scale = norm == Norm::backward ? Scale::by_n()
                        : norm == Norm::ortho  ? Scale::by_sqrt_n()
                                               : Scale::none();
    }
};

/// Reads a problem text such as `1024x1024 c2c f32 batch=16 in-place inverse-scale=1/n`; throws InvalidProblem with the
/// word at fault. Words, in any order after the shape: a kind (several, e.g. dct2,dst3: one per axis);
/// f32|f64|f64x2|f16-arithmetic|f16|bf16 (the last two: f32 arithmetic on such storage); storage=f16|bf16|f32|f64;
/// batch=N;
/// in-place|out-of-place; axes=0,1; halved=AXIS; orthonormal; orthogonalize; forward-scale= and inverse-scale=
/// none|1/n|1/sqrt(n)|NUMBER; norm=backward|ortho|forward, which sets both scales; istrides= and ostrides= S0,S1,...;
/// idist=, odist=; ioffset=, ooffset= (bytes); signal-zeros= and spectrum-zeros= AXIS:BEGIN-END,...; iplanar, oplanar,
/// or planar for both; iparts=, oparts=, or parts= for both (bytes of each buffer that the array lies in); iimage=,
/// oimage=, or image= for both r32f|rg32f|rgba32f|rgba16f; iwidth=, owidth= (texels of a row);
/// spectrum-order=natural|pass; overwrite-input.
Problem parse_problem(const std::string& text);

/// The same problem as text, without its stages, which are no words of it; `parse_problem(to_string(p))` gives a
/// problem equal to `p` but for these once both are normalised.
std::string to_string(const Problem& problem);

/// The smallest m >= n whose prime factors are all <= 13: the lengths that are fastest. Throws InvalidProblem for 0 or
/// beyond 2^62.
std::uint64_t next_fast_length(std::uint64_t n);

}  // namespace seiche
SEICHE_EXPORT_END
