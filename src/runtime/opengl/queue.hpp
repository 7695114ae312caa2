// OpenGL buffers, our own and the caller's, and a queue, which is the context's one order of commands.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "runtime/opengl/device.hpp"

namespace seiche::runtime::opengl {

class OpenglModule;

class OpenglBuffer final : public Buffer {
public:
    OpenglBuffer(std::shared_ptr<Session> session, Uint name, std::uint64_t bytes, bool is_owned)
        : session_(std::move(session)), name_(name), bytes_(bytes), is_owned_(is_owned) {}
    ~OpenglBuffer() override;
    OpenglBuffer(const OpenglBuffer&) = delete;
    OpenglBuffer& operator=(const OpenglBuffer&) = delete;

    std::uint64_t bytes() const override { return bytes_; }
    Uint name() const { return name_; }
    const std::shared_ptr<Session>& session() const { return session_; }

private:
    std::shared_ptr<Session> session_;
    Uint name_;
    std::uint64_t bytes_;
    bool is_owned_;
};

/// A level of a caller's texture, or a texture of ours.
class OpenglImage final : public Image {
public:
    /// Which of them.
    struct Level {
        Uint texture = 0;
        Int level = 0;
        bool operator==(const Level&) const = default;
    };
    OpenglImage(std::shared_ptr<Session> session, const Level& level, ImageFormat format, std::uint32_t width,
                std::uint32_t height)
        : Image(format, width, height), session_(std::move(session)), level_(level) {}

    /// One that this object makes and deletes. Throws Unsupported, BackendError.
    OpenglImage(std::shared_ptr<Session> session, ImageFormat format, std::uint32_t width, std::uint32_t height);
    ~OpenglImage() override;
    OpenglImage(const OpenglImage&) = delete;
    OpenglImage& operator=(const OpenglImage&) = delete;

    const Level& level() const { return level_; }
    const std::shared_ptr<Session>& session() const { return session_; }
    bool is_same(const Image& other) const override {
        const auto* own = dynamic_cast<const OpenglImage*>(&other);
        return own != nullptr && own->session_ == session_ && own->level_ == level_;
    }

private:
    std::shared_ptr<Session> session_;
    Level level_;
    bool is_owned_ = false;
};

class OpenglEvent final : public Event {
public:
    /// A mark of the driver's clock, or of the host's where kernels run on the host and everything before has run.
    explicit OpenglEvent(std::shared_ptr<Session> session);
    ~OpenglEvent() override;
    OpenglEvent(const OpenglEvent&) = delete;
    OpenglEvent& operator=(const OpenglEvent&) = delete;
    /// Nanoseconds; waits for them.
    std::uint64_t nanoseconds() const;

private:
    std::shared_ptr<Session> session_;
    Uint query_ = 0;
    std::chrono::steady_clock::time_point time_;
};

class OpenglQueue final : public Queue {
public:
    explicit OpenglQueue(std::shared_ptr<Session> session) : session_(std::move(session)) {}

    void upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) override;
    void download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) override;
    void copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
              std::uint64_t bytes) override;
    void launch(const Launch& launch) override;
    void wait() override;
    std::shared_ptr<Event> record() override;
    double milliseconds(const Event& from, const Event& to) override;

private:
    void bind(const OpenglModule& module, const Launch& launch);
    void bind_images(const OpenglModule& module, const Launch& launch);
    void dispatch(const OpenglModule& module, const Launch& launch);
    /// The buffer through which results come to the host.
    const OpenglBuffer& staging();

    std::shared_ptr<Session> session_;
    std::shared_ptr<Buffer> staging_;
};

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes);
std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session);

}  // namespace seiche::runtime::opengl
