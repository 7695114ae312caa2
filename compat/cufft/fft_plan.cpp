#include "fft_plan.hpp"

#include <algorithm>
#include <exception>
#include <future>
#include <system_error>
#include <utility>

#include "entry.hpp"
#include "seiche/error.hpp"
#include "seiche/inspect.hpp"

namespace seiche::compat {

namespace {

/// What could not be linked with a callback; CUDA 12 has no code for it.
#if SEICHE_COMPAT_CUFFT == 12
constexpr Code link_failure = nvjitlink_failure;
#else
constexpr Code link_failure = internal_error;
#endif

std::uint64_t needed_by_both(const Problems& problems, const DeviceLimits& limits) {
    std::uint64_t bytes = inspect(problems.out_of_place, limits).workspace_bytes;
    if (!problems.in_place || !problems.lie_alike) return bytes;
    try {
        return std::max(bytes, inspect(*problems.in_place, limits).workspace_bytes);
    } catch (const Error&) {
        return bytes;  // then an execution in place is refused
    }
}

/// cuFFT has a second one, and sets it nowhere.
void expect_property(int property) {
    if (property == property_host_threads) throw Refused{not_supported, "the number of host threads cannot be chosen"};
    if (property != property_patient_jit)
        throw Refused{invalid_value, "there is no property " + std::to_string(property)};
}

}  // namespace

// ---- Settings

void FftPlan::set_scale(double scale) {
    expect_not_made();
    scale_ = scale;
}

void FftPlan::set_cards(std::vector<int> cards) {
    expect_not_made();
    if (stream_ != nullptr) throw Refused{not_supported, "a plan of several cards has no stream"};
    if (processes_) throw Refused{not_supported, "a plan of several processes has one card in each"};
    for (const int card : cards) {
        try {
            site_of_card(card);
        } catch (const Refused& refused) {
            throw Refused{invalid_value, refused.why};
        }
    }
    card_numbers_ = std::move(cards);
}

void FftPlan::set_processes(std::shared_ptr<ProcessSettings> processes, MakeProcesses make) {
    expect_not_made();
    if (!card_numbers_.empty()) throw Refused{not_supported, "a plan of several processes has one card in each"};
    processes_ = std::move(processes);
    make_processes_ = make;
}

void FftPlan::set_callback(int type, Callback callback) {
    expect_not_made();
    callbacks_.set(type, std::move(callback));
}

void FftPlan::clear_callback(int type) {
    if (is_made_) throw Refused{not_implemented, "the plan was made before"};
    if (!callbacks_.has(type)) throw Refused{not_implemented, "no callback of this type is set"};
    callbacks_.clear(type);
}

void FftPlan::set_property(int property, long long value) {
    expect_property(property);
    if (is_made_) throw Refused{not_supported, "properties are set before the plan is made"};
    properties_[property] = value;
}

long long FftPlan::property(int property) const {
    expect_property(property);
    const auto found = properties_.find(property);
    return found == properties_.end() ? 0 : found->second;
}

void FftPlan::reset_property(int property) {
    expect_property(property);
    if (is_made_) throw Refused{not_supported, "properties are set before the plan is made"};
    properties_.erase(property);
}

void FftPlan::set_stream(void* stream) {
    if (stream == stream_) return;
    if (!card_numbers_.empty()) throw Refused{not_supported, "a plan of several cards has no stream"};
    if (several_) several_->set_stream(stream);
    stream_ = stream;
    queue_ = {};
}

void FftPlan::set_work_areas(void* const* areas) {
    if (several_)
        several_->set_work_areas(areas);
    else
        set_work_area(areas[0]);
}

void FftPlan::set_work_area(void* area) {
    if (!card_numbers_.empty()) throw Refused{not_supported, "a plan of several cards has a list of work areas"};
    if (several_) return several_->set_work_areas(&area);
    if (area == area_ && !own_area_.pointer) return;
    expect_aligned(area);
    own_area_ = {};
    area_ = area;
    if (is_made_) set_work_buffer(area);
}

void FftPlan::expect_aligned(const void* area) const {
    if (reinterpret_cast<std::uintptr_t>(area) % alignment_ != 0)
        throw Refused{invalid_value,
                      "the work area's address is no multiple of " + std::to_string(alignment_) + " bytes"};
}

// ---- Making

void FftPlan::expect_made() const {
    if (!is_made_) throw Refused{invalid_plan, "the plan was created but not made"};
}

void FftPlan::expect_not_made() const {
    if (is_made_) throw Refused{invalid_plan, "the plan was made before"};
}

void FftPlan::Way::prepare(const Device& device, const Problem& problem) {
    plan = Plan(device, problem);
    input_bytes = plan.input_bytes();
    output_bytes = plan.output_bytes();
    work_bytes = plan.workspace_bytes();
}

Problems FftPlan::problems(const PlanRequest& request) const {
    Problems problems = problems_of(request, scale_);
    callbacks_.add_to(problems.out_of_place);
    if (problems.in_place) callbacks_.add_to(*problems.in_place);
    return problems;
}

/// One that cannot be made is refused when it is executed.
void FftPlan::prepare_in_place(const Problem& problem) noexcept {
    try {
        in_place_.prepare(site_->device(), problem);
    } catch (const Error& error) {
        in_place_.code = code_of(error, false);
        in_place_.why = error.reason();
    } catch (const std::exception& error) {
        in_place_.code = internal_error;
        in_place_.why = error.what();
    }
}

/// Both plans, at a time where they have to be compiled.
void FftPlan::prepare_ways(const Problems& wanted) {
    out_of_place_ = in_place_ = {};
    std::future<void> other;
    if (wanted.in_place && !site_->has_kept(wanted.out_of_place)) {
        try {
            other = std::async(std::launch::async, [&] { prepare_in_place(*wanted.in_place); });
        } catch (const std::system_error&) {  // no more threads: one after the other
        }
    }
    try {
        out_of_place_.prepare(site_->device(), wanted.out_of_place);
    } catch (const BackendError& error) {
        if (callbacks_.empty()) throw;
        throw Refused{link_failure, error.reason()};
    }
    if (other.valid()) return other.get();
    if (wanted.in_place) return prepare_in_place(*wanted.in_place);
    in_place_.code = invalid_value;
    in_place_.why =
        "in place the results would lie over what has not been read: expected strides and distances of the real array "
        "that are twice the complex array's";
}

/// Both plans, with the callbacks' names as their code has them.
Problems FftPlan::prepare(const PlanRequest& request) {
    for (const Spelling spelling : spellings) {
        const bool is_last = callbacks_.empty() || spelling == Spelling::as_given;
        callbacks_.set_spelling(spelling);
        try {
            Problems wanted = problems(request);
            prepare_ways(wanted);
            return wanted;
        } catch (const MissingFunction&) {
            if (is_last) throw;
        }
    }
    throw Refused{internal_error, "no plan was made"};
}

void FftPlan::make(const PlanRequest& request) {
    expect_not_made();
    if (!card_numbers_.empty() || processes_) {
        if (!callbacks_.empty()) throw Refused{not_implemented, "a plan of several cards has no callbacks"};
        const bool allocates = allocates_ && area_ == nullptr;
        several_ = processes_ ? make_processes_(*processes_, request, scale_, allocates, stream_)
                              : several_cards(card_numbers_, request, scale_, allocates);
        if (area_ != nullptr) several_->set_work_areas(&area_);
        is_made_ = true;
        count_plan();
        return;
    }
    site_ = current_site();
    const Problems wanted = prepare(request);
    callbacks_.add_to(out_of_place_.execution);
    callbacks_.add_to(in_place_.execution);
    request_ = request;
    alignment_ = 2 * stored_bytes(request.elements.precision, request.elements.storage);
    // Programs give the two arrays different layouts to execute out of place; a copy of the array for those who do so
    // in place would be memory that nobody expects. It is allocated when it is needed.
    work_bytes_ = out_of_place_.work_bytes;
    if (wanted.lie_alike) work_bytes_ = std::max(work_bytes_, in_place_.work_bytes);
    expect_aligned(area_);
    prepare_work_area();
    is_made_ = true;
    site_->keep(out_of_place_.plan);
    if (in_place_.plan) site_->keep(in_place_.plan);
    count_plan();
}

void FftPlan::prepare_work_area() {
    if (area_ == nullptr && allocates_ && work_bytes_ != 0) {
        try {
            own_area_ = site_->allocate(work_bytes_);
        } catch (const Error& error) {
            throw Refused{alloc_failed, error.reason()};
        }
    }
    if (own_area_.pointer != nullptr)
        set_work_buffer(own_area_.pointer);
    else if (area_ != nullptr)
        set_work_buffer(area_);
}

void FftPlan::set_work_buffer(void* area) {
    BufferView view;
    if (area != nullptr && work_bytes_ != 0)
        view = site_->keeps_buffers() ? site_->buffer(area, work_bytes_) : site_->device().allocate(work_bytes_);
    out_of_place_.execution.workspace = view;
    if (in_place_.work_bytes <= work_bytes_) in_place_.execution.workspace = view;
}

void FftPlan::prepare_copy() {
    if (in_place_.work_bytes <= work_bytes_ || in_place_.execution.workspace.buffer) return;
    try {
        in_place_.execution.workspace = site_->device().allocate(in_place_.work_bytes);
    } catch (const Error& error) {
        throw Refused{alloc_failed, error.reason()};
    }
}

std::uint64_t FftPlan::estimate(const PlanRequest& request) const {
    return needed_by_both(problems(request), current_site()->device().limits());
}

std::vector<std::uint64_t> FftPlan::estimates(const PlanRequest& request) const {
    if (processes_) return make_processes_(*processes_, request, scale_, false, stream_)->work_bytes();
    if (card_numbers_.empty()) return {estimate(request)};
    return several_cards(card_numbers_, request, scale_, false)->work_bytes();
}

std::uint64_t estimate_work_bytes(const PlanRequest& request) { return FftPlan().estimate(request); }

// ---- Asking

std::uint64_t FftPlan::work_bytes() const {
    expect_made();
    return work_bytes_;
}
std::vector<std::uint64_t> FftPlan::all_work_bytes() const {
    if (several_) return several_->work_bytes();
    return {work_bytes()};
}
std::uint64_t FftPlan::bytes_of(SubFormat format) const {
    expect_made();
    if (format == format_input) return out_of_place_.input_bytes;
    if (format == format_output) return out_of_place_.output_bytes;
    if (format == format_inplace && in_place_.plan) return std::max(in_place_.input_bytes, in_place_.output_bytes);
    throw Refused{not_implemented, "the format " + std::to_string(format) + " is for several cards"};
}

// ---- Executing

void FftPlan::Way::set_arrays(const Site& site, void* new_input, void* new_output) {
    const bool keeps = site.keeps_buffers();
    if (!keeps || new_input != input) execution.input = site.buffer(new_input, input_bytes);
    if (new_input == new_output)
        execution.output = execution.input;
    else if (!keeps || new_output != output)
        execution.output = site.buffer(new_output, output_bytes);
    input = new_input;
    output = new_output;
}

void FftPlan::Way::execute_copies(const Site& site, Queue& queue, void* new_input, void* new_output) {
    const bool is_in_place = new_input == new_output;
    try {
        if (!input_copy) input_copy = site.device().allocate(input_bytes);
        if (!is_in_place && !output_copy) output_copy = site.device().allocate(output_bytes);
    } catch (const Error& error) {
        throw Refused{alloc_failed, error.reason()};
    }
    input = output = nullptr;
    const Buffer from = site.buffer(new_input, input_bytes);
    const Buffer to = is_in_place ? from : site.buffer(new_output, output_bytes);
    queue.copy(input_copy, from, input_bytes);
    if (!is_in_place) queue.copy(output_copy, to, output_bytes);  // what lies between results stays as it is
    execution.input = input_copy;
    execution.output = is_in_place ? input_copy : output_copy;
    plan.execute(queue, execution);
    queue.copy(to, execution.output.buffer, is_in_place ? input_bytes : output_bytes);
}

Direction FftPlan::direction_of(int direction) const {
    const Kind kind = request_.elements.kind;
    if (direction == direction_forward && kind != Kind::c2r) return Direction::forward;
    if (direction == direction_inverse && kind != Kind::r2c) return Direction::inverse;
    throw Refused{invalid_value, "the direction is " + std::to_string(direction) + ", expected " +
                                     (kind == Kind::c2c   ? "-1 or 1"
                                      : kind == Kind::r2c ? "-1 of a real input"
                                                          : "1 of a real output")};
}

void FftPlan::execute(void* input, void* output, int direction) {
    expect_made();
    if (several_) {
        several_->execute(input, output, direction);
        return count_execution();
    }
    if (input == nullptr) throw Refused{invalid_value, "the input is a null pointer"};
    if (output == nullptr) throw Refused{exec_failed, "the output is a null pointer"};
    const Direction way_of = direction_of(direction);
    if (!site_->is_current())
        throw Refused{invalid_device, "the plan was made for another device than the current one"};
    const std::uintptr_t addresses = reinterpret_cast<std::uintptr_t>(input) | reinterpret_cast<std::uintptr_t>(output);
    if (addresses % (alignment_ / 2) != 0)
        throw Refused{invalid_value, "the address of the input or the output is no multiple of the " +
                                         std::to_string(alignment_ / 2) + " bytes of a number"};
    Way& way = input == output ? in_place_ : out_of_place_;
    if (!way.plan) throw Refused{way.code, way.why};
    if (&way == &in_place_) prepare_copy();
    if (way.work_bytes != 0 && !way.execution.workspace.buffer)
        throw Refused{no_workspace, "the plan has no work area, and needs " + std::to_string(work_bytes_) + " bytes"};
    if (!queue_.impl()) queue_ = site_->queue(stream_);
    way.execution.direction = way_of;
    if (addresses % alignment_ != 0 && site_->keeps_buffers()) {
        way.execute_copies(*site_, queue_, input, output);
    } else {
        way.set_arrays(*site_, input, output);
        way.plan.execute(queue_, way.execution);
    }
    site_->finish(queue_, output, way.execution.output.buffer);
    count_execution();
}

}  // namespace seiche::compat
