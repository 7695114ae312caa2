// Building: compiles the kernels of a plan in parallel and uploads their tables.
#pragma once

#include "exec/draft.hpp"
#include "exec/executable.hpp"

namespace seiche::exec {

class Builder {
public:
    /// `saved` is borrowed until the end of build; null: none.
    Builder(const BuildRequest& request, const SavedPlan* saved);
    std::shared_ptr<const Executable> build();

private:
    struct Task {
        Executable::LoadedStep* step = nullptr;
        seiche::emit::Source source;
        runtime::CompileResult result;
        bool is_saved = false;
    };

    void emit(const DraftSchedule& drafted);
    void compile();
    void compile(Task& task);
    void count_origins();
    void upload_tables();

    const BuildRequest& request_;
    const SavedPlan* saved_;
    std::string difference_;  // why nothing saved is used
    std::shared_ptr<Executable> executable_;
    std::vector<Task> tasks_;
};

}  // namespace seiche::exec
