// An array on a device that is an image, among poisoned texels. Kernels that only copy fill it and read it, since no
// backend has another way that all of them share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "seiche/plan.hpp"

namespace seiche::cli {

/// Of r32f or rg32f. On the host its rows are dense.
class ImageMemory {
public:
    ImageMemory() = default;
    /// Two texels wider and one higher than `size`.
    ImageMemory(const Device& device, ImageFormat format, const ImageSize& size)
        : width_(size.width),
          row_bytes_(size.width * texel_bytes(format)),
          real_row_bytes_((size.width + columns_beside) * texel_bytes(format)),
          rows_(size.height + rows_beside),
          image_(device.allocate_image(format, static_cast<std::uint32_t>(size.width + columns_beside),
                                       static_cast<std::uint32_t>(rows_))),
          staging_(device.allocate(rows_ * real_row_bytes_)),
          to_image_(copy_plan(device, true)),
          from_image_(copy_plan(device, false)) {}

    const Image& image() const { return image_; }

    /// All other texels become poison.
    void upload(Queue& queue, const void* memory, std::uint64_t bytes) const {
        std::vector<unsigned char> all(rows_ * real_row_bytes_, poison);
        for_each_row(bytes, [&](std::uint64_t host, std::uint64_t at, std::uint64_t count) {
            std::copy_n(static_cast<const unsigned char*>(memory) + host, count, all.data() + at);
        });
        queue.upload(staging_, all.data(), all.size());
        Execution execution;
        execution.input = staging_;
        execution.output_image = image_;
        to_image_.execute(queue, execution);
        queue.wait();
    }
    void fill_with_poison(Queue& queue) const { upload(queue, nullptr, 0); }

    /// What is there now; false where a texel beside the array was written.
    bool download(Queue& queue, void* memory, std::uint64_t bytes) const {
        std::vector<unsigned char> all(rows_ * real_row_bytes_, poison);
        Execution execution;
        execution.input_image = image_;
        execution.output = staging_;
        from_image_.execute(queue, execution);
        queue.download(all.data(), staging_, all.size());
        for_each_row(bytes, [&](std::uint64_t host, std::uint64_t at, std::uint64_t count) {
            std::copy_n(all.data() + at, count, static_cast<unsigned char*>(memory) + host);
            std::fill_n(all.data() + at, count, poison);
        });
        return std::all_of(all.begin(), all.end(), [](unsigned char byte) { return byte == poison; });
    }

private:
    static constexpr unsigned char poison = 0xff;
    static constexpr std::uint64_t columns_beside = 2, rows_beside = 1;

    /// A transform of one point is a copy.
    Plan copy_plan(const Device& device, bool to_image) const {
        Problem problem;
        problem.lengths = {1, rows_ * (width_ + columns_beside)};
        problem.axes = {0};
        problem.kind = image_.format() == ImageFormat::r32f ? Kind::dht : Kind::c2c;
        Layout& layout = to_image ? problem.output : problem.input;
        layout.image = image_.format();
        layout.image_width = width_ + columns_beside;
        PlanOptions options;
        options.directions = Directions::forward;
        return Plan(device, problem, options);
    }

    template <class Copy>
    void for_each_row(std::uint64_t bytes, const Copy& copy) const {
        for (std::uint64_t host = 0, at = 0; host < bytes; host += row_bytes_, at += real_row_bytes_)
            copy(host, at, std::min(row_bytes_, bytes - host));
    }

    std::uint64_t width_ = 0, row_bytes_ = 0, real_row_bytes_ = 0, rows_ = 0;
    Image image_;
    Buffer staging_;
    Plan to_image_, from_image_;
};

}  // namespace seiche::cli
