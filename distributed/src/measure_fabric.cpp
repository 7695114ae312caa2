// Measures a fabric by what its ranks do: copies in memory, and exchanges of small and large messages by level.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "seiche/distributed/fabric.hpp"
#include "seiche/error.hpp"

namespace seiche::distributed {

namespace {

constexpr std::uint64_t small_bytes = 16;

std::string host_name() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0) throw BackendError("gethostname: it failed");
    return name.data();
}

/// The figure of the slowest rank.
double greatest(Communicator& ranks, double own) {
    double most = own;
    for (const std::string& text : ranks.all_gather(std::to_string(own * 1e12)))
        most = std::max(most, std::stod(text) * 1e-12);
    return most;
}

class Measurement {
public:
    Measurement(Communicator& all, const Device& device, const FabricMeasurement& how)
        : all_(all), device_(device), how_(how), queue_(device.create_queue()) {}

    double memory() {
        const Buffer from = device_.allocate(how_.bytes), to = device_.allocate(how_.bytes);
        clear(from);
        clear(to);
        const double seconds = median([&] { queue_.copy(to, from, how_.bytes); });
        return 2 * static_cast<double>(how_.bytes) / seconds;
    }

    /// Exchanges in each of the groups that `part` is one of, all at a time.
    Link link(Communicator& part) {
        const auto others = static_cast<std::uint64_t>(part.size() - 1);
        const std::uint64_t each = std::max(small_bytes, how_.bytes / (others + 1) / small_bytes * small_bytes);
        const Buffer from = device_.allocate(each * (others + 1)), to = device_.allocate(each * (others + 1));
        kept_.push_back(from);
        clear(from);
        const double few = exchanged(part, from, to, small_bytes), many = exchanged(part, from, to, each);
        Link link;
        link.seconds_per_message = few / static_cast<double>(others);
        // Where large messages take no longer, the difference is noise.
        const double moved = static_cast<double>(each * others);
        link.bytes_per_second = moved / std::max(many - few, many / 2);
        return link;
    }

private:
    void clear(const Buffer& buffer) {
        const std::vector<unsigned char> zeros(buffer.bytes(), 0);
        queue_.upload(buffer, zeros.data(), zeros.size());
    }

    double exchanged(Communicator& part, const Buffer& from, const Buffer& to, std::uint64_t bytes) {
        const auto count = static_cast<std::size_t>(part.size());
        Exchange exchange;
        exchange.device = device_;
        exchange.send = BufferView(from);
        exchange.receive = BufferView(to);
        exchange.send_bytes.assign(count, bytes);
        exchange.send_bytes[static_cast<std::size_t>(part.rank())] = 0;  // what a rank keeps is its memory's
        for (std::size_t rank = 0; rank < count; ++rank) exchange.send_offsets.push_back(rank * bytes);
        exchange.receive_bytes = exchange.send_bytes;
        exchange.receive_offsets = exchange.send_offsets;
        return median([&] { part.all_to_all_v(queue_, exchange); });
    }

    /// Seconds of one of several in a row, of all ranks at a time.
    double median(const std::function<void()>& work) {
        constexpr int in_a_row = 4;
        std::vector<double> found;
        for (int round = 0; round <= how_.repeat; ++round) {
            all_.barrier();
            const auto start = std::chrono::steady_clock::now();
            for (int i = 0; i < in_a_row; ++i) work();
            queue_.wait();
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
            if (round > 0) found.push_back(time.count() / in_a_row);
        }
        std::sort(found.begin(), found.end());
        return greatest(all_, found[found.size() / 2]);
    }

    Communicator& all_;
    const Device& device_;
    const FabricMeasurement& how_;
    Queue queue_;
    std::vector<Buffer> kept_;  ///< That were sent from: with IPC other ranks have them open.
};

/// How many ranks each node has.
std::uint64_t node_size(const std::vector<std::string>& nodes) {
    const auto size_of = [&](const std::string& node) {
        return std::max<std::size_t>(1, static_cast<std::size_t>(std::count(nodes.begin(), nodes.end(), node)));
    };
    const std::size_t count = size_of(nodes.front());
    for (std::size_t rank = 0; rank < nodes.size(); ++rank)
        if (nodes[rank] != nodes[rank / count * count] || size_of(nodes[rank]) != count)
            throw InvalidProblem("fabric: expected as many ranks on each node, neighbours on it, got rank " +
                                 std::to_string(rank) + " on '" + nodes[rank] + "' and rank 0 of " +
                                 std::to_string(count) + " on '" + nodes.front() + "'");
    return count;
}

}  // namespace

Fabric measure_fabric(Communicator& ranks, const Device& device, const FabricMeasurement& how) {
    if (!device) throw InvalidProblem("device: expected one that was opened, got none");
    if (how.repeat < 1 || how.bytes < small_bytes)
        throw InvalidProblem("fabric: expected 1 or more repetitions of 16 bytes or more, got " +
                             std::to_string(how.repeat) + " of " + std::to_string(how.bytes));
    Fabric fabric;
    const std::vector<std::string> nodes = ranks.all_gather(how.node.empty() ? host_name() : how.node);
    fabric.ranks_per_node = node_size(nodes);
    const auto rank = static_cast<std::uint64_t>(ranks.rank());
    const auto count = static_cast<std::uint64_t>(ranks.size());
    Measurement measurement(ranks, device, how);
    fabric.memory_bytes_per_second = measurement.memory();
    std::shared_ptr<Communicator> inside = ranks.split(static_cast<int>(rank / fabric.ranks_per_node), 0),
                                  between = ranks.split(static_cast<int>(rank % fabric.ranks_per_node), 0);
    if (fabric.ranks_per_node > 1) fabric.inside = measurement.link(*inside);
    if (count > fabric.ranks_per_node) fabric.between = measurement.link(*between);
    inside.reset();
    between.reset();
    ranks.barrier();
    return fabric;
}

}  // namespace seiche::distributed
