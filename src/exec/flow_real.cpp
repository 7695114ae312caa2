// Where real numbers become the points of a complex core, and come from them, for a flow graph. The maps are not
// written here once more: the kernel that has nothing but a map (kernels/real/map_pass.cpp) is run on unit vectors.
#include "exec/flow_real.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "exec/draft.hpp"
#include "exec/tables.hpp"
#include "ir/interpret.hpp"

namespace seiche::exec {

using kernels::KernelSpec;
using kernels::MapItem;
using kernels::RealMap;

namespace {

using Complex = std::complex<double>;

/// A kernel that has one array of elements on one side and one of the core's points on the other, both dense.
KernelSpec map_spec(const RealMap& map, bool input, std::uint64_t numbers_of_elements) {
    KernelSpec spec;
    spec.name = "map";
    spec.precision = Precision::f64;
    spec.radices = {1};
    spec.work = kernels::MapPass{};
    spec.side(input).elements = kernels::MappedReals{{map.kind, map.length, map.orthonormal}};
    const bool is_complex = map.kind == (input ? Kind::c2r : Kind::r2c);
    spec.side(input).set_real(!is_complex);
    // Kernels whose items are elements see points as pairs of numbers.
    const std::uint64_t unit = kernels::map_items(spec) == MapItem::element ? 2 : 1;
    spec.side(!input).set_real(unit == 2);
    spec.side(!input).stride = static_cast<std::int64_t>(unit);
    const auto elements = static_cast<std::int64_t>(numbers_of_elements / (is_complex ? 2 : 1)),
               points = static_cast<std::int64_t>(unit * kernels::real_core(map.kind, map.length).points);
    spec.loops = {{kernels::map_item_count(spec), 0, 0}, {1, input ? elements : points, input ? points : elements}};
    kernels::GroupShape shape;
    shape.sequences = 32;
    spec.shape = shape;
    return spec;
}

/// The map as numbers: what it makes of each unit vector of the numbers that it reads.
std::vector<std::vector<double>> results_of_units(const RealMap& map, bool input) {
    const bool is_complex = map.kind == (input ? Kind::c2r : Kind::r2c);
    const std::uint64_t elements = (input ? kernels::loaded_elements(map) : kernels::stored_elements(map)) *
                                   (is_complex ? 2 : 1),
                        points = 2 * kernels::real_core(map.kind, map.length).points;
    const std::uint64_t reads = input ? elements : points, writes = input ? points : elements;
    planner::Step step;
    step.spec = map_spec(map, input, elements);
    const DraftStep drafted = draft_step(step);
    std::vector<double> from(reads * reads), to(reads * writes);
    for (std::uint64_t i = 0; i < reads; ++i) from[i * reads + i] = 1;
    std::vector<std::byte> table = table_bytes(kernels::tables(step.spec), Precision::f64);
    ir::Launch launch;
    launch.groups = {static_cast<std::uint32_t>(kernels::groups(step.spec, reads)), 1, 1};
    launch.buffers = {{reinterpret_cast<std::byte*>(from.data()), from.size() * sizeof(double)},
                      {reinterpret_cast<std::byte*>(to.data()), to.size() * sizeof(double)}};
    if (!table.empty()) launch.buffers.push_back({table.data(), table.size()});
    launch.scalars = {kernels::sequences_per_batch(step.spec) * reads};
    ir::interpret(*drafted.kernel, launch);
    std::vector<std::vector<double>> results(reads);
    for (std::uint64_t i = 0; i < reads; ++i)
        results[i].assign(to.begin() + static_cast<std::ptrdiff_t>(i * writes),
                          to.begin() + static_cast<std::ptrdiff_t>((i + 1) * writes));
    return results;
}

/// Of numbers two by two, where they are parts of complex numbers, or pairs.
RealLinear as_complex(const std::vector<std::vector<double>>& units, bool pairs_in, bool pairs_out) {
    const std::size_t in = pairs_in ? 2 : 1, out = pairs_out ? 2 : 1;
    RealLinear map;
    map.terms = units.size() / in;
    map.results = units.at(0).size() / out;
    map.own.resize(map.results * map.terms);
    map.conjugated.resize(map.own.size());
    const Complex i(0, 1);
    for (std::size_t k = 0; k < map.results; ++k)
        for (std::size_t j = 0; j < map.terms; ++j) {
            const auto result = [&](std::size_t unit) {
                return pairs_out ? Complex(units[unit][2 * k], units[unit][2 * k + 1]) : Complex(units[unit][k]);
            };
            Complex &own = map.own[k * map.terms + j], &conjugated = map.conjugated[k * map.terms + j];
            if (!pairs_in) {
                own = result(j);
                continue;
            }
            const Complex of_real = result(2 * j), of_imaginary = result(2 * j + 1);
            own = (of_real - i * of_imaginary) / 2.0;
            conjugated = (of_real + i * of_imaginary) / 2.0;
        }
    return map;
}

/// Terms and results that hang together.
std::vector<RealNode> nodes_of(const RealLinear& map) {
    constexpr double nothing = 1e-13;
    const auto depends = [&](std::size_t k, std::size_t j) {
        return std::abs(map.own[k * map.terms + j]) + std::abs(map.conjugated[k * map.terms + j]) > nothing;
    };
    std::vector<std::size_t> of_term(map.terms);  // the smallest term that each hangs together with
    std::iota(of_term.begin(), of_term.end(), std::size_t{0});
    const auto root = [&](std::size_t j) {
        while (of_term[j] != j) j = of_term[j];
        return j;
    };
    std::vector<std::size_t> first(map.results, map.terms);
    for (std::size_t k = 0; k < map.results; ++k)
        for (std::size_t j = 0; j < map.terms; ++j) {
            if (!depends(k, j)) continue;
            if (first[k] == map.terms) first[k] = j;
            const std::size_t a = root(first[k]), b = root(j);
            of_term[std::max(a, b)] = std::min(a, b);
        }
    std::vector<RealNode> nodes;
    for (std::size_t head = 0; head < map.terms; ++head) {
        if (root(head) != head) continue;
        RealNode node;
        for (std::size_t j = 0; j < map.terms; ++j)
            if (root(j) == head) node.terms.push_back(static_cast<std::uint32_t>(j));
        for (std::size_t k = 0; k < map.results; ++k)
            if (first[k] != map.terms && root(first[k]) == head) node.results.push_back(static_cast<std::uint32_t>(k));
        for (const std::uint32_t k : node.results)
            for (const std::uint32_t j : node.terms) {
                node.own.push_back(map.own[k * map.terms + j]);
                node.conjugated.push_back(map.conjugated[k * map.terms + j]);
            }
        if (!node.results.empty()) nodes.push_back(std::move(node));
    }
    return nodes;
}

std::string placed_text(const RealMap& map, bool is_paired) {
    const bool is_type_4 = map.kind == Kind::dct4 || map.kind == Kind::dst4;
    if (is_type_4 && map.length % 2 == 0)
        return map.kind == Kind::dct4 ? "numbers 2 p and n - 1 - 2 p are point p, turned by a root of unity"
                                      : "numbers n - 1 - 2 p and 2 p are point p, turned by a root of unity";
    const std::string points = is_paired ? "two neighbours a point" : "one a point";
    if (is_type_4) return "numbers in an order of their own, with signs, " + points;
    if (map.kind == Kind::dct1) return "the numbers, then from the last but one back to the second, " + points;
    if (map.kind == Kind::dst1) return "0, the numbers, 0, the numbers backwards with a minus, " + points;
    return std::string("the even numbers, then the odd ones backwards") +
           (map.kind == Kind::dst2 || map.kind == Kind::dst3 ? " with a minus, " : ", ") + points;
}

std::string spectrum_text(const RealMap& map, bool is_paired) {
    switch (map.kind) {
        case Kind::r2c:
        case Kind::c2r: return is_paired ? "values k and m - k, bins k and m - k" : "value k, bin k";
        case Kind::dct1: return is_paired ? "numbers k and m - k, bins k and m - k" : "number k, bin k";
        case Kind::dst1: return is_paired ? "numbers k - 1 and m - k - 1, bins k and m - k" : "number k - 1, bin k";
        case Kind::dst2:
        case Kind::dst3:
            return is_paired ? "numbers k - 1, m - k - 1, m + k - 1 and n - k - 1, bins k and m - k"
                             : "numbers k - 1 and n - k - 1, bin k";
        default:
            return is_paired ? "numbers k, m - k, m + k and n - k, bins k and m - k" : "numbers k and n - k, bin k";
    }
}

}  // namespace

std::optional<RealMap> map_of(const KernelSpec& spec, bool input) {
    if (const RealMap* bins = spec.side(input).bins()) return *bins;
    if (const kernels::Folded* fold = spec.side(input).folded())
        return RealMap{fold->kind, fold->length, fold->orthonormal, fold->element_stride, fold->loop};
    const RealMap* map = spec.side(input).map();
    return map ? std::optional(*map) : std::nullopt;
}

RealSide::RealSide(const KernelSpec& spec, bool input) : spec_(spec), input_(input), map_(*map_of(spec, input)) {
    elements_ = input ? kernels::loaded_elements(map_) : kernels::stored_elements(map_);
    has_pairs_ = !spec.side(input).is_real() && map_.kind != (input ? Kind::c2r : Kind::r2c);
    if (has_pairs_) elements_ /= 2;
    if (is_of_plane()) elements_ *= spec.n;
}

/// Elements of a row.
std::uint64_t RealSide::row() const { return elements_ / spec_.n; }

std::vector<std::uint64_t> RealSide::axes() const {
    const Side side(spec_, spec_, input_);
    std::vector<std::uint64_t> first;
    for (std::uint64_t q = 0; q < side.sequences(); ++q)
        if (inner_loop() < 0 || side.counted(q, static_cast<std::size_t>(inner_loop())) == 0) first.push_back(q);
    return first;
}

std::uint64_t RealSide::axis_count() const {
    const std::uint64_t all = kernels::sequences_per_batch(spec_);
    return inner_loop() < 0 ? all : all / spec_.loops[static_cast<std::size_t>(inner_loop())].count;
}

std::uint64_t RealSide::distance(std::uint64_t axis, bool input) const {
    return Side(spec_, spec_, input).address(axis, 0);
}

std::uint64_t RealSide::address(std::uint64_t axis, std::uint64_t element) const {
    const auto stride = static_cast<std::uint64_t>(spec_.side(input_).stride);  // modulo 2^64
    if (!is_of_plane()) return distance(axis, input_) + element * stride;
    const auto along = static_cast<std::uint64_t>(input_ ? spec_.loops[0].input_stride : spec_.loops[0].output_stride);
    return distance(axis, input_) + element / row() * stride + element % row() * along;
}

bool RealSide::is_kept(std::uint64_t element) const {
    if (is_folded()) return true;  // what is left out of an odd length's are points
    const kernels::Kept& kept = spec_.side(input_).kept;
    const std::uint64_t first = has_pairs_ ? 2 * element : element;
    return kept.ranges.empty() || std::any_of(kept.ranges.begin(), kept.ranges.end(), [&](const kernels::Range& range) {
               return first + (has_pairs_ ? 1 : 0) >= range.begin && first < range.end;
           });
}

Lines RealSide::lines() const {
    Lines all;
    for (const std::uint64_t axis : axes())
        for (std::uint64_t e = 0; e < elements_; ++e)
            if (is_kept(e)) all.push_back(address(axis, e));
    std::sort(all.begin(), all.end());
    return all;
}

RealSide::Point RealSide::point(std::uint64_t axis, std::uint64_t j) const {
    if (map_.loop < 0) return {axis, j};
    if (is_of_plane()) return {axis + j % spec_.loops[0].count, j / spec_.loops[0].count};
    std::uint64_t below = 1;
    for (std::int32_t i = 0; i < map_.loop; ++i) below *= spec_.loops[static_cast<std::size_t>(i)].count;
    return {axis + j % map_.element_stride * below, j / map_.element_stride};
}

/// In complex numbers; kernels whose items are elements count in numbers.
std::uint64_t RealSide::point_address(std::uint64_t axis, std::uint64_t j) const {
    const auto stride = static_cast<std::uint64_t>(input_ ? spec_.out.stride : spec_.in.stride);
    return (distance(axis, !input_) + j * stride) / (kernels::map_items(spec_) == MapItem::element ? 2 : 1);
}

/// Folded sides list the turns of type IV, and the factor 2 with them, as stages of their own.
void RealSide::leave_out_turns(RealLinear& map) const {
    for (const kernels::Stage& stage : spec_.side(input_).stages) {
        const auto* turn = std::get_if<kernels::Turn>(&stage);
        if (!turn) continue;
        const std::uint64_t points = input_ ? map.results : map.terms;
        for (std::uint64_t p = 0; p < points; ++p) {
            const Complex w = (input_ ? 1.0 : 2.0) * root_of_unity(turn->step * p + turn->offset, turn->length).value;
            for (std::uint64_t other = 0; other < (input_ ? map.terms : map.results); ++other) {
                const std::size_t at = input_ ? p * map.terms + other : other * map.terms + p;
                map.own[at] /= w;
                map.conjugated[at] /= input_ ? w : std::conj(w);
            }
        }
    }
}

/// Of an odd length the core has, or makes, the first half of the spectrum; a stage of its own doubles what it has.
void RealSide::leave_out_mirrors(RealLinear& map) const {
    const std::uint64_t n = map_.length, outer = input_ ? map.terms : map.results;
    for (std::uint64_t k = n / 2 + 1; k < n; ++k) {
        for (std::uint64_t e = 0; e < outer; ++e) {
            const auto at = [&](std::uint64_t bin) { return input_ ? bin * map.terms + e : e * map.terms + bin; };
            if (!input_) {
                map.own[at(n - k)] += map.conjugated[at(k)];
                map.conjugated[at(n - k)] += map.own[at(k)];
            }
            map.own[at(k)] = map.conjugated[at(k)] = 0;
        }
    }
}

std::vector<RealNode> RealSide::nodes() const {
    const bool is_complex = map_.kind == (input_ ? Kind::c2r : Kind::r2c), pairs = is_complex || has_pairs_;
    RealLinear map = as_complex(results_of_units(map_, input_), !input_ || pairs, input_ || pairs);
    if (is_folded() && !is_odd()) leave_out_turns(map);
    if (is_folded() && is_odd() && kernels::real_core(map_.kind, map_.length).is_inverse == input_)
        leave_out_mirrors(map);
    return is_of_plane() ? plane_nodes(nodes_of(map)) : nodes_of(map);
}

/// Rows e and -e together: what is linear in a row's terms is so in those of row e, what is linear in their conjugates,
/// in those of row -e, since rows are transforms along the other axis.
std::vector<RealNode> RealSide::plane_nodes(const std::vector<RealNode>& row_nodes) const {
    const std::uint64_t rows = spec_.n, columns = spec_.loops[0].count;
    const std::uint64_t terms = input_ ? row() : columns, results = input_ ? columns : row();
    std::vector<RealNode> all;
    for (std::uint64_t e = 0; 2 * e <= rows; ++e) {
        const std::uint64_t mirror = (rows - e) % rows;
        const std::vector<std::uint64_t> own =
            e == mirror ? std::vector<std::uint64_t>{e} : std::vector<std::uint64_t>{e, mirror};
        for (const RealNode& node : row_nodes) {
            RealNode both;
            for (const std::uint64_t r : own) {
                for (const std::uint32_t j : node.terms)
                    both.terms.push_back(static_cast<std::uint32_t>(r * terms + j));
                for (const std::uint32_t k : node.results)
                    both.results.push_back(static_cast<std::uint32_t>(r * results + k));
            }
            const std::size_t of_row = node.terms.size();
            for (std::size_t to = 0; to < own.size(); ++to)
                for (std::size_t k = 0; k < node.results.size(); ++k)
                    for (std::size_t from = 0; from < own.size(); ++from)
                        for (std::size_t j = 0; j < of_row; ++j) {
                            const bool is_same = to == from, is_mirror = own.size() == 1 || !is_same;
                            const std::size_t at = k * of_row + j;
                            both.own.push_back(is_same ? node.own[at] : 0);
                            both.conjugated.push_back(is_mirror ? node.conjugated[at] : 0);
                        }
            all.push_back(std::move(both));
        }
    }
    return all;
}

std::string RealSide::text() const {
    const kernels::RealCore core = kernels::real_core(map_.kind, map_.length);
    const kernels::RealWay way = input_ ? kernels::load_way(map_.kind) : kernels::store_way(map_.kind);
    const std::string text =
        way == kernels::RealWay::natural
            ? core.is_paired ? "numbers 2 p and 2 p + 1 are point p" : "number p is point p, without an imaginary part"
        : way == kernels::RealWay::placed ? placed_text(map_, core.is_paired)
                                          : spectrum_text(map_, core.is_paired);
    return std::string(to_string(map_.kind)) + " of n = " + std::to_string(map_.length) +
           (input_ ? " becomes m = " : " comes from m = ") + std::to_string(core.points) + " points: " + text;
}

}  // namespace seiche::exec
