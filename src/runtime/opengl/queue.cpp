// OpenGL buffers and commands.
#include "runtime/opengl/queue.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/opengl/module.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::opengl {

namespace {

constexpr std::size_t most_buffers = 64, most_words = 128, most_images = 2;
constexpr std::size_t staging_bytes = std::size_t{8} << 20;  // moved at once from the device to the host

const OpenglBuffer& own(Buffer& buffer, const Session& session) {
    auto* native = dynamic_cast<OpenglBuffer*>(&buffer);
    if (native == nullptr)
        throw InvalidProblem("opengl: the buffer belongs to another backend, expected one of this device");
    if (native->session().get() != &session)
        throw InvalidProblem("opengl: the buffer belongs to another context, expected one of this device's");
    return *native;
}

const OpenglImage& own(const Image& image, const Session& session) {
    const auto* native = dynamic_cast<const OpenglImage*>(&image);
    if (native == nullptr)
        throw InvalidProblem("opengl: the image belongs to another backend, expected one of this device");
    if (native->session().get() != &session)
        throw InvalidProblem("opengl: the image belongs to another context, expected one of this device's");
    return *native;
}

Enum native_format(ImageFormat format) {
    switch (format) {
        case ImageFormat::none: break;
        case ImageFormat::r32f: return gl_r32f;
        case ImageFormat::rg32f: return gl_rg32f;
        case ImageFormat::rgba32f: return gl_rgba32f;
        case ImageFormat::rgba16f: return gl_rgba16f;
    }
    return 0;
}

/// A whole number of words, so that shaders reach the last of 8 or 16 bits.
std::uint64_t held_bytes(std::uint64_t bytes) { return std::max<std::uint64_t>((bytes + 3) / 4 * 4, 4); }

/// Has a caller's context as it was found: its program, and what was bound where buffers are bound here.
class StateKeeper {
public:
    StateKeeper(const Session& session, std::size_t storage_bindings, std::size_t images = 0)
        : gl_(session.gl),
          count_(session.is_callers ? storage_bindings : 0),
          image_count_(session.is_callers ? images : 0),
          is_active_(session.is_callers) {
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
        for (Uint unit = 0; unit < image_count_; ++unit) {
            BoundImage& was = images_[unit];
            gl_.glGetIntegeri_v(gl_image_name, unit, &was.name);
            gl_.glGetIntegeri_v(gl_image_level, unit, &was.level);
            gl_.glGetIntegeri_v(gl_image_layered, unit, &was.layered);
            gl_.glGetIntegeri_v(gl_image_layer, unit, &was.layer);
            gl_.glGetIntegeri_v(gl_image_access, unit, &was.access);
            gl_.glGetIntegeri_v(gl_image_format, unit, &was.format);
        }
        check(gl_, "glGetIntegerv, glGetIntegeri_v or glGetInteger64i_v", "what the caller has bound");
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
        for (Uint unit = 0; unit < image_count_; ++unit) {
            const BoundImage& was = images_[unit];
            gl_.glBindImageTexture(unit, static_cast<Uint>(was.name), was.level, was.layered != 0 ? 1 : 0, was.layer,
                                   static_cast<Enum>(was.access), static_cast<Enum>(was.format));
        }
        gl_.glBindBuffer(gl_storage_buffer, static_cast<Uint>(storage_));
        gl_.glBindBuffer(gl_copy_read_buffer, static_cast<Uint>(copy_read_));
        gl_.glBindBuffer(gl_copy_write_buffer, static_cast<Uint>(copy_write_));
        gl_.glUseProgram(static_cast<Uint>(program_));
        forget_errors(gl_);  // which a later call would be blamed for
    }
    StateKeeper(const StateKeeper&) = delete;
    StateKeeper& operator=(const StateKeeper&) = delete;

private:
    struct Bound {
        Int name = 0;
        std::int64_t start = 0, size = 0;
    };
    struct BoundImage {
        Int name = 0, level = 0, layered = 0, layer = 0, access = 0, format = 0;
    };
    const Gl& gl_;
    const std::size_t count_, image_count_;
    const bool is_active_;
    Int program_ = 0, storage_ = 0, copy_read_ = 0, copy_write_ = 0;
    std::array<Bound, most_buffers> bound_;
    std::array<BoundImage, most_images> images_;
};

}  // namespace

// ---- Buffers

OpenglBuffer::~OpenglBuffer() {
    if (is_owned_) give_up(*session_, [&](const Gl& gl) { gl.glDeleteBuffers(1, &name_); });
}

namespace {

/// `usage`: a hint, by which drivers choose between the card's memory and the host's.
std::shared_ptr<Buffer> make_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes, Enum usage) {
    const Current current(*session);
    const StateKeeper keeper(*session, 0);
    const Gl& gl = session->gl;
    Uint name = 0;
    gl.glGenBuffers(1, &name);
    auto buffer = make_owned<OpenglBuffer>(session, name, bytes, true);
    gl.glBindBuffer(gl_copy_write_buffer, name);
    gl.glBufferData(gl_copy_write_buffer, static_cast<Offset>(held_bytes(bytes)), nullptr, usage);
    check(gl, "glGenBuffers, glBindBuffer or glBufferData", std::to_string(bytes) + " bytes");
    return buffer;
}

}  // namespace

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes) {
    return make_buffer(session, bytes, gl_static_copy);
}

// ---- Images

OpenglImage::OpenglImage(std::shared_ptr<Session> session, ImageFormat format, std::uint32_t width,
                         std::uint32_t height)
    : Image(format, width, height), session_(std::move(session)), is_owned_(true) {
    if (session_->facts.es && format == ImageFormat::rg32f)
        throw Unsupported("opengl: OpenGL ES has no images of rg32f, expected rgba32f or rgba16f, two points a texel");
    const Current current(*session_);
    const Gl& gl = session_->gl;
    forget_errors(gl);
    Int most = 0, before = 0;
    gl.glGetIntegerv(gl_max_texture_size, &most);
    check(gl, "glGetIntegerv", "the largest texture");
    const std::string size = std::to_string(width) + " by " + std::to_string(height) + " texels";
    if (width > static_cast<Uint>(most) || height > static_cast<Uint>(most))
        throw Unsupported("opengl: an image of " + size + ", expected at most " + std::to_string(most) +
                          " either way on this device");
    gl.glGetIntegerv(gl_texture_binding_2d, &before);
    gl.glGenTextures(1, &level_.texture);
    gl.glBindTexture(gl_texture_2d, level_.texture);
    gl.glTexStorage2D(gl_texture_2d, 1, native_format(format), static_cast<Sizei>(width), static_cast<Sizei>(height));
    gl.glBindTexture(gl_texture_2d, static_cast<Uint>(before));
    try {
        check(gl, "glGetIntegerv, glGenTextures, glBindTexture or glTexStorage2D", size);
    } catch (...) {
        gl.glDeleteTextures(1, &level_.texture);
        throw;
    }
}

OpenglImage::~OpenglImage() {
    if (is_owned_) give_up(*session_, [&](const Gl& gl) { gl.glDeleteTextures(1, &level_.texture); });
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
    check(gl, "glGenQueries or glQueryCounter");
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

std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session) { return make_owned<OpenglQueue>(session); }

void OpenglQueue::upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    const OpenglBuffer& target = own(to, *session_);
    if (bytes == 0) return;
    const Current current(*session_);
    const StateKeeper keeper(*session_, 0);
    const Gl& gl = session_->gl;
    gl.glBindBuffer(gl_copy_write_buffer, target.name());
    gl.glBufferSubData(gl_copy_write_buffer, static_cast<Offset>(offset), static_cast<Offset>(bytes), from);
    check(gl, "glBindBuffer or glBufferSubData", std::to_string(bytes) + " bytes");
}

const OpenglBuffer& OpenglQueue::staging() {
    if (!staging_) staging_ = make_buffer(session_, staging_bytes, gl_stream_read);
    return static_cast<const OpenglBuffer&>(*staging_);
}

// A buffer that is mapped may be moved to the host's memory for good, so its bytes go through another.
void OpenglQueue::download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    const OpenglBuffer& source = own(from, *session_);
    if (bytes == 0) return;
    const Current current(*session_);
    const StateKeeper keeper(*session_, 0);
    const Gl& gl = session_->gl;
    const OpenglBuffer& staged = staging();
    for (std::size_t done = 0; done < bytes; done += staging_bytes) {
        const std::size_t part = std::min(bytes - done, staging_bytes);
        gl.glBindBuffer(gl_copy_read_buffer, source.name());
        gl.glBindBuffer(gl_copy_write_buffer, staged.name());
        gl.glCopyBufferSubData(gl_copy_read_buffer, gl_copy_write_buffer, static_cast<Offset>(offset + done), 0,
                               static_cast<Offset>(part));
        check(gl, "glBindBuffer or glCopyBufferSubData", std::to_string(part) + " bytes");
        const void* mapped = gl.glMapBufferRange(gl_copy_write_buffer, 0, static_cast<Offset>(part), gl_map_read);
        if (mapped == nullptr) {
            check(gl, "glMapBufferRange", std::to_string(part) + " bytes");
            throw BackendError("opengl: glMapBufferRange gave nothing; the device may be lost");
        }
        std::memcpy(static_cast<std::byte*>(to) + done, mapped, part);
        if (gl.glUnmapBuffer(gl_copy_write_buffer) == 0) {
            check(gl, "glUnmapBuffer");
            throw BackendError("opengl: glUnmapBuffer says that the contents were lost; run the transform again");
        }
    }
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
    check(gl, "glBindBuffer or glCopyBufferSubData", std::to_string(bytes) + " bytes");
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

void OpenglQueue::bind_images(const OpenglModule& module, const Launch& launch) {
    if (launch.image_count == 0) return;
    check(session_->gl, "glUseProgram, glBindBufferRange or glUniform1uiv", module.kernel().name);
    for (Uint unit = 0; unit < launch.image_count; ++unit) {
        const OpenglImage& image = own(*launch.images[unit], *session_);
        const bool is_read = module.kernel().images[unit].access == ir::Access::read;
        session_->gl.glBindImageTexture(unit, image.level().texture, image.level().level, 0, 0,
                                        is_read ? gl_read_only : gl_write_only, native_format(image.format()));
    }
    check(session_->gl, "glBindImageTexture", module.kernel().name);
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
    const auto* const own_module = dynamic_cast<const OpenglModule*>(launch.module);
    if (own_module == nullptr)
        throw InvalidProblem("opengl: the plan belongs to another backend, expected one of this device");
    const OpenglModule& module = *own_module;
    const ir::Kernel& kernel = module.kernel();
    if (launch.buffer_count != kernel.buffers.size() || launch.scalar_count != kernel.scalars.size() ||
        launch.buffer_count > most_buffers || launch.image_count != kernel.images.size() ||
        launch.image_count > most_images || emit::argument_words(module.layout()) > most_words)
        throw InternalError(
            "opengl: kernel " + kernel.name + " takes " + std::to_string(kernel.buffers.size()) + " buffers, at most " +
            std::to_string(most_buffers) + ", " + std::to_string(kernel.scalars.size()) + " scalars and " +
            std::to_string(kernel.images.size()) + " images, got " + std::to_string(launch.buffer_count) + ", " +
            std::to_string(launch.scalar_count) + " and " + std::to_string(launch.image_count));
    if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) return;
    const Current current(*session_);
    const StateKeeper keeper(*session_, launch.buffer_count, launch.image_count);
    session_->gl.glUseProgram(module.program());
    bind(module, launch);
    bind_images(module, launch);
    dispatch(module, launch);
    check(session_->gl, "glUseProgram, glBindBufferRange, glUniform1uiv, glMemoryBarrier or glDispatchCompute",
          kernel.name);
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
    return make_owned<OpenglEvent>(session_);
}

double OpenglQueue::milliseconds(const Event& from, const Event& to) {
    const std::uint64_t first = dynamic_cast<const OpenglEvent&>(from).nanoseconds(),
                        last = dynamic_cast<const OpenglEvent&>(to).nanoseconds();
    return static_cast<double>(last - first) * 1e-6;
}

}  // namespace seiche::runtime::opengl
