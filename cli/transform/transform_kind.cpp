// What --kind, --inverse and --norm of `seiche transform` mean: numpy's and scipy's conventions as a problem.
#include "cli/transform/transform_kind.hpp"

#include "cli/text/failure.hpp"

namespace seiche::cli {
namespace {

constexpr Kind kinds[] = {Kind::c2c,  Kind::r2c,  Kind::c2r,  Kind::dct1, Kind::dct2, Kind::dct3,
                          Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4, Kind::dht,
                          Kind::r2hc, Kind::hc2r, Kind::hfft, Kind::ihfft};

/// These have edges: norm="ortho" makes their matrices orthogonal unless it is told not to, as SciPy does.
bool is_trigonometric(Kind kind) {
    return is_real_to_real(kind) && kind != Kind::dht && kind != Kind::r2hc && kind != Kind::hc2r;
}

/// The next length from n whose inner complex transform needs no Bluestein.
std::uint64_t next_fast(Kind kind, std::uint64_t n) {
    if (kind == Kind::dct1) return n < 2 ? 2 : next_fast_length(n - 1) + 1;
    if (kind == Kind::dst1) return next_fast_length(n + 1) - 1;
    return next_fast_length(n);
}

/// The complex array, of which one half is stored, is the input or the output.
bool takes_half(const TransformKind& what) { return what.kind == Kind::c2r || what.kind == Kind::hfft; }
bool gives_half(const TransformKind& what) { return what.kind == Kind::r2c || what.kind == Kind::ihfft; }

}  // namespace

TransformKind parse_transform_kind(const std::string& name, bool inverse, const std::string& norm,
                                   const std::string& orthogonalize) {
    TransformKind what{Kind::c2c, inverse, norm};
    for (const Kind kind : kinds) {
        if (name == to_string(kind)) what.kind = kind;
    }
    if (inverse && what.kind == Kind::r2c)
        throw UsageError("--inverse: expected none beside --kind r2c, whose inverse is --kind c2r");
    if (inverse && what.kind == Kind::c2r)
        throw UsageError("--inverse: expected none beside --kind c2r, which is an inverse already");
    if (inverse && what.kind == Kind::hfft)
        throw UsageError("--inverse: expected none beside --kind hfft, whose inverse is --kind ihfft");
    if (inverse && what.kind == Kind::ihfft)
        throw UsageError("--inverse: expected none beside --kind ihfft, which is an inverse already");
    if (!orthogonalize.empty() && !is_trigonometric(what.kind))
        throw UsageError("--orthogonalize: expected --kind dct1 ... dct4 or dst1 ... dst4 beside it, got " + name);
    what.orthogonalizes_edges =
        is_trigonometric(what.kind) && (orthogonalize.empty() ? norm == "ortho" : orthogonalize == "yes");
    what.inverse = inverse || what.kind == Kind::c2r || what.kind == Kind::ihfft;
    return what;
}

bool takes_reals(const TransformKind& what) { return gives_half(what) || is_real_to_real(what.kind); }
bool gives_reals(const TransformKind& what) { return takes_half(what) || is_real_to_real(what.kind); }

Shape transform_lengths(const TransformKind& what, const Shape& shape, const std::vector<int>& axes,
                        const std::string& length) {
    Shape lengths = shape;
    if (takes_half(what)) {
        auto& n = lengths[static_cast<std::size_t>(axes.back())];
        if (n == 1 && (length.empty() || length == "fast"))
            throw Failure(std::string("--kind ") + to_string(what.kind) +
                          ": expected --length beside a single value along axis " + std::to_string(axes.back()) +
                          ", because it may be of length 1, got none");
        n = n == 1 ? 1 : 2 * (n - 1);
    }
    if (length != "fast") return resized_shape(lengths, axes, length);
    for (const int axis : axes) {
        auto& n = lengths[static_cast<std::size_t>(axis)];
        n = next_fast(what.kind, n);
    }
    return lengths;
}

Shape input_shape(const TransformKind& what, Shape lengths, const std::vector<int>& axes) {
    if (takes_half(what)) {
        auto& n = lengths[static_cast<std::size_t>(axes.back())];
        n = n / 2 + 1;
    }
    return lengths;
}

Shape output_shape(const TransformKind& what, Shape lengths, const std::vector<int>& axes) {
    if (gives_half(what)) {
        auto& n = lengths[static_cast<std::size_t>(axes.back())];
        n = n / 2 + 1;
    }
    return lengths;
}

Problem problem_for(const TransformKind& what, const Shape& lengths, const std::vector<int>& axes) {
    Problem problem;
    problem.lengths = lengths;
    problem.axes = axes;
    problem.kind = what.kind;
    problem.orthogonalize = what.orthogonalizes_edges;
    const bool scaled = (what.norm == "backward" && what.inverse) || (what.norm == "forward" && !what.inverse);
    (what.inverse ? problem.inverse_scale : problem.forward_scale) = what.norm == "ortho" ? Scale::by_sqrt_n()
                                                                     : scaled             ? Scale::by_n()
                                                                                          : Scale::none();
    return problem;
}

Direction direction_of(const TransformKind& what) { return what.inverse ? Direction::inverse : Direction::forward; }

}  // namespace seiche::cli
