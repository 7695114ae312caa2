// Strided copies. Loops that run on from each other are one; two loops whose fast sides differ go in tiles.
#include "copies.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace seiche_fftw {

namespace {

constexpr std::ptrdiff_t tile = 32;

/// Slowest in the target first. Loops of one index are gone, and so are those that go on where the one inside ends.
void settle(std::vector<CopyLoop>& loops) {
    const auto is_single = [](const CopyLoop& loop) { return loop.n == 1; };
    loops.erase(std::remove_if(loops.begin(), loops.end(), is_single), loops.end());
    std::stable_sort(loops.begin(), loops.end(),
                     [](const CopyLoop& a, const CopyLoop& b) { return std::abs(a.to) > std::abs(b.to); });
    for (std::size_t i = loops.size(); i-- > 1;) {
        CopyLoop& outer = loops[i - 1];
        const CopyLoop& inner = loops[i];
        if (outer.to != inner.to * inner.n || outer.from != inner.from * inner.n) continue;
        outer = {outer.n * inner.n, inner.from, inner.to};
        loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

void copy_row(const CopyLoop& loop, std::ptrdiff_t count, const Real* from, Real* to) {
    if (loop.from == 1 && loop.to == 1) {
        std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(Real));
        return;
    }
    for (std::ptrdiff_t i = 0; i < count; ++i) to[i * loop.to] = from[i * loop.from];
}

void copy_tiles(const CopyLoop& outer, const CopyLoop& inner, const Real* from, Real* to) {
    for (std::ptrdiff_t i = 0; i < outer.n; i += tile) {
        const std::ptrdiff_t rows = std::min(tile, outer.n - i);
        for (std::ptrdiff_t j = 0; j < inner.n; j += tile)
            for (std::ptrdiff_t row = i; row < i + rows; ++row)
                copy_row(inner, std::min(tile, inner.n - j), from + row * outer.from + j * inner.from,
                         to + row * outer.to + j * inner.to);
    }
}

void copy_loops(const CopyLoop* loops, std::size_t count, const Real* from, Real* to) {
    if (count == 0) {
        *to = *from;
    } else if (count == 1) {
        copy_row(loops[0], loops[0].n, from, to);
    } else if (count == 2 && std::abs(loops[0].from) < std::abs(loops[1].from)) {
        copy_tiles(loops[0], loops[1], from, to);
    } else {
        for (std::ptrdiff_t i = 0; i < loops[0].n; ++i)
            copy_loops(loops + 1, count - 1, from + i * loops[0].from, to + i * loops[0].to);
    }
}

}  // namespace

void copy_reals(std::vector<CopyLoop> loops, const Real* from, Real* to) {
    if (std::any_of(loops.begin(), loops.end(), [](const CopyLoop& loop) { return loop.n == 0; })) return;
    settle(loops);
    // The loop that is fastest in the source comes next to the one that is fastest in the target.
    if (loops.size() > 2) {
        const auto fastest = std::min_element(loops.begin(), loops.end() - 1, [](const CopyLoop& a, const CopyLoop& b) {
            return std::abs(a.from) < std::abs(b.from);
        });
        if (std::abs(fastest->from) < std::abs(loops.back().from)) std::rotate(fastest, fastest + 1, loops.end() - 1);
    }
    copy_loops(loops.data(), loops.size(), from, to);
}

void copy_complex(const std::vector<CopyLoop>& loops, const ComplexPointer& from, const ComplexPointer& to) {
    if (from.im == nullptr && to.im == nullptr) {
        std::vector<CopyLoop> pairs = loops;
        pairs.push_back({2, 1, 1});
        copy_reals(std::move(pairs), from.re, to.re);
        return;
    }
    copy_reals(loops, from.re, to.re);
    copy_reals(loops, from.im ? from.im : from.re + 1, to.im ? to.im : to.re + 1);
}

}  // namespace seiche_fftw
