// The contract of planning: a recipe says which algorithm, which radices and which passes; a schedule is what will be
// launched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/contract/spec.hpp"
#include "problem/problem.hpp"
#include "seiche/device.hpp"
#include "seiche/tuning.hpp"

namespace seiche::planner {

/// A Stockham transform of n points on chip.
struct Stockham {
    std::uint32_t n = 1;
    std::vector<std::uint32_t> radices;
    bool operator==(const Stockham&) const = default;
};

/// One pass over memory: a transform of n points on chip. Rader's and Bluestein's are convolutions by a core of n - 1
/// or of at least 2 n - 1 points, which runs twice.
struct Pass {
    std::uint32_t n = 1;
    Algorithm algorithm = Algorithm::direct;
    Stockham core;
    bool operator==(const Pass&) const = default;
};

/// Whether the even and the odd part of a prime have a core each, one after the other.
inline bool splits_parity(const Pass& pass) { return pass.algorithm == Algorithm::rader && pass.core.n + 1 != pass.n; }

/// How one axis is transformed: in one pass, in several, or by Bluestein through a longer transform of several passes
/// each way.
struct AxisRecipe {
    std::size_t axis = 0;  ///< Index into Canonical's transformed axes.
    std::uint64_t n = 1;
    /// Length of a Bluestein transform that does not fit on chip; 0: none. Otherwise the passes multiply to it.
    std::uint64_t padded = 0;
    std::vector<Pass> passes;  ///< First to last; their lengths multiply to n (or padded).
    Kind kind = Kind::c2c;     ///< Forward. Of a real kind n is the length of the complex core,
    std::uint64_t length = 0;  ///< and this the axis's.
    bool in_one_pass = false;  ///< A real kind whose elements become the core's points on chip.
    /// A real kind of an odd length, or rows beside other axes in one group (has_rows_in_group), whose elements are the
    /// core's points, or fold into them: real numbers, and the first half of the spectrum.
    bool one_sided = false;
    bool operator==(const AxisRecipe&) const = default;
};

/// One launch of a textbook recipe, along an axis.
struct TextbookLaunch {
    std::size_t axis = 0;
    kernels::TextbookWork work;
    bool stays = false;  ///< It may write where it read.
    bool operator==(const TextbookLaunch&) const = default;
};

struct TextbookLaunches {
    std::string name, text;
    TwiddleMethod twiddles = TwiddleMethod::table;
    std::vector<TextbookLaunch> launches;
    bool operator==(const TextbookLaunches&) const = default;
};

/// Where data are between passes and axes.
enum class Rest : std::uint8_t {
    in_output,  ///< The usual.
    in_input,   ///< Where they came from; only the last axis ends in the output.
    /// What comes before the last pass of an axis lies where that leaves its results, if that holds nothing yet: the
    /// last pass works in place, and may be pipelined behind the one before it.
    at_end,
    /// The same, but nothing is pipelined: of a real axis alone one workspace serves where two would. Its last pass
    /// works in place also in a workspace before a pass of maps, and the output may hold points before.
    in_one_workspace,
};

/// How passes become one kernel, which has on chip what lies between them.
enum class FusedAs : std::uint8_t {
    whole,  ///< The first two passes, with as many threads for both: a group or a cluster has all that they share.
    tiles,  ///< Every two passes that share tiles of a few sequences, which a cluster has.
    /// A plane or a cube of a group, each pass with threads of its own.
    own_threads,
    whole_rows,  ///< The same; of complex planes only those whose rows had better be one thread's.
};

struct Fusion {
    FusedAs as = FusedAs::whole;
    std::uint32_t groups = 1;   ///< Of a cluster.
    std::uint32_t threads = 0;  ///< Of a transform of the first pass, where `whole` was chosen; 0: not yet.
    bool operator==(const Fusion&) const = default;
};

/// Two passes, or three, in one persistent launch.
struct Pipelining {
    std::size_t first = 0;         ///< Index of the first one's step, counted after fusing.
    bool are_interleaved = false;  ///< The slices.
    bool has_third = false;
    bool operator==(const Pipelining&) const = default;
};

/// One kernel: a pass, or several whose points are in the memory of so many groups between them.
struct KernelRecipe {
    std::vector<Stockham> passes;
    std::uint32_t groups = 1;  ///< Of a cluster.
    bool operator==(const KernelRecipe&) const = default;
};

/// One launch: a kernel, or several that are pipelined.
struct LaunchRecipe {
    std::vector<KernelRecipe> kernels;
    bool operator==(const LaunchRecipe&) const = default;
};

/// How passes share kernels and launches, and where data are between them.
struct Sharing {
    Rest rest = Rest::in_output;
    bool has_16_bit_between = false;  ///< Passes of complex points leave 16-bit numbers in workspaces.
    /// In place with two layouts: the passes read a copy of the input, which a pass of its own makes; and real axes
    /// are lowered as for passes of a launch each.
    bool copies_input = false, keeps_passes_separate = false;
    /// What lies between two passes of a launch each is in runs of a workspace, of as many points as a group of the
    /// first pass has sequences; 0: it lies as the results do.
    std::uint32_t sequences_of_run = 0;
    std::optional<Fusion> fusion = {};
    std::optional<Pipelining> pipelining = {};
    /// In order, without those that only clear or copy. A pass that only rearranges real numbers has a core of 1.
    std::vector<LaunchRecipe> launches = {};
    bool operator==(const Sharing&) const = default;
};

/// All that was chosen for one direction. The axes come in the order in which they are transformed; there are none
/// where it is a textbook's.
struct Recipe {
    std::vector<AxisRecipe> axes;
    std::optional<TextbookLaunches> textbook = {};
    /// Whose memories should hold what lies between two passes; 0: passes are separate. What comes of it is in
    /// `sharing`.
    std::uint32_t groups_per_cluster = 0;
    /// All axes are one kernel of register-resident rows (register_rows.hpp), the axis with the closest elements first.
    bool has_register_rows = false;
    Sharing sharing = {};
    bool operator==(const Recipe&) const = default;
};

/// E.g. "(four-step 65536 (stockham 256 16 16) (stockham 256 16 16)) (launches (cluster 16 256 256))"; the launches are
/// said where passes share some; "(runs 4)" is what lies between two passes.
std::string to_string(const Recipe& recipe);

/// The digits of a position in the spectrum along the axis, slowest first, as SpectrumOrder says; none where the order
/// is natural.
std::vector<std::uint64_t> spectrum_digits(const AxisRecipe& axis, const problem::Canonical& problem);

/// Whether the axis may be AxisRecipe::one_sided: an odd length's real kind, whose points are not pairs. Doubled values
/// may leave the range of f16; texels go through maps; 16-bit numbers need threads enough for long runs.
bool has_one_side(const problem::Canonical& problem, const problem::Axis& axis, const DeviceLimits& limits);

/// Chooses the algorithms and passes of the axes; `sharing` is left to plan(). Throws Unsupported for what this device
/// or a forced tuning cannot do. `direction`: which one shall be the fastest; plan() takes the recipe for either.
Recipe design(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning,
              Direction direction = Direction::forward);

/// Whether the inverse should have a recipe of its own: where it is of another kind, whose passes handle conjugate
/// pairs elsewhere.
bool has_own_inverse(const Recipe& recipe);

enum class Role : std::uint8_t { input, output, workspace_a, workspace_b, workspace_c, workspace_d, partials, sums };

/// The buffers that one array (of a planar one: each half) lies in, one after the other.
struct Parts {
    std::uint32_t count = 1;
    std::uint64_t bytes = 0;       ///< Of each but the last, which may be shorter; 0: there is no limit.
    std::uint64_t first_byte = 0;  ///< Where element 0 of the array is, if it is in several that were given so.
    bool by_address = false;       ///< A binding does not reach one of them: kernels are told the addresses.
    bool operator==(const Parts&) const = default;
};

/// One launch: its kernel, and the buffers that it is bound to.
struct Step {
    kernels::KernelSpec spec;
    Role source = Role::input;
    Role target = Role::output;
    Role counters = Role::workspace_b;  ///< Of a kernel that has them: they begin where that does.
    Role between = Role::workspace_a;   ///< What lies between the passes of a launch, where that is memory of its own.
    Role partials = Role::partials;     ///< Of sums over bins; the sums themselves where there is one part of each.
    Parts source_parts = {}, target_parts = {}, between_parts = {}, table_parts = {}, spectra_parts = {};
    problem::ArrayImage source_image = {}, target_image = {};  ///< In place of parts.
    std::array<std::vector<Parts>, 3> stage_parts = {};        ///< By side, of each buffer that the user's stage names.
    const std::vector<Parts>& parts_of(expression::Side side) const {
        return stage_parts[static_cast<std::size_t>(side)];
    }
    bool operator==(const Step&) const = default;
};

/// The launches of one direction, in order. Empty: nothing to move (a problem without points to transform is a copy
/// kernel).
struct Schedule {
    std::vector<Step> steps;
    std::uint64_t workspace_a_elements = 0;  ///< Per batch entry.
    std::uint64_t workspace_b_elements = 0;
    bool operator==(const Schedule&) const = default;
};

struct LowerOptions {
    Direction direction = Direction::forward;
    Tuning tuning;
    /// A convolution: that array is workspace, which may be overwritten and keeps the arithmetic's precision.
    bool input_is_scratch = false, output_is_scratch = false;
};

/// Bytes of one buffer where an array lies in several: a power of two of at least 256, so that a shift and a mask find
/// an element. 0: there is no limit. Throws Unsupported for one below 256.
std::uint64_t bytes_of_part(const DeviceLimits& limits, const Tuning& tuning);

/// How many buffers of so many bytes (0: of any size) hold so many.
std::uint64_t parts_for(std::uint64_t bytes, std::uint64_t part_bytes);

/// A complete recipe, and what it is lowered to.
struct Planned {
    Recipe recipe;
    Schedule schedule;
};

/// Chooses how the passes of a design share kernels and launches in one direction. Throws Unsupported for what this
/// device or a forced tuning cannot do.
Planned plan(const Recipe& design, const problem::Canonical& problem, const DeviceLimits& limits,
             const LowerOptions& options);

/// The launches of a complete recipe, as plan() gives them.
Schedule lower(const Recipe& complete, const problem::Canonical& problem, const DeviceLimits& limits,
               const LowerOptions& options);

}  // namespace seiche::planner
