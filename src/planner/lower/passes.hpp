// The passes of a schedule as they are added, with what each was made of.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "planner/lower/places.hpp"

namespace seiche::planner {

/// Which part of its axis's index a pass transforms.
struct AxisPass {
    std::size_t axis = 0;
    const Pass* pass = nullptr;  ///< Null: it only moves elements.
    std::uint64_t s = 1, m = 1;  ///< Results before it, points after it.
    bool stays = false;          ///< It writes where it read (SpectrumOrder::pass).
    bool is_transposed = false;  ///< It reads where it would write, and writes where it would read.
    bool is_last() const { return m == 1; }
    /// Of its points along the axis.
    std::uint64_t input_step() const { return stays ? m : m * s; }
    std::uint64_t output_step() const { return stays ? m : s; }
};

/// What a step was made of.
struct PassRecord {
    AxisPass part;
    View source, target;
    std::vector<Loop> others = {};  ///< Along each axis, as it was then.
    double octaves = 0;             ///< By which it may make its data grow.
    bool is_complex = false;        ///< Of a c2c axis.
};

class Passes {
public:
    Passes(const Arrays& arrays, Places& places)
        : done(arrays.problem.axes.size(), false), arrays_(arrays), places_(places) {}

    std::vector<Step> steps;
    std::vector<PassRecord> records;  ///< One for each step, until passes are fused.
    std::vector<bool> done;           ///< Axes that are transformed.
    kernels::Kept kept_in, kept_out;  ///< Of the complex transform at work.
    std::optional<Loop> loop_index;   ///< The own loop (q or k') of the pass that was added last.

    std::vector<AxisPass> parts_of(const AxisRecipe& axis) const;
    /// A step with the arrays' roles, precision, storage and offsets; nothing else is set.
    Step step_between(const Place& source, const Place& target) const;
    KernelSpec& push(const Step& step, const PassRecord& record);
    /// A pass along an axis; what is present is its target then.
    KernelSpec& add(const AxisPass& part, const Place& source, const Place& target);
    KernelSpec& add_transposed(const AxisPass& part, const Place& source, const Place& target);

    PassRecord record(const AxisPass& part, const View& source, const View& target) const;
    const PassRecord& record_of(const KernelSpec& spec) const;
    /// Over the problem's loops and `loops`, sorted and merged.
    std::vector<Loop> problem_loops(const View& source, const View& target, std::vector<Loop> loops = {}) const;
    /// The same and over other axes.
    std::vector<Loop> other_loops(std::size_t axis, const View& source, const View& target) const;
    Loop batch_loop(const View& source, const View& target) const {
        return {arrays_.problem.batch.count, source.batch, target.batch};
    }
    /// Index of `loop_index` among the spec's loops.
    std::int32_t find_loop(const KernelSpec& spec) const;
    void keep_input(KernelSpec& spec, const AxisPass& part) const;
    void keep_output(KernelSpec& spec, const AxisPass& part) const;
    void keep_transposed_output(KernelSpec& spec, const AxisPass& part) const;
    void turn_halves(KernelSpec& spec, std::uint64_t columns, std::int32_t loop, bool is_load) const;

    /// What return_to() takes back: steps that were added since, and where they left the data.
    struct Mark {
        std::size_t count = 0;
        Place present;
        std::uint64_t workspace_a_elements = 0, workspace_b_elements = 0;
        std::optional<Loop> loop_index;
    };
    Mark mark() const;
    void return_to(const Mark& mark);

private:
    Loop axis_loop(std::size_t axis, const View& source, const View& target) const;
    void add_own_loops(const AxisPass& part, std::int64_t in, std::int64_t out, KernelSpec& spec);
    void add_staying_loops(const AxisPass& part, std::int64_t in, std::int64_t out, KernelSpec& spec);

    const Arrays& arrays_;
    Places& places_;
};

}  // namespace seiche::planner
