// What a handle stands for: settings, and once it is made, the plans and the memory that they work in.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "abi.hpp"
#include "callback.hpp"
#include "layout.hpp"
#include "seiche/device.hpp"
#include "seiche/plan.hpp"
#include "several_cards.hpp"
#include "site.hpp"

namespace seiche::compat {

struct ProcessSettings;

/// Used by one thread at a time. Functions throw Refused, or Error from the library.
class FftPlan {
public:
    // Before it is made.
    void set_auto_allocation(bool allocates) { allocates_ = allocates; }
    /// Several: the plan is of arrays in descriptors. Throws Refused where one of them cannot be used.
    void set_cards(std::vector<int> cards);
    using MakeProcesses = std::unique_ptr<SeveralCards> (*)(const ProcessSettings&, const PlanRequest&,
                                                            std::optional<double>, bool, void*);
    /// The plan is one of several processes'. Throws Refused where it is one of several cards.
    void set_processes(std::shared_ptr<ProcessSettings> processes, MakeProcesses make);
    /// Null where the plan is this process's alone.
    ProcessSettings* processes() const { return processes_.get(); }
    /// Of both directions.
    void set_scale(double scale);
    /// Compiled code in place of loads or stores (cufftXtCallbackType).
    void set_callback(int type, Callback callback);
    void clear_callback(int type);
    void set_property(int property, long long value);
    long long property(int property) const;
    void reset_property(int property);

    /// Makes the plans, and allocates the work area unless told not to.
    void make(const PlanRequest& request);
    /// What `make` would need for the request, with the settings of this plan; nothing is compiled.
    std::uint64_t estimate(const PlanRequest& request) const;
    /// The same for each card, of a plan of several; these are made to know it.
    std::vector<std::uint64_t> estimates(const PlanRequest& request) const;

    void expect_not_made() const;

    // At any time.
    void set_stream(void* stream);
    void set_work_area(void* area);

    // After it was made.
    bool is_made() const { return is_made_; }
    std::uint64_t work_bytes() const;
    /// One, or one for each card.
    std::vector<std::uint64_t> all_work_bytes() const;
    void set_work_areas(void* const* areas);
    /// Null for a plan of one card and one process.
    SeveralCards* several() const { return several_.get(); }
    /// Enqueues the plan's own transform; in place where both pointers are the same. `direction` must be one that it
    /// has.
    void execute(void* input, void* output, int direction);
    /// Bytes of the arrays; of one that is transformed in place, what the larger needs.
    std::uint64_t bytes_of(SubFormat format) const;
    const Site& site() const { return *site_; }

private:
    /// One of the two plans, with the arguments of its last execution.
    struct Way {
        Plan plan;
        Execution execution;
        std::uint64_t input_bytes = 0, output_bytes = 0, work_bytes = 0;
        void *input = nullptr, *output = nullptr;  // that the execution's buffers stand for
        Buffer input_copy, output_copy;            // for arrays that are not aligned
        Code code = not_supported;                 // without a plan: why not
        std::string why;

        void prepare(const Device& device, const Problem& problem);
        void set_arrays(const Site& site, void* input, void* output);
        /// By way of copies, for arrays that are aligned to less than a complex number.
        void execute_copies(const Site& site, Queue& queue, void* input, void* output);
    };

    Problems problems(const PlanRequest& request) const;
    void expect_made() const;
    Problems prepare(const PlanRequest& request);
    void prepare_ways(const Problems& wanted);
    void prepare_in_place(const Problem& problem) noexcept;
    void prepare_work_area();
    void expect_aligned(const void* area) const;
    void set_work_buffer(void* area);
    /// For an execution in place with two layouts.
    void prepare_copy();
    Direction direction_of(int direction) const;

    bool allocates_ = true, is_made_ = false;
    std::optional<double> scale_;
    std::map<int, long long> properties_;
    Callbacks callbacks_;
    std::vector<int> card_numbers_;  // empty: the current card
    std::shared_ptr<ProcessSettings> processes_;
    MakeProcesses make_processes_ = nullptr;
    std::unique_ptr<SeveralCards> several_;

    PlanRequest request_;
    std::shared_ptr<const Site> site_;
    Way out_of_place_, in_place_;
    std::uint64_t work_bytes_ = 0, alignment_ = 1;
    Allocation own_area_;
    void* area_ = nullptr;
    void* stream_ = nullptr;
    Queue queue_;  // of the stream; empty until it is needed
};

/// The larger need of both placements, without a handle. Throws as FftPlan::estimate.
std::uint64_t estimate_work_bytes(const PlanRequest& request);

}  // namespace seiche::compat
