// Compilation in parallel, and the tables of the kernels.
#include "exec/loader.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "exec/tables.hpp"
#include "ir/verify.hpp"
#include "runtime/library.hpp"

namespace seiche::exec {

emit::Source source_of(const Device& device, const Mutation& mutate, const DraftStep& step) {
    if (mutate) {
        mutate(*step.kernel);
        ir::verify(*step.kernel);
    }
    return emit::emit(step.kernel, device.impl()->target());
}

Loader::Loader(const Device& device, Precision precision, const Mutation& mutate, const SavedBinaries& saved)
    : device_(device), precision_(precision), mutate_(mutate), saved_(saved) {
    if (saved_) difference_ = difference(*saved_.target, saved_target(*device_.impl()));
}

void keep_kernel(runtime::Device& device, const emit::Source& source, std::vector<SavedKernel>& kernels) {
    const std::string key = runtime::kernel_key(device, source);
    if (!find_kernel(kernels, key)) kernels.push_back({key, runtime::kept_binary(device, source).bytes});
}

void Loader::add(const DraftStep& drafted, LoadedStep& loaded) {
    const planner::Step& step = drafted.step;
    loaded = {step.spec,
              step.source,
              step.target,
              step.source_parts,
              step.target_parts,
              step.table_parts,
              step.spectra_parts,
              nullptr,
              {},
              static_cast<bool>(step.source_image),
              static_cast<bool>(step.target_image)};
    tasks_.push_back({&loaded, source_of(device_, mutate_, drafted), {}});
}

void Loader::load(PlanReport& report) {
    compile();
    upload_tables();
    count_origins(report);
}

void Loader::compile(Task& task) {
    const std::shared_ptr<runtime::Device>& device = device_.impl();
    const SavedKernel* saved = nullptr;
    if (saved_ && difference_.empty()) saved = find_kernel(*saved_.kernels, runtime::kernel_key(*device, task.source));
    task.is_saved = saved != nullptr;
    const runtime::Binary binary{saved ? saved->binary : std::vector<std::byte>()};
    task.result = runtime::compile_cached(device, task.source, saved ? &binary : nullptr);
    task.step->module = task.result.module;
}

void Loader::count_origins(PlanReport& plan) const {
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

void Loader::compile() {
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
    const unsigned most =
        device_.impl()->needs_callers_context() ? 1 : std::max(1u, std::thread::hardware_concurrency());
    const std::size_t helpers = std::min<std::size_t>(tasks_.size(), most);
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& failure : failures) {
        if (failure) std::rethrow_exception(failure);
    }
}

std::vector<std::shared_ptr<runtime::Buffer>> Loader::uploaded(const std::vector<std::byte>& bytes,
                                                               const planner::Parts& parts,
                                                               runtime::Queue& queue) const {
    std::vector<std::shared_ptr<runtime::Buffer>> buffers;
    const std::size_t most = parts.count == 1 ? bytes.size() : parts.bytes;
    for (std::size_t first = 0; first < bytes.size(); first += most) {
        const std::size_t count = std::min(most, bytes.size() - first);
        buffers.push_back(device_.impl()->allocate(count));
        queue.upload(*buffers.back(), 0, bytes.data() + first, count);
    }
    return buffers;
}

void Loader::upload_tables() {
    struct Known {
        std::vector<kernels::TableSection> sections;
        std::vector<std::shared_ptr<runtime::Buffer>> buffers;
    };
    std::vector<Known> known;
    std::shared_ptr<runtime::Queue> queue;
    for (const Task& task : tasks_) {
        const std::vector<kernels::TableSection> sections = kernels::tables(task.step->spec);
        if (sections.empty()) continue;
        const auto found =
            std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.sections == sections; });
        if (found != known.end()) {
            task.step->table = found->buffers;
            continue;
        }
        expect_room(sections, precision_, runtime::physical_memory());
        const std::vector<std::byte> bytes = table_bytes(sections, precision_);
        if (!queue) queue = device_.impl()->create_queue();
        task.step->table = uploaded(bytes, task.step->table_parts, *queue);
        known.push_back({sections, task.step->table});
    }
    if (queue) queue->wait();
}

}  // namespace seiche::exec
