// The way from a canonical problem to loaded kernels.
#include "exec/builder.hpp"

#include <chrono>

#include "exec/exactness.hpp"
#include "exec/loader.hpp"

namespace seiche::exec {

namespace {

const char* field_of(const problem::Canonical& canonical, Direction planned, bool is_load) {
    if (canonical.as_planned(planned) == Direction::forward) return is_load ? "forward_load" : "forward_store";
    return is_load ? "inverse_load" : "inverse_store";
}

/// Calls `use` with each function among the stages and the name of its field.
template <class Use>
void for_each_function(const problem::Canonical& canonical, const Use& use) {
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const problem::DirectionStages& stages = canonical.stages_of(direction);
        for (const auto& program : {stages.load, stages.store})
            if (program && program->function)
                use(*program->function, field_of(canonical, direction, program == stages.load));
    }
}

void require_functions(const BuildRequest& request) {
    using runtime::FunctionForm;
    const FunctionForm form = request.device.impl()->functions();
    for_each_function(request.canonical, [&](const ir::ExternalFunction& function, const std::string& field) {
        const std::string on = " on '" + request.device.info().name + "'";
        if (form == FunctionForm::none)
            throw Unsupported(field + on + ": expected a text, because the device calls no functions of others");
        if (form == FunctionForm::code && !function.code)
            throw Unsupported(field + on + ": expected a function with code, got one of the host");
        if (form == FunctionForm::host && function.host == nullptr)
            throw Unsupported(field + on + ": expected a function of the host, got one with code alone");
    });
}

}  // namespace

SavedPlan Executable::save() const {
    runtime::Device& device = *request_.device.impl();
    for_each_function(request_.canonical, [&](const ir::ExternalFunction& function, const std::string& field) {
        if (!function.code)
            throw Unsupported(std::string("saving a plan: ") + field + ": expected a text or a function with code, " +
                              "got a function of the host, which no other process has");
    });
    SavedPlan saved{saved_target(device), request_.problem, request_.options, table_bytes_, {}};
    const Draft drafted = draft(request_.canonical, limits_, request_.options);
    for (const DraftSchedule& schedule : drafted.schedules) {
        for (const DraftStep& step : schedule.steps)
            keep_kernel(device, source_of(request_.device, request_.mutate, step), saved.kernels);
    }
    return saved;
}

Builder::Builder(const BuildRequest& request, const DeviceLimits& limits, const SavedPlan* saved)
    : request_(request), saved_(saved), executable_(std::make_shared<Executable>()) {
    executable_->request_ = request;
    executable_->limits_ = limits;
}

std::shared_ptr<const Executable> Builder::build() {
    const auto start = std::chrono::steady_clock::now();
    if (request_.canonical.precision == Precision::f64x2 && request_.device.limits().exact_fp64)
        require_exact_fp64(request_.device);
    require_functions(request_);
    const Draft drafted = draft(request_.canonical, executable_->limits_, request_.options);
    PlanReport& plan = executable_->report_;
    plan = report(drafted, request_.canonical, request_.problem);
    Loader loader(request_.device, request_.canonical.precision, request_.mutate,
                  saved_ ? SavedBinaries{&saved_->target, &saved_->kernels, saved_->table_bytes} : SavedBinaries{});
    for (const DraftSchedule& schedule : drafted.schedules) add(schedule, loader);
    loader.load(plan);
    executable_->table_bytes_ = loader.table_bytes();
    plan.plan_milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return executable_;
}

void Builder::add(const DraftSchedule& drafted, Loader& loader) {
    Executable::LoadedSchedule& loaded = executable_->schedules_[static_cast<int>(drafted.direction)];
    loaded.workspace_a_elements = drafted.workspace_a_elements;
    loaded.workspace_b_elements = drafted.workspace_b_elements;
    loaded.is_built = true;
    loaded.steps.resize(drafted.steps.size());
    for (std::size_t i = 0; i < drafted.steps.size(); ++i) loader.add(drafted.steps[i], loaded.steps[i]);
    if (!loaded.steps.empty()) loaded.steps.back().is_last = true;
    loaded.at_once = executable_->arrays_at_once(loaded, drafted.direction);
}

}  // namespace seiche::exec
