// The processor as a device whose memory lies between inaccessible pages: arrays, tables, scratch memory, arguments and
// the machine code with its constants. An access outside them ends the program, and says of which problem it was.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "emit/machine/entry.hpp"
#include "runtime/cpu/device.hpp"
#include "runtime/cpu/queue.hpp"

namespace seiche::test {

/// Which end of the memory lies at an inaccessible page. The other one is less than a page away from another.
enum class Guarded { end, begin };

class GuardedMemory {
public:
    /// With the end guarded `alignment` may leave a few bytes before the page.
    GuardedMemory(std::uint64_t bytes, Guarded guarded, std::uint64_t alignment = 1) : bytes_(bytes) {
        const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
        inside_ = (bytes + page - 1) / page * page;
        all_ = inside_ + 2 * page;
        void* const got = mmap(nullptr, all_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (got == MAP_FAILED) throw std::runtime_error("no memory between inaccessible pages");
        all_begin_ = static_cast<std::byte*>(got);
        begin_ = all_begin_ + page;
        allow(PROT_READ | PROT_WRITE);
        data_ = guarded == Guarded::begin ? begin_ : begin_ + (inside_ - bytes) / alignment * alignment;
    }
    ~GuardedMemory() { munmap(all_begin_, all_); }
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;

    std::byte* data() const { return data_; }
    std::uint64_t bytes() const { return bytes_; }
    void allow(int rights) const {
        if (inside_ != 0 && mprotect(begin_, inside_, rights) != 0) throw std::runtime_error("mprotect failed");
    }

private:
    std::byte *all_begin_ = nullptr, *begin_ = nullptr, *data_ = nullptr;
    std::uint64_t bytes_, inside_ = 0, all_ = 0;
};

/// What a fault says before the program ends.
class FaultNote {
public:
    FaultNote() {
        struct sigaction action {};
        action.sa_handler = tell;
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        sigaction(SIGSEGV, &action, &former_);
    }
    ~FaultNote() { sigaction(SIGSEGV, &former_, nullptr); }
    FaultNote(const FaultNote&) = delete;
    FaultNote& operator=(const FaultNote&) = delete;
    void set(const std::string& text) {
        std::strncpy(note, ("an access outside the memory of: " + text + "\n").c_str(), sizeof note - 1);
    }

private:
    static void tell(int) { [[maybe_unused]] const auto written = write(STDERR_FILENO, note, std::strlen(note)); }
    static inline char note[512] = {};
    struct sigaction former_ {};
};

class GuardedBuffer final : public runtime::Buffer {
public:
    GuardedBuffer(std::uint64_t bytes, Guarded guarded)
        : memory_(bytes, guarded), as_own_(memory_.data(), memory_.bytes()) {}
    std::uint64_t bytes() const override { return memory_.bytes(); }
    const runtime::cpu::CpuBuffer& as_own() const { return as_own_; }

private:
    GuardedMemory memory_;
    runtime::cpu::CpuBuffer as_own_;
};

/// Of the device's own buffers, and of those that cpu::buffer makes.
inline runtime::Buffer& own(runtime::Buffer& buffer) {
    auto* const guarded = dynamic_cast<GuardedBuffer*>(&buffer);
    return guarded == nullptr ? buffer : const_cast<runtime::cpu::CpuBuffer&>(guarded->as_own());
}

class GuardedModule final : public runtime::Module {
public:
    /// The code begins at a multiple of 64 bytes, as its constants want.
    GuardedModule(const emit::Source& source, Guarded guarded)
        : code_(4 * source.words.size(), guarded, 64), shared_bytes_(source.shared_bytes), guarded_(guarded) {
        std::memcpy(code_.data(), source.words.data(), code_.bytes());
        code_.allow(PROT_READ | PROT_EXEC);
    }

    void run(const runtime::Launch& launch) const {
        const GuardedMemory arguments(8 * (launch.buffer_count + launch.scalar_count), guarded_, 8);
        const GuardedMemory shared((shared_bytes_ + 63) / 64 * 64, guarded_),
            memory(sizeof(emit::machine::Call), guarded_);
        auto* const words = reinterpret_cast<std::uint64_t*>(arguments.data());
        for (std::size_t b = 0; b < launch.buffer_count; ++b) {
            const auto& buffer = dynamic_cast<const runtime::cpu::CpuBuffer&>(own(*launch.buffers[b].buffer));
            words[b] = reinterpret_cast<std::uintptr_t>(buffer.data()) + launch.buffers[b].byte_offset;
        }
        std::memcpy(words + launch.buffer_count, launch.scalars, 8 * launch.scalar_count);
        arguments.allow(PROT_READ);
        emit::machine::Call call;
        call.arguments = words;
        for (std::size_t d = 0; d < 3; ++d) call.groups[d] = launch.groups[d];
        call.last = call.groups[0] * call.groups[1] * call.groups[2];
        call.shared = shared.data();
        call.streams = guarded_ == Guarded::begin ? 1 : 0;  // where arrays begin at a cache line
        call.functions = emit::machine::host_functions();
        std::memcpy(memory.data(), &call, sizeof call);
        memory.allow(PROT_READ);
        reinterpret_cast<emit::machine::Entry>(code_.data())(
            reinterpret_cast<const emit::machine::Call*>(memory.data()));
    }

private:
    GuardedMemory code_;
    std::uint64_t shared_bytes_;
    Guarded guarded_;
};

class GuardedQueue final : public runtime::Queue {
public:
    void upload(runtime::Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) override {
        copies_.upload(own(to), offset, from, bytes);
    }
    void download(void* to, runtime::Buffer& from, std::uint64_t offset, std::size_t bytes) override {
        copies_.download(to, own(from), offset, bytes);
    }
    void copy(runtime::Buffer& to, std::uint64_t to_offset, runtime::Buffer& from, std::uint64_t from_offset,
              std::uint64_t bytes) override {
        copies_.copy(own(to), to_offset, own(from), from_offset, bytes);
    }
    void launch(const runtime::Launch& launch) override {
        dynamic_cast<const GuardedModule&>(*launch.module).run(launch);
    }
    void wait() override {}
    std::shared_ptr<runtime::Event> record() override { return copies_.record(); }
    double milliseconds(const runtime::Event& from, const runtime::Event& to) override {
        return copies_.milliseconds(from, to);
    }

private:
    runtime::cpu::CpuQueue copies_;
};

class GuardedDevice final : public runtime::Device {
public:
    GuardedDevice(runtime::cpu::InstructionSet set, Guarded guarded)
        : own_(runtime::cpu::describe({set, "between inaccessible pages"}, 1)), guarded_(guarded) {}
    const DeviceInfo& info() const override { return own_.info(); }
    emit::Target target() const override { return own_.target(); }
    std::string compiler_version() const override { return own_.compiler_version(); }
    runtime::Binary compile(const emit::Source&) override { return {}; }
    bool keeps_binaries() const override { return false; }
    std::shared_ptr<runtime::Module> load(const emit::Source& source, const runtime::Binary&) override {
        return std::make_shared<GuardedModule>(source, guarded_);
    }
    std::shared_ptr<runtime::Buffer> allocate(std::uint64_t bytes) override {
        return std::make_shared<GuardedBuffer>(bytes, guarded_);
    }
    std::shared_ptr<runtime::Queue> create_queue() override { return std::make_shared<GuardedQueue>(); }

private:
    runtime::cpu::CpuDevice own_;
    Guarded guarded_;
};

}  // namespace seiche::test
