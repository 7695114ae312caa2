// Memory and executions by descriptor, of one card or several.
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "entry.hpp"
#include "handles.hpp"

using namespace seiche::compat;
using seiche::Queue;

namespace {

/// A descriptor of ours and the memory that it has.
struct OwnDescriptor {
    LibXtDescriptor library{};
    XtDescriptor memory{};
    std::vector<Allocation> allocations;  // a card each

    void add(int card, Allocation allocation) {
        memory.cards[memory.card_count] = card;
        memory.data[memory.card_count] = allocation.pointer;
        memory.size[memory.card_count] = allocation.bytes;
        ++memory.card_count;
        allocations.push_back(std::move(allocation));
    }
};

void expect_there(const LibXtDescriptor* descriptor) {
    if (descriptor == nullptr || descriptor->descriptor == nullptr)
        throw Refused{invalid_plan, "the descriptor is a null pointer"};
}

void* memory_of(const LibXtDescriptor* descriptor) {
    expect_there(descriptor);
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

void copy(SeveralCards& cards, void* to, void* from, int type) {
    if (to == nullptr || from == nullptr) throw Refused{invalid_value, "the source or the target is a null pointer"};
    const auto* const target = static_cast<const LibXtDescriptor*>(to);
    const auto* const source = static_cast<const LibXtDescriptor*>(from);
    if (type == copy_host_to_device || type == copy_device_to_device) expect_there(target);
    if (type == copy_device_to_host || type == copy_device_to_device) expect_there(source);
    if (type == copy_host_to_device)
        cards.upload(*target, from);
    else if (type == copy_device_to_host)
        cards.download(to, *source);
    else if (type == copy_device_to_device)
        cards.copy(*target, *source);
    else
        throw Refused{invalid_value, "there is no copy of type " + std::to_string(type)};
}

int execute(const char* name, Handle handle, const LibXtDescriptor* input, LibXtDescriptor* output,
            int direction) noexcept {
    return guarded(
        name,
        [&] {
            const LockedPlan plan = plan_of(handle);
            SeveralCards* const cards = plan->several();
            if (cards == nullptr) return plan->execute(memory_of(input), memory_of(output), direction);
            expect_there(output);
            if (input != output)
                throw Refused{not_implemented, "plans of several cards or processes are executed in place"};
            cards->execute(*output, direction);
            count_execution();
        },
        true);
}

}  // namespace

SEICHE_FFT(XtSetGPUs)(Handle handle, int count, int* cards) {
    return guarded("XtSetGPUs", [&] {
        const LockedPlan plan = plan_of(handle);
        plan->expect_not_made();
        if (cards == nullptr || count < 1) throw Refused{invalid_value, "expected a list of cards"};
        if (count > 64) throw Refused{invalid_value, "a descriptor has room for 64 cards"};
        if (count > 1) return plan->set_cards(std::vector<int>(cards, cards + count));
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
        auto own = std::make_unique<OwnDescriptor>();
        const SeveralCards* const cards = plan->several();
        if (cards != nullptr) cards->expect_format(format);
        const std::uint64_t bytes = cards == nullptr ? plan->bytes_of(static_cast<SubFormat>(format)) : 0;
        try {
            if (cards == nullptr) {
                own->add(plan->site().ordinal(), plan->site().allocate(bytes));
            } else {
                for (Allocation& allocation : cards->allocate())
                    own->add(cards->cards()[own->allocations.size()], std::move(allocation));
            }
        } catch (const seiche::Error& error) {
            throw Refused{alloc_failed, error.reason()};
        }
        own->memory.version = own->library.version = 1;
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
        if (plan->several() != nullptr)
            copy(*plan->several(), to, from, type);
        else
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
