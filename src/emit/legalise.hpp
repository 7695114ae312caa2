// The legalise pass for a dialect without vector arithmetic: values become scalars, accesses stay as wide as their
// alignment allows.
#pragma once

#include "emit/source.hpp"
#include "ir/kernel.hpp"

namespace seiche::emit {

/// An equal kernel whose vectors are only loaded, stored, extracted from and composed. An access is as wide as its
/// element or, in shared memory with an index known to be a multiple and a dialect that allows it, wider; at most
/// Target::widest_access_bytes and four lanes; where words are joined it may be of several elements, as words.
/// `compose` may then name any number of lanes up to four, all scalars.
ir::Kernel legalise(const ir::Kernel& kernel, const Target& target);

/// Whether an access, or one of such a kernel, takes several elements of a buffer at once, as words
/// (Target::joins_words).
bool joins_words(const ir::Kernel& legal, const ir::Instruction& access);
bool joins_words(const ir::Kernel& legal);

}  // namespace seiche::emit
