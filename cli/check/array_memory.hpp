// The device memory of one of a plan's arrays among poison: one buffer, or the parts that the problem asks for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cli/check/fill_buffer.hpp"
#include "cli/check/image_memory.hpp"
#include "cli/check/stored_form.hpp"
#include "seiche/device.hpp"
#include "seiche/plan.hpp"

/// Of seiche/interop/cuda.hpp, which needs CUDA's header.
namespace seiche::cuda::untyped {
Buffer repeating_buffer(const Device& device, std::uint64_t period, std::uint64_t bytes);
}

namespace seiche::cli {

/// On the host it is one stretch of memory, as StoredForm has it, with a guard behind.
class ArrayMemory {
public:
    ArrayMemory() = default;
    /// `part_bytes`: of the problem's layout. Views begin `view_offset` bytes into their buffers. With a `period` all
    /// of it is the same so many bytes again and again, its guard too, which is then watched on the host alone.
    ArrayMemory(const Device& device, const StoredForm& form, std::uint64_t part_bytes, std::uint64_t view_offset,
                std::uint64_t guard_bytes, std::uint64_t period = 0)
        : view_offset_(view_offset), guard_(guard_bytes), bytes_(form.bytes()), period_(period) {
        if (part_bytes == 0) {
            add(device, real_, {0, bytes_, 0});
            // Where the views are shifted the halves are named, else they are found where the layout says; of two
            // layouts each says so for itself.
            if (form.is_planar() && (view_offset != 0 || form.is_of_both()))
                half_ = BufferView(real_.front().buffer, view_offset + form.half_distance());
            return;
        }
        is_split_ = true;
        const std::uint64_t half = form.is_planar() ? form.before_bytes() + form.half_distance() : bytes_;
        for (std::uint64_t first = 0; first < half; first += part_bytes)
            add(device, real_, {first, std::min(part_bytes, half - first), 0});
        if (!form.is_planar()) return;
        for (std::uint64_t first = 0; first < half; first += part_bytes) {
            const std::uint64_t last = std::min(first + part_bytes, half);
            const std::uint64_t begin = std::min(std::max(first, form.before_bytes()), last);
            add(device, imaginary_, {half + begin - form.before_bytes(), last - begin, begin - first});
        }
    }

    /// In an image of r32f or rg32f, whose rows are dense on the host.
    ArrayMemory(const Device& device, const StoredForm& form, ImageFormat format, const ImageSize& size,
                std::uint64_t guard_bytes)
        : guard_(guard_bytes), bytes_(form.bytes()), image_(std::in_place, device, format, size) {}

    /// The array's bytes and the guard's.
    std::uint64_t bytes() const { return bytes_ + guard_; }

    /// Whatever is beside the array becomes poison.
    void upload(Queue& queue, const void* memory) const {
        if (image_) return image_->upload(queue, memory, bytes_);
        const auto* bytes = static_cast<const unsigned char*>(memory);
        if (period_ != 0) return queue.upload({pieces_.front().buffer, view_offset_}, memory, bytes_);
        for (const Piece& piece : pieces_) {
            const std::vector<unsigned char> dirt(piece.skip + view_offset_ + guard_, poison);
            queue.upload(piece.buffer, dirt.data(), view_offset_ + piece.skip);
            queue.upload({piece.buffer, piece.begin(view_offset_)}, bytes + piece.host, piece.count);
            queue.upload({piece.buffer, piece.begin(view_offset_) + piece.count}, dirt.data(), guard_);
        }
    }

    /// All of it.
    void fill_with_poison(Queue& queue) const {
        if (image_) image_->fill_with_poison(queue);
        for (const Piece& piece : pieces_) fill_buffer(queue, piece.buffer, poison);
    }

    /// What is there now. Where memory beside the array was written the guard is not all poison.
    void download(Queue& queue, void* memory) const {
        auto* bytes = static_cast<unsigned char*>(memory);
        std::fill_n(bytes + bytes_, guard_, poison);
        if (image_ && !image_->download(queue, memory, bytes_)) bytes[bytes_] = 0;
        for (const Piece& piece : pieces_) {
            queue.download(bytes + piece.host, {piece.buffer, piece.begin(view_offset_)}, piece.count);
            if (period_ != 0) continue;
            std::vector<unsigned char> beside(view_offset_ + piece.skip + guard_);
            queue.download(beside.data(), piece.buffer, view_offset_ + piece.skip);
            queue.download(beside.data() + view_offset_ + piece.skip,
                           {piece.buffer, piece.begin(view_offset_) + piece.count}, guard_);
            const bool is_whole = std::all_of(beside.begin(), beside.end(), [](auto byte) { return byte == poison; });
            if (!is_whole) bytes[bytes_] = 0;
        }
    }

    void bind(Execution& execution, bool output) const {
        if (image_) {
            (output ? execution.output_image : execution.input_image) = image_->image();
            return;
        }
        (output ? execution.output : execution.input) = is_split_ ? BufferView() : real_.front();
        (output ? execution.output_imaginary : execution.input_imaginary) = half_;
        (output ? execution.output_parts : execution.input_parts) = is_split_ ? real_ : std::vector<BufferView>();
        (output ? execution.output_imaginary_parts : execution.input_imaginary_parts) = imaginary_;
    }

private:
    static constexpr unsigned char poison = 0xff;

    struct Piece {
        std::uint64_t host = 0, count = 0;  // bytes on the host, and how many
        std::uint64_t skip = 0;             // bytes of the part before them
        Buffer buffer = {};
        std::uint64_t begin(std::uint64_t view_offset) const { return view_offset + skip; }
    };

    void add(const Device& device, std::vector<BufferView>& views, Piece piece) {
        const std::uint64_t bytes = view_offset_ + piece.skip + piece.count + guard_;
        piece.buffer = period_ != 0 ? cuda::untyped::repeating_buffer(device, period_, bytes) : device.allocate(bytes);
        views.emplace_back(piece.buffer, view_offset_);
        pieces_.push_back(piece);
    }

    std::uint64_t view_offset_ = 0, guard_ = 0, bytes_ = 0, period_ = 0;
    bool is_split_ = false;
    std::vector<Piece> pieces_;
    std::vector<BufferView> real_, imaginary_;
    BufferView half_;
    std::optional<ImageMemory> image_;
};

}  // namespace seiche::cli
