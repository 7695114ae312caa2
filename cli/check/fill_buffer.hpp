// A buffer full of one byte, without sending all of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "seiche/device.hpp"

namespace seiche::cli {

/// From a first piece on, each copy makes twice as much of it.
inline void fill_buffer(Queue& queue, const Buffer& buffer, unsigned char byte) {
    constexpr std::uint64_t most_sent = 1u << 20;
    const std::vector<unsigned char> piece(std::min(buffer.bytes(), most_sent), byte);
    queue.upload(buffer, piece.data(), piece.size());
    for (std::uint64_t done = piece.size(); done < buffer.bytes(); done *= 2)
        queue.copy(BufferView(buffer, done), buffer, std::min(done, buffer.bytes() - done));
}

}  // namespace seiche::cli
