// Arrays whose elements are multiplied by weights of their places: by a stage's functions, or beforehand on the host.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "seiche/plan.hpp"

namespace seiche::test {

inline double weight(std::uint64_t index) { return 1.0 + static_cast<double>(index % 7) / 8; }

inline bool is_real_side(Kind kind, bool input) {
    if (is_real_to_real(kind)) return true;
    return input ? kind == Kind::r2c || kind == Kind::ihfft : kind == Kind::c2r || kind == Kind::hfft;
}

/// Elements of one array of a side.
inline std::uint64_t elements(const Problem& problem, bool input) {
    const bool halves = problem.kind == Kind::r2c || problem.kind == Kind::c2r || problem.kind == Kind::hfft ||
                        problem.kind == Kind::ihfft;
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < problem.lengths.size(); ++i) {
        const bool is_halved = halves && i + 1 == problem.lengths.size() && !is_real_side(problem.kind, input);
        count *= is_halved ? problem.lengths[i] / 2 + 1 : problem.lengths[i];
    }
    return count * problem.batch;
}

template <class T>
std::vector<T> numbers(std::uint64_t count) {
    std::vector<T> data(count);
    for (std::size_t i = 0; i < count; ++i) data[i] = static_cast<T>(std::sin(0.7 * static_cast<double>(i)));
    return data;
}

/// What the functions do, done to the arrays instead.
template <class T>
void weigh(std::vector<T>& data, bool is_real) {
    for (std::size_t i = 0; i < data.size(); ++i) data[i] *= static_cast<T>(weight(is_real ? i : i / 2));
}

/// Runs a plan on real numbers as they lie; the output is `fill` before.
template <class T>
std::vector<T> run(const Plan& plan, Direction direction, const std::vector<T>& input, T fill,
                   void* load_pointer = nullptr, void* store_pointer = nullptr) {
    const bool in_place = plan.problem().placement == Placement::in_place;
    Queue queue = plan.device().create_queue();
    Execution execution;
    execution.direction = direction;
    execution.input = plan.device().allocate(plan.input_bytes());
    queue.upload(execution.input, input.data(), plan.input_bytes());
    std::vector<T> output(plan.output_bytes() / sizeof(T), fill);
    if (!in_place) {
        execution.output = plan.device().allocate(plan.output_bytes());
        queue.upload(execution.output, output.data(), plan.output_bytes());
    }
    if (plan.workspace_bytes() != 0) execution.workspace = plan.device().allocate(plan.workspace_bytes());
    execution.load_pointer = load_pointer;
    execution.store_pointer = store_pointer;
    plan.execute(queue, execution);
    queue.download(output.data(), in_place ? execution.input : execution.output, plan.output_bytes());
    return output;
}

}  // namespace seiche::test
