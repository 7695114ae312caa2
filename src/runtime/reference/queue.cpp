// Runs launches in the interpreter.
#include "runtime/reference/queue.hpp"

#include <cstring>

#include "seiche/error.hpp"

namespace seiche::runtime::reference {

namespace {

std::byte* data_of(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes) {
    auto* own = dynamic_cast<ReferenceBuffer*>(&buffer);
    if (own == nullptr)
        throw InvalidProblem("reference: the buffer belongs to another backend, expected one of this device");
    if (offset > own->bytes() || bytes > own->bytes() - offset)
        throw InvalidProblem("reference: bytes " + std::to_string(offset) + " to " + std::to_string(offset + bytes) +
                             " are outside the buffer, which has " + std::to_string(own->bytes()));
    return own->data() + offset;
}

}  // namespace

void ReferenceQueue::upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(data_of(to, offset, bytes), from, bytes);
}

void ReferenceQueue::download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to, data_of(from, offset, bytes), bytes);
}

void ReferenceQueue::copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
                          std::uint64_t bytes) {
    if (bytes != 0) std::memmove(data_of(to, to_offset, bytes), data_of(from, from_offset, bytes), bytes);
}

void ReferenceQueue::launch(const Launch& launch) {
    const auto* const own_module = dynamic_cast<const ReferenceModule*>(launch.module);
    if (own_module == nullptr)
        throw InvalidProblem("reference: the plan belongs to another backend, expected one of this device");
    const ReferenceModule& module = *own_module;
    ir::Launch run;
    run.groups = launch.groups;
    for (std::size_t b = 0; b < launch.buffer_count; ++b) {
        const BufferArgument& argument = launch.buffers[b];
        std::byte* data = data_of(*argument.buffer, argument.byte_offset, 0);
        run.buffers.push_back({data, argument.buffer->bytes() - argument.byte_offset});
    }
    for (std::size_t i = 0; i < launch.image_count; ++i) {
        const auto* image = dynamic_cast<const ReferenceImage*>(launch.images[i]);
        if (image == nullptr)
            throw InvalidProblem("reference: the image belongs to another backend, expected one of this device");
        run.images.push_back({image->data(), image->width(), image->height()});
    }
    run.scalars.assign(launch.scalars, launch.scalars + launch.scalar_count);
    module.interpreter().run(run);
}

double ReferenceQueue::milliseconds(const Event& from, const Event& to) {
    const auto& first = dynamic_cast<const ReferenceEvent&>(from);
    const auto& last = dynamic_cast<const ReferenceEvent&>(to);
    return std::chrono::duration<double, std::milli>(last.when - first.when).count();
}

}  // namespace seiche::runtime::reference
