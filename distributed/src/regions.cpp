#include "regions.hpp"

#include <algorithm>

#include "sample.hpp"

namespace seiche::distributed {

namespace {

std::uint64_t extent(const Box& box, int axis, std::uint64_t batch) {
    return axis == batch_axis ? batch : box.extent(static_cast<std::size_t>(axis));
}

/// Whether the elements of `part` follow each other without a gap in a dense array of `region`.
bool is_contiguous(const Box& part, const Box& region, const Order& order, std::uint64_t batch) {
    bool has_begun = false;
    for (const int axis : order) {
        const std::uint64_t count = extent(part, axis, batch);
        if (has_begun && count != extent(region, axis, batch)) return false;
        has_begun = has_begun || count > 1;
    }
    return true;
}

Side side(const Box& region, const std::vector<Box>& others, const Order& order, std::uint64_t batch) {
    Side result;
    result.region = region;
    result.is_one_array = true;
    result.memory = dense(region, order, batch);
    for (std::size_t rank = 0; rank < others.size(); ++rank) {
        Part part{rank, intersection(region, others[rank])};
        part.elements = part.region.count() * batch;
        if (part.elements == 0) continue;
        result.is_one_array = result.is_one_array && is_contiguous(part.region, region, order, batch);
        part.offset = result.elements;
        result.elements += part.elements;
        result.parts.push_back(std::move(part));
    }
    if (result.is_one_array)
        for (Part& part : result.parts) part.offset = offset_of(result.memory, region, part.region);
    return result;
}

/// Elements that some ranks copy to send or to receive in this order.
std::uint64_t copied(const std::vector<Box>& from, const std::vector<Box>& to, const Order& order,
                     std::uint64_t batch) {
    std::uint64_t elements = 0;
    for (const std::size_t rank : sample(from.size())) {
        const Side send = side(from[rank], to, order, batch), receive = side(to[rank], from, order, batch);
        elements += (send.is_one_array ? 0 : send.elements) + (receive.is_one_array ? 0 : receive.elements);
    }
    return elements;
}

/// Row-major, and each axis as the slowest: what is cut along that one lies together.
std::vector<Order> orders(std::size_t axes) {
    std::vector<Order> found{row_major(axes)};
    for (int slowest = 0; slowest < static_cast<int>(axes); ++slowest) {
        Order order = row_major(axes);
        order.erase(std::find(order.begin(), order.end(), slowest));
        order.insert(order.begin(), slowest);
        found.push_back(std::move(order));
    }
    return found;
}

}  // namespace

Order row_major(std::size_t axes) {
    Order order{batch_axis};
    for (std::size_t axis = 0; axis < axes; ++axis) order.push_back(static_cast<int>(axis));
    return order;
}

Memory dense(const Box& region, const Order& order, std::uint64_t batch) {
    Memory memory;
    memory.strides.resize(region.lower.size());
    std::uint64_t stride = 1;
    for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
        const auto value = static_cast<std::int64_t>(stride);
        (*axis == batch_axis ? memory.distance : memory.strides[static_cast<std::size_t>(*axis)]) = value;
        stride *= std::max<std::uint64_t>(1, extent(region, *axis, batch));
    }
    return memory;
}

Memory memory_of(const Box& box, std::int64_t distance, std::uint64_t batch) {
    Memory memory = dense(box, row_major(box.lower.size()), batch);
    if (!box.strides.empty()) {
        memory.strides = box.strides;
        memory.distance = 1;
        for (std::size_t axis = 0; axis < box.strides.size(); ++axis)
            memory.distance =
                std::max(memory.distance, static_cast<std::int64_t>(box.extent(axis)) * box.strides[axis]);
    }
    if (distance != 0) memory.distance = distance;
    return memory;
}

std::uint64_t offset_of(const Memory& memory, const Box& region, const Box& part) {
    std::uint64_t offset = memory.offset;
    for (std::size_t axis = 0; axis < region.lower.size(); ++axis)
        offset += (part.lower[axis] - region.lower[axis]) * static_cast<std::uint64_t>(memory.strides[axis]);
    return offset;
}

std::uint64_t reach(const Memory& memory, const Box& region, std::uint64_t batch) {
    if (region.empty() || batch == 0) return 0;
    std::uint64_t last = memory.offset + (batch - 1) * static_cast<std::uint64_t>(memory.distance);
    for (std::size_t axis = 0; axis < region.lower.size(); ++axis)
        last += (region.extent(axis) - 1) * static_cast<std::uint64_t>(memory.strides[axis]);
    return last + 1;
}

Box intersection(const Box& a, const Box& b) {
    Box result{a.lower, a.upper};
    for (std::size_t axis = 0; axis < a.lower.size(); ++axis) {
        result.lower[axis] = std::max(a.lower[axis], b.lower[axis]);
        result.upper[axis] = std::max(result.lower[axis], std::min(a.upper[axis], b.upper[axis]));
    }
    return result;
}

ExchangePlan plan_exchange(const std::vector<Box>& from, const std::vector<Box>& to, std::size_t rank,
                           std::uint64_t batch) {
    ExchangePlan plan;
    std::uint64_t fewest = 0;
    for (Order& order : orders(from[rank].lower.size())) {
        const std::uint64_t elements = copied(from, to, order, batch);
        if (!plan.order.empty() && elements >= fewest) continue;
        fewest = elements;
        plan.order = std::move(order);
    }
    plan.send = side(from[rank], to, plan.order, batch);
    plan.receive = side(to[rank], from, plan.order, batch);
    return plan;
}

std::uint64_t shared_elements(const Box& a, const Box& b) {
    std::uint64_t count = 1;
    for (std::size_t axis = 0; axis < a.lower.size() && count != 0; ++axis) {
        const std::uint64_t lower = std::max(a.lower[axis], b.lower[axis]),
                            upper = std::min(a.upper[axis], b.upper[axis]);
        count *= upper > lower ? upper - lower : 0;
    }
    return count;
}

}  // namespace seiche::distributed
