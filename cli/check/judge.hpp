// How far a plan's outputs are from what they should be: all of them against the reference, or some of long transforms.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "cli/check/geometry.hpp"
#include "cli/reference/dft_bins.hpp"
#include "cli/reference/kind_bins.hpp"
#include "cli/reference/quad.hpp"
#include "cli/reference/random_data.hpp"
#include "cli/reference/reference_kinds.hpp"
#include "cli/system/in_parallel.hpp"

namespace seiche::cli {

/// Compared of a transform that is not compared whole. Of complex ones the size is known by Parseval, of others both
/// the errors and what they are errors of come from these outputs: of 16 one c2r of 2^24 numbers in 25 looked half as
/// bad again as it was; of 8 complex ones 10^7 points, which are off by 0.76 units, looked like 1.0. The longest
/// transforms, where each output is a sum of so many, have few, and so have sums in quad precision.
constexpr std::uint64_t real_bins = 64;
inline std::uint64_t complex_bins(Precision precision, std::uint64_t points) {
    constexpr std::uint64_t long_ones = std::uint64_t{1} << 25, many = 32, few = 8;
    return precision != Precision::f64x2 && points <= long_ones ? many : few;
}

/// Some outputs in quad precision take as long as all in extended precision.
inline bool compares_whole(const Problem& problem, const Geometry& geometry) {
    constexpr std::uint64_t largest_whole = std::uint64_t{1} << 22;  // points
    return problem.precision != Precision::f64x2 && geometry.points() <= largest_whole;
}

inline bool is_complex(const std::vector<KindAxis>& axes) {
    return std::all_of(axes.begin(), axes.end(), [](const KindAxis& axis) { return axis.kind == Kind::c2c; });
}

template <class Real>
Real factor_of(const Scale& scale, std::uint64_t n) {
    const auto points = static_cast<Real>(n);
    switch (scale.rule()) {
        case Scale::Rule::none: return 1;
        case Scale::Rule::by_n: return 1 / points;
        case Scale::Rule::by_sqrt_n: return 1 / square_root(points);
        default: return scale.value(static_cast<double>(n));
    }
}

inline const Scale& scale_of(const Problem& problem, Direction direction) {
    return direction == Direction::forward ? problem.forward_scale : problem.inverse_scale;
}

/// Of a problem whose arrays the host has as numbers of type T, in the order of interleaved ones. All sums are made of
/// the same pieces on any number of threads.
template <class T>
class Judge {
public:
    /// `order`: of every element of the spectrum as it lies, row-major, its frequency; empty where that is natural. The
    /// problem and its geometry must outlive this.
    Judge(const Problem& problem, const Geometry& geometry, std::vector<std::uint64_t> order)
        : problem_(problem), geometry_(geometry), order_(std::move(order)) {}

    /// Makes the tables for a direction, the one that is judged from here on.
    void prepare(Direction direction) {
        const bool has_tables = reference_ && direction == direction_;
        direction_ = direction;
        if (has_reference && compares_whole(problem_, geometry_) && !has_tables)
            reference_.emplace(geometry_.shape(direction));
    }

    bool is_kept(std::size_t element, bool output) const {
        const std::vector<bool>& kept = geometry_.kept(direction_, output);
        return kept.empty() || kept[element];
    }

    /// Of an element of the input as it lies: a c2r of one axis takes it for a real number, whatever it is.
    bool ignores_imaginary_part(std::size_t element) const {
        return ignores_imaginary_part_of(order_.empty() ? element : order_[element]);
    }

    /// Over the chosen transforms, the sum of the squares of their relative errors.
    double squared_errors(const std::vector<std::uint64_t>& chosen, const T* input, const T* output) const {
        const Arrays arrays{input, output};
        const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
        const std::size_t each = std::max<std::size_t>(1, processors / std::max<std::size_t>(1, chosen.size()));
        std::vector<double> squares(chosen.size());
        in_parallel(chosen.size(), 0, [&](std::size_t i) {
            const One one{arrays, chosen[i], each};
            squares[i] = reference_                     ? squared_error(one)
                         : is_complex(geometry_.axes()) ? squared_error_of_complex_bins(one)
                                                        : squared_error_of_real_bins(one);
        });
        double sum = 0;
        for (const double square : squares) sum += square;
        return sum;
    }

private:
    using Real = typename Judging<T>::Real;
    using Extended = std::complex<Real>;
    static constexpr bool has_reference = std::is_same_v<Real, long double>;
    static constexpr std::uint64_t longest_sum = std::uint64_t{1} << 16;  // elements that one thread sums

    struct Arrays {
        const T *input, *output;
    };
    /// A transform that is judged, and the threads for it.
    struct One {
        Arrays arrays;
        std::uint64_t transform;
        std::size_t workers;
    };

    /// Where the elements of a transform are, row-major, by index or by frequency.
    class Places {
    public:
        Places(const Judge& judge, std::uint64_t t, bool output)
            : size_(judge.geometry_.elements_of_transform(output)) {
            const bool is_ordered = !judge.order_.empty() && output == (judge.direction_ == Direction::forward);
            if (!is_ordered && judge.geometry_.is_consecutive(output)) {
                first_ = judge.geometry_.first_position(t, output);
                return;
            }
            judge.geometry_.positions(t, output, list_);
            if (!is_ordered) return;
            std::vector<std::uint64_t> ordered(size_);
            for (std::size_t i = 0; i < size_; ++i) ordered[judge.order_[i]] = list_[i];
            list_ = std::move(ordered);
        }
        std::uint64_t operator()(std::uint64_t j) const { return list_.empty() ? first_ + j : list_[j]; }
        std::size_t size() const { return size_; }

    private:
        std::size_t size_;
        std::uint64_t first_ = 0;
        std::vector<std::uint64_t> list_;
    };

    Real scale() const { return factor_of<Real>(scale_of(problem_, direction_), geometry_.logical_points()); }

    bool ignores_imaginary_part_of(std::uint64_t frequency) const {
        const std::vector<KindAxis>& axes = geometry_.axes();
        if (axes.size() != 1 || axes.front().kind != Kind::c2r) return false;
        return frequency == 0 || 2 * frequency == axes.front().length;
    }
    /// Of the input, by its number in Places.
    Extended taken(const Arrays& arrays, const Places& places, std::uint64_t j) const {
        const Extended value = element(arrays, places(j), false);
        return ignores_imaginary_part_of(j) ? Extended{value.real()} : value;
    }

    Extended element(const Arrays& arrays, std::uint64_t place, bool output) const {
        const std::uint64_t parts = geometry_.parts(output);
        const T* numbers = (output ? arrays.output : arrays.input) + place * parts;
        const Real imaginary = parts == 2 ? widened<Real>(numbers[1]) : Real{0};
        return {widened<Real>(numbers[0]), geometry_.conjugates() ? -imaginary : imaginary};
    }
    static Wide wide(const Extended& x) {
        return {static_cast<long double>(x.real()), static_cast<long double>(x.imag())};
    }

    /// Calls work(first, end, piece) for the pieces of a long sum.
    template <class Work>
    static void for_each_sum(std::size_t count, std::size_t workers, const Work& work) {
        in_parallel(sums_of(count), workers, [&](std::size_t piece) {
            work(piece * longest_sum, std::min<std::size_t>(count, (piece + 1) * longest_sum), piece);
        });
    }
    static std::size_t sums_of(std::size_t count) { return (count + longest_sum - 1) / longest_sum; }

    // Relative to the outputs that pruning keeps, or to what they would be if all outputs were of the same size,
    // whichever is larger: of few values the sums may cancel, and nothing is left to compare with.
    double squared_error(const One& one) const {
        struct Sums {
            long double error = 0, size = 0, kept_size = 0;
            std::size_t kept = 0;
        };
        const std::vector<Wide> expected = reference_->run(input_of(one), one.workers);
        const Places places(*this, one.transform, true);
        const auto factor = static_cast<long double>(scale());
        std::vector<Sums> pieces(sums_of(places.size()));
        for_each_sum(places.size(), one.workers, [&](std::size_t first, std::size_t end, std::size_t piece) {
            Sums sums;
            for (std::size_t j = first; j < end; ++j) {
                const Wide value = expected[j] * factor;
                sums.size += std::norm(value);
                if (!is_kept(j, true)) continue;
                sums.error += std::norm(wide(element(one.arrays, places(j), true)) - value);
                sums.kept_size += std::norm(value);
                ++sums.kept;
            }
            pieces[piece] = sums;
        });
        Sums all;
        for (const Sums& sums : pieces) {
            all.error += sums.error;
            all.size += sums.size;
            all.kept_size += sums.kept_size;
            all.kept += sums.kept;
        }
        const long double of_equal = all.size * static_cast<long double>(all.kept) / places.size();
        return static_cast<double>(all.error / std::max(all.kept_size, of_equal));
    }

    std::vector<Wide> input_of(const One& one) const {
        const Places places(*this, one.transform, false);
        std::vector<Wide> input(places.size());
        in_ranges(places.size(), one.workers, [&](std::size_t first, std::size_t end) {
            for (std::size_t j = first; j < end; ++j)
                if (is_kept(j, false)) input[j] = wide(taken(one.arrays, places, j));
        });
        return input;
    }

    // An element of the output that pruning keeps; blocks leave one at least.
    std::uint64_t kept_bin(Random& random, std::uint64_t count) const {
        std::uint64_t flat = random.below(count);
        while (!is_kept(flat, true)) flat = (flat + 1) % count;
        return flat;
    }
    std::vector<std::uint64_t> some_bins(const One& one, std::size_t outputs, std::size_t count) const {
        Random random(one.transform + 1);
        std::vector<std::uint64_t> bins(count);
        for (std::uint64_t& flat : bins) flat = kept_bin(random, outputs);
        return bins;
    }

    // By Parseval the mean of |output|^2 is the sum of |input|^2.
    double squared_error_of_complex_bins(const One& one) const {
        const KindShape shape = geometry_.shape(direction_);
        std::vector<std::uint64_t> lengths;
        for (const KindAxis& axis : shape.axes) lengths.push_back(axis.length);
        const Places from(*this, one.transform, false), to(*this, one.transform, true);
        const auto get = [&](std::uint64_t j) {
            return is_kept(j, false) ? element(one.arrays, from(j), false) : Extended{};
        };
        std::vector<Real> sizes(sums_of(from.size()));
        for_each_sum(from.size(), one.workers, [&](std::size_t first, std::size_t end, std::size_t piece) {
            Real sum = 0;
            for (std::size_t j = first; j < end; ++j) sum += std::norm(get(j));
            sizes[piece] = sum;
        });
        Real size = 0;
        for (const Real& sum : sizes) size += sum;
        const Real factor = scale();
        const auto bins = some_bins(one, to.size(), complex_bins(problem_.precision, to.size()));
        std::vector<Real> errors(bins.size());
        in_parallel(bins.size(), one.workers, [&](std::size_t i) {
            const bool inverse = direction_ == Direction::inverse;
            const Extended value = dft_bin<Real>(get, lengths, bin_of(shape, bins[i]), inverse) * factor;
            errors[i] = std::norm(element(one.arrays, to(bins[i]), true) - value);
        });
        Real error = 0;
        for (const Real& each : errors) error += each;
        return static_cast<double>(error / (Real(bins.size()) * size * factor * factor));
    }

    double squared_error_of_real_bins(const One& one) const {
        const KindShape shape = geometry_.shape(direction_);
        const Places from(*this, one.transform, false), to(*this, one.transform, true);
        const Real factor = shape.orthonormal ? orthonormal_scale<Real>(shape.axes) : scale();
        const auto bins = some_bins(one, to.size(), real_bins);
        std::array<Real, real_bins> errors{}, sizes{};
        in_parallel(real_bins, one.workers, [&](std::size_t i) {
            const std::vector<std::uint64_t> bin = bin_of(shape, bins[i]);
            Real edge = 1;
            for (std::size_t axis = 0; shape.weighs_edges() && axis < bin.size(); ++axis)
                edge *= orthonormal_edge<Real>(shape.axes[axis], bin[axis], false);
            const auto get = [&](std::uint64_t j) { return weighed_input(shape, one.arrays, from, j); };
            const Extended value =
                kind_bin<Real>(get, shape.axes, bin, shape.direction == Direction::inverse) * factor * edge;
            errors[i] = std::norm(element(one.arrays, to(bins[i]), true) - value);
            sizes[i] = std::norm(value);
        });
        Real error = 0, size = 0;
        for (std::size_t i = 0; i < real_bins; ++i) {
            error += errors[i];
            size += sizes[i];
        }
        return static_cast<double>(error / size);
    }

    static std::vector<std::uint64_t> bin_of(const KindShape& shape, std::uint64_t flat) {
        std::vector<std::uint64_t> bin(shape.axes.size());
        for (std::size_t axis = bin.size(); axis-- > 0; flat /= shape.axes[axis].output_count())
            bin[axis] = flat % shape.axes[axis].output_count();
        return bin;
    }

    // Element j of the transform whose elements lie at `places`, with the weights that an orthogonal one gives
    // its edges.
    Extended weighed_input(const KindShape& shape, const Arrays& arrays, const Places& places, std::uint64_t j) const {
        if (!is_kept(j, false)) return {};
        Extended value = taken(arrays, places, j);
        if (!shape.weighs_edges()) return value;
        for (std::size_t axis = shape.axes.size(); axis-- > 0; j /= shape.axes[axis].length)
            value *= orthonormal_edge<Real>(shape.axes[axis], j % shape.axes[axis].length, true);
        return value;
    }

    const Problem& problem_;
    const Geometry& geometry_;
    const std::vector<std::uint64_t> order_;
    Direction direction_ = Direction::forward;
    std::optional<ReferenceTransform> reference_;  // of that direction; none where only some outputs are compared
};

}  // namespace seiche::cli
