// Building: compiles the kernels of a plan in parallel and uploads their tables.
#pragma once

#include "exec/draft.hpp"
#include "exec/executable.hpp"

namespace seiche::exec {

class Builder {
public:
    explicit Builder(const BuildRequest& request);
    std::shared_ptr<const Executable> build();

private:
    struct Task {
        Executable::LoadedStep* step = nullptr;
        seiche::emit::Source source;
        bool was_compiled = false;
    };

    void emit(const DraftSchedule& drafted);
    void compile();
    void upload_tables();

    const BuildRequest& request_;
    std::shared_ptr<Executable> executable_;
    std::vector<Task> tasks_;
};

}  // namespace seiche::exec
