// Textures of the caller's OpenGL context as source and target of transforms: what lies where, state that is left as it
// was, and what is said of textures that cannot serve.
#include <gtest/gtest.h>

#include "image_plans.hpp"
#include "run_kernel.hpp"
#include "runtime/opengl/device.hpp"
#include "runtime/opengl/queue.hpp"
#include "seiche/emit.hpp"
#include "seiche/interop/opengl.hpp"
#include "seiche/interop/reference.hpp"

namespace seiche::test {
namespace {

namespace gl = runtime::opengl;

constexpr gl::Enum red = 0x1903, red_green = 0x8227, rgba = 0x1908, floats = 0x1406, halves = 0x140b;
constexpr gl::Enum framebuffer = 0x8d40, color_attachment = 0x8ce0;

/// What a program that draws calls beside what the library does.
struct Drawing {
    template <class Function>
    static Function* find(const char* name) {
        return reinterpret_cast<Function*>(gl::egl().eglGetProcAddress(name));
    }
    void (*generate)(gl::Sizei, gl::Uint*) = find<void(gl::Sizei, gl::Uint*)>("glGenTextures");
    void (*storage)(gl::Enum, gl::Sizei, gl::Enum, gl::Sizei,
                    gl::Sizei) = find<void(gl::Enum, gl::Sizei, gl::Enum, gl::Sizei, gl::Sizei)>("glTexStorage2D");
    void (*fill)(gl::Enum, gl::Int, gl::Int, gl::Int, gl::Sizei, gl::Sizei, gl::Enum, gl::Enum, const void*) =
        find<void(gl::Enum, gl::Int, gl::Int, gl::Int, gl::Sizei, gl::Sizei, gl::Enum, gl::Enum, const void*)>(
            "glTexSubImage2D");
    void (*generate_framebuffers)(gl::Sizei, gl::Uint*) = find<void(gl::Sizei, gl::Uint*)>("glGenFramebuffers");
    void (*bind_framebuffer)(gl::Enum, gl::Uint) = find<void(gl::Enum, gl::Uint)>("glBindFramebuffer");
    void (*attach)(gl::Enum, gl::Enum, gl::Enum, gl::Uint,
                   gl::Int) = find<void(gl::Enum, gl::Enum, gl::Enum, gl::Uint, gl::Int)>("glFramebufferTexture2D");
    void (*read)(gl::Int, gl::Int, gl::Sizei, gl::Sizei, gl::Enum, gl::Enum,
                 void*) = find<void(gl::Int, gl::Int, gl::Sizei, gl::Sizei, gl::Enum, gl::Enum, void*)>("glReadPixels");
};

/// By OpenGL and by OpenGL ES, in a context of the caller's.
class OpenglImages : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        std::string reason;
        opened_ = try_open(GetParam(), reason);
        if (!opened_) GTEST_SKIP() << reason;
        const gl::Session& own = *dynamic_cast<gl::OpenglDevice&>(*opened_).session();
        callers_ = std::make_unique<gl::Session>(own.display, own.facts.es);
        current_ = std::make_unique<gl::Current>(*callers_);
        device_ = opengl::current_device();
        is_es_ = own.facts.es;
    }
    void TearDown() override {
        device_ = {};
        current_.reset();
    }

    gl::Uint texture(gl::Enum format, gl::Sizei width, gl::Sizei height, gl::Sizei levels = 1) const {
        gl::Uint name = 0;
        drawing_.generate(1, &name);
        callers_->gl.glBindTexture(gl::gl_texture_2d, name);
        drawing_.storage(gl::gl_texture_2d, levels, format, width, height);
        return name;
    }

    gl::Uint texture(const Texels& texels, gl::Int level) const {
        const auto width = static_cast<gl::Sizei>(texels.width), height = static_cast<gl::Sizei>(texels.height);
        const gl::Uint name = texture(native(texels.format), width << level, height << level, level + 1);
        const gl::Enum layout = channels(texels.format) == 1 ? red : channels(texels.format) == 2 ? red_green : rgba;
        const gl::Enum type = texels.format == ImageFormat::rgba16f ? halves : floats;
        drawing_.fill(gl::gl_texture_2d, level, 0, 0, width, height, layout, type, texels.bytes.data());
        return name;
    }

    static gl::Enum native(ImageFormat format) {
        return format == ImageFormat::r32f      ? gl::gl_r32f
               : format == ImageFormat::rg32f   ? gl::gl_rg32f
               : format == ImageFormat::rgba32f ? gl::gl_rgba32f
                                                : gl::gl_rgba16f;
    }

    /// Through a framebuffer, which both interfaces have; all channels as floats.
    std::vector<std::byte> contents(const Image& image) const {
        const auto& level = dynamic_cast<const gl::OpenglImage&>(*image.impl()).level();
        gl::Uint name = 0;
        drawing_.generate_framebuffers(1, &name);
        drawing_.bind_framebuffer(framebuffer, name);
        drawing_.attach(framebuffer, color_attachment, gl::gl_texture_2d, level.texture, level.level);
        std::vector<float> all(std::size_t{4} * image.width() * image.height());
        drawing_.read(0, 0, static_cast<gl::Sizei>(image.width()), static_cast<gl::Sizei>(image.height()), rgba, floats,
                      all.data());
        drawing_.bind_framebuffer(framebuffer, 0);
        EXPECT_EQ(callers_->gl.glGetError(), 0u);
        const std::size_t own = channels(image.format()), bytes = texel_bytes(image.format()) / own;
        std::vector<std::byte> texels(all.size() / 4 * own * bytes);
        for (std::size_t i = 0; i < all.size() / 4 * own; ++i) {
            const float value = all[i / own * 4 + i % own];
            const std::uint16_t half = to_f16(value);
            std::memcpy(&texels[i * bytes], bytes == 2 ? static_cast<const void*>(&half) : &value, bytes);
        }
        return texels;
    }

    ImageMaker maker(gl::Int level = 0) const {
        return {[this, level](const Texels& texels) { return opengl::image(device_, texture(texels, level), level); },
                [this](const Image& image) { return contents(image); }};
    }

    std::shared_ptr<runtime::Device> opened_;
    std::unique_ptr<gl::Session> callers_;
    std::unique_ptr<gl::Current> current_;
    Device device_;
    Drawing drawing_;
    bool is_es_ = false;
};

INSTANTIATE_TEST_SUITE_P(dialects, OpenglImages, testing::Values("opengl", "opengl:OpenGL ES"),
                         [](const auto& one) { return std::string(one.param) == "opengl" ? "desktop" : "embedded"; });

constexpr float rounding = 1e-6f;  // of other multiplications and additions than in buffers

TEST_P(OpenglImages, hold_what_buffers_hold) {
    for (const std::string& text : image_problems(true)) expect_as_in_buffers(device_, maker(), text, rounding);
    if (is_es_) return;
    for (const std::string& text : image_problems(false)) expect_as_in_buffers(device_, maker(), text, rounding);
}

TEST_P(OpenglImages, serve_transforms_of_several_passes) {
    PlanOptions passes;
    passes.tuning.passes = {32, 32};
    for (const std::string& text : long_image_problems())
        expect_as_in_buffers(device_, maker(), text, rounding, passes);
}

// Of two kinds: one that alternates between images, and one that works in place in the output's.
TEST_P(OpenglImages, serve_textbook_recipes) {
    if (is_es_) {
        EXPECT_SAYS(Plan(device_, parse_problem("8x4 image=rg32f"), by_recipe("dit")), "OpenGL ES has none of rg32f");
        return;
    }
    for (const char* recipe : {"stockham-radix-4", "dit"})
        expect_as_in_buffers(device_, maker(), "8x4 image=rg32f inverse-scale=1/n", rounding, by_recipe(recipe));
}

TEST_P(OpenglImages, may_be_the_device_s_own) {
    gl::Int before = 0, after = 0;
    const gl::Uint mine = texture(gl::gl_rgba32f, 4, 4);
    callers_->gl.glGetIntegerv(gl::gl_texture_binding_2d, &before);
    EXPECT_EQ(static_cast<gl::Uint>(before), mine);
    gl::Uint name = 0;
    {
        const Image image = device_.allocate_image(ImageFormat::rgba32f, 8, 4);
        name = dynamic_cast<const gl::OpenglImage&>(*image.impl()).level().texture;
        EXPECT_EQ(opengl::image(device_, name).format(), ImageFormat::rgba32f);
    }
    EXPECT_EQ(callers_->gl.glIsTexture(name), 0);
    callers_->gl.glGetIntegerv(gl::gl_texture_binding_2d, &after);
    EXPECT_EQ(after, before);
    EXPECT_SAYS(device_.allocate_image(ImageFormat::rgba32f, 1u << 30, 1), "either way on this device");
    EXPECT_SAYS(device_.allocate_image(ImageFormat::rg32f, 4, 4),
                is_es_ ? "OpenGL ES has no images of rg32f" : "nothing");
}

TEST_P(OpenglImages, may_be_levels_of_textures) {
    expect_as_in_buffers(device_, maker(2), "8x12 image=rgba32f", rounding);
}

TEST_P(OpenglImages, leave_image_units_as_they_were) {
    const gl::Gl& api = callers_->gl;
    const gl::Uint mine = texture(gl::gl_rgba16f, 8, 8, 2);
    api.glBindImageTexture(1, mine, 1, 0, 0, gl::gl_write_only, gl::gl_rgba16f);
    expect_as_in_buffers(device_, maker(), "8x12 image=rgba32f", rounding);
    const auto asked = [&](gl::Enum what, gl::Uint unit) {
        gl::Int value = -1;
        api.glGetIntegeri_v(what, unit, &value);
        return static_cast<gl::Uint>(value);
    };
    EXPECT_EQ(asked(gl::gl_image_name, 0), 0u);
    EXPECT_EQ(asked(gl::gl_image_name, 1), mine);
    EXPECT_EQ(asked(gl::gl_image_level, 1), 1u);
    EXPECT_EQ(asked(gl::gl_image_access, 1), gl::gl_write_only);
    EXPECT_EQ(asked(gl::gl_image_format, 1), gl::gl_rgba16f);
    EXPECT_EQ(api.glGetError(), 0u);
}

TEST_P(OpenglImages, that_cannot_serve_are_refused) {
    EXPECT_SAYS(opengl::image(device_, 4711), "4711 is no two-dimensional texture of the device's context");
    const gl::Uint bytes = texture(0x8058, 4, 4);  // GL_RGBA8
    EXPECT_SAYS(opengl::image(device_, bytes), "expected a texture of GL_R32F, GL_RG32F, GL_RGBA32F or GL_RGBA16F");
    const gl::Uint numbers = texture(gl::gl_rgba32f, 4, 4);
    EXPECT_SAYS(opengl::image(device_, numbers, 7), "has no level 7");
    gl::Int bound = 0;
    callers_->gl.glGetIntegerv(gl::gl_texture_binding_2d, &bound);
    EXPECT_EQ(static_cast<gl::Uint>(bound), numbers);
    EXPECT_SAYS(opengl::image(Device::open("reference"), numbers), "expected a device of the OpenGL backend");
    const Plan plan(device_, parse_problem("4x4 iimage=rgba32f"));
    Queue queue = device_.create_queue();
    Execution execution;
    execution.output = device_.allocate(128);
    if (plan.workspace_bytes() != 0) execution.workspace = device_.allocate(plan.workspace_bytes());
    const Device reference = Device::open("reference");
    execution.input_image = reference::image(reference, reference.allocate(256), ImageFormat::rgba32f, 4, 4);
    EXPECT_SAYS(plan.execute(queue, execution), "opengl: the image belongs to another backend");
    const Image same = opengl::image(device_, numbers), again = opengl::image(device_, numbers);
    const Plan both(device_, parse_problem("4x8 image=rgba32f"));
    execution = {};
    execution.input_image = same;
    execution.output_image = again;
    EXPECT_SAYS(both.execute(queue, execution), "execution.output_image: expected another image than the input's");
    if (is_es_) {
        EXPECT_SAYS(Plan(device_, parse_problem("4x4 iimage=rg32f")),
                    "Unsupported: glsl-es: kernel forward_0_n4: image in: OpenGL ES has none of rg32f");
    }
    EXPECT_SAYS(opengl::current_device([](const char* name) -> void* {
                    if (std::string(name) == "glBindImageTexture") return nullptr;
                    return reinterpret_cast<void*>(gl::egl().eglGetProcAddress(name));
                }),
                "the loader gave no glBindImageTexture");
}

gl::Enum next_error = 0;
gl::Enum fails_once() { return std::exchange(next_error, 0); }

TEST_P(OpenglImages, tell_what_failed) {
    const Plan plan(device_, parse_problem("8 iimage=rgba32f"));
    gl::Gl& api = dynamic_cast<gl::OpenglDevice&>(*device_.impl()).session()->gl;
    Queue queue = device_.create_queue();
    Execution execution;
    execution.output = device_.allocate(64);
    const gl::Uint name = texture(gl::gl_rgba32f, 4, 1);
    execution.input_image = opengl::image(device_, name);
    const auto real_error = api.glGetError;
    const auto real_bind = api.glBindImageTexture;
    api.glBindImageTexture = [](gl::Uint, gl::Uint, gl::Int, unsigned char, gl::Int, gl::Enum, gl::Enum) {
        next_error = 0x0502;
    };
    api.glGetError = fails_once;
    EXPECT_SAYS(plan.execute(queue, execution), "opengl: glBindImageTexture (forward_0_n8) failed with");
    api.glBindImageTexture = real_bind;
    api.glGetError = real_error;
    EXPECT_SAYS(plan.execute(queue, execution), "nothing");
}

}  // namespace
}  // namespace seiche::test
