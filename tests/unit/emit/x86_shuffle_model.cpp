// The meaning of each step, lane by lane, as the manual says it.
#include "x86_shuffle_model.hpp"

#include <cstring>

namespace seiche::test {

using emit::x86::ShuffleOp;
using emit::x86::ShuffleStep;

namespace {

/// Operands as lanes of one width.
struct Lanes {
    unsigned width;
    const RegisterBytes& bytes;

    std::uint64_t operator[](unsigned i) const {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data() + std::size_t{i} * width, width);
        return value;
    }
};

/// A register of which lane i is value(i).
template <typename Value>
RegisterBytes fill(unsigned register_bytes, unsigned width, const Value& value) {
    RegisterBytes result{};
    for (unsigned i = 0; i < register_bytes / width; ++i) {
        const std::uint64_t lane = value(i);
        std::memcpy(result.data() + std::size_t{i} * width, &lane, width);
    }
    return result;
}

unsigned width_of(ShuffleOp op) {
    using enum ShuffleOp;
    switch (op) {
        case unpack_low_16:
        case unpack_high_16:
        case permute_low_16:
        case permute_high_16:
        case blend_16:
        case blend_masked_16:
        case broadcast_16:
        case permute_across_16:
        case permute_two_16: return 2;
        case shuffle_64:
        case unpack_low_64:
        case unpack_high_64:
        case broadcast_64:
        case permute_across_64:
        case permute_2x128:
        case shuffle_128: return 8;
        case align_bytes:
        case shuffle_bytes:
        case bit_or: return 1;
        default: return 4;
    }
}

/// A word of the constant.
unsigned index_at(const ShuffleStep& step, unsigned width, unsigned i) {
    unsigned value = 0;
    std::memcpy(&value, step.constant.data() + std::size_t{i} * width, width);
    return value;
}

/// 64-bit lane i of an instruction that moves blocks.
std::uint64_t block_lane(const ShuffleStep& step, unsigned register_bytes, const Lanes& a, const Lanes& b, unsigned i) {
    const unsigned block = i / 2, part = i % 2;
    if (step.op == ShuffleOp::permute_2x128) {
        const unsigned choice = step.immediate >> 4 * block & 3u;
        return choice < 2 ? a[choice * 2 + part] : b[(choice - 2) * 2 + part];
    }
    if (register_bytes == 32) {
        const unsigned choice = step.immediate >> block & 1u;
        return block == 0 ? a[choice * 2 + part] : b[choice * 2 + part];
    }
    const unsigned choice = step.immediate >> 2 * block & 3u;
    return block < 2 ? a[choice * 2 + part] : b[choice * 2 + part];
}

/// Lane i of an unpack: `high` of each block.
std::uint64_t unpacked(const Lanes& a, const Lanes& b, bool high, unsigned i) {
    const unsigned block = 16 / a.width;
    const unsigned from = i / block * block + (high ? block / 2 : 0) + i % block / 2;
    return i % 2 == 0 ? a[from] : b[from];
}

/// Byte i of b's block and a's behind it, moved down.
std::uint64_t aligned(const Lanes& a, const Lanes& b, unsigned group, unsigned shift, unsigned i) {
    const unsigned first = i / group * group, at = i % group + shift;
    return at < group ? b[first + at] : a[first + at - group];
}

std::uint64_t half_permuted(const Lanes& a, unsigned immediate, bool high, unsigned i) {
    if ((i % 8 >= 4) != high) return a[i];
    return a[i / 4 * 4 + (immediate >> 2 * (i % 4) & 3u)];
}

}  // namespace

RegisterBytes model_step(const ShuffleStep& step, unsigned register_bytes, const RegisterBytes& a_bytes,
                         const RegisterBytes& b_bytes) {
    using enum ShuffleOp;
    const unsigned width = width_of(step.op), imm = step.immediate, count = register_bytes / width;
    const Lanes a{width, a_bytes}, b{width, b_bytes};
    return fill(register_bytes, width, [&](unsigned i) -> std::uint64_t {
        const unsigned quad = i / 4 * 4 + (imm >> 2 * (i % 4) & 3u);
        switch (step.op) {
            case permute_32:
            case permute_across_64: return a[quad];
            case shuffle_32: return i % 4 < 2 ? a[quad] : b[quad];
            case shuffle_64: return (i % 2 == 0 ? a : b)[i / 2 * 2 + (imm >> i & 1u)];
            case unpack_low_16:
            case unpack_low_32:
            case unpack_low_64: return unpacked(a, b, false, i);
            case unpack_high_16:
            case unpack_high_32:
            case unpack_high_64: return unpacked(a, b, true, i);
            case permute_low_16: return half_permuted(a, imm, false, i);
            case permute_high_16: return half_permuted(a, imm, true, i);
            case align_bytes: return aligned(a, b, 16, imm, i);
            case align_across_32: return aligned(a, b, count, imm, i);
            case blend_16: return imm >> i % 8 & 1u ? b[i] : a[i];
            case blend_32: return imm >> i & 1u ? b[i] : a[i];
            case blend_masked_16:
            case blend_masked_32: return step.mask >> i & 1u ? b[i] : a[i];
            case shuffle_bytes: return step.constant[i] & 0x80u ? 0 : a[i / 16 * 16 + (step.constant[i] & 15u)];
            case bit_or: return a[i] | b[i];
            case broadcast_16:
            case broadcast_32:
            case broadcast_64: return a[0];
            case permute_2x128:
            case shuffle_128: return block_lane(step, register_bytes, a, b, i);
            case permute_across_16:
            case permute_across_32: return a[index_at(step, width, i)];
            case permute_two_16:
            case permute_two_32: {
                const unsigned index = index_at(step, width, i);
                return index < count ? a[index] : b[index - count];
            }
        }
        return 0;
    });
}

std::vector<RegisterBytes> model_program(const emit::x86::ShuffleProgram& program, unsigned register_bytes,
                                         const std::vector<RegisterBytes>& sources) {
    std::vector<RegisterBytes> values = sources;
    for (const ShuffleStep& step : program.steps)
        values.push_back(model_step(step, register_bytes, values.at(step.a), values.at(step.b)));
    std::vector<RegisterBytes> results;
    for (const std::uint16_t result : program.results) results.push_back(values.at(result));
    return results;
}

}  // namespace seiche::test
