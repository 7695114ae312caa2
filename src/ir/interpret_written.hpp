// Reads of shared and private memory that nothing has written: an error, whatever becomes of the value.
//
// Such memory begins as ones in every bit. Hardly anything else is stored that looks like that, so that a load compares
// its values with it, which costs next to nothing, and only the stores of such values are kept in mind.
#pragma once

#include "ir/interpret_values.hpp"

namespace seiche::ir {

/// Whether a value may be one of ones in every bit as memory holds it.
template <Scalar S>
SEICHE_INLINE bool may_be_ones(Stored<S> value) {
    if constexpr (S == Scalar::boolean)
        return value == 0xffu;
    else if constexpr (is_narrow(S))
        return value == static_cast<Stored<S>>(static_cast<Narrow<S>>(-1));
    else if constexpr (S == Scalar::f16)
        return std::bit_cast<std::uint32_t>(value) == 0xffc00000u;
    else if constexpr (S == Scalar::bf16)
        return std::bit_cast<std::uint32_t>(value) == 0xffff0000u;
    else if constexpr (sizeof(Stored<S>) == 8)
        return std::bit_cast<std::uint64_t>(value) == ~std::uint64_t{0};
    else
        return std::bit_cast<std::uint32_t>(value) == ~std::uint32_t{0};
}

template <Scalar S>
SEICHE_INLINE bool any_may_be_ones(const Stored<S>* values, std::size_t count) {
    bool any = false;
    for (std::size_t k = 0; k < count; ++k) any |= may_be_ones<S>(values[k]);
    return any;
}

/// One thread's access of `scalars` scalars of `bytes` each.
struct Touched {
    const std::byte* at = nullptr;
    unsigned scalars = 1;
    std::size_t bytes = 1;
};

/// Keeps in mind which of the scalars just stored are ones in every bit. `owner`: whose memory it is.
void note_ones(Frame& owner, const Touched& stored);
/// The first of the scalars that has never been written; their count if all have.
unsigned first_unwritten(const Frame& owner, const Touched& read);
inline bool has_unwritten(const Frame& owner, const Touched& read) {
    return first_unwritten(owner, read) < read.scalars;
}
/// Throws: `what` names the memory.
[[noreturn]] void fail_unwritten(const Frame& f, const Step& s, std::uint32_t thread, const std::string& what,
                                 std::uint64_t index);

}  // namespace seiche::ir
