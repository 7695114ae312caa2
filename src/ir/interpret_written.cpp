// What the interpreter remembers of written memory, and the error for what it does not.
#include "ir/interpret_written.hpp"

#include <algorithm>

namespace seiche::ir {

namespace {

bool is_ones(const std::byte* at, std::size_t bytes) {
    return std::all_of(at, at + bytes, [](std::byte b) { return b == std::byte{0xff}; });
}

}  // namespace

void note_ones(Frame& owner, const Touched& stored) {
    for (unsigned k = 0; k < stored.scalars; ++k) {
        const std::byte* at = stored.at + k * stored.bytes;
        if (is_ones(at, stored.bytes)) owner.written_ones.insert(at);
    }
}

unsigned first_unwritten(const Frame& owner, const Touched& read) {
    for (unsigned k = 0; k < read.scalars; ++k) {
        const std::byte* at = read.at + k * read.bytes;
        if (is_ones(at, read.bytes) && !owner.written_ones.contains(at)) return k;
    }
    return read.scalars;
}

void fail_unwritten(const Frame& f, const Step& s, std::uint32_t thread, const std::string& what, std::uint64_t index) {
    fail(f, s,
         thread_name(f, thread) + " reads element " + std::to_string(index) + " of " + what +
             ", which nothing has written");
}

}  // namespace seiche::ir
