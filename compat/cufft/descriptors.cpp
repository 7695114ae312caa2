// Memory and executions by descriptor, as several cards have them; here of one card.
#include <cstring>
#include <memory>

#include "entry.hpp"
#include "handles.hpp"

using namespace seiche::compat;
using seiche::Queue;

namespace {

/// A descriptor of ours and the memory that it has.
struct OwnDescriptor {
    LibXtDescriptor library{};
    XtDescriptor memory{};
    Allocation allocation;
};

void* memory_of(const LibXtDescriptor* descriptor) {
    if (descriptor == nullptr || descriptor->descriptor == nullptr)
        throw Refused{invalid_plan, "the descriptor is a null pointer"};
    if (descriptor->descriptor->card_count != 1) throw Refused{not_implemented, "the descriptor is of several cards"};
    return descriptor->descriptor->data[0];
}

void copy(const FftPlan& plan, void* to, void* from, int type) {
    if (to == nullptr || from == nullptr) throw Refused{invalid_value, "the source or the target is a null pointer"};
    const seiche::compat::Site& site = plan.site();
    Queue queue = site.queue(nullptr);
    const auto* const target = static_cast<const LibXtDescriptor*>(to);
    const auto* const source = static_cast<const LibXtDescriptor*>(from);
    if (type == copy_host_to_device) {
        void* const memory = memory_of(target);
        const std::size_t bytes = target->descriptor->size[0];
        if (!site.keeps_buffers()) {
            std::memcpy(memory, from, bytes);
            return;
        }
        queue.upload(site.buffer(memory, bytes), from, bytes);
    } else if (type == copy_device_to_host) {
        void* const memory = memory_of(source);
        const std::size_t bytes = source->descriptor->size[0];
        queue.download(to, site.buffer(memory, bytes), bytes);
    } else if (type == copy_device_to_device) {
        void *const into = memory_of(target), *const out_of = memory_of(source);
        const std::size_t bytes = std::min(target->descriptor->size[0], source->descriptor->size[0]);
        if (!site.keeps_buffers()) {
            std::memmove(into, out_of, bytes);
            return;
        }
        queue.copy(site.buffer(into, bytes), site.buffer(out_of, bytes), bytes);
        queue.wait();
    } else {
        throw Refused{invalid_value, "there is no copy of type " + std::to_string(type)};
    }
}

int execute(const char* name, Handle handle, const LibXtDescriptor* input, const LibXtDescriptor* output,
            int direction) noexcept {
    return guarded(
        name, [&] { plan_of(handle)->execute(memory_of(input), memory_of(output), direction); }, true);
}

}  // namespace

SEICHE_FFT(XtSetGPUs)(Handle handle, int count, int* cards) {
    return guarded("XtSetGPUs", [&] {
        const LockedPlan plan = plan_of(handle);
        plan->expect_not_made();
        if (cards == nullptr || count < 1) throw Refused{invalid_value, "expected a list of cards"};
        if (count > 1)
            throw Refused{not_implemented, "plans are of one card, " + std::to_string(count) + " were given"};
#ifdef SEICHE_COMPAT_HIPFFT
        if (cards[0] != current_site()->ordinal())
            throw Refused{not_implemented, "a plan is of the current card: expected its number"};
#else
        throw Refused{invalid_value, "several cards were expected, as cuFFT does"};
#endif
    });
}

SEICHE_FFT(XtMalloc)(Handle handle, LibXtDescriptor** descriptor, int format) {
    return guarded("XtMalloc", [&] {
        const LockedPlan plan = plan_of(handle);
        if (descriptor == nullptr) throw Refused{invalid_value, "the place for the descriptor is a null pointer"};
        const std::uint64_t bytes = plan->bytes_of(static_cast<SubFormat>(format));
        auto own = std::make_unique<OwnDescriptor>();
        try {
            own->allocation = plan->site().allocate(bytes);
        } catch (const seiche::Error& error) {
            throw Refused{alloc_failed, error.reason()};
        }
        own->memory.version = own->library.version = 1;
        own->memory.card_count = 1;
        own->memory.cards[0] = plan->site().ordinal();
        own->memory.data[0] = own->allocation.pointer;
        own->memory.size[0] = bytes;
        own->library.descriptor = &own->memory;
        own->library.sub_format = format;
        own->library.library_descriptor = own.get();
        *descriptor = &own.release()->library;
    });
}

SEICHE_FFT(XtFree)(LibXtDescriptor* descriptor) {
    return guarded("XtFree", [&] {
        if (descriptor == nullptr) return;
        auto* const own = static_cast<OwnDescriptor*>(descriptor->library_descriptor);
        if (own == nullptr || &own->library != descriptor)
            throw Refused{invalid_value, "the descriptor was not made by XtMalloc"};
        delete own;
    });
}

SEICHE_FFT(XtMemcpy)(Handle handle, void* to, void* from, int type) {
    return guarded("XtMemcpy", [&] {
        const LockedPlan plan = plan_of(handle);
        plan->work_bytes();  // refuses one that is not made
        copy(*plan, to, from, type);
    });
}

SEICHE_FFT(XtExecDescriptor)
(Handle handle, LibXtDescriptor* input, LibXtDescriptor* output, int direction) {
    return execute("XtExecDescriptor", handle, input, output, direction);
}
SEICHE_FFT(XtExecDescriptorC2C)
(Handle handle, LibXtDescriptor* input, LibXtDescriptor* output, int direction) {
    return execute("XtExecDescriptorC2C", handle, input, output, direction);
}
SEICHE_FFT(XtExecDescriptorR2C)
(Handle handle, LibXtDescriptor* input, LibXtDescriptor* output) {
    return execute("XtExecDescriptorR2C", handle, input, output, direction_forward);
}
SEICHE_FFT(XtExecDescriptorC2R)
(Handle handle, LibXtDescriptor* input, LibXtDescriptor* output) {
    return execute("XtExecDescriptorC2R", handle, input, output, direction_inverse);
}
SEICHE_FFT(XtExecDescriptorZ2Z)
(Handle handle, LibXtDescriptor* input, LibXtDescriptor* output, int direction) {
    return execute("XtExecDescriptorZ2Z", handle, input, output, direction);
}
SEICHE_FFT(XtExecDescriptorD2Z)
(Handle handle, LibXtDescriptor* input, LibXtDescriptor* output) {
    return execute("XtExecDescriptorD2Z", handle, input, output, direction_forward);
}
SEICHE_FFT(XtExecDescriptorZ2D)
(Handle handle, LibXtDescriptor* input, LibXtDescriptor* output) {
    return execute("XtExecDescriptorZ2D", handle, input, output, direction_inverse);
}

#ifndef SEICHE_COMPAT_HIPFFT
SEICHE_FFT(XtQueryPlan)(Handle handle, void*, int) {
    return guarded("XtQueryPlan", [&] {
        plan_of(handle);
        throw Refused{invalid_plan, "there are factors of plans for several cards alone"};
    });
}
#endif
