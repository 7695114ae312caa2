// Compilation in parallel, and the tables of the kernels.
#include "exec/loader.hpp"

#include <algorithm>

#include "exec/tables.hpp"
#include "ir/verify.hpp"
#include "runtime/library.hpp"
#include "support/parallel.hpp"

namespace seiche::exec {

namespace {

/// Of a table that is computed beside others; larger ones one after the other, because of the host's memory.
constexpr std::uint64_t most_entries_at_once = std::uint64_t{1} << 24;

/// As a test may.
void change(const Mutation& mutate, ir::Kernel& kernel) {
    if (!mutate) return;
    mutate(kernel);
    ir::verify(kernel);
}

}  // namespace

emit::Source source_of(const Device& device, const Mutation& mutate, const DraftStep& step) {
    change(mutate, *step.kernel);
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
    loaded = {drafted.step, nullptr, {}, report_step(drafted, Direction::forward, 1).bytes_written};
    change(mutate_, *drafted.kernel);
    tasks_.push_back({&loaded, drafted.kernel, {}});
}

void Loader::load(PlanReport& report) {
    compile();
    upload_tables();
    count_origins(report);
}

void Loader::compile(Task& task) {
    const std::shared_ptr<runtime::Device>& device = device_.impl();
    const emit::Source source = emit::emit(task.kernel, device->target());
    const SavedKernel* saved = nullptr;
    if (saved_ && difference_.empty()) saved = find_kernel(*saved_.kernels, runtime::kernel_key(*device, source));
    task.is_saved = saved != nullptr;
    const runtime::Binary binary{saved ? saved->binary : std::vector<std::byte>()};
    task.result = runtime::compile_cached(device, source, saved ? &binary : nullptr);
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

/// Constant tables take long too where they are long: each different one is a piece of work beside the kernels.
void Loader::compile() {
    find_tables();
    expect_tables(saved_, difference_, table_bytes());
    const std::size_t most = device_.impl()->needs_callers_context() ? 1 : support::processors();
    support::parallel(tables_.size() + tasks_.size(), most, [&](std::size_t i) {
        if (i >= tables_.size())
            compile(tasks_[i - tables_.size()]);
        else if (kernels::table_entries(tables_[i].sections) <= most_entries_at_once)
            compute(tables_[i]);
    });
}

std::uint64_t Loader::table_bytes() const {
    std::uint64_t bytes = 0;
    for (const Table& table : tables_) bytes += table.size;
    return bytes;
}

void Loader::find_tables() {
    for (Task& task : tasks_) {
        const std::vector<kernels::TableSection> sections = kernels::tables(task.step->planned.spec);
        if (sections.empty()) continue;
        const auto found = std::find_if(tables_.begin(), tables_.end(),
                                        [&](const Table& table) { return table.sections == sections; });
        task.table = found - tables_.begin();
        if (found != tables_.end()) continue;
        expect_room(sections, precision_, runtime::memory_limit());
        tables_.push_back({sections, task.step->planned.table_parts, table_size(sections, precision_), nullptr, {}});
    }
}

/// Into memory that is not set to zero before.
void Loader::compute(Table& table) const {
    table.bytes.reset(new std::byte[table.size]);
    write_table(table.sections, precision_, table.bytes.get());
}

void Loader::allocate(Table& table) const {
    const std::size_t most = table.parts.count == 1 ? table.size : table.parts.bytes;
    for (std::size_t first = 0; first < table.size; first += most)
        table.buffers.push_back(device_.impl()->allocate(std::min<std::size_t>(most, table.size - first)));
}

/// Those that are computed go together; the others follow one by one, so that the host has one of them at a time.
void Loader::upload_tables() {
    std::vector<Table*> computed;
    for (Table& table : tables_)
        if (table.bytes) computed.push_back(&table);
    upload(computed);
    for (Table& table : tables_) {
        if (!table.buffers.empty()) continue;
        compute(table);
        upload({&table});
    }
    for (const Task& task : tasks_)
        if (task.table >= 0) task.step->table = tables_[static_cast<std::size_t>(task.table)].buffers;
}

void Loader::upload(const std::vector<Table*>& tables) const {
    if (tables.empty()) return;
    for (Table* table : tables) allocate(*table);
    device_.impl()->use_queue([&](runtime::Queue& queue) {
        for (const Table* table : tables) {
            const std::byte* from = table->bytes.get();
            for (const auto& buffer : table->buffers) {
                queue.upload(*buffer, 0, from, buffer->bytes());
                from += buffer->bytes();
            }
        }
    });
    for (Table* table : tables) table->bytes = nullptr;
}

}  // namespace seiche::exec
