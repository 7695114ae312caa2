// One launch: its arguments in the kernel's order, and the limits of a launch.
#pragma once

#include <array>

#include "exec/executable.hpp"

namespace seiche::exec {

/// The arguments of one launch, in the kernel's order.
class Parameters {
public:
    void add(const runtime::BufferArgument& buffer) { buffers_[buffer_count_++] = buffer; }
    /// A table's parts.
    void add(const std::vector<std::shared_ptr<runtime::Buffer>>& table) {
        for (const std::shared_ptr<runtime::Buffer>& part : table) add({part.get(), 0});
    }
    /// The buffers of an array that has `byte_offset` bytes before its first element, for a kernel that takes so many.
    void add(const ArrayArgument& array, std::uint64_t byte_offset, const planner::Parts& parts);
    void add(runtime::Image* image) { images_[image_count_++] = image; }
    void add_scalar(std::uint64_t value) { scalars_[scalar_count_++] = value; }
    /// The scalars that the user's stage on this side names.
    void add_scalars(const kernels::KernelSpec& spec, expression::Side side, const StageArguments& given);
    /// An input or output that a stage makes needless is a parameter still, though never touched: any memory will do.
    void fill_gaps();

    void set(runtime::Launch& launch) const {
        launch.buffers = buffers_.data();
        launch.buffer_count = buffer_count_;
        launch.scalars = scalars_.data();
        launch.scalar_count = scalar_count_;
        launch.images = images_.data();
        launch.image_count = image_count_;
    }

private:
    // Input, output, their imaginary halves, table; spectra; what stages name.
    std::array<runtime::BufferArgument, 5 * problem::most_parts + 1 + 3 * problem::most_stage_parts> buffers_;
    std::array<std::uint64_t, 1 + 3 * StageArguments::most> scalars_;
    std::array<runtime::Image*, 2> images_{};  // input, output
    std::size_t buffer_count_ = 0, scalar_count_ = 0, image_count_ = 0;
};

/// Throws Unsupported when the batch needs more groups or sequences than a launch can have.
void check_launch(const kernels::KernelSpec& spec, std::uint64_t batch);
/// Likewise.
void launch(runtime::Queue& queue, const LoadedStep& step, std::uint64_t batch, const Parameters& parameters);

}  // namespace seiche::exec
