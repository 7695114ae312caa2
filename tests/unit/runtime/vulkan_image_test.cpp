// Storage images of the caller's as source and target of transforms, by a queue and in the caller's command buffer. The
// validation layer must have nothing to say, not of races either.
#include <gtest/gtest.h>

#include "image_plans.hpp"
#include "seiche/interop/reference.hpp"
#include "vulkan_program.hpp"

namespace seiche::test {
namespace {

class VulkanImages : public testing::TestWithParam<Made> {
protected:
    void SetUp() override {
        if (!program_.open(GetParam())) GTEST_SKIP() << "no Vulkan device";
        device_ = vulkan::device(program_.native());
    }
    void TearDown() override { device_ = {}; }

    static VkFormat native(ImageFormat format) {
        return format == ImageFormat::r32f      ? VK_FORMAT_R32_SFLOAT
               : format == ImageFormat::rg32f   ? VK_FORMAT_R32G32_SFLOAT
               : format == ImageFormat::rgba32f ? VK_FORMAT_R32G32B32A32_SFLOAT
                                                : VK_FORMAT_R16G16B16A16_SFLOAT;
    }

    static VkBufferImageCopy region(const Image& image) {
        VkBufferImageCopy region{};
        region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        region.imageExtent = {image.width(), image.height(), 1};
        return region;
    }

    void barrier(VkImageLayout from, VkImageLayout to, VkImage image) const {
        VkImageMemoryBarrier barrier{};
        barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
        barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
        barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
        barrier.oldLayout = from;
        barrier.newLayout = to;
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = image;
        barrier.subresourceRange = Program::whole;
        vkCmdPipelineBarrier(program_.commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                             nullptr, 0, nullptr, 1, &barrier);
    }

    Image make(const Texels& texels) {
        const Program::Stored stored = program_.make_image(native(texels.format), texels.width, texels.height);
        const Image image = vulkan::image(device_, reinterpret_cast<std::uint64_t>(stored.view), texels.format,
                                          texels.width, texels.height);
        Point* seen = nullptr;
        const VkBuffer staged = program_.make_buffer((texels.bytes.size() + 7) / 8, 0, &seen);
        std::memcpy(seen, texels.bytes.data(), texels.bytes.size());
        const VkBufferImageCopy all = region(image);
        program_.run([&] {
            barrier(VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, stored.image);
            vkCmdCopyBufferToImage(program_.commands, staged, stored.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                                   &all);
            barrier(VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL, stored.image);
        });
        made_.push_back({image, stored.image});
        return image;
    }

    std::vector<std::byte> read(const Image& image) {
        std::vector<std::byte> bytes(std::size_t{image.width()} * image.height() * texel_bytes(image.format()));
        Point* seen = nullptr;
        const VkBuffer staged = program_.make_buffer((bytes.size() + 7) / 8, 0, &seen);
        const VkBufferImageCopy all = region(image);
        for (const Made& one : made_)
            if (one.image.impl() == image.impl())
                program_.run([&] {
                    barrier(VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, one.handle);
                    vkCmdCopyImageToBuffer(program_.commands, one.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, staged,
                                           1, &all);
                    barrier(VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL, one.handle);
                });
        std::memcpy(bytes.data(), seen, bytes.size());
        return bytes;
    }

    ImageMaker maker() {
        return {[this](const Texels& texels) { return make(texels); },
                [this](const Image& image) { return read(image); }};
    }

    struct Made {
        Image image;
        VkImage handle;
    };
    Program program_;
    Device device_;
    std::vector<Made> made_;
};

constexpr float rounding = 1e-6f;  // of other multiplications and additions than in buffers

TEST_P(VulkanImages, hold_what_buffers_hold) {
    for (const bool pairs : {true, false})
        for (const std::string& text : image_problems(pairs)) expect_as_in_buffers(device_, maker(), text, rounding);
}

TEST_P(VulkanImages, serve_transforms_of_several_passes) {
    PlanOptions passes;
    passes.tuning.passes = {32, 32};
    for (const std::string& text : long_image_problems())
        expect_as_in_buffers(device_, maker(), text, rounding, passes);
}

// Of two kinds: one that alternates between images, and one that works in place in the output's.
TEST_P(VulkanImages, serve_textbook_recipes) {
    for (const char* recipe : {"stockham-radix-4", "dit"})
        expect_as_in_buffers(device_, maker(), "8x4 image=rg32f inverse-scale=1/n", rounding, by_recipe(recipe));
}

TEST_P(VulkanImages, may_be_the_device_s_own) {
    const Plan plan(device_, parse_problem("4x8 image=rg32f"), by_recipe("stockham-radix-2"));
    std::vector<float> in(64), out(64);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 7);
    Execution execution;
    execution.input_image = make(as_texels(in, ImageFormat::rg32f, 8, {8, 4}));
    execution.output_image = make(as_texels({}, ImageFormat::rg32f, 8, {8, 4}));
    execution.workspace_image = device_.allocate_image(ImageFormat::rg32f, 8, 4);
    Queue queue = device_.create_queue();
    plan.execute(queue, execution);
    execution.direction = Direction::inverse;
    std::swap(execution.input_image, execution.output_image);
    plan.execute(queue, execution);
    queue.wait();
    out = as_numbers({ImageFormat::rg32f, 8, 4, read(execution.output_image)}, 8, 64);
    for (std::size_t i = 0; i < in.size(); ++i) EXPECT_NEAR(out[i], 32 * in[i], 1e-3f) << i;
    EXPECT_SAYS(device_.allocate_image(ImageFormat::rg32f, 1u << 30, 1), "either way on this device");
    vulkan::NativeDevice native = program_.native();
    native.storage_image_extended_formats = false;
    EXPECT_SAYS(vulkan::device(native).allocate_image(ImageFormat::rg32f, 4, 4), "shaderStorageImageExtendedFormats");
}

// Twice in one command buffer.
TEST_P(VulkanImages, are_recorded_into_your_command_buffer) {
    const auto record = [&](const Plan& plan, const Execution& execution) {
        const vulkan::Bindings bindings(plan, execution);
        program_.run([&] {
            bindings.record(program_.commands);
            bindings.record(program_.commands);
        });
    };
    for (const char* text : {"16x32 image=rg32f", "12x10 image=rgba32f", "8x12 r2c iimage=r32f oimage=rg32f"})
        expect_as_in_buffers(device_, maker(), text, rounding, {}, record);
}

TEST_P(VulkanImages, that_cannot_serve_are_refused) {
    EXPECT_SAYS(vulkan::image(device_, 0, ImageFormat::rg32f, 1, 1), "the image view is null");
    EXPECT_SAYS(vulkan::image(device_, 1, ImageFormat::none, 1, 1), "an image with a format and texels");
    EXPECT_SAYS(vulkan::image(Device::open("reference"), 1, ImageFormat::rg32f, 1, 1),
                "a device of the Vulkan backend");
    const Plan plan(device_, parse_problem("4x4 image=rg32f"));
    const Device reference = Device::open("reference");
    Execution execution;
    if (plan.workspace_bytes() != 0) execution.workspace = device_.allocate(plan.workspace_bytes());
    execution.input_image = reference::image(reference, reference.allocate(256), ImageFormat::rg32f, 4, 4);
    execution.output_image = make(as_texels({}, ImageFormat::rg32f, 4, {4, 4}));
    Queue queue = device_.create_queue();
    EXPECT_SAYS(plan.execute(queue, execution), "vulkan: the image belongs to another backend");
    EXPECT_SAYS(vulkan::Bindings(plan, execution), "vulkan: the image belongs to another backend");
    const Device other = vulkan::device(program_.native());
    const Program::Stored stored = program_.make_image(VK_FORMAT_R32G32_SFLOAT, 4, 4);
    const auto view = reinterpret_cast<std::uint64_t>(stored.view);
    execution.input_image = vulkan::image(other, view, ImageFormat::rg32f, 4, 4);
    EXPECT_SAYS(plan.execute(queue, execution), "vulkan: the image belongs to another Vulkan device");
    execution.output_image = vulkan::image(device_, view, ImageFormat::rg32f, 4, 4);
    EXPECT_SAYS(plan.execute(queue, execution), "execution.output_image: expected another image than the input's");
    vulkan::NativeDevice native = program_.native();
    native.storage_image_extended_formats = false;
    const Device base = vulkan::device(native);
    EXPECT_SAYS(Plan(base, parse_problem("4x4 iimage=rg32f")), "wants a device made with shaderStorageImageExtended");
    EXPECT_SAYS(Plan(base, parse_problem("4x4 image=rgba32f")), "nothing");
}

INSTANTIATE_TEST_SUITE_P(Devices, VulkanImages, testing::Values(Made::plain, Made::with_extensions),
                         [](const auto& made) { return name_of(made.param); });

}  // namespace
}  // namespace seiche::test
