// The judge of every kind: transforms of whole arrays in extended precision on the host. Each kind is read off a
// complex transform of at most twice the length, after S. A. Martucci, "Symmetric convolution and the discrete sine and
// cosine transforms" (1994); short and plain rather than fast.
#include "cli/reference/reference_kinds.hpp"

#include <algorithm>
#include <utility>

#include "cli/reference/quad.hpp"
#include "cli/system/in_parallel.hpp"

namespace seiche::cli {
namespace {

constexpr std::uint64_t most_at_once = std::uint64_t{1} << 20;  // points of the rows in work

std::uint64_t inner_length(const KindAxis& axis) {
    switch (axis.kind) {
        case Kind::dct1: return 2 * (axis.length - 1);
        case Kind::dst1: return 2 * (axis.length + 1);
        case Kind::dct2:
        case Kind::dct3:
        case Kind::dct4:
        case Kind::dst2:
        case Kind::dst3:
        case Kind::dst4: return 2 * axis.length;
        default: return axis.length;
    }
}

}  // namespace

/// The transform of one axis: x[j] times a factor goes to place j + shift of the inner transform, whose outputs,
/// turned, give the results.
class ReferenceTransform::Line {
public:
    Line(const KindAxis& axis, bool weighs_edges, Direction direction)
        : axis_(axis), weighs_edges_(weighs_edges), direction_(direction), inner_(cli::inner_length(axis)) {}

    void run(const std::vector<Wide>& x, std::vector<Wide>& y, std::size_t workers = 1) const {
        std::vector<Wide> a(inner_.length()), b(inner_.length());
        const bool adds = axis_.kind == Kind::hc2r;  // two numbers to one place
        in_ranges(x.size(), adds ? 1 : workers, [&](std::uint64_t first, std::uint64_t end) {
            for (std::uint64_t j = first; j < end; ++j) {
                const long double edge = weighs_edges_ ? orthonormal_edge(axis_, j, true) : 1.0L;
                put(a, j, edge * x[j]);
            }
        });
        inner_.run(a.data(), 1, b.data(), axis_.kind == Kind::c2c ? direction_ : Direction::forward, workers);
        in_ranges(y.size(), workers, [&](std::uint64_t first, std::uint64_t end) {
            for (std::uint64_t k = first; k < end; ++k)
                y[k] = (weighs_edges_ ? orthonormal_edge(axis_, k, false) : 1.0L) * result(b, k);
        });
    }

    std::uint64_t input_count() const { return axis_.input_count(); }
    std::uint64_t output_count() const { return axis_.output_count(); }

private:
    /// Adds x[j] to the input of the inner transform.
    void put(std::vector<Wide>& a, std::uint64_t j, const Wide& x) const {
        const std::uint64_t n = axis_.length;
        switch (axis_.kind) {
            case Kind::dct1: a[j] = (j == 0 || j == n - 1 ? 1.0L : 2.0L) * x; return;
            case Kind::dct3: a[j] = (j == 0 ? 1.0L : 2.0L) * x * root_of_unity(j, 4 * n); return;
            case Kind::dst3: a[j + 1] = (j == n - 1 ? 1.0L : 2.0L) * x * root_of_unity(j + 1, 4 * n); return;
            case Kind::dct4:
            case Kind::dst4: a[j] = 2.0L * x * root_of_unity(j, 4 * n); return;
            case Kind::dct2:
            case Kind::dst2: a[j] = 2.0L * x; return;
            case Kind::dst1: a[j + 1] = 2.0L * x; return;
            case Kind::c2r: a[j] = (j == 0 || 2 * j == n ? 1.0L : 2.0L) * std::conj(x); return;
            case Kind::hc2r:
                if (2 * j > n)
                    a[n - j] -= 2.0L * Wide{0, 1} * x;
                else
                    a[j] += (j == 0 || 2 * j == n ? 1.0L : 2.0L) * x;
                return;
            default: a[j] = x; return;
        }
    }

    Wide result(const std::vector<Wide>& b, std::uint64_t k) const {
        const std::uint64_t n = axis_.length;
        switch (axis_.kind) {
            case Kind::dct2: return (root_of_unity(k, 4 * n) * b[k]).real();
            case Kind::dst2: return -(root_of_unity(k + 1, 4 * n) * b[k + 1]).imag();
            case Kind::dct4: return (root_of_unity(2 * k + 1, 8 * n) * b[k]).real();
            case Kind::dst4: return -(root_of_unity(2 * k + 1, 8 * n) * b[k]).imag();
            case Kind::dst1: return -b[k + 1].imag();
            case Kind::dst3: return -b[k].imag();
            case Kind::dht: return b[k].real() - b[k].imag();
            case Kind::r2hc: return 2 * k <= n ? b[k].real() : b[n - k].imag();
            case Kind::c2c:
            case Kind::r2c: return b[k];
            case Kind::dct1:
            case Kind::dct3:
            case Kind::hc2r:
            case Kind::c2r:
            case Kind::hfft:  // whose geometry is that of c2r and r2c
            case Kind::ihfft: break;
        }
        return b[k].real();
    }

    KindAxis axis_;
    bool weighs_edges_;
    Direction direction_;
    ReferenceDft inner_;
};

ReferenceTransform::ReferenceTransform(KindShape shape) : shape_(std::move(shape)) {
    for (const KindAxis& axis : shape_.axes)
        lines_.push_back(std::make_unique<const Line>(axis, shape_.weighs_edges(), shape_.direction));
}

ReferenceTransform::~ReferenceTransform() = default;

void ReferenceTransform::run_rows(const Line& line, const Rows& rows, const std::vector<Wide>& from,
                                  std::vector<Wide>& to) {
    const std::uint64_t before = line.input_count(), after = line.output_count(), stride = rows.stride;
    std::vector<Wide> x(before), y(after);
    for (std::uint64_t row = rows.first; row < rows.end; ++row) {
        const std::uint64_t outer = row / stride, inner = row % stride;
        for (std::uint64_t j = 0; j < before; ++j) x[j] = from[(outer * before + j) * stride + inner];
        line.run(x, y, rows.workers);
        for (std::uint64_t k = 0; k < after; ++k) to[(outer * after + k) * stride + inner] = y[k];
    }
}

std::vector<Wide> ReferenceTransform::run(std::vector<Wide> data, std::size_t workers) const {
    const std::size_t rank = shape_.axes.size();
    std::vector<std::uint64_t> counts;
    std::vector<std::size_t> order;  // what makes numbers real comes last
    for (const bool last : {false, true})
        for (std::size_t a = 0; a < rank; ++a)
            if ((shape_.axes[a].kind == Kind::c2r) == last) order.push_back(a);
    for (const KindAxis& axis : shape_.axes) counts.push_back(axis.input_count());
    for (const std::size_t a : order) {
        const std::uint64_t before = counts[a], after = shape_.axes[a].output_count();
        std::uint64_t stride = 1;
        for (std::size_t i = a + 1; i < rank; ++i) stride *= counts[i];
        const std::uint64_t rows = data.size() / before;
        // Each takes several arrays of a row's size.
        const std::uint64_t at_once =
            std::clamp<std::uint64_t>(most_at_once / before, 1, std::min<std::uint64_t>(rows, workers));
        const std::uint64_t pieces = std::min(rows, 4 * at_once), each = (workers + at_once - 1) / at_once;
        std::vector<Wide> next(rows * after);
        if (rows == 1)
            lines_[a]->run(data, next, workers);
        else
            in_parallel(pieces, at_once, [&](std::size_t i) {
                run_rows(*lines_[a], {stride, i * rows / pieces, (i + 1) * rows / pieces, each}, data, next);
            });
        counts[a] = after;
        data = std::move(next);
    }
    if (shape_.orthonormal) {
        const long double scale = orthonormal_scale(shape_.axes);
        for (Wide& value : data) value *= scale;
    }
    return data;
}

template <class Real>
Real orthonormal_edge(const KindAxis& axis, std::uint64_t j, bool input) {
    const bool first = j == 0, last = j == axis.length - 1;
    const bool is_edge = (axis.kind == Kind::dct1 && (first || last)) ||
                         (axis.kind == (input ? Kind::dct3 : Kind::dct2) && first) ||
                         (axis.kind == (input ? Kind::dst3 : Kind::dst2) && last);
    if (!is_edge) return 1;
    const Real edge = square_root(static_cast<Real>(2));
    return input ? edge : 1 / edge;
}

template <class Real>
Real orthonormal_scale(const std::vector<KindAxis>& axes) {
    Real points = 1;
    for (const KindAxis& axis : axes) points *= static_cast<Real>(logical_length(axis.kind, axis.length));
    return 1 / square_root(points);
}

template long double orthonormal_edge<long double>(const KindAxis&, std::uint64_t, bool);
template long double orthonormal_scale<long double>(const std::vector<KindAxis>&);
#ifdef __SIZEOF_FLOAT128__
template Quad orthonormal_edge<Quad>(const KindAxis&, std::uint64_t, bool);
template Quad orthonormal_scale<Quad>(const std::vector<KindAxis>&);
#endif

}  // namespace seiche::cli
