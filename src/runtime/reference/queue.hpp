// Queues, buffers and kernels of the reference backend: every call has finished when it returns.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "ir/interpret.hpp"
#include "runtime/backend.hpp"

namespace seiche::runtime::reference {

/// A kernel decoded once, so that a launch only runs it.
class ReferenceModule final : public Module {
public:
    explicit ReferenceModule(const ir::Kernel& kernel) : interpreter_(kernel) {}
    const ir::Interpreter& interpreter() const { return interpreter_; }

private:
    ir::Interpreter interpreter_;
};

class ReferenceBuffer final : public Buffer {
public:
    explicit ReferenceBuffer(std::uint64_t bytes) : words_((bytes + 15) / 16), bytes_(bytes) {}
    std::uint64_t bytes() const override { return bytes_; }
    std::byte* data() { return reinterpret_cast<std::byte*>(words_.data()); }

private:
    struct alignas(16) Word {
        std::byte bytes[16] = {};
    };
    std::vector<Word> words_;
    std::uint64_t bytes_;
};

/// Rows of texels in a buffer.
class ReferenceImage final : public Image {
public:
    ReferenceImage(std::shared_ptr<ReferenceBuffer> memory, ImageFormat format, std::uint32_t width,
                   std::uint32_t height)
        : Image(format, width, height), memory_(std::move(memory)) {}
    std::byte* data() const { return memory_->data(); }
    bool is_same(const Image& other) const override {
        const auto* own = dynamic_cast<const ReferenceImage*>(&other);
        return own != nullptr && own->memory_ == memory_;
    }

private:
    std::shared_ptr<ReferenceBuffer> memory_;
};

class ReferenceEvent final : public Event {
public:
    std::chrono::steady_clock::time_point when = std::chrono::steady_clock::now();
};

class ReferenceQueue final : public Queue {
public:
    bool survives_fork() const override { return true; }
    void upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) override;
    void download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) override;
    void copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
              std::uint64_t bytes) override;
    void launch(const Launch& launch) override;
    void wait() override {}
    std::shared_ptr<Event> record() override { return std::make_shared<ReferenceEvent>(); }
    double milliseconds(const Event& from, const Event& to) override;
};

}  // namespace seiche::runtime::reference
