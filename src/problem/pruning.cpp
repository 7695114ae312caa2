// Blocks of zeros, checked and turned into what remains.
#include "problem/pruning.hpp"

#include <algorithm>
#include <string>

#include "problem/kinds.hpp"
#include "seiche/error.hpp"

namespace seiche::problem {

namespace {

std::string text(const Block& block) {
    return std::to_string(block.axis) + ":" + std::to_string(block.begin) + "-" + std::to_string(block.end);
}

[[noreturn]] void refuse(const char* field, const std::string& rule, const std::string& got) {
    throw InvalidProblem(std::string(field) + ": expected " + rule + ", got " + got);
}

/// The axis that a block names, counted from the first; nothing beyond the rank.
std::optional<std::size_t> axis_of(const Block& block, std::size_t rank) {
    const std::int64_t axis = block.axis < 0 ? block.axis + static_cast<std::int64_t>(rank) : block.axis;
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return std::nullopt;
    return static_cast<std::size_t>(axis);
}

struct Side {
    const char* field;
    const std::vector<Block>& blocks;
    std::uint64_t count;  // elements along the axis
};

std::vector<Range> remaining(const Side& side, std::size_t number, std::size_t rank) {
    std::vector<Range> zeros;
    for (const Block& block : side.blocks) {
        if (axis_of(block, rank) != number) continue;
        if (block.begin >= block.end || block.end > side.count)
            refuse(side.field, "a block within the " + std::to_string(side.count) + " elements of its axis",
                   text(block));
        zeros.push_back({block.begin, block.end});
    }
    std::sort(zeros.begin(), zeros.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    std::vector<Range> kept;
    std::uint64_t reached = 0;
    for (const Range& zero : zeros) {
        if (zero.begin > reached) kept.push_back({reached, zero.begin});
        reached = std::max(reached, zero.end);
    }
    if (reached < side.count) kept.push_back({reached, side.count});
    if (kept.empty())
        refuse(side.field, "at least one element of axis " + std::to_string(number) + " outside of the blocks", "none");
    return zeros.empty() ? std::vector<Range>{} : kept;
}

}  // namespace

void check_pruning(const Problem& problem, const std::vector<bool>& transformed) {
    for (const auto& [field, blocks] :
         {std::pair{"signal_zeros", &problem.signal_zeros}, std::pair{"spectrum_zeros", &problem.spectrum_zeros}}) {
        for (const Block& block : *blocks) {
            const std::optional<std::size_t> axis = axis_of(block, transformed.size());
            if (!axis || !transformed[*axis]) refuse(field, "blocks of transformed axes", text(block));
            if (problem.lengths[*axis] == 1) refuse(field, "blocks of axes longer than 1", text(block));
        }
    }
}

void add_pruning(const Problem& problem, std::size_t number, Axis& axis) {
    const bool is_halved = axis.kind == Kind::r2c || axis.kind == Kind::c2r;
    const std::size_t rank = problem.lengths.size();
    const std::uint64_t half = is_halved ? axis.length / 2 + 1 : axis.length;
    const bool signal_is_half = is_conjugated(problem.kind);
    axis.signal_kept =
        remaining({"signal_zeros", problem.signal_zeros, signal_is_half ? half : axis.length}, number, rank);
    axis.spectrum_kept =
        remaining({"spectrum_zeros", problem.spectrum_zeros, signal_is_half ? axis.length : half}, number, rank);
}

}  // namespace seiche::problem
