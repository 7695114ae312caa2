// How far whole numbers can reach (interval arithmetic: Moore, "Interval Analysis", 1966).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "expression/program.hpp"

namespace seiche::expression {

/// The values that a node of type integer can take; of other types only `from_data` counts.
struct Range {
    std::int64_t low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
    bool from_data = false;  ///< Depends on what is in a buffer, a scalar or the point, not only on where the point is.

    bool is_within(std::int64_t least, std::int64_t most) const { return low >= least && high <= most; }
    bool fits_u32() const { return is_within(0, 0xffffffff); }
    bool fits_i32() const { return is_within(-0x80000000ll, 0x7fffffff); }
};

/// One range a node, for executions of at most `batch` arrays.
std::vector<Range> ranges(const Program& program, std::uint64_t batch);

/// What is wrong with a program whose nodes have these ranges.
struct Fault {
    std::uint32_t node = no_node;  ///< The index or the operand at fault.
    std::string expected, got;
};
std::optional<Fault> find_fault(const Program& program, const std::vector<Range>& ranges);

}  // namespace seiche::expression
