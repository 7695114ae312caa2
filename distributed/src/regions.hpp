// How parts of arrays lie in memory, and which parts go from which rank to which.
#pragma once

#include <cstdint>
#include <vector>

#include "seiche/distributed/box.hpp"

namespace seiche::distributed {

/// An array of a box and a batch in memory: distances in elements.
struct Memory {
    std::vector<std::int64_t> strides = {};
    std::int64_t distance = 0;  ///< From one array of the batch to the next.
    std::uint64_t offset = 0;   ///< Of the first element.
};

/// The axes of an array and its batch, slowest first.
using Order = std::vector<int>;
inline constexpr int batch_axis = -1;

Order row_major(std::size_t axes);

/// `region` without gaps in this order.
Memory dense(const Box& region, const Order& order, std::uint64_t batch);

/// Where a rank's own box lies, as its strides say; a distance of 0 is the one of seiche::Layout.
Memory memory_of(const Box& box, std::int64_t distance, std::uint64_t batch);

/// Where `part`, which lies in `region`, begins in an array of that region.
std::uint64_t offset_of(const Memory& memory, const Box& region, const Box& part);

/// Elements from the first of the buffer to the last of the array; 0 of none.
std::uint64_t reach(const Memory& memory, const Box& region, std::uint64_t batch);

Box intersection(const Box& a, const Box& b);
/// Elements of it, without making it.
std::uint64_t shared_elements(const Box& a, const Box& b);

/// What goes to one rank, or comes from it: dense in the exchange's order from an offset on.
struct Part {
    std::size_t rank = 0;
    Box region = {};
    std::uint64_t offset = 0, elements = 0;
};

/// One rank's side of an exchange.
struct Side {
    Box region = {};
    std::vector<Part> parts = {};
    /// All parts together lie as one array, so that a transform writes or reads them by strides.
    bool is_one_array = false;
    Memory memory = {};  ///< Then: of that array.
    std::uint64_t elements = 0;
};

/// One rank's view of an exchange between two ways to distribute an array.
struct ExchangePlan {
    Order order = {};  ///< Of the elements of each message, which both sides know.
    Side send = {}, receive = {};
};

/// `from` and `to` have a region per rank. The order is the one that leaves the fewest elements to be copied, on all
/// ranks together, because messages do not lie as one array.
ExchangePlan plan_exchange(const std::vector<Box>& from, const std::vector<Box>& to, std::size_t rank,
                           std::uint64_t batch);

}  // namespace seiche::distributed
