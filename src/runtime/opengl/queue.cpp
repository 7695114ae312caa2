// OpenGL buffers and commands.
#include "runtime/opengl/queue.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/opengl/module.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::opengl {

namespace {

constexpr std::size_t most_buffers = 64, most_words = 128;

const OpenglBuffer& own(Buffer& buffer, const Session& session) {
    auto* native = dynamic_cast<OpenglBuffer*>(&buffer);
    if (native == nullptr)
        throw InvalidProblem("opengl: the buffer belongs to another backend, expected one of this device");
    if (native->session().get() != &session)
        throw InvalidProblem("opengl: the buffer belongs to another context, expected one of this device's");
    return *native;
}

/// A whole number of words, so that shaders reach the last of 8 or 16 bits.
std::uint64_t held_bytes(std::uint64_t bytes) { return std::max<std::uint64_t>((bytes + 3) / 4 * 4, 4); }

/// Has a caller's context as it was found: its program, and what was bound where buffers are bound here.
class StateKeeper {
public:
    StateKeeper(const Session& session, std::size_t storage_bindings)
        : gl_(session.gl), count_(session.is_callers ? storage_bindings : 0), is_active_(session.is_callers) {
        if (!is_active_) return;
        forget_errors(gl_);  // of earlier calls, for which ours are not to be blamed
        gl_.glGetIntegerv(gl_current_program, &program_);
        gl_.glGetIntegerv(gl_storage_buffer_binding, &storage_);
        gl_.glGetIntegerv(gl_copy_read_binding, &copy_read_);
        gl_.glGetIntegerv(gl_copy_write_binding, &copy_write_);
        for (Uint b = 0; b < count_; ++b) {
            gl_.glGetIntegeri_v(gl_storage_buffer_binding, b, &bound_[b].name);
            gl_.glGetInteger64i_v(gl_storage_buffer_start, b, &bound_[b].start);
            gl_.glGetInteger64i_v(gl_storage_buffer_size, b, &bound_[b].size);
        }
    }
    ~StateKeeper() {
        if (!is_active_) return;
        for (Uint b = 0; b < count_; ++b) {
            const Bound& was = bound_[b];
            const auto name = static_cast<Uint>(was.name);
            if (was.size == 0)
                gl_.glBindBufferBase(gl_storage_buffer, b, name);
            else
                gl_.glBindBufferRange(gl_storage_buffer, b, name, was.start, was.size);
        }
        gl_.glBindBuffer(gl_storage_buffer, static_cast<Uint>(storage_));
        gl_.glBindBuffer(gl_copy_read_buffer, static_cast<Uint>(copy_read_));
        gl_.glBindBuffer(gl_copy_write_buffer, static_cast<Uint>(copy_write_));
        gl_.glUseProgram(static_cast<Uint>(program_));
    }
    StateKeeper(const StateKeeper&) = delete;
    StateKeeper& operator=(const StateKeeper&) = delete;

private:
    struct Bound {
        Int name = 0;
        std::int64_t start = 0, size = 0;
    };
    const Gl& gl_;
    const std::size_t count_;
    const bool is_active_;
    Int program_ = 0, storage_ = 0, copy_read_ = 0, copy_write_ = 0;
    std::array<Bound, most_buffers> bound_;
};

}  // namespace

// ---- Buffers

OpenglBuffer::~OpenglBuffer() {
    if (is_owned_) give_up(*session_, [&](const Gl& gl) { gl.glDeleteBuffers(1, &name_); });
}

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes) {
    const Current current(*session);
    const StateKeeper keeper(*session, 0);
    const Gl& gl = session->gl;
    Uint name = 0;
    gl.glGenBuffers(1, &name);
    auto buffer = std::make_shared<OpenglBuffer>(session, name, bytes, true);
    gl.glBindBuffer(gl_copy_write_buffer, name);
    gl.glBufferData(gl_copy_write_buffer, static_cast<Offset>(held_bytes(bytes)), nullptr, gl_dynamic_copy);
    check(gl, "glBufferData", std::to_string(bytes) + " bytes");
    return buffer;
}

// ---- Events

OpenglEvent::OpenglEvent(std::shared_ptr<Session> session) : session_(std::move(session)) {
    const Gl& gl = session_->gl;
    if (session_->facts.is_software) {
        gl.glFinish();
        time_ = std::chrono::steady_clock::now();
        return;
    }
    gl.glGenQueries(1, &query_);
    gl.glQueryCounter(query_, gl_timestamp);
    check(gl, "glQueryCounter");
}

OpenglEvent::~OpenglEvent() {
    if (query_ != 0) give_up(*session_, [&](const Gl& gl) { gl.glDeleteQueries(1, &query_); });
}

std::uint64_t OpenglEvent::nanoseconds() const {
    if (query_ == 0)
        return static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(time_.time_since_epoch()).count());
    std::uint64_t value = 0;
    const Current current(*session_);
    session_->gl.glGetQueryObjectui64v(query_, gl_query_result, &value);
    check(session_->gl, "glGetQueryObjectui64v");
    return value;
}

// ---- Queues

std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session) {
    return std::make_shared<OpenglQueue>(session);
}

void OpenglQueue::upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    const OpenglBuffer& target = own(to, *session_);
    if (bytes == 0) return;
    const Current current(*session_);
    const StateKeeper keeper(*session_, 0);
    const Gl& gl = session_->gl;
    gl.glBindBuffer(gl_copy_write_buffer, target.name());
    gl.glBufferSubData(gl_copy_write_buffer, static_cast<Offset>(offset), static_cast<Offset>(bytes), from);
    check(gl, "glBufferSubData", std::to_string(bytes) + " bytes");
}

void OpenglQueue::download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    const OpenglBuffer& source = own(from, *session_);
    if (bytes == 0) return;
    const Current current(*session_);
    const StateKeeper keeper(*session_, 0);
    const Gl& gl = session_->gl;
    gl.glBindBuffer(gl_copy_read_buffer, source.name());
    const void* mapped =
        gl.glMapBufferRange(gl_copy_read_buffer, static_cast<Offset>(offset), static_cast<Offset>(bytes), gl_map_read);
    if (mapped == nullptr) {
        check(gl, "glMapBufferRange", std::to_string(bytes) + " bytes");
        throw BackendError("opengl: glMapBufferRange gave nothing; the device may be lost");
    }
    std::memcpy(to, mapped, bytes);
    if (gl.glUnmapBuffer(gl_copy_read_buffer) == 0)
        throw BackendError("opengl: glUnmapBuffer says that the contents were lost; run the transform again");
}

void OpenglQueue::copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
                       std::uint64_t bytes) {
    const OpenglBuffer &target = own(to, *session_), &source = own(from, *session_);
    if (bytes == 0) return;
    const Current current(*session_);
    const StateKeeper keeper(*session_, 0);
    const Gl& gl = session_->gl;
    gl.glBindBuffer(gl_copy_read_buffer, source.name());
    gl.glBindBuffer(gl_copy_write_buffer, target.name());
    gl.glCopyBufferSubData(gl_copy_read_buffer, gl_copy_write_buffer, static_cast<Offset>(from_offset),
                           static_cast<Offset>(to_offset), static_cast<Offset>(bytes));
    check(gl, "glCopyBufferSubData", std::to_string(bytes) + " bytes");
}

// A binding starts at a multiple of what the driver wants and of the element; what is left goes to the arguments.
void OpenglQueue::bind(const OpenglModule& module, const Launch& launch) {
    const ir::Kernel& kernel = module.kernel();
    const Gl& gl = session_->gl;
    const auto alignment = static_cast<std::uint64_t>(session_->facts.storage_alignment);
    const auto most = static_cast<std::uint64_t>(session_->facts.storage_block_bytes);
    std::array<Uint, most_words> words{};
    for (Uint b = 0; b < launch.buffer_count; ++b) {
        const OpenglBuffer& buffer = own(*launch.buffers[b].buffer, *session_);
        const std::uint64_t element = std::max(ir::type_bytes(kernel.buffers[b].element), 1u);
        const std::uint64_t offset = launch.buffers[b].byte_offset;
        const std::uint64_t start = offset - offset % std::max<std::uint64_t>({alignment, element, 4});
        words[b] = static_cast<Uint>((offset - start) / element);
        gl.glBindBufferRange(gl_storage_buffer, b, buffer.name(), static_cast<Offset>(start),
                             static_cast<Offset>(std::min(held_bytes(buffer.bytes()) - start, most)));
    }
    for (std::size_t s = 0; s < launch.scalar_count; ++s)  // little-endian: the low word comes first
        std::memcpy(&words[module.layout().scalars[s] / 4], &launch.scalars[s], ir::type_bytes(kernel.scalars[s].type));
    const std::uint32_t count = emit::argument_words(module.layout());
    words[count - 1] = launch.groups[0];
    if (module.arguments() >= 0) gl.glUniform1uiv(module.arguments(), static_cast<Sizei>(count), words.data());
}

// A dispatch may be shorter than the grid; the groups of the next begin where it ended.
void OpenglQueue::dispatch(const OpenglModule& module, const Launch& launch) {
    const Gl& gl = session_->gl;
    const auto most = static_cast<Uint>(session_->facts.group_count);
    const auto first_word = static_cast<Int>(emit::argument_words(module.layout())) - 2;
    for (std::uint64_t first = 0; first < launch.groups[0]; first += most) {
        const auto begin = static_cast<Uint>(first);
        // Elements of an array stand one after the other, from its own location.
        if (first != 0 && module.arguments() >= 0) gl.glUniform1uiv(module.arguments() + first_word, 1, &begin);
        gl.glDispatchCompute(static_cast<Uint>(std::min<std::uint64_t>(launch.groups[0] - first, most)),
                             launch.groups[1], launch.groups[2]);
    }
    gl.glMemoryBarrier(gl_all_barriers);
}

void OpenglQueue::launch(const Launch& launch) {
    const auto& module = dynamic_cast<const OpenglModule&>(*launch.module);
    const ir::Kernel& kernel = module.kernel();
    if (launch.buffer_count != kernel.buffers.size() || launch.scalar_count != kernel.scalars.size() ||
        launch.buffer_count > most_buffers || emit::argument_words(module.layout()) > most_words)
        throw InternalError("opengl: kernel " + kernel.name + " takes " + std::to_string(kernel.buffers.size()) +
                            " buffers, at most " + std::to_string(most_buffers) + ", and " +
                            std::to_string(kernel.scalars.size()) + " scalars, got " +
                            std::to_string(launch.buffer_count) + " and " + std::to_string(launch.scalar_count));
    if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) return;
    const Current current(*session_);
    const StateKeeper keeper(*session_, launch.buffer_count);
    session_->gl.glUseProgram(module.program());
    bind(module, launch);
    dispatch(module, launch);
    check(session_->gl, "glDispatchCompute", kernel.name);
}

void OpenglQueue::wait() {
    const Current current(*session_);
    session_->gl.glFinish();
    check(session_->gl, "glFinish");
    const Enum status = session_->gl.glGetGraphicsResetStatus != nullptr ? session_->gl.glGetGraphicsResetStatus() : 0;
    if (status != 0)
        throw BackendError("opengl: glGetGraphicsResetStatus says " + error_name(status) +
                           ": the context is lost; a kernel faulted or ran too long: open the device again");
}

std::shared_ptr<Event> OpenglQueue::record() {
    if (!session_->facts.is_software && !session_->facts.has_timestamps)
        throw Unsupported("opengl: this driver has no timestamps");
    const Current current(*session_);
    return std::make_shared<OpenglEvent>(session_);
}

double OpenglQueue::milliseconds(const Event& from, const Event& to) {
    const std::uint64_t first = dynamic_cast<const OpenglEvent&>(from).nanoseconds(),
                        last = dynamic_cast<const OpenglEvent&>(to).nanoseconds();
    return static_cast<double>(last - first) * 1e-6;
}

}  // namespace seiche::runtime::opengl
