// A kernel that applies every pure op that a type allows to the same three operands, for comparing devices op by op.
#pragma once

#include <string>
#include <vector>

#include "ir/builder.hpp"

namespace seiche::test {

struct OpResult {
    std::string name;
    ir::Type type;
    bool exact;  ///< Every device must give the same bits.
    bool fused;  ///< Rounded once or twice, as the device likes.
};

struct EveryOp {
    ir::Kernel kernel;              ///< Buffers a, b, c (operands), out; one thread a group, group g handles element g.
    std::vector<OpResult> results;  ///< Result r of group g lies at (g * results + r) * slot_bytes.
};

inline constexpr std::uint32_t slot_bytes = 128;  // 16 lanes of 8 bytes

/// Without the elementary functions, for a dialect that has none.
EveryOp every_op(ir::Type type, bool has_functions = true);

}  // namespace seiche::test
