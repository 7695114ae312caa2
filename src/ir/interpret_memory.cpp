// The interpreter's memory: bounds-checked loads and stores of buffers, shared and private arrays and images.
#include <algorithm>

#include "ir/interpret_written.hpp"
#include "seiche/half.hpp"

namespace seiche::ir {

Window global_window(const Frame& f, std::uint32_t buffer) {
    const BoundBuffer& bound = f.launch->buffers[buffer];
    const Type element = f.program->kernel.buffers[buffer].element;
    return {bound.data, bound.bytes / scalar_bytes(element.scalar), element.lanes};
}

Window shared_window(const Frame& f, std::uint32_t array) {
    const ArraySymbol& symbol = f.program->kernel.shared[array];
    return {f.shared + f.program->shared_offsets[array], std::uint64_t{symbol.count} * symbol.element.lanes,
            symbol.element.lanes};
}

namespace {

enum class Where { global, shared };

template <Where where>
SEICHE_INLINE Window window_of(const Frame& f, const Step& s) {
    return where == Where::global ? global_window(f, s.instruction->symbol) : shared_window(f, s.instruction->symbol);
}
template <Where where>
using IndexOf = std::conditional_t<where == Where::global, std::uint64_t, std::uint32_t>;

template <Where where>
[[noreturn]] void report_bounds(const Frame& f, const Step& s, const std::uint8_t* predicate, std::uint64_t limit) {
    const IndexOf<where>* index = f.operand<IndexOf<where>>(s, 0);
    std::uint32_t t = 0;
    while (index[t] < limit || (predicate != nullptr && predicate[t] == 0)) ++t;
    const std::uint32_t symbol = s.instruction->symbol;
    const Kernel& kernel = f.program->kernel;
    const std::string memory = where == Where::global ? "buffer '" + kernel.buffers[symbol].name + "'"
                                                      : "shared array '" + kernel.shared[symbol].name + "'";
    fail_bounds(f, s, t, memory, index[t], limit);
}

template <Where where>
SEICHE_INLINE void check_bounds(const Frame& f, const Step& s, const std::uint8_t* predicate, std::uint32_t threads,
                                std::uint64_t limit) {
    const IndexOf<where>* index = f.operand<IndexOf<where>>(s, 0);
    bool outside = false;
    if (predicate == nullptr) {
        for (std::uint32_t t = 0; t < threads; ++t) outside |= index[t] >= limit;
    } else {
        for (std::uint32_t t = 0; t < threads; ++t) outside |= predicate[t] != 0 && index[t] >= limit;
    }
    if (outside) report_bounds<where>(f, s, predicate, limit);
}

/// Whether thread t accesses index[0] + t: most global accesses do.
template <class Index>
SEICHE_INLINE bool is_contiguous(const Index* index, std::uint32_t threads) {
    if (static_cast<Index>(index[threads - 1] - index[0]) != threads - 1) return false;
    bool same = true;
    for (std::uint32_t t = 0; t < threads; ++t) same &= index[t] == static_cast<Index>(index[0] + t);
    return same;
}

/// `lanes` scalars per thread from base + t * stride scalars, as a constant so that the loop becomes wide loads.
template <Scalar S, unsigned lanes>
SEICHE_INLINE void load_run(Stored<S>* __restrict to, const std::byte* from, std::uint32_t threads) {
    for (std::uint32_t t = 0; t < threads; ++t) {
        for (unsigned lane = 0; lane < lanes; ++lane) {
            to[lane * threads + t] = Memory<S>::get(from + (std::size_t{t} * lanes + lane) * Memory<S>::bytes);
        }
    }
}
template <Scalar S, unsigned lanes>
SEICHE_INLINE void store_run(std::byte* to, const Stored<S>* from, std::uint32_t threads) {
    for (std::uint32_t t = 0; t < threads; ++t) {
        for (unsigned lane = 0; lane < lanes; ++lane) {
            Memory<S>::put(to + (std::size_t{t} * lanes + lane) * Memory<S>::bytes, from[lane * threads + t]);
        }
    }
}

/// One lane of every thread; a stride that is a constant is an addressing mode.
template <Scalar S, unsigned stride, class Index>
SEICHE_INLINE void gather(Stored<S>* __restrict to, const std::byte* from, const Index* __restrict index,
                          std::uint32_t threads) {
    for (std::uint32_t t = 0; t < threads; ++t)
        to[t] = Memory<S>::get(from + std::size_t{index[t]} * (stride * Memory<S>::bytes));
}
template <Scalar S, unsigned stride, class Index>
SEICHE_INLINE void scatter(std::byte* to, const Stored<S>* from, const Index* index, std::uint32_t threads) {
    for (std::uint32_t t = 0; t < threads; ++t)
        Memory<S>::put(to + std::size_t{index[t]} * (stride * Memory<S>::bytes), from[t]);
}

template <Scalar S, Where where>
SEICHE_INLINE void load_loop(Frame& f, const Step& s, const Window& window) {
    const IndexOf<where>* index = f.operand<IndexOf<where>>(s, 0);
    const std::uint32_t threads = s.threads;
    Stored<S>* to = f.result<Stored<S>>(s);
    const std::size_t pitch = window.stride * Memory<S>::bytes;
    if (s.lanes == window.stride && s.lanes <= 2 && is_contiguous(index, threads)) {
        const std::byte* from = window.data + index[0] * pitch;
        if (s.lanes == 1)
            load_run<S, 1>(to, from, threads);
        else
            load_run<S, 2>(to, from, threads);
        return;
    }
    for (std::uint32_t lane = 0; lane < s.lanes; ++lane) {
        Stored<S>* __restrict lane_to = to + std::size_t{lane} * threads;
        const std::byte* from = window.data + lane * Memory<S>::bytes;
        if (window.stride == 1)
            gather<S, 1>(lane_to, from, index, threads);
        else if (window.stride == 2)
            gather<S, 2>(lane_to, from, index, threads);
        else
            for (std::uint32_t t = 0; t < threads; ++t) lane_to[t] = Memory<S>::get(from + index[t] * pitch);
    }
}

template <Scalar S, Where where>
SEICHE_INLINE void store_loop(Frame& f, const Step& s, const Window& window) {
    const IndexOf<where>* index = f.operand<IndexOf<where>>(s, 0);
    const std::uint32_t threads = s.threads;
    const Stored<S>* from = f.operand<Stored<S>>(s, 1);
    const std::size_t pitch = window.stride * Memory<S>::bytes;
    if (s.lanes == window.stride && s.lanes <= 2 && is_contiguous(index, threads)) {
        std::byte* to = window.data + index[0] * pitch;
        if (s.lanes == 1)
            store_run<S, 1>(to, from, threads);
        else
            store_run<S, 2>(to, from, threads);
        return;
    }
    for (std::uint32_t lane = 0; lane < s.lanes; ++lane) {
        const Stored<S>* lane_from = from + std::size_t{lane} * threads;
        std::byte* to = window.data + lane * Memory<S>::bytes;
        if (window.stride == 1)
            scatter<S, 1>(to, lane_from, index, threads);
        else if (window.stride == 2)
            scatter<S, 2>(to, lane_from, index, threads);
        else
            for (std::uint32_t t = 0; t < threads; ++t) Memory<S>::put(to + index[t] * pitch, lane_from[t]);
    }
}

/// A predicate is mostly there for the last group only.
SEICHE_INLINE bool all_active(const std::uint8_t* predicate, std::uint32_t threads) {
    std::uint8_t all = 1;
    for (std::uint32_t t = 0; t < threads; ++t) all &= predicate[t];
    return all != 0;
}

/// What each active thread has just touched of a shared array.
template <Scalar S, class Visit>
void for_each_touched(const Frame& f, const Step& s, const std::uint8_t* predicate, const Visit& visit) {
    const Window window = shared_window(f, s.instruction->symbol);
    const std::uint32_t* index = f.operand<std::uint32_t>(s, 0);
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        if (predicate != nullptr && predicate[t] == 0) continue;
        const std::byte* at = window.data + std::size_t{index[t]} * window.stride * Memory<S>::bytes;
        visit(t, index[t], Touched{at, s.lanes, Memory<S>::bytes});
    }
}

/// The analyser reports what was not written itself.
template <Scalar S>
__attribute__((noinline)) void check_written(const Frame& f, const Step& s, const std::uint8_t* predicate) {
    if (f.program->hooks != nullptr) return;
    for_each_touched<S>(f, s, predicate, [&](std::uint32_t t, std::uint32_t index, const Touched& read) {
        const std::string& name = f.program->kernel.shared[s.instruction->symbol].name;
        if (has_unwritten(f, read)) fail_unwritten(f, s, t, "shared array '" + name + "'", index);
    });
}

template <Scalar S>
__attribute__((noinline)) void note_written(Frame& f, const Step& s, const std::uint8_t* predicate) {
    for_each_touched<S>(f, s, predicate,
                        [&](std::uint32_t, std::uint32_t, const Touched& stored) { note_ones(f, stored); });
}

template <Scalar S, Where where, bool predicated>
SEICHE_INLINE void load_values(Frame& f, const Step& s) {
    const Window window = window_of<where>(f, s);
    const std::uint8_t* predicate = predicated ? f.operand<std::uint8_t>(s, 1) : nullptr;
    const bool everybody = !predicated || all_active(predicate, s.threads);
    check_bounds<where>(f, s, everybody ? nullptr : predicate, s.threads, window.limit(s.lanes));
    if (everybody) return load_loop<S, where>(f, s, window);
    const IndexOf<where>* index = f.operand<IndexOf<where>>(s, 0);
    Stored<S>* to = f.result<Stored<S>>(s);
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        const std::byte* from = window.data + (predicate[t] ? index[t] * window.stride * Memory<S>::bytes : 0);
        for (std::uint32_t lane = 0; lane < s.lanes; ++lane) {
            to[lane * s.threads + t] = predicate[t] ? Memory<S>::get(from + lane * Memory<S>::bytes) : Stored<S>{0};
        }
    }
}

template <Scalar S, Where where, bool predicated>
SEICHE_INLINE void load_body(Frame& f, const Step& s) {
    load_values<S, where, predicated>(f, s);
    if constexpr (where == Where::shared) {
        if (any_may_be_ones<S>(f.result<Stored<S>>(s), std::size_t{s.lanes} * s.threads))
            check_written<S>(f, s, predicated ? f.operand<std::uint8_t>(s, 1) : nullptr);
    }
}

template <Scalar S, Where where, bool predicated>
SEICHE_INLINE void store_values(Frame& f, const Step& s) {
    const Window window = window_of<where>(f, s);
    const std::uint8_t* predicate = predicated ? f.operand<std::uint8_t>(s, 2) : nullptr;
    const bool everybody = !predicated || all_active(predicate, s.threads);
    check_bounds<where>(f, s, everybody ? nullptr : predicate, s.threads, window.limit(s.lanes));
    if (everybody) return store_loop<S, where>(f, s, window);
    const IndexOf<where>* index = f.operand<IndexOf<where>>(s, 0);
    const Stored<S>* from = f.operand<Stored<S>>(s, 1);
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        if (!predicate[t]) continue;
        std::byte* to = window.data + index[t] * window.stride * Memory<S>::bytes;
        for (std::uint32_t lane = 0; lane < s.lanes; ++lane) {
            Memory<S>::put(to + lane * Memory<S>::bytes, from[lane * s.threads + t]);
        }
    }
}

template <Scalar S, Where where, bool predicated>
SEICHE_INLINE void store_body(Frame& f, const Step& s) {
    store_values<S, where, predicated>(f, s);
    if constexpr (where == Where::shared) {
        if (any_may_be_ones<S>(f.operand<Stored<S>>(s, 1), std::size_t{s.lanes} * s.threads))
            note_written<S>(f, s, predicated ? f.operand<std::uint8_t>(s, 2) : nullptr);
    }
}

template <Scalar S, Where where, bool predicated>
void load(Frame& f, const Step& s) {
    load_body<S, where, predicated>(f, s);
}
template <Scalar S, Where where, bool predicated>
void store(Frame& f, const Step& s) {
    store_body<S, where, predicated>(f, s);
}
#ifdef SEICHE_HAS_AVX2_VARIANTS
template <Scalar S, Where where, bool predicated>
SEICHE_AVX2 void load_avx2(Frame& f, const Step& s) {
    load_body<S, where, predicated>(f, s);
}
template <Scalar S, Where where, bool predicated>
SEICHE_AVX2 void store_avx2(Frame& f, const Step& s) {
    store_body<S, where, predicated>(f, s);
}
#endif

template <Scalar S, Where where, bool predicated>
Action choose_variant(bool is_load) {
#ifdef SEICHE_HAS_AVX2_VARIANTS
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return is_load ? &load_avx2<S, where, predicated> : &store_avx2<S, where, predicated>;
    }
#endif
    return is_load ? &load<S, where, predicated> : &store<S, where, predicated>;
}

template <Where where>
Action choose_memory(const Instruction& i, bool is_load, bool predicated) {
    return with_any_scalar(i.type.scalar, [&]<Scalar S>() -> Action {
        if constexpr (S == Scalar::boolean)
            return nullptr;
        else
            return predicated ? choose_variant<S, where, true>(is_load) : choose_variant<S, where, false>(is_load);
    });
}

// ---- Arrays in several buffers: thread by thread, for each may be in another.

template <Scalar S, bool is_load>
void part_access(Frame& f, const Step& s) {
    const std::uint32_t symbol = s.instruction->symbol;
    const BufferParameter& array = f.program->kernel.buffers[symbol];
    constexpr unsigned predicate_at = is_load ? 1 : 2;
    const bool predicated = s.operands[predicate_at].present;
    const auto* predicate = predicated ? f.operand<std::uint8_t>(s, predicate_at) : nullptr;
    const auto* index = f.operand<std::uint64_t>(s, 0);
    const auto* part = f.operand<std::uint32_t>(s, predicate_at + 1);
    auto* values = is_load ? f.result<Stored<S>>(s) : f.at<Stored<S>>(s.operands[1].offset);
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        if (predicated && predicate[t] == 0) {
            for (std::uint32_t lane = 0; is_load && lane < s.lanes; ++lane) values[lane * s.threads + t] = Stored<S>{0};
            continue;
        }
        if (part[t] >= array.parts) fail_bounds(f, s, t, "the parts of '" + array.name + "'", part[t], array.parts);
        const Window window = global_window(f, symbol + part[t]);
        const std::uint64_t limit = window.limit(s.lanes);
        if (index[t] >= limit)
            fail_bounds(f, s, t, "buffer '" + f.program->kernel.buffers[symbol + part[t]].name + "'", index[t], limit);
        std::byte* at = window.data + index[t] * window.stride * Memory<S>::bytes;
        for (std::uint32_t lane = 0; lane < s.lanes; ++lane, at += Memory<S>::bytes) {
            Stored<S>& value = values[lane * s.threads + t];
            if constexpr (is_load)
                value = Memory<S>::get(at);
            else
                Memory<S>::put(at, value);
        }
    }
}

Action part_action(const Instruction& i) {
    return with_any_scalar(i.type.scalar, [&]<Scalar S>() -> Action {
        if constexpr (S == Scalar::boolean)
            return nullptr;
        else
            return i.op == Op::global_load ? &part_access<S, true> : &part_access<S, false>;
    });
}

// ---- Private arrays: element by element, each kept like a value, so that a constant index costs a copy.

template <class T>
T* private_column(Frame& f, const Step& s, std::uint64_t scalar, std::uint32_t threads) {
    return reinterpret_cast<T*>(f.privates + f.program->privates[s.instruction->symbol].offset) + scalar * threads;
}

/// An array that is the same for all threads is kept once: its `kept` is 1.
template <class T, bool is_load>
void private_access(Frame& f, const Step& s) {
    const ArraySymbol& array = f.program->kernel.privates[s.instruction->symbol];
    const std::uint32_t kept = f.program->privates[s.instruction->symbol].threads;
    const Window window{nullptr, std::uint64_t{array.count} * array.element.lanes, array.element.lanes};
    const std::uint64_t limit = window.limit(s.lanes);
    const std::uint32_t* index = f.operand<std::uint32_t>(s, 0);
    const bool uniform = s.operands[0].uniform;
    for (std::uint32_t t = 0; t < (uniform ? 1u : s.threads); ++t) {
        if (index[t] >= limit) fail_bounds(f, s, t, "private array '" + array.name + "'", index[t], limit);
    }
    for (std::uint32_t lane = 0; lane < s.lanes; ++lane) {
        const std::size_t first = std::size_t{lane} * s.threads;
        T* value = is_load ? f.result<T>(s) + first : f.at<T>(s.operands[1].offset) + first;
        const auto cell = [&](std::uint32_t t) {
            const std::uint64_t scalar = std::uint64_t{index[uniform ? 0 : t]} * window.stride + lane;
            return private_column<T>(f, s, scalar, kept) + (kept == 1 ? 0 : t);
        };
        if (uniform) {
            T* column = cell(0);
            std::memcpy(is_load ? value : column, is_load ? column : value, s.threads * sizeof(T));
        } else {
            for (std::uint32_t t = 0; t < s.threads; ++t)
                (is_load ? value[t] : *cell(t)) = is_load ? *cell(t) : value[t];
        }
        bool any = false;
        for (std::uint32_t t = 0; t < s.threads; ++t) any |= value[t] == static_cast<T>(~T{0});
        if (!any) continue;
        for (std::uint32_t t = 0; t < s.threads; ++t) {
            const Touched own{reinterpret_cast<const std::byte*>(cell(t)), 1, sizeof(T)};
            if (!is_load)
                note_ones(f, own);
            else if (f.program->hooks == nullptr && has_unwritten(f, own))
                fail_unwritten(f, s, t, "private array '" + array.name + "'", index[uniform ? 0 : t]);
        }
    }
}

Action private_action(const Instruction& i) {
    const bool is_load = i.op == Op::private_load;
    if (stored_bytes(i.type.scalar) == 4)
        return is_load ? &private_access<std::uint32_t, true> : &private_access<std::uint32_t, false>;
    return is_load ? &private_access<std::uint64_t, true> : &private_access<std::uint64_t, false>;
}

// ---- Images, row after row

std::byte* texel(const Frame& f, const Step& s, std::uint32_t t, std::uint32_t x, std::uint32_t y) {
    const BoundImage& image = f.launch->images[s.instruction->symbol];
    const ImageParameter& parameter = f.program->kernel.images[s.instruction->symbol];
    if (x >= image.width || y >= image.height) {
        fail(f, s,
             thread_name(f, t) + " reaches texel (" + std::to_string(x) + ", " + std::to_string(y) + ") of image '" +
                 parameter.name + "', which is " + std::to_string(image.width) + " by " + std::to_string(image.height));
    }
    return static_cast<std::byte*>(image.data) + (std::size_t{y} * image.width + x) * texel_bytes(parameter.format);
}

float channel(const std::byte* texel, unsigned lane, ImageFormat format) {
    std::uint16_t half = 0;
    float single = 0;
    if (format == ImageFormat::rgba16f) {
        std::memcpy(&half, texel + lane * sizeof half, sizeof half);
        return from_f16(half);
    }
    std::memcpy(&single, texel + lane * sizeof single, sizeof single);
    return single;
}

void set_channel(std::byte* texel, unsigned lane, ImageFormat format, float value) {
    const std::uint16_t half = to_f16(value);
    if (format == ImageFormat::rgba16f)
        std::memcpy(texel + lane * sizeof half, &half, sizeof half);
    else
        std::memcpy(texel + lane * sizeof value, &value, sizeof value);
}

void image_load(Frame& f, const Step& s) {
    const bool predicated = s.operands[2].present;
    const ImageFormat format = f.program->kernel.images[s.instruction->symbol].format;
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        const bool active = !predicated || f.operand<std::uint8_t>(s, 2)[t] != 0;
        const std::byte* from =
            active ? texel(f, s, t, f.operand<std::uint32_t>(s, 0)[t], f.operand<std::uint32_t>(s, 1)[t]) : nullptr;
        for (unsigned lane = 0; lane < 4; ++lane) {
            const float missing = active && lane == 3 ? 1.0f : 0.0f;  // an absent alpha reads as opaque
            f.result<float>(s)[lane * s.threads + t] =
                active && lane < channels(format) ? channel(from, lane, format) : missing;
        }
    }
}

void image_store(Frame& f, const Step& s) {
    const bool predicated = s.operands[3].present;
    const ImageFormat format = f.program->kernel.images[s.instruction->symbol].format;
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        if (predicated && f.operand<std::uint8_t>(s, 3)[t] == 0) continue;
        std::byte* to = texel(f, s, t, f.operand<std::uint32_t>(s, 0)[t], f.operand<std::uint32_t>(s, 1)[t]);
        for (unsigned lane = 0; lane < channels(format); ++lane)
            set_channel(to, lane, format, f.operand<float>(s, 2)[lane * s.threads + t]);
    }
}

}  // namespace

Action memory_action(const Instruction& i, bool predicated) {
    if (names_part(i)) return part_action(i);
    switch (i.op) {
        case Op::global_load: return choose_memory<Where::global>(i, true, predicated);
        case Op::global_store: return choose_memory<Where::global>(i, false, predicated);
        case Op::shared_load: return choose_memory<Where::shared>(i, true, predicated);
        case Op::shared_store: return choose_memory<Where::shared>(i, false, predicated);
        case Op::private_load:
        case Op::private_store: return private_action(i);
        case Op::image_load: return &image_load;
        case Op::image_store: return &image_store;
        default: return nullptr;
    }
}

}  // namespace seiche::ir
