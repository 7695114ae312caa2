// The state of lowering one direction: what lower.cpp, lower_block.cpp, lower_real.cpp, lower_stages.cpp and
// lower_convolution.cpp share.
#pragma once

#include <optional>
#include <vector>

#include "planner/buffers.hpp"
#include "planner/convolution.hpp"
#include "planner/fuse.hpp"
#include "planner/recipe.hpp"

namespace seiche::planner {

using kernels::KernelSpec;
using kernels::Loop;
using kernels::Stage;

/// Loops that lie as one in source and target become one.
void merge(std::vector<Loop>& loops);
void sort_by_stride(std::vector<Loop>& loops);

/// Of several complex axes the one that comes last has two passes.
bool ends_in_two_passes(const Recipe& recipe);

/// A schedule whose arrays' parts nobody has looked at yet. Input and output are apart unless the problem is in place.
Schedule lower_passes(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
                      const LowerOptions& options);
// lower_two_layouts.cpp
/// The same of a problem with two layouts in place.
Schedule lower_two_layouts(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
                           const LowerOptions& options);

class Lowering {
public:
    Lowering(const problem::Canonical& problem, const DeviceLimits& limits, const LowerOptions& options)
        : problem_(problem),
          limits_(limits),
          options_(options),
          input_(input_view(problem)),
          output_(output_view(problem)),
          done_(problem.axes.size(), false) {}

    // lower_convolution.cpp
    /// Which part of its axis's index a pass transforms.
    struct Part {
        std::size_t axis = 0;
        const Pass* pass = nullptr;
        std::uint64_t s = 1, m = 1;
        bool stays = false;          // it writes where it read: lower_order.cpp
        bool is_transposed = false;  // it reads where it would write, and writes where it would read
        bool is_last() const { return m == 1; }
        /// Of its points along the axis.
        std::uint64_t input_step() const { return stays ? m : m * s; }
        std::uint64_t output_step() const { return stays ? m : s; }
    };
    struct Place {
        Role role = Role::input;
        View view;
        std::optional<std::size_t> paired = {};  // along this axis two real numbers are one of its elements
    };
    /// The way to the spectrum and the product; gives where that lies.
    Place to_product(const ConvolutionDesign& design);
    /// The way from a product that lies at `start` to the result.
    void from_product(const ConvolutionDesign& design, const Place& start);
    Schedule take() {
        for (Step& step : schedule_.steps) finish(step);
        return schedule_;
    }

    Schedule run(const Recipe& recipe) {
        has_narrow_workspaces_ = leaves_halves_between(recipe);
        if (recipe.textbook) {
            add_textbook(*recipe.textbook);
            add_outer_stages();
        } else if (recipe.axes.empty()) {
            copy();
        } else if (recipe.is_block) {
            add_block(recipe);
            add_outer_stages();
        } else {
            for (const AxisRecipe& axis : recipe.axes) {
                is_last_axis_ = rests_before_output() && &axis == &recipe.axes.back();
                leaves_aside_ = options_.ends_in_place && !rests_before_output() && &axis + 1 == &recipe.axes.back() &&
                                ends_in_two_passes(recipe);
                const std::size_t first = schedule_.steps.size();
                add_axis(axis);
                note_growth(axis, first);
                done_[axis.axis] = true;
            }
            add_outer_stages();
        }
        if (has_stages()) add_user_stages();
        add_texels();
        if (!recipe.is_block) fuse(recipe.groups_per_cluster);
        trail();
        for (Step& step : schedule_.steps) finish(step);
        return schedule_;
    }

private:
    /// What each step was made of.
    struct PassRecord {
        Part part;
        View source, target;
        std::vector<Loop> others = {};  // along each axis, as it was then
    };
    /// The core of a real axis in several passes: the axis has so many points, and they end there if that is given.
    struct Points {
        std::size_t axis = 0;
        std::uint64_t count = 0;
        std::optional<Place> result;
        std::optional<Place> in_input = {}, in_output = {};  // where the problem's own arrays have room for them
        bool may_rest = false;                               // the result's place has room for them as they are
    };

    void copy();
    void add_block(const Recipe& recipe);
    void add_axis(const AxisRecipe& axis);
    void add_complex(const AxisRecipe& axis);
    void add_own_loops(const Part& part, std::int64_t in, std::int64_t out, KernelSpec& spec);
    // lower_order.cpp
    bool stays_in_order(const AxisRecipe& axis) const;
    void add_in_order(const AxisRecipe& axis);
    void add_staying_loops(const Part& part, std::int64_t in, std::int64_t out, KernelSpec& spec);
    /// No pass but the last may store in the output: an image, or memory that holds the input too.
    bool rests_before_output() const { return problem_.output_image || problem_.has_two_layouts; }
    // lower_image.cpp
    Place before_output();
    Place end();
    void add_texels();
    // lower_textbook.cpp
    std::vector<Role> textbook_targets(const TextbookLaunches& recipe) const;
    void add_textbook(const TextbookLaunches& recipe);
    void add_clearing(const TextbookLaunches& recipe, const kernels::Clearing& clearing);
    void add_textbook_launch(const TextbookLaunches& recipe, const TextbookLaunch& launch, const Place& target);
    void shape_textbook(const TextbookLaunches& recipe, KernelSpec& spec) const;
    // lower_scratch.cpp
    bool may_use_input() const;
    std::optional<Place> points_in(const Place& array, const kernels::RealMap& map, bool is_input,
                                   std::size_t axis) const;
    void find_room(const kernels::RealMap& map);
    std::optional<Place> resting_points() const;
    std::optional<Place> output_before_map() const;
    std::optional<Place> own_array() const;
    void add_one_sided(const AxisRecipe& axis);
    void add_real(const AxisRecipe& axis);
    void add_map(const AxisRecipe& axis, const kernels::RealMap& map, const Place& target, bool is_load);
    void record(const Part& part, const View& source, const View& target);
    kernels::RealMap real_map(const AxisRecipe& axis) const;
    std::optional<Place> as_points(const Place& place, const kernels::RealMap& map, bool is_load,
                                   std::size_t axis) const;
    // lower_folded.cpp
    bool may_fold(const AxisRecipe& axis, const Place& place, bool is_load) const;
    void leave_to_folds(bool folds_in, bool folds_out);
    const PassRecord& record_of(const KernelSpec& spec) const;
    void fold(KernelSpec& spec, const kernels::RealMap& map, const Place& place, bool is_load) const;
    // lower_bins.cpp
    bool may_meet(const AxisRecipe& axis, bool is_load) const;
    bool meet(KernelSpec& spec, kernels::RealMap map, const Place& place, bool is_load) const;
    /// How the ends of a real axis's core in several passes go to memory, where not through a map.
    struct RealEnds {
        Place target;
        std::optional<Place> points_in, points_out;
        bool folds_in = false, folds_out = false, meets_in = false, meets_out = false;
        bool has_map_in() const { return !points_in && !folds_in && !meets_in; }
        bool has_map_out() const { return !points_out && !folds_out && !meets_out; }
    };
    bool add_core(const AxisRecipe& axis, const RealEnds& ends);
    void return_to(const Lowering& before);
    // lower_real.cpp
    std::optional<Place> in_pairs(const Place& place, std::size_t axis) const;
    std::optional<Place> as_mirrored(const Place& place, const AxisRecipe& axis, bool is_load) const;
    kernels::Kept kept(std::size_t axis, bool input) const;
    Loop axis_loop(std::size_t axis, const View& source, const View& target) const;
    void keep_input(KernelSpec& spec, const Part& part) const;
    void turn_halves(KernelSpec& spec, std::uint64_t columns, std::int32_t loop, bool is_load) const;
    void keep_output(KernelSpec& spec, const Part& part) const;
    Place result();
    bool is_complex_to_real() const { return problem_.output_is_real && !problem_.input_is_real; }
    Place home();
    Place aside(bool before_output = false);  // true: a map from there into the output follows
    std::optional<Place> before_last();
    Place target_of(const Part& part, std::size_t passes_left);
    // lower_bluestein.cpp
    void add_bluestein(const AxisRecipe& axis);
    void add_turning_pass(const AxisRecipe& axis, const Part& part);
    // lower_convolution.cpp
    void keep_transposed_output(KernelSpec& spec, const Part& part) const;
    std::vector<Part> parts_of(const AxisRecipe& axis) const;
    KernelSpec& add_pass(const Part& part, const Place& source, const Place& target);
    static void add_convolution(const Pass& pass, KernelSpec& spec);
    std::vector<Loop> other_loops(std::size_t axis, const View& source, const View& target) const;
    void add_outer_stages();
    void add_user_stages();
    std::vector<kernels::LogicalIndex> logical_indices(std::size_t step, expression::Side side) const;
    kernels::UserProgram user_program(std::size_t step, expression::Side side) const;
    bool has_stages() const { return problem_.stages_of(options_.direction) != problem::DirectionStages{}; }
    KernelSpec& add_transposed_pass(const Part& part, const Place& source, const Place& target);
    void add_fused_pass(const ConvolutionDesign& design, const Part& part, const Place& target);
    void add_ends_of_lone_pass(const ConvolutionDesign& design, const Part& part, const Place& target,
                               KernelSpec& spec) const;
    kernels::SpectrumProduct product_of(const ConvolutionDesign& design) const;
    void append_product(const ConvolutionDesign& design);
    std::int64_t offset(const Place& place, bool input) const;
    bool ends_at_result(const ConvolutionDesign& design) const;
    void note_growth(const AxisRecipe& axis, std::size_t first);
    double spread_scale();
    bool leaves_halves_between(const Recipe& recipe) const;
    void fuse(std::uint32_t groups);
    void trail();
    bool trail_planes();
    void take_measured_radices(KernelSpec& spec) const;
    void finish(Step& step);
    /// The one that does not have what is present.
    Role other_workspace() const { return present_.role == Role::workspace_a ? Role::workspace_b : Role::workspace_a; }
    Place workspace(Role role, std::size_t longer, std::uint64_t length);
    bool is_same_memory(const Place& a, const Place& b) const {
        return a.role == b.role || (problem_.in_place() && a.role <= Role::output && b.role <= Role::output);
    }
    Storage storage_of(Role role) const {
        const bool is_scratch = (role == Role::input && options_.input_is_scratch) ||
                                (role == Role::output && options_.output_is_scratch) ||
                                (role > Role::output && !has_narrow_workspaces_);
        return is_scratch ? Storage::same : problem_.storage;
    }
    bool is_planar(Role role) const {
        return role == Role::input ? problem_.input_planar : role == Role::output && problem_.output_planar;
    }
    std::int32_t find_loop(const KernelSpec& spec) const;

    const problem::Canonical& problem_;
    const DeviceLimits& limits_;
    LowerOptions options_;
    View input_, output_;
    Place present_{Role::input, input_};
    std::optional<Points> points_;
    bool has_narrow_workspaces_ = false;              // they have halves, as the problem's arrays
    bool is_last_axis_ = false;                       // to the result, of an input that is scratch, or to an image
    bool leaves_aside_ = false;                       // the next axis's last pass works in place
    std::vector<bool> done_;                          // axes that are transformed
    kernels::Kept points_kept_in_, points_kept_out_;  // of the complex transform at work
    Schedule schedule_;
    std::vector<PassRecord> records_;
    std::vector<std::size_t> complex_steps_;  // those of c2c axes
    std::vector<double> octaves_;             // by which each step may make its data grow
    std::optional<Loop> loop_index_;          // the pass's own loop (q or k') of the last add_pass
};

}  // namespace seiche::planner
