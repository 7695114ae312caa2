// A plan with its data, ready to be timed beside copies of as many bytes and the same recipe without arithmetic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cli/check/verify.hpp"
#include "cli/measure/bench_result.hpp"
#include "cli/measure/copy_kernel.hpp"
#include "seiche/plan.hpp"

namespace seiche::cli {

/// Makes one launch of all that a call enqueues: bench/rivals, where this build has them.
using GraphMaker =
    std::function<std::function<void()>(const Device&, const Queue&, const std::function<void()>& enqueue)>;

struct TimedOptions {
    bool inverse = false;                        ///< The inverse plan, of a problem that has both directions.
    std::shared_ptr<HostArrays> host = nullptr;  ///< For one plan after another; else it has arrays of its own.
    bool cached_input = false;                   ///< Its input is `cached_period` bytes again and again.
    bool plans_again = true;                     ///< To time that.
    GraphMaker as_graph = nullptr;               ///< What is timed is enqueued by one launch of a graph of it.
};

/// The second cache of any card keeps them.
inline constexpr std::uint64_t cached_period = std::uint64_t{4} << 20;
/// Throws Failure unless the device is CUDA's, which can map memory so.
void require_cached_inputs(const Device& device);

/// Forward, but for a problem that has no such transform (c2r).
Directions timed_directions(const Problem& problem, bool inverse = false);

/// Device time in milliseconds of each call; nothing is transferred while the clock runs.
class TimedPlan {
public:
    /// Makes the forward plan (of a c2r the inverse one), and times that.
    TimedPlan(const Device& device, const Problem& problem, const Tuning& tuning, const TimedOptions& wanted = {});

    /// Makes the same recipe with an identity core for `run_movement`; may go on in a thread beside `verify`.
    void make_movement();
    /// Makes the kernel of `copy_by_kernel`, if there is one.
    void make_copy_kernel();
    bool has_copy_kernel() const { return !copy_kernels_.empty(); }
    /// Poisons the output, transforms random data once and compares.
    Accuracy verify(std::uint64_t seed);
    /// In its place, where no answer is looked at: any finite numbers. Throws Failure for an input that is an image.
    void fill_input();
    /// Of one of `count` transforms after each other, `most_in_a_row` at most.
    double run(unsigned count) { return time(plan_, execution(), count); }
    double run_movement(unsigned count);
    /// Of another plan for the same problem, with a workspace of its own.
    double run_other(const Plan& plan, const std::vector<BufferView>& workspace, unsigned count);
    /// The backend's copy of as many bytes, from the input's memory to the output's.
    double copy(unsigned count);
    /// The same by a kernel of ours.
    double copy_by_kernel(unsigned count);

    /// Where results or what lies between passes take the input's place, each transform's values are up to as many
    /// times as large as those of the one before as they have elements: so many stay finite.
    unsigned most_in_a_row() const;

    const Plan& plan() const { return plan_; }
    Directions directions() const {
        return direction_ == Direction::forward ? Directions::forward : Directions::inverse;
    }
    /// Of the input's and the output's elements, gaps apart, in the mean: what a copy would read and write.
    std::uint64_t payload_bytes() const { return payload_bytes_; }
    double plan_first_ms() const { return plan_first_ms_; }
    double plan_again_us() const { return plan_again_us_; }

private:
    Execution execution() const { return verifier_->execution(direction_); }
    double time(const Plan& plan, const Execution& execution, unsigned count);
    /// So often in a row, after `prepare`, which is not timed.
    double time_in_a_row(unsigned count, const std::function<void()>& enqueue, const std::function<void()>& prepare);
    std::vector<BufferView> input_parts() const;
    void keep_input();
    void refresh();
    /// What a copy moves: as many bytes as the smaller array has.
    struct CopiedPart {
        BufferView to, from;
        std::uint64_t bytes;
    };
    std::vector<CopiedPart> copied_parts();
    /// Milliseconds of a copy of all of the payload, as far as `bytes` of it take so long.
    double time_copies(unsigned count, std::uint64_t bytes, const std::function<void()>& copy_all);

    Plan plan_, movement_;
    std::optional<Verifier> verifier_;
    Tuning tuning_;
    GraphMaker as_graph_;
    Queue queue_;
    std::vector<Buffer> pristine_;  // of the input's parts
    std::vector<BufferView> movement_workspace_;
    Buffer copied_, copy_;                              // where arrays are images
    std::map<std::uint64_t, CopyKernel> copy_kernels_;  // by the bytes of a part
    Direction direction_ = Direction::forward;
    bool in_place_ = false, has_images_ = false, spoils_ = false;  // the last: the input
    std::uint64_t payload_bytes_ = 0;
    double plan_first_ms_ = 0, plan_again_us_ = 0;
};

/// GB/s of copies of a large piece of memory, read and written bytes together.
struct CopyRates {
    double own = 0;     ///< The backend's copy.
    double kernel = 0;  ///< A kernel of ours; 0: there is none.
    double best() const { return std::max(own, kernel); }
    /// The row of the faster one.
    const char* name() const { return kernel > own ? copy_kernel : own_copy; }
};
/// Of 1 GiB on a GPU: best of some.
CopyRates large_copy_rates(const Device& device);

}  // namespace seiche::cli
