// Launches.
#include "exec/launch.hpp"

#include <algorithm>
#include <string>

#include "kernels/contract/parameters.hpp"
#include "seiche/error.hpp"

namespace seiche::exec {

namespace {

constexpr std::uint64_t most_groups = 0x7fffffff, most_sequences = 0xffffffff;

}  // namespace

void Parameters::add_scalars(const kernels::KernelSpec& spec, expression::Side side, const StageArguments& given) {
    const kernels::UserProgram* user = kernels::user_stage(kernels::stages_of(spec, side));
    if (!user) return;
    for (std::size_t i = 0; i < user->program->scalars.size(); ++i) add_scalar(given.scalars[i]);
    if (user->program->function) add_scalar(given.pointer);
}

void Parameters::add(const ArrayArgument& array, std::uint64_t byte_offset, const planner::Parts& parts) {
    if (array.part_count != 0) {
        // The kernel knows what is before element 0 of several; of one it does not.
        const std::uint64_t before = parts.count == 1 ? byte_offset : 0;
        for (std::size_t p = 0; p < parts.count; ++p) {
            const std::size_t own = p < array.in_first ? 0 : p - array.in_first + 1;
            const BufferView& view = array.parts[std::min(own, array.part_count - 1)];
            add({view.buffer.impl().get(), view.byte_offset + before + (own == 0 ? p * parts.bytes : 0)});
        }
        return;
    }
    for (std::size_t p = 0; p < parts.count; ++p) {
        runtime::BufferArgument piece = array.whole;
        piece.byte_offset += byte_offset;
        const std::uint64_t ahead = p * parts.bytes;
        // Of fewer arrays than the plan was made for the last pieces may lie behind the buffer: nobody touches them.
        if (piece.buffer && piece.byte_offset + ahead < piece.buffer->bytes()) piece.byte_offset += ahead;
        add(piece);
    }
}

void Parameters::fill_gaps() {
    const auto end = buffers_.begin() + static_cast<std::ptrdiff_t>(buffer_count_);
    const auto present =
        std::find_if(buffers_.begin(), end, [](const runtime::BufferArgument& b) { return b.buffer != nullptr; });
    for (auto buffer = buffers_.begin(); buffer != end; ++buffer)
        if (buffer->buffer == nullptr) *buffer = {present->buffer, 0};
}

void check_launch(const kernels::KernelSpec& spec, std::uint64_t batch) {
    const std::uint64_t sequences = kernels::sequences_per_batch(spec) * batch;
    const std::uint64_t groups = kernels::groups(spec, batch);
    // Kernels count sequences in 32 bits, those of the last group that do not exist too.
    if (groups <= most_groups && sequences <= most_sequences &&
        groups * kernels::sequences_per_group(spec) <= most_sequences)
        return;
    throw Unsupported("batch " + std::to_string(batch) +
                      ": expected at most 2^31 groups and 2^32 sequences in a launch, got " + std::to_string(groups) +
                      " and " + std::to_string(sequences));
}

void launch(runtime::Queue& queue, const LoadedStep& step, std::uint64_t batch, const Parameters& parameters) {
    check_launch(step.planned.spec, batch);
    runtime::Launch launch;
    launch.module = step.module.get();
    launch.groups = {static_cast<std::uint32_t>(kernels::groups(step.planned.spec, batch)), 1, 1};
    launch.bytes_written = step.bytes_written * batch;
    launch.is_read_next = !step.is_last;
    parameters.set(launch);
    queue.launch(launch);
}

}  // namespace seiche::exec
