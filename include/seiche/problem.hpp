// The problem: what is to be transformed. Nothing here changes how fast, only what the answer is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace seiche {

enum class Kind { c2c };                    ///< Complex to complex.
enum class Precision { f32, f64 };          ///< Arithmetic and storage of one real number.
enum class Direction { forward, inverse };  ///< exp(-2 pi i j k / n), exp(+2 pi i j k / n).
enum class Placement { out_of_place, in_place };

/// The factor that one direction multiplies its output by. N is the product of the transformed lengths.
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

/// Where the elements of an array lie. All distances are in complex elements, not bytes, and are positive.
struct Layout {
    /// One stride per axis of `Problem::lengths`. Empty: row-major and dense (the last axis is contiguous).
    std::vector<std::int64_t> strides;
    /// From one array of the batch to the next. 0: dense, one array directly after the other.
    std::int64_t batch_distance = 0;
    /// From the start of the buffer to the first element; a multiple of the element's size.
    std::uint64_t byte_offset = 0;

    friend bool operator==(const Layout& a, const Layout& b) {
        return a.strides == b.strides && a.batch_distance == b.batch_distance && a.byte_offset == b.byte_offset;
    }
    friend bool operator!=(const Layout& a, const Layout& b) { return !(a == b); }
};

/// A transform. Only `lengths` is needed; everything else has the default that a newcomer expects.
struct Problem {
    std::vector<std::uint64_t> lengths;  ///< The shape of one array, slowest axis first (as numpy and FFTW have it).
    std::vector<int> axes;               ///< The axes to transform; negative counts from the last. Empty: all.
    std::uint64_t batch = 1;             ///< How many arrays. May be changed at each execution.
    Kind kind = Kind::c2c;
    Precision precision = Precision::f32;
    Placement placement = Placement::out_of_place;
    Scale forward_scale = Scale::none();
    Scale inverse_scale = Scale::none();
    Layout input;
    Layout output;  ///< In place: must equal `input` or be left empty.
};

/// Reads a problem text such as `1024x1024 c2c f32 batch=16 in-place inverse-scale=1/n`; throws InvalidProblem with the
/// word at fault. Words, in any order after the shape: c2c; f32|f64; batch=N; in-place|out-of-place; axes=0,1;
/// forward-scale= and inverse-scale= none|1/n|1/sqrt(n)|NUMBER; istrides= and ostrides= S0,S1,...; idist=, odist=;
/// ioffset=, ooffset= (bytes).
Problem parse_problem(const std::string& text);

/// The same problem as text; `parse_problem(to_string(p))` gives a problem equal to `p` once both are normalised.
std::string to_string(const Problem& problem);

/// The smallest m >= n whose prime factors are all <= 13, i.e. that needs no Bluestein. Throws InvalidProblem for 0 or
/// beyond 2^62.
std::uint64_t next_fast_length(std::uint64_t n);

}  // namespace seiche
