// Textbook kernels that go from memory to memory, an item a thread: butterflies of one stage, levels, reversals, sums.
#include <algorithm>
#include <utility>

#include "kernels/textbook/textbook.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

Value TextbookKernel::place(Places places, const Butterflies& work, std::uint32_t point) {
    const std::uint64_t items = book_.length / work.radix, s = work.stride;
    switch (places) {
        case Places::strided: return item_ + point * items;
        case Places::neighbours: return item_ * std::uint64_t{work.radix} + std::uint64_t{point};
        case Places::blocks:
        case Places::reversed: break;
    }
    const Value at = item_ / s * (work.radix * s) + item_ % s + point * s;
    return places == Places::reversed ? reversed(at) : at;
}

void TextbookKernel::make(const Butterflies& work) {
    std::vector<Complex> x;
    for (std::uint32_t j = 0; j < work.radix; ++j) x.push_back(load(place(work.from, work, j), {}));
    const auto multiply = [&] {
        if (work.root <= work.radix) return;
        const Value e = work.by_block ? item_ / work.stride : item_ % work.stride;
        for (std::uint32_t j = 1; j < work.radix; ++j) x[j] = x[j] * twiddle(e * std::uint64_t{j}, work.root);
    };
    if (work.twiddles_first) multiply();
    if (!work.moves_only) x = combined(x);
    if (!work.twiddles_first) multiply();
    for (std::uint32_t j = 0; j < work.radix; ++j) store(place(work.to, work, j), x[j], {});
}

void TextbookKernel::make(const SplitButterflies& work) {
    constexpr std::uint64_t even_powers = 0x55555555;
    const std::uint32_t points = work.block == 2 ? 2 : 4;
    const std::uint64_t apart = work.block / points;
    const Value block = item_ / apart, k = item_ % apart, first = block * work.block + k;
    // The lowest 0 of a number is a power of 4 where an even count of ones is below it.
    const Value lowest = build_.unary(ir::Op::bit_not, block) & (block + std::uint64_t{1});
    const Value is_there = build_.compare(ir::Op::not_equal, lowest & even_powers, frame_.u32(0));
    std::vector<Complex> x;
    for (std::uint32_t j = 0; j < points; ++j) x.push_back(load(first + j * apart, is_there));
    if (points == 2) {
        x = {x[0] + x[1], x[0] - x[1]};
    } else {
        const Complex even = x[0] - x[2], odd = turned(x[1] - x[3]);
        x = {x[0] + x[2], x[1] + x[3], even + odd, even - odd};
        if (work.block > 4) {
            x[2] = x[2] * twiddle(k, work.block);
            x[3] = x[3] * twiddle(k * std::uint64_t{3}, work.block);
        }
    }
    for (std::uint32_t j = 0; j < points; ++j) store(first + j * apart, x[j], is_there);
}

void TextbookKernel::make(const CoprimeButterflies& work) {
    const std::uint64_t n = book_.length;
    std::vector<Value> places;
    std::vector<Complex> x;
    for (std::uint32_t j = 0; j < work.radix; ++j) {
        places.push_back(work.place(n, item_, j));
        x.push_back(load(places[j], {}));
    }
    const std::vector<Complex> y = combined(x);
    for (std::uint32_t j = 0; j < work.radix; ++j) store(places[j], y[work.result(n, j)], {});
}

/// Whether the output is in the second half of its block: 1 or 0.
Value TextbookKernel::is_second_half(Value index, std::uint64_t blocks) {
    const std::uint64_t points = book_.length / blocks;
    return index % points / (points / 2);
}

/// Output idx is point i of block k; sign is +1 in the first half of a block, -1 in the second.
Complex TextbookKernel::levelled(Value index, std::uint64_t blocks, Complex own, Complex other) {
    const std::uint64_t points = book_.length / blocks, half = points / 2;
    const Value i = index % points;
    const Value kmax = (build_.binary(ir::Op::max, i, frame_.u32(half)) - frame_.u32(half)) * blocks;
    return sum_or_difference(is_second_half(index, blocks), kmax, own, other);
}

Complex TextbookKernel::sum_or_difference(Value is_second, Value kmax, Complex own, Complex other) {
    const Complex w = twiddle(kmax, book_.length);
    const Value minus = build_.convert(is_second, frame_.real.scalar);
    const Value plus = build_.constant(frame_.real, 1) - minus;
    return (own + other * w) * plus + (w * (other - own)) * minus;
}

void TextbookKernel::make(const Level& work) {
    const std::uint64_t half = book_.length / work.blocks / 2;
    const Value is_second = is_second_half(item_, work.blocks);
    const Value partner = item_ + (frame_.u32(1) - is_second * std::uint64_t{2}) * half;  // modulo 2^32
    const Complex own = load(item_, {}), other = load(partner, {});
    store(item_, levelled(item_, work.blocks, own, other), {});
}

void TextbookKernel::make(const Reversal&) {
    const Value other = reversed(item_);
    if (!spec_.in_place) {
        store(item_, load(other, {}), {});
        return;
    }
    const Value is_pair = build_.less(item_, other);
    // A point that is its own partner is touched only where it is scaled.
    const Value is_first = leaves_own_partners(spec_) ? is_pair : build_.compare(ir::Op::less_equal, item_, other);
    const Complex own = load(item_, is_first), its = load(other, is_first);
    store(item_, its, is_first);
    store(other, own, is_pair);
}

void TextbookKernel::make(const Copying&) { store(item_, load(item_, {}), {}); }

/// In blocks, so that the error of a sum grows with the root of a block's terms and of the blocks, not of all terms.
void TextbookKernel::make(const Sums&) {
    constexpr std::uint32_t all = 0, part = 1, power = 2;
    constexpr std::uint64_t block_terms = 64;
    const std::uint64_t n = book_.length;
    const bool multiplies = book_.twiddles == TwiddleMethod::recurrence;
    held_ = build_.private_array("held", frame_.real, 6);
    const std::uint32_t exponents = build_.private_array("exponent", ir::Scalar::u32, 1);
    const Complex zero = build_.complex_constant(frame_.real, 0, 0);
    hold(all, zero);
    build_.private_store(exponents, frame_.u32(0), frame_.u32(0));
    Complex step;
    if (multiplies) {
        step = frame_.table_entry(PowerTable{n, 1, n}, item_, exists_);
        if (book_.inverse) step = conj(step);
        hold(power, build_.complex_constant(frame_.real, 1, 0));
    }
    const Value block = build_.begin_loop(frame_.u32(0), frame_.u32(n), frame_.u32(block_terms));
    hold(part, zero);
    const Value end = build_.binary(ir::Op::min, block + block_terms, frame_.u32(n));
    const Value j = build_.begin_loop(block, end, frame_.u32(1));
    const Value e = build_.private_load(exponents, frame_.u32(0), ir::Scalar::u32);
    const Complex w = multiplies ? held(power) : twiddle(e, n);
    hold(part, held(part) + load(j, {}) * w);
    if (multiplies) hold(power, w * step);
    const Value next = e + item_;
    const Value is_less = build_.less(next, frame_.u32(n));
    build_.private_store(exponents, frame_.u32(0), build_.select(is_less, next, next - frame_.u32(n)));
    build_.end_loop();
    hold(all, held(all) + held(part));
    build_.end_loop();
    store(item_, held(all), {});
}

}  // namespace seiche::kernels
