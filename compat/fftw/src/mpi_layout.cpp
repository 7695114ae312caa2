#include "mpi_layout.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace seiche_fftw {

Part part_of(std::ptrdiff_t n, std::ptrdiff_t block, int rank, int ranks) {
    const std::ptrdiff_t each = block > 0 ? block : (n + ranks - 1) / ranks;
    const std::ptrdiff_t start = std::min(n, each * rank), count = std::min(each, n - start);
    return count == 0 ? Part{} : Part{start, count};
}

std::vector<std::uint64_t> lengths_of(const MpiArray& array) {
    std::vector<std::uint64_t> lengths(array.n.begin(), array.n.end());
    if (array.howmany > 1) lengths.push_back(static_cast<std::uint64_t>(array.howmany));
    return lengths;
}

std::optional<std::vector<seiche::distributed::Box>> boxes_of(const MpiArray& array, int ranks) {
    const std::ptrdiff_t n = array.n[array.cut];
    if (array.block < 0 || (array.block > 0 && array.block * ranks < n)) return std::nullopt;
    const std::vector<std::uint64_t> lengths = lengths_of(array);
    std::vector<std::size_t> order(lengths.size());  // of axes in memory, slowest first
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (array.is_swapped) std::swap(order[0], order[1]);
    std::vector<seiche::distributed::Box> boxes;
    for (int rank = 0; rank < ranks; ++rank) {
        const Part part = part_of(n, array.block, rank, ranks);
        seiche::distributed::Box box{std::vector<std::uint64_t>(lengths.size(), 0), lengths, {}};
        box.lower[array.cut] = static_cast<std::uint64_t>(part.start);
        box.upper[array.cut] = static_cast<std::uint64_t>(part.start + part.count);
        if (part.count != 0) {
            box.strides.resize(lengths.size());
            std::int64_t next = 1;
            for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
                box.strides[*axis] = next;
                const bool is_last = *axis + 1 == array.n.size();
                next *= is_last && array.last_room > 0 ? static_cast<std::int64_t>(array.last_room)
                                                       : static_cast<std::int64_t>(box.extent(*axis));
            }
        }
        boxes.push_back(std::move(box));
    }
    return boxes;
}

}  // namespace seiche_fftw
