// The way from a canonical problem to loaded kernels.
#include "exec/builder.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "exec/exactness.hpp"
#include "exec/tables.hpp"
#include "ir/verify.hpp"

namespace seiche::exec {

namespace {

/// The kernel as a test may have changed it, in the device's words.
emit::Source source_of(const BuildRequest& request, const DraftStep& step) {
    if (request.mutate) {
        request.mutate(*step.kernel);
        ir::verify(*step.kernel);
    }
    return emit::emit(step.kernel, request.device.impl()->target());
}

const SavedKernel* find_kernel(const SavedPlan& saved, const std::string& key) {
    for (const SavedKernel& kernel : saved.kernels)
        if (kernel.key == key) return &kernel;
    return nullptr;
}

}  // namespace

SavedPlan Executable::save() const {
    runtime::Device& device = *request_.device.impl();
    SavedPlan saved{saved_target(device), request_.problem, request_.options, {}};
    const Draft drafted = draft(request_.canonical, request_.device.limits(), request_.options);
    for (const DraftSchedule& schedule : drafted.schedules) {
        for (const DraftStep& step : schedule.steps) {
            const emit::Source source = source_of(request_, step);
            const std::string key = runtime::kernel_key(device, source);
            if (!find_kernel(saved, key)) saved.kernels.push_back({key, runtime::kept_binary(device, source).bytes});
        }
    }
    return saved;
}

Builder::Builder(const BuildRequest& request, const SavedPlan* saved)
    : request_(request), saved_(saved), executable_(std::make_shared<Executable>()) {
    executable_->request_ = request;
    if (saved_) difference_ = difference(saved_->target, saved_target(*request_.device.impl()));
}

std::shared_ptr<const Executable> Builder::build() {
    const auto start = std::chrono::steady_clock::now();
    if (request_.canonical.precision == Precision::f64x2 && request_.device.limits().exact_fp64)
        require_exact_fp64(request_.device);
    const Draft drafted = draft(request_.canonical, request_.device.limits(), request_.options);
    PlanReport& plan = executable_->report_;
    plan = report(drafted, request_.canonical);
    plan.problem = to_string(request_.problem);
    for (const DraftSchedule& schedule : drafted.schedules) emit(schedule);
    compile();
    upload_tables();
    count_origins();
    plan.plan_milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return executable_;
}

void Builder::emit(const DraftSchedule& drafted) {
    Executable::LoadedSchedule& loaded = executable_->schedules_[static_cast<int>(drafted.direction)];
    loaded.workspace_a_elements = drafted.workspace_a_elements;
    loaded.workspace_b_elements = drafted.workspace_b_elements;
    loaded.is_built = true;
    loaded.steps.reserve(drafted.steps.size());  // tasks point into it
    for (const DraftStep& step : drafted.steps) {
        loaded.steps.push_back({step.step.spec, step.step.source, step.step.target, nullptr, nullptr});
        tasks_.push_back({&loaded.steps.back(), source_of(request_, step), {}});
    }
}

void Builder::compile(Task& task) {
    const std::shared_ptr<runtime::Device>& device = request_.device.impl();
    const SavedKernel* saved = nullptr;
    if (saved_ && difference_.empty()) saved = find_kernel(*saved_, runtime::kernel_key(*device, task.source));
    task.is_saved = saved != nullptr;
    const runtime::Binary binary{saved ? saved->binary : std::vector<std::byte>()};
    task.result = runtime::compile_cached(device, task.source, saved ? &binary : nullptr);
    task.step->module = task.result.module;
}

void Builder::count_origins() {
    PlanReport& plan = executable_->report_;
    std::size_t missing = 0, refused = 0;
    for (const Task& task : tasks_) {
        ++(task.result.given ? plan.loaded : task.result.compiled ? plan.compiled : plan.cached);
        missing += task.is_saved ? 0 : 1;
        refused += task.result.refused ? 1 : 0;
    }
    if (!saved_) return;
    const std::string of_all = " of " + std::to_string(tasks_.size()) + " kernels";
    if (!difference_.empty())
        plan.replanned = difference_;
    else if (missing != 0)
        plan.replanned = std::to_string(missing) + of_all + " are not among those saved: the device's limits differ";
    else if (refused != 0)
        plan.replanned = "the driver refuses the saved binaries of " + std::to_string(refused) + of_all;
}

void Builder::compile() {
    std::atomic<std::size_t> next{0};
    std::vector<std::exception_ptr> failures(tasks_.size());
    const auto work = [&] {
        for (std::size_t i = next++; i < tasks_.size(); i = next++) {
            try {
                compile(tasks_[i]);
            } catch (...) {
                failures[i] = std::current_exception();
            }
        }
    };
    const std::size_t helpers = std::min<std::size_t>(tasks_.size(), std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& failure : failures) {
        if (failure) std::rethrow_exception(failure);
    }
}

void Builder::upload_tables() {
    struct Known {
        std::vector<kernels::TableSection> sections;
        std::shared_ptr<runtime::Buffer> buffer;
    };
    std::vector<Known> known;
    std::shared_ptr<runtime::Queue> queue;
    for (const Task& task : tasks_) {
        const std::vector<kernels::TableSection> sections = kernels::tables(task.step->spec);
        if (sections.empty()) continue;
        const auto found =
            std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.sections == sections; });
        if (found != known.end()) {
            task.step->table = found->buffer;
            continue;
        }
        const std::vector<std::byte> bytes = table_bytes(sections, request_.canonical.precision);
        if (!queue) queue = request_.device.impl()->create_queue();
        task.step->table = request_.device.impl()->allocate(bytes.size());
        queue->upload(*task.step->table, 0, bytes.data(), bytes.size());
        known.push_back({sections, task.step->table});
    }
    if (queue) queue->wait();
}

}  // namespace seiche::exec
