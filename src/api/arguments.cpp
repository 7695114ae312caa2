// The arguments of an execution, checked once: buffers, and what the user's stages name.
#include "api/arguments.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "api/memory_range.hpp"

namespace seiche::api {

namespace {

using expression::Program;

/// The memory of the transform itself.
struct Memory {
    MemoryRange input, output, workspace;
};

class Checker {
public:
    Checker(const exec::Executable& executable, const Execution& execution)
        : executable_(executable),
          execution_(execution),
          canonical_(executable.canonical()),
          stages_(canonical_.stages_of(execution.direction)) {}

    exec::Arguments run() {
        arguments_.direction = execution_.direction;
        arguments_.batch = batch_or_default(executable_, execution_.batch);
        // A kernel may take real numbers two at a time.
        element_ = canonical_.complex_bytes();
        add_input();
        add_output();
        add_workspace();
        check_names();
        if (stages_.load) add_stage(*stages_.load, arguments_.load);
        if (stages_.store) add_stage(*stages_.store, arguments_.store);
        return arguments_;
    }

private:
    void add_input() {
        if (!executable_.reads_input(execution_.direction)) return;
        // In place the buffer holds both arrays.
        const std::uint64_t in_bytes = canonical_.input_bytes(arguments_.batch);
        const std::uint64_t out_bytes = canonical_.output_bytes(arguments_.batch);
        const std::uint64_t held = canonical_.in_place() ? std::max(in_bytes, out_bytes) : in_bytes;
        memory_.input = checked(execution_.input, {"input", "", held, element_});
        memory_.input.first += canonical_.input_byte_offset;
        arguments_.input = {execution_.input.buffer.impl().get(), execution_.input.byte_offset};
    }

    void add_output() {
        if (canonical_.in_place()) {
            const BufferView& view = execution_.output;
            const BufferView& in = execution_.input;
            if (view.buffer && (view.buffer.impl() != in.buffer.impl() || view.byte_offset != in.byte_offset))
                throw InvalidProblem(
                    "execution.output: expected the input or none, because the plan is in place, got another");
            arguments_.output = arguments_.input;
            memory_.output = memory_.input;
            return;
        }
        if (!executable_.writes_output(execution_.direction)) return;
        memory_.output =
            checked(execution_.output, {"output", "", canonical_.output_bytes(arguments_.batch), element_});
        memory_.output.first += canonical_.output_byte_offset;
        refuse_overlap(memory_.output, {"output", ""}, memory_.input, {"input", ""});
        arguments_.output = {execution_.output.buffer.impl().get(), execution_.output.byte_offset};
    }

    void add_workspace() {
        const std::uint64_t bytes = executable_.workspace_bytes(arguments_.batch);
        if (bytes == 0) return;
        memory_.workspace = checked(execution_.workspace, {"workspace", "", bytes, element_});
        refuse_overlap(memory_.workspace, {"workspace", ""}, memory_.input, {"input", ""});
        refuse_overlap(memory_.workspace, {"workspace", ""}, memory_.output, {"output", ""});
        arguments_.workspace = {execution_.workspace.buffer.impl().get(), execution_.workspace.byte_offset};
    }

    static bool has_buffer(const Program* program, const std::string& name) {
        return program && std::any_of(program->buffers.begin(), program->buffers.end(),
                                      [&name](const StageBuffer& buffer) { return buffer.name == name; });
    }
    static bool has_scalar(const Program* program, const std::string& name) {
        return program && std::any_of(program->scalars.begin(), program->scalars.end(),
                                      [&name](const StageScalar& scalar) { return scalar.name == name; });
    }

    /// Each name once, and one that a stage of this problem has; those of the other direction may be there.
    void check_names() const {
        const auto check = [](const auto& given, const char* field, const auto& is_known) {
            for (std::size_t i = 0; i < given.size(); ++i) {
                if (!is_known(given[i].name))
                    refuse({field, given[i].name}, "", "a name that a stage of the problem declares", "another");
                for (std::size_t k = 0; k < i; ++k)
                    if (given[k].name == given[i].name)
                        refuse({field, given[i].name}, "", "each name once", "it again");
            }
        };
        const auto any = [this](const std::string& name, const auto& has) {
            return std::any_of(canonical_.stages.begin(), canonical_.stages.end(), [&](const auto& stages) {
                return has(stages.load.get(), name) || has(stages.store.get(), name);
            });
        };
        check(execution_.stage_buffers, "stage_buffers",
              [&](const std::string& name) { return any(name, has_buffer); });
        check(execution_.stage_scalars, "stage_scalars",
              [&](const std::string& name) { return any(name, has_scalar); });
    }

    void add_stage(const Program& program, exec::StageArguments& arguments) {
        for (std::size_t i = 0; i < program.buffers.size(); ++i)
            arguments.buffers[i] = buffer(program.buffers[i], program.written[i]);
        for (std::size_t i = 0; i < program.scalars.size(); ++i) arguments.scalars[i] = scalar(program.scalars[i]);
    }

    runtime::BufferArgument buffer(const StageBuffer& declared, bool is_written) const {
        const std::uint64_t bytes = bytes_of(declared.type);
        const Need need{"stage_buffers", declared.name, declared.count * bytes, bytes};
        const auto& given = execution_.stage_buffers;
        const auto found = std::find_if(given.begin(), given.end(), [&](const StageBufferArgument& argument) {
            return argument.name == declared.name;
        });
        const BufferView none;
        const BufferView& view = found == given.end() ? none : found->view;
        const MemoryRange range = checked(view, need);
        refuse_overlap(range, need, memory_.output, {"output", ""});
        refuse_overlap(range, need, memory_.workspace, {"workspace", ""});
        if (is_written) check_written(range, need);
        return {view.buffer.impl().get(), view.byte_offset};
    }

    /// Nothing else that the execution reads or writes may be where a stage stores.
    void check_written(const MemoryRange& range, const Need& need) const {
        refuse_overlap(range, need, memory_.input, {"input", ""});
        for (const Program* program : {stages_.load.get(), stages_.store.get()}) {
            if (!program) continue;
            for (const StageBuffer& other : program->buffers) {
                if (other.name == need.which) continue;
                for (const StageBufferArgument& argument : execution_.stage_buffers) {
                    if (argument.name != other.name) continue;
                    const Need theirs{"stage_buffers", other.name, other.count * bytes_of(other.type),
                                      bytes_of(other.type)};
                    refuse_overlap(range, need, checked(argument.view, theirs), theirs);
                }
            }
        }
    }

    std::uint64_t scalar(const StageScalar& declared) const {
        const Need need{"stage_scalars", declared.name};
        const auto& given = execution_.stage_scalars;
        const auto found = std::find_if(given.begin(), given.end(), [&](const StageScalarArgument& argument) {
            return argument.name == declared.name;
        });
        if (found == given.end()) refuse(need, "", std::string("a number of type ") + to_string(declared.type), "none");
        const double value = found->value;
        if (declared.type == StageType::f64) return std::bit_cast<std::uint64_t>(value);
        if (declared.type == StageType::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
        const bool has_sign = declared.type == StageType::i32;
        const double least = has_sign ? -2147483648.0 : 0.0, most = has_sign ? 2147483647.0 : 4294967295.0;
        if (!(value >= least && value <= most) || value != std::floor(value))
            refuse(need, "", std::string("a whole number that fits ") + to_string(declared.type),
                   std::to_string(value));
        return has_sign ? static_cast<std::uint32_t>(static_cast<std::int32_t>(value))
                        : static_cast<std::uint32_t>(value);
    }

    const exec::Executable& executable_;
    const Execution& execution_;
    const problem::Canonical& canonical_;
    const problem::DirectionStages& stages_;
    exec::Arguments arguments_;
    Memory memory_;
    std::uint64_t element_ = 1;
};

}  // namespace

std::uint64_t batch_or_default(const exec::Executable& executable, std::uint64_t batch) {
    if (batch == 0) return executable.canonical().batch.count;
    problem::check_batch(executable.canonical(), batch);
    return batch;
}

exec::Arguments checked_arguments(const exec::Executable& executable, const Execution& execution) {
    return Checker(executable, execution).run();
}

void add_blank_stage_arguments(const exec::Executable& executable, Execution& execution) {
    const auto is_new = [](const auto& given, const std::string& name) {
        return std::none_of(given.begin(), given.end(), [&](const auto& argument) { return argument.name == name; });
    };
    execution.stage_buffers.clear();
    execution.stage_scalars.clear();
    const problem::DirectionStages& stages = executable.canonical().stages_of(execution.direction);
    for (const auto& program : {stages.load, stages.store}) {
        if (!program) continue;
        for (const StageBuffer& buffer : program->buffers)
            if (is_new(execution.stage_buffers, buffer.name))
                execution.stage_buffers.push_back(
                    {buffer.name, executable.device().allocate(buffer.count * bytes_of(buffer.type))});
        for (const StageScalar& scalar : program->scalars)
            if (is_new(execution.stage_scalars, scalar.name)) execution.stage_scalars.push_back({scalar.name, 0});
    }
}

}  // namespace seiche::api
