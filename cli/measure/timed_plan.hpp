// A plan with verified data, ready to be timed beside the device's own copy and the same recipe without arithmetic.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cli/check/verify.hpp"
#include "cli/measure/spread.hpp"
#include "seiche/plan.hpp"

namespace seiche::cli {

struct TimedOptions {
    bool inverse = false;                        ///< The inverse plan, of a problem that has both directions.
    std::shared_ptr<HostArrays> host = nullptr;  ///< For one plan after another; else it has arrays of its own.
    bool cached_input = false;                   ///< Its input is `cached_period` bytes again and again.
};

/// The second cache of any card keeps them.
inline constexpr std::uint64_t cached_period = std::uint64_t{4} << 20;
/// Throws Failure unless the device is CUDA's, which can map memory so.
void require_cached_inputs(const Device& device);

/// Device time in milliseconds of each call; nothing is transferred while the clock runs.
class TimedPlan {
public:
    /// Makes the forward plan (of a c2r the inverse one), twice to time that.
    TimedPlan(const Device& device, const Problem& problem, const Tuning& tuning, const TimedOptions& wanted = {});

    /// Makes the same recipe with an identity core for `run_movement`; may go on in a thread beside `verify`.
    void make_movement();
    /// Poisons the output, transforms random data once and compares.
    Accuracy verify(std::uint64_t seed);
    /// Of one of `count` transforms after each other, `most_in_a_row` at most.
    double run(unsigned count) { return time(plan_, execution(), count); }
    double run_movement(unsigned count);
    /// Of another plan for the same problem, with a workspace of its own.
    double run_other(const Plan& plan, const std::vector<BufferView>& workspace, unsigned count);
    /// The device's copy of as many bytes.
    double copy(unsigned count);

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
    std::vector<BufferView> input_parts() const;
    void refresh();
    double copy_beside_images(unsigned count);

    Plan plan_, movement_;
    std::optional<Verifier> verifier_;
    Tuning tuning_;
    Queue queue_;
    std::vector<Buffer> pristine_;  // of the input's parts
    std::vector<BufferView> movement_workspace_;
    Buffer copied_, copy_;  // where arrays are images
    Direction direction_ = Direction::forward;
    bool in_place_ = false, has_images_ = false, spoils_ = false;  // the last: the input
    std::uint64_t payload_bytes_ = 0;
    double plan_first_ms_ = 0, plan_again_us_ = 0;
};

/// GB/s of the device's own copy of a large piece of memory (1 GiB on a GPU), read and written bytes together: best of
/// some.
double large_copy_rate(const Device& device);

}  // namespace seiche::cli
