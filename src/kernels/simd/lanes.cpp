// Shuffles: de-interleaving of complex memory, and the transposition that a Stockham stage shorter than a register
// needs.
#include "kernels/simd/lanes.hpp"

#include <bit>

namespace seiche::kernels {

using ir::Builder;
using ir::Complex;
using ir::Value;

namespace {

constexpr unsigned widest = 16;  // lanes of the IR's widest vector

Value interleave_pair(Builder& builder, Value a, Value b, unsigned chunk, bool upper) {
    const unsigned lanes = a.type().lanes;
    std::vector<unsigned> pattern(lanes);
    for (unsigned l = 0; l < lanes; ++l) {
        const unsigned at = l + (upper ? lanes : 0);  // place in the interleaved stream of both
        const unsigned piece = at / chunk;
        pattern[l] = piece / 2 * chunk + at % chunk + (piece % 2 ? lanes : 0);
    }
    return builder.shuffle(a, b, pattern);
}

/// Any count of vectors: each result collects its lanes from one vector after the other.
std::vector<Value> interleave_any(Builder& builder, const std::vector<Value>& v, unsigned chunk) {
    const auto r = static_cast<unsigned>(v.size());
    const unsigned lanes = v[0].type().lanes;
    std::vector<Value> result;
    for (unsigned m = 0; m < r; ++m) {
        std::vector<unsigned> source(lanes), lane(lanes);
        for (unsigned l = 0; l < lanes; ++l) {
            const unsigned piece = (m * lanes + l) / chunk;
            source[l] = piece % r;
            lane[l] = piece / r * chunk + (m * lanes + l) % chunk;
        }
        Value collected;
        for (unsigned k = 0; k < r; ++k) {
            bool is_used = false;
            std::vector<unsigned> pattern(lanes);
            for (unsigned l = 0; l < lanes; ++l) {
                is_used = is_used || source[l] == k;
                pattern[l] = !collected ? lane[l] : source[l] == k ? lanes + lane[l] : l;
            }
            if (!is_used) continue;
            collected = collected ? builder.shuffle(collected, v[k], pattern) : builder.shuffle(v[k], {}, pattern);
        }
        result.push_back(collected);
    }
    return result;
}

}  // namespace

Complex reversed(Builder& builder, Complex x) {
    const unsigned lanes = x.re.type().lanes;
    std::vector<unsigned> pattern(lanes);
    for (unsigned l = 0; l < lanes; ++l) pattern[l] = lanes - 1 - l;
    return {builder.shuffle(x.re, {}, pattern), builder.shuffle(x.im, {}, pattern)};
}

Value compose_lanes(const std::vector<Value>& parts) {
    if (parts.size() == 1) return parts[0];
    Builder& builder = parts[0].builder();
    std::vector<Value> wider;
    const bool by_four = parts.size() % 4 == 0;
    for (std::size_t i = 0; i < parts.size(); i += by_four ? 4 : 2) {
        wider.push_back(by_four ? builder.compose({parts[i], parts[i + 1], parts[i + 2], parts[i + 3]})
                                : builder.compose({parts[i], parts[i + 1]}));
    }
    return compose_lanes(wider);
}

std::vector<Value> load_pieces(Builder& builder, std::uint32_t buffer, const InterleavedRun& run) {
    const ir::Type element = builder.kernel().buffers[buffer].element;
    const unsigned lanes = run.lanes;
    if (2 * lanes <= widest)
        return {builder.global_load(buffer, run.index, element.with_lanes(2 * lanes), run.predicate)};
    const Value low = builder.global_load(buffer, run.index, element.with_lanes(lanes), run.predicate);
    const Value next = run.index + std::uint64_t{lanes / element.lanes};
    return {low, builder.global_load(buffer, next, element.with_lanes(lanes), run.predicate)};
}

Complex separate(Builder& builder, const std::vector<Value>& pieces) {
    const unsigned lanes = pieces[0].type().lanes * static_cast<unsigned>(pieces.size()) / 2;
    if (lanes == 1) return {builder.extract(pieces[0], 0), builder.extract(pieces[0], 1)};
    std::vector<unsigned> even(lanes), odd(lanes);
    for (unsigned l = 0; l < lanes; ++l) {
        even[l] = 2 * l;
        odd[l] = 2 * l + 1;
    }
    const Value high = pieces.size() > 1 ? pieces[1] : Value{};
    return {builder.shuffle(pieces[0], high, even), builder.shuffle(pieces[0], high, odd)};
}

std::vector<Value> interleaved(Builder& builder, Complex x) {
    const unsigned lanes = x.re.type().lanes;
    if (lanes == 1) return {builder.compose({x.re, x.im})};
    if (2 * lanes > widest) return interleave(builder, {x.re, x.im}, 1);
    std::vector<unsigned> pattern(2 * lanes);
    for (unsigned l = 0; l < 2 * lanes; ++l) pattern[l] = l / 2 + (l % 2 ? lanes : 0);
    return {builder.shuffle(x.re, x.im, pattern)};
}

void store_pieces(Builder& builder, std::uint32_t buffer, const InterleavedRun& run, const std::vector<Value>& pieces) {
    builder.global_store(buffer, run.index, pieces[0], run.predicate);
    if (pieces.size() > 1)
        builder.global_store(buffer, run.index + std::uint64_t{run.lanes / 2}, pieces[1], run.predicate);
}

std::vector<Value> interleave(Builder& builder, const std::vector<Value>& v, unsigned chunk) {
    if (v.size() == 1) return v;
    if (!std::has_single_bit(v.size())) return interleave_any(builder, v, chunk);
    std::vector<Value> even, odd, result;
    for (std::size_t k = 0; k < v.size(); k += 2) {
        even.push_back(v[k]);
        odd.push_back(v[k + 1]);
    }
    even = interleave(builder, even, chunk);
    odd = interleave(builder, odd, chunk);
    for (std::size_t m = 0; m < even.size(); ++m) {
        result.push_back(interleave_pair(builder, even[m], odd[m], chunk, false));
        result.push_back(interleave_pair(builder, even[m], odd[m], chunk, true));
    }
    return result;
}

}  // namespace seiche::kernels
