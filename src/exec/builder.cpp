// The way from a canonical problem to loaded kernels.
#include "exec/builder.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "exec/tables.hpp"
#include "ir/verify.hpp"

namespace seiche::exec {

Builder::Builder(const BuildRequest& request) : request_(request), executable_(std::make_shared<Executable>()) {
    executable_->request_ = request;
}

std::shared_ptr<const Executable> Builder::build() {
    const auto start = std::chrono::steady_clock::now();
    const Draft drafted = draft(request_.canonical, request_.device.limits(), request_.options);
    PlanReport& plan = executable_->report_;
    plan = report(drafted, request_.canonical);
    plan.problem = to_string(request_.problem);
    for (const DraftSchedule& schedule : drafted.schedules) emit(schedule);
    compile();
    upload_tables();
    for (const Task& task : tasks_) ++(task.was_compiled ? plan.compiled : plan.cached);
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
    const seiche::emit::Target target = request_.device.impl()->target();
    for (const DraftStep& step : drafted.steps) {
        loaded.steps.push_back({step.step.spec, step.step.source, step.step.target, nullptr, nullptr});
        if (request_.mutate) {
            request_.mutate(*step.kernel);
            ir::verify(*step.kernel);
        }
        tasks_.push_back({&loaded.steps.back(), seiche::emit::emit(step.kernel, target), false});
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
