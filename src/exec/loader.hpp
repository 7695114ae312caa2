// Loading: compiles the kernels of a plan in parallel and uploads their tables.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exec/draft.hpp"
#include "exec/saved_plan.hpp"
#include "kernels/contract/tables.hpp"
#include "runtime/backend.hpp"

namespace seiche::exec {

/// One launch that is ready.
struct LoadedStep {
    planner::Step planned;
    std::shared_ptr<runtime::Module> module;
    std::vector<std::shared_ptr<runtime::Buffer>> table;  // its parts; empty: there is none
    std::uint64_t bytes_written = 0;                      ///< Per array of the batch.
    bool is_last = false;                                 ///< Of its schedule.
};

using Mutation = std::function<void(ir::Kernel&)>;

/// The kernel as a test may have changed it, in the device's words.
emit::Source source_of(const Device& device, const Mutation& mutate, const DraftStep& step);

/// Puts the kernel's binary among those that are kept, once.
void keep_kernel(runtime::Device& device, const emit::Source& source, std::vector<SavedKernel>& kernels);

class Loader {
public:
    /// `saved` is borrowed until the end of load.
    Loader(const Device& device, Precision precision, const Mutation& mutate, const SavedBinaries& saved);
    /// `loaded` is filled by load.
    void add(const DraftStep& drafted, LoadedStep& loaded);
    /// Counts in the report what was compiled and what not.
    void load(PlanReport& report);
    /// Of all tables, each once; known once they are loaded.
    std::uint64_t table_bytes() const;

private:
    struct Task {
        LoadedStep* step = nullptr;
        std::shared_ptr<ir::Kernel> kernel;
        runtime::CompileResult result;
        bool is_saved = false;
        std::ptrdiff_t table = -1;  // which of tables_; below 0: none
    };
    struct Table {
        std::vector<kernels::TableSection> sections;
        planner::Parts parts;
        std::uint64_t size = 0;
        std::unique_ptr<std::byte[]> bytes;  // until they are uploaded
        std::vector<std::shared_ptr<runtime::Buffer>> buffers;
    };

    void compile();
    void find_tables();
    void compile(Task& task);
    void upload_tables();
    void compute(Table& table) const;
    void allocate(Table& table) const;
    void upload(const std::vector<Table*>& tables) const;
    void count_origins(PlanReport& report) const;

    const Device device_;
    const Precision precision_;
    const Mutation mutate_;
    const SavedBinaries saved_;
    std::string difference_;  // why nothing saved is used
    std::vector<Task> tasks_;
    std::vector<Table> tables_;
};

}  // namespace seiche::exec
