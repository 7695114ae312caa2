// What heFFTe's own tests and benchmarks call beyond the interface of its users: one axis of a box on one rank, and the
// grids that a benchmark prints. Included before each of them (heffte_suite.py); never installed.
#pragma once

#include <array>
#include <cassert>
#include <complex>
#include <cstddef>
#include <deque>
#include <fstream>
#include <iomanip>
#include <memory>
#include <numeric>
#include <vector>

#include "heffte.h"

namespace heffte {

namespace mpi {

/// The communicator of these ranks of `comm`, MPI_COMM_NULL on the others; all ranks of `comm` call it.
inline MPI_Comm new_comm_from_group(const std::vector<int>& ranks, MPI_Comm comm) {
    MPI_Group all, some;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
    MPI_Comm_create(comm, some, &made);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    return made;
}
inline void comm_free(MPI_Comm comm) {
    if (MPI_Comm_free(&comm) != MPI_SUCCESS) throw std::runtime_error("heffte::mpi::comm_free: MPI_Comm_free failed");
}

}  // namespace mpi

namespace backend {

template <class location_tag>
struct data_manipulator {
    using stream_type = void*;
    template <class From, class To>
    static void copy_n(const From from[], std::size_t count, To to[]) {
        std::copy_n(from, count, to);
    }
    template <class From, class To>
    static void copy_n(void*, const From from[], std::size_t count, To to[]) {
        std::copy_n(from, count, to);
    }
};

}  // namespace backend

/// Transforms a box along one direction, in place or from real numbers.
template <class index>
class LineExecutor {
public:
    LineExecutor(const box3d<index>& box, int direction) : box_(box), direction_(direction) {}

    template <class T>
    void forward(std::complex<T>* data, std::complex<T>*) const {
        seiche::Problem problem;
        problem.lengths = detail::lengths_of(box_);
        problem.axes = {2 - direction_};
        problem.precision = detail::precision_of<T>;
        problem.input.strides = problem.output.strides = detail::strides_of(box_);
        problem.placement = seiche::Placement::in_place;
        const seiche::Plan plan(detail::device(), problem, {seiche::Directions::forward, {}});
        seiche::Queue queue = detail::device().create_queue();
        detail::Scratch workspace, copy;
        detail::HostArray array(data, static_cast<std::uint64_t>(box_.count()) * sizeof(*data));
        seiche::Execution execution;
        execution.input = array.view(queue, copy, true);
        execution.workspace = workspace.of(queue, plan.workspace_bytes());
        plan.execute(queue, execution);
        queue.wait();
        array.fetch(queue);
    }
    template <class T>
    void forward(const T* input, std::complex<T>* output, std::complex<T>* workspace) const {
        std::copy_n(input, box_.count(), output);
        forward(output, workspace);
    }
    std::size_t workspace_size() const { return 0; }

private:
    box3d<index> box_;
    int direction_ = 0;
};

template <class backend_tag>
struct one_dim_backend {
    using executor = LineExecutor<int>;
};
template <class backend_tag, class index>
std::unique_ptr<LineExecutor<index>> make_executor(void*, const box3d<index>& box, int direction) {
    return std::make_unique<LineExecutor<index>>(box, direction);
}
template <class Executor>
std::size_t get_max_work_size(const std::array<Executor*, 3>&) {
    return 0;
}

/// The grids of the input and the output, which are all that heFFTe's way of planning and Seiche's have alike.
template <class index>
struct logic_plan3d {
    std::vector<std::array<int, 3>> grids;
};
template <class index>
logic_plan3d<index> plan_operations(const ioboxes<index>& boxes, int, const plan_options&, int) {
    const auto grid = [](const std::vector<box3d<index>>& all) {
        std::array<int, 3> parts{};
        for (const box3d<index>& box : all)
            for (std::size_t d = 0; d < 3; ++d)
                parts[d] += box.low[(d + 1) % 3] == 0 && box.low[(d + 2) % 3] == 0 ? 1 : 0;
        return parts;
    };
    return {{grid(boxes.in), grid(boxes.out), grid(boxes.out), grid(boxes.out), grid(boxes.out)}};
}
template <class index>
std::vector<std::array<int, 3>> compute_grids(const logic_plan3d<index>& plan) {
    return plan.grids;
}

}  // namespace heffte
