// The way from a canonical problem to loaded kernels.
#include "exec/builder.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "exec/inspect.hpp"
#include "exec/tables.hpp"
#include "ir/optimise.hpp"
#include "ir/verify.hpp"

namespace seiche::exec {

Builder::Builder(const BuildRequest& request) : request_(request), executable_(std::make_shared<Executable>()) {
    executable_->request_ = request;
}

std::shared_ptr<const Executable> Builder::build() {
    const auto start = std::chrono::steady_clock::now();
    PlanReport& report = executable_->report_;
    report = describe(request_.canonical, request_.device.limits(), request_.options);
    report.problem = to_string(request_.problem);
    if (request_.options.directions != Directions::inverse) generate(Direction::forward);
    if (request_.options.directions != Directions::forward) generate(Direction::inverse);
    compile();
    upload_tables();
    for (const Task& task : tasks_) ++(task.was_compiled ? report.compiled : report.cached);
    report.plan_milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return executable_;
}

void Builder::generate(Direction direction) {
    const DeviceLimits& limits = request_.device.limits();
    const Tuning& tuning = request_.options.tuning;
    const planner::Recipe recipe = planner::design(request_.canonical, limits, tuning);
    const planner::Schedule schedule = planner::lower(recipe, request_.canonical, limits, {direction, tuning});
    Executable::LoadedSchedule& loaded = executable_->schedules_[static_cast<int>(direction)];
    loaded.workspace_a_elements = schedule.workspace_a_elements;
    loaded.workspace_b_elements = schedule.workspace_b_elements;
    loaded.is_built = true;
    for (const planner::Step& step : schedule.steps) loaded.steps.push_back({step.spec, step.source, step.target, nullptr, nullptr});
    const emit::Target target = request_.device.impl()->target();
    for (Executable::LoadedStep& step : loaded.steps) {
        auto kernel = std::make_shared<ir::Kernel>(ir::optimise(kernels::generate(step.spec)));
        if (request_.mutate) request_.mutate(*kernel);
        ir::verify(*kernel);
        tasks_.push_back({&step, emit::emit(kernel, target), false});
    }
}

void Builder::compile() {
    std::atomic<std::size_t> next{0};
    std::vector<std::exception_ptr> failures(tasks_.size());
    const auto work = [&] {
        for (std::size_t i = next++; i < tasks_.size(); i = next++) {
            try {
                runtime::CompileResult result = runtime::compile_cached(request_.device.impl(), tasks_[i].source);
                tasks_[i].step->module = result.module;
                tasks_[i].was_compiled = result.compiled;
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
        const auto found = std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.sections == sections; });
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
