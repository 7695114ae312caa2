// What the kinds are, and which may stand together in one problem.
#include "problem/kinds.hpp"

#include <algorithm>
#include <string>

#include "seiche/error.hpp"

namespace seiche {

const char* to_string(Kind kind) noexcept {
    switch (kind) {
        case Kind::c2c: return "c2c";
        case Kind::r2c: return "r2c";
        case Kind::c2r: return "c2r";
        case Kind::dct1: return "dct1";
        case Kind::dct2: return "dct2";
        case Kind::dct3: return "dct3";
        case Kind::dct4: return "dct4";
        case Kind::dst1: return "dst1";
        case Kind::dst2: return "dst2";
        case Kind::dst3: return "dst3";
        case Kind::dst4: return "dst4";
        case Kind::dht: return "dht";
        case Kind::r2hc: return "r2hc";
        case Kind::hc2r: return "hc2r";
        case Kind::hfft: return "hfft";
        case Kind::ihfft: return "ihfft";
    }
    return "unknown";
}

bool is_real_to_real(Kind kind) noexcept {
    return kind != Kind::c2c && kind != Kind::r2c && kind != Kind::c2r && kind != Kind::hfft && kind != Kind::ihfft;
}

Kind inverse_of(Kind kind) noexcept {
    switch (kind) {
        case Kind::r2c: return Kind::c2r;
        case Kind::c2r: return Kind::r2c;
        case Kind::dct2: return Kind::dct3;
        case Kind::dct3: return Kind::dct2;
        case Kind::dst2: return Kind::dst3;
        case Kind::dst3: return Kind::dst2;
        case Kind::r2hc: return Kind::hc2r;
        case Kind::hc2r: return Kind::r2hc;
        case Kind::hfft: return Kind::ihfft;
        case Kind::ihfft: return Kind::hfft;
        case Kind::c2c:
        case Kind::dct1:
        case Kind::dct4:
        case Kind::dst1:
        case Kind::dst4:
        case Kind::dht: break;
    }
    return kind;
}

std::uint64_t logical_length(Kind kind, std::uint64_t n) noexcept {
    switch (kind) {
        case Kind::dct1: return 2 * (n - 1);
        case Kind::dst1: return 2 * (n + 1);
        case Kind::dct2:
        case Kind::dct3:
        case Kind::dct4:
        case Kind::dst2:
        case Kind::dst3:
        case Kind::dst4: return 2 * n;
        case Kind::c2c:
        case Kind::r2c:
        case Kind::c2r:
        case Kind::dht:
        case Kind::r2hc:
        case Kind::hc2r:
        case Kind::hfft:
        case Kind::ihfft: break;
    }
    return n;
}

}  // namespace seiche

namespace seiche::problem {

namespace {

[[noreturn]] void refuse(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem(field + ": expected " + rule + ", got " + got);
}

/// The axis of the problem that `axis` names, from 0; at least `rank` if there is none.
std::size_t place_of(int axis, std::size_t rank) {
    const std::int64_t index = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
    return index < 0 ? rank : static_cast<std::size_t>(index);
}

std::string axis_range(std::size_t rank) { return "from -" + std::to_string(rank) + " to " + std::to_string(rank - 1); }

/// The transformed axes in the order in which the user lists them.
std::vector<std::size_t> listed_axes(const Problem& problem) {
    std::vector<std::size_t> listed;
    for (const int axis : problem.axes) listed.push_back(place_of(axis, problem.lengths.size()));
    for (std::size_t i = 0; problem.axes.empty() && i < problem.lengths.size(); ++i) listed.push_back(i);
    return listed;
}

void check_real_to_real(const Problem& problem, const std::vector<std::size_t>& listed,
                        const std::vector<Kind>& kinds) {
    for (const std::size_t axis : listed) {
        if (kinds[axis] == Kind::dct1 && problem.lengths[axis] < 2)
            refuse("lengths[" + std::to_string(axis) + "]", "at least 2, because dct1 has no length 1",
                   std::to_string(problem.lengths[axis]));
    }
    const bool is_scaled = problem.forward_scale != Scale::none() || problem.inverse_scale != Scale::none();
    if (problem.orthonormal && is_scaled)
        refuse("orthonormal", "no other scale beside it", "a forward_scale or inverse_scale");
}

std::size_t halved(const Problem& problem, const std::vector<bool>& transformed,
                   const std::vector<std::size_t>& listed) {
    if (!problem.halved_axis) return listed.back();
    const std::size_t rank = problem.lengths.size(), axis = place_of(*problem.halved_axis, rank);
    if (axis >= rank) refuse("halved_axis", axis_range(rank), std::to_string(*problem.halved_axis));
    if (!transformed[axis])
        refuse("halved_axis", "one of the transformed axes", std::to_string(*problem.halved_axis) + ", which is not");
    return axis;
}

}  // namespace

bool is_conjugated(Kind kind) { return kind == Kind::hfft || kind == Kind::ihfft; }

Kind planned_kind(Kind kind) {
    if (kind == Kind::hfft) return Kind::c2r;
    return kind == Kind::ihfft ? Kind::r2c : kind;
}

Kind leading_kind(const Problem& problem) {
    return problem.axis_kinds.empty() ? planned_kind(problem.kind) : problem.axis_kinds.front();
}

std::vector<bool> transformed_axes(const Problem& problem) {
    const std::size_t rank = problem.lengths.size();
    std::vector<bool> chosen(rank, problem.axes.empty());
    for (std::size_t i = 0; i < problem.axes.size(); ++i) {
        const std::string field = "axes[" + std::to_string(i) + "]", given = std::to_string(problem.axes[i]);
        const std::size_t axis = place_of(problem.axes[i], rank);
        if (axis >= rank) refuse(field, axis_range(rank), given);
        if (chosen[axis]) refuse(field, "each axis once", given + " again");
        chosen[axis] = true;
    }
    return chosen;
}

std::vector<Kind> axis_kinds(const Problem& problem, const std::vector<bool>& transformed) {
    const std::vector<std::size_t> listed = listed_axes(problem);
    std::vector<Kind> kinds(problem.lengths.size(), Kind::c2c);
    const Kind leading = leading_kind(problem);
    const Kind planned = planned_kind(problem.kind);
    const bool is_halved = planned == Kind::r2c || planned == Kind::c2r;
    const std::string kind = to_string(problem.axis_kinds.empty() ? problem.kind : leading);
    if (problem.halved_axis && !is_halved)
        refuse("halved_axis", "none unless the kind is r2c, c2r, hfft or ihfft", "one for " + kind);
    if (problem.orthonormal && !is_real_to_real(leading))
        refuse("orthonormal", "a real-to-real kind (Norm::ortho serves the others)", kind);
    if (problem.orthogonalize && !is_real_to_real(leading))
        refuse("orthogonalize", "a real-to-real kind (the others are orthogonal)", kind);
    if (!problem.axis_kinds.empty()) {
        if (problem.axis_kinds.size() != listed.size())
            refuse("axis_kinds", std::to_string(listed.size()) + " of them, one per transformed axis",
                   std::to_string(problem.axis_kinds.size()));
        const auto other = std::find_if(problem.axis_kinds.begin(), problem.axis_kinds.end(),
                                        [](Kind k) { return !is_real_to_real(k); });
        if (other != problem.axis_kinds.end() || is_halved)
            refuse("axis_kinds", "real-to-real kinds only",
                   to_string(other != problem.axis_kinds.end() ? *other : problem.kind));
    }
    if (is_halved) {
        kinds[halved(problem, transformed, listed)] = planned;
        return kinds;
    }
    for (std::size_t i = 0; i < listed.size(); ++i)
        kinds[listed[i]] = problem.axis_kinds.empty() ? problem.kind : problem.axis_kinds[i];
    if (is_real_to_real(leading)) check_real_to_real(problem, listed, kinds);
    return kinds;
}

}  // namespace seiche::problem
