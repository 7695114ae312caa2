#include "peer_memory.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace seiche::compat {

namespace {

struct Block {
    Allocation memory;
    const Device device;
    bool is_free = false;
};

struct Pool {
    std::mutex mutex;
    std::vector<std::unique_ptr<Block>> blocks;
    int users = 0;

    /// Takes the free blocks out; their memory goes when the result does, outside the lock.
    std::vector<std::unique_ptr<Block>> free_blocks() {
        const auto first_free =
            std::partition(blocks.begin(), blocks.end(), [](const auto& block) { return !block->is_free; });
        std::vector<std::unique_ptr<Block>> gone(std::make_move_iterator(first_free),
                                                 std::make_move_iterator(blocks.end()));
        blocks.erase(first_free, blocks.end());
        return gone;
    }
};

// Never freed: arrays may be given back while the process ends.
Pool& pool() {
    static auto* const pool = new Pool;
    return *pool;
}

void give_back(Block* block) {
    std::vector<std::unique_ptr<Block>> gone;
    const std::lock_guard lock(pool().mutex);
    block->is_free = true;
    if (pool().users == 0) gone = pool().free_blocks();
}

Allocation lent(Block& block) {
    block.is_free = false;
    return {block.memory.pointer, block.memory.bytes,
            std::shared_ptr<void>(&block, [](Block* own) { give_back(own); })};
}

}  // namespace

PeerMemoryUser::PeerMemoryUser() {
    const std::lock_guard lock(pool().mutex);
    ++pool().users;
}

PeerMemoryUser::~PeerMemoryUser() {
    std::vector<std::unique_ptr<Block>> gone;
    const std::lock_guard lock(pool().mutex);
    if (--pool().users == 0) gone = pool().free_blocks();
}

Allocation peer_memory(const Site& site, std::uint64_t bytes) {
    const std::lock_guard lock(pool().mutex);
    for (const std::unique_ptr<Block>& block : pool().blocks)
        if (block->is_free && block->memory.bytes == bytes && block->device.impl() == site.device().impl())
            return lent(*block);
    pool().blocks.push_back(std::make_unique<Block>(Block{site.allocate(bytes), site.device()}));
    return lent(*pool().blocks.back());
}

bool is_peer_memory(const void* pointer, std::uint64_t bytes) {
    const auto* const begin = static_cast<const char*>(pointer);
    const std::lock_guard lock(pool().mutex);
    return std::any_of(pool().blocks.begin(), pool().blocks.end(), [&](const std::unique_ptr<Block>& block) {
        const auto* const from = static_cast<const char*>(block->memory.pointer);
        return begin >= from && begin + bytes <= from + block->memory.bytes;
    });
}

}  // namespace seiche::compat
