// Frames of the sea: waves and picture in one command buffer, recorded once and run for each frame.
#include "ocean/sea.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>

#include "cli/text/failure.hpp"
#include "sea.frag.h"
#include "sea.vert.h"
#include "sky.comp.h"
#include "sky.frag.h"
#include "sky.vert.h"

namespace seiche::ocean {

namespace {

constexpr std::uint32_t sky_size = 1024;
constexpr VkShaderStageFlags drawing = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
// Of a frame: its begin, the transforms' begin and end, its end.
constexpr std::uint32_t marks = 4;

/// Two triangles for each cell of a mesh of columns x rows, in strips of so few columns that a cache of vertices holds
/// a strip's row.
std::vector<std::uint32_t> mesh_of(std::uint32_t columns, std::uint32_t rows) {
    constexpr std::uint32_t strip = 32;
    std::vector<std::uint32_t> indices;
    indices.reserve(std::size_t{6} * columns * rows);
    // Rows go from the far edge to the near one: each strip from its near end, so that what is near hides the rest.
    for (std::uint32_t begin = 0; begin < columns; begin += strip)
        for (std::uint32_t row = rows; row-- > 0;)
            for (std::uint32_t column = begin; column < std::min(begin + strip, columns); ++column) {
                const std::uint32_t far = row * (columns + 1) + column, near = far + columns + 1;
                indices.insert(indices.end(), {far, near, far + 1, far + 1, near, near + 1});
            }
    return indices;
}

}  // namespace

void check_fits(const Gpu& gpu, const Settings& settings) {
    const VkPhysicalDeviceLimits& limits = gpu.properties().limits;
    const auto most = [&](const char* what, std::uint64_t wanted, std::uint64_t limit) {
        if (wanted > limit)
            throw cli::Failure(std::string(what) + " of " + std::to_string(wanted) + ", expected at most " +
                               std::to_string(limit) + " on " + gpu.name());
    };
    most("--width", settings.width, std::min(limits.maxFramebufferWidth, limits.maxImageDimension2D));
    most("--height", settings.height, std::min(limits.maxFramebufferHeight, limits.maxImageDimension2D));
    const std::uint64_t points = std::uint64_t{settings.size} * settings.size * settings.patches_wanted;
    most("--size: a buffer in bytes", points * Waves::transforms_per_patch * sizeof(std::complex<float>),
         limits.maxStorageBufferRange);
}

Sea::Sea(const Gpu& gpu, const Settings& settings, const Algorithm& algorithm, PicturesIn pictures)
    : gpu_(gpu),
      settings_(settings),
      patches_(make_waves(settings)),
      scene_(make_scene(settings, patches_)),
      pictures_(pictures),
      resources_(gpu),
      scene_buffer_(resources_.buffer(sizeof(Scene), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, Memory::upload)),
      waves_(gpu, resources_, scene_buffer_, patches_, algorithm),
      times_(resources_.timestamps(marks)) {
    set_time(0);
    make_sky();
    waves_alone_ = resources_.commands([this](VkCommandBuffer commands) {
        gpu_.vk().CmdResetQueryPool(commands, times_, 0, marks);
        waves_.record(commands, times_, 1);
    });
    make_picture();
}

/// The sky as an image, and what all drawing sees.
void Sea::make_sky() {
    ImageShape shape;
    shape.width = shape.height = sky_size;
    shape.has_levels = true;
    shape.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                  VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    const Image sky = resources_.image(shape);
    const BoundSet set = resources_.bind(VK_SHADER_STAGE_COMPUTE_BIT, {uniform(scene_buffer_), storage(sky)});
    const VkPipeline pipeline = resources_.compute({sky_comp, std::size(sky_comp)}, set);
    gpu_.run(resources_.commands([&](VkCommandBuffer commands) {
        record_transition(gpu_, commands, sky, {});
        gpu_.vk().CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        gpu_.vk().CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, set.layout, 0, 1, &set.set, 0,
                                        nullptr);
        gpu_.vk().CmdDispatch(commands, sky_size / 8, sky_size / 8, 1);
        record_levels(gpu_, commands, sky);
    }));
    const VkSampler repeated = resources_.sampler(VK_SAMPLER_ADDRESS_MODE_REPEAT, VK_SAMPLER_ADDRESS_MODE_REPEAT);
    const VkSampler clamped =
        resources_.sampler(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
    set_ = resources_.bind(drawing, {uniform(scene_buffer_), sampled(waves_.displacement(), repeated),
                                     sampled(waves_.slopes(), repeated), sampled(sky, clamped)});
}

/// All that depends on the picture's size.
void Sea::make_picture() {
    sized_.reset();  // the old ones first: they need memory
    sized_ = std::make_unique<Resources>(gpu_);
    ImageShape shape;
    shape.width = settings_.width, shape.height = settings_.height;
    shape.format = VK_FORMAT_R8G8B8A8_UNORM;
    shape.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    colour_ = sized_->image(shape);
    shape.format = VK_FORMAT_D32_SFLOAT;
    shape.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    picture_ = sized_->picture(colour_, sized_->image(shape));
    if (pictures_ == PicturesIn::host)
        pixels_ = sized_->buffer(std::uint64_t{4} * settings_.width * settings_.height,
                                 VK_BUFFER_USAGE_TRANSFER_DST_BIT, Memory::download);
    const std::vector<std::uint32_t> indices =
        mesh_of(static_cast<std::uint32_t>(scene_.grid[0]), static_cast<std::uint32_t>(scene_.grid[1]));
    mesh_indices_ = static_cast<std::uint32_t>(indices.size());
    mesh_ = sized_->filled(indices.data(), indices.size() * sizeof(std::uint32_t), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    sea_pipeline_ = sized_->draw({sea_vert, std::size(sea_vert)}, {sea_frag, std::size(sea_frag)}, set_, picture_);
    sky_pipeline_ = sized_->draw({sky_vert, std::size(sky_vert)}, {sky_frag, std::size(sky_frag)}, set_, picture_);
    frame_ = sized_->commands([this](VkCommandBuffer commands) { record_frame(commands); });
}

void Sea::resize(std::uint32_t width, std::uint32_t height) {
    settings_.width = width, settings_.height = height;
    scene_ = make_scene(settings_, patches_);
    make_picture();
}

void Sea::record_frame(VkCommandBuffer commands) const {
    const Functions& vk = gpu_.vk();
    vk.CmdResetQueryPool(commands, times_, 0, marks);
    vk.CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times_, 0);
    waves_.record(commands, times_, 1);
    std::array<VkClearValue, 2> clear{};  // depth 0 is infinitely far
    auto begin = typed<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    begin.renderPass = picture_.pass;
    begin.framebuffer = picture_.frame;
    begin.renderArea.extent = {picture_.width, picture_.height};
    begin.clearValueCount = clear.size();
    begin.pClearValues = clear.data();
    vk.CmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, set_.layout, 0, 1, &set_.set, 0, nullptr);
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, sea_pipeline_);
    vk.CmdBindIndexBuffer(commands, mesh_.handle, 0, VK_INDEX_TYPE_UINT32);
    vk.CmdDrawIndexed(commands, mesh_indices_, 1, 0, 0, 0);
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, sky_pipeline_);
    vk.CmdDraw(commands, 3, 1, 0, 0);
    vk.CmdEndRenderPass(commands);
    if (pictures_ == PicturesIn::host) {
        VkBufferImageCopy copy{};
        copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        copy.imageExtent = {picture_.width, picture_.height, 1};
        vk.CmdCopyImageToBuffer(commands, colour_.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels_.handle, 1,
                                &copy);
        record_barrier(gpu_, commands);
    }
    vk.CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times_, 3);
}

void Sea::set_time(double seconds) {
    scene_.sea[0] = static_cast<float>(seconds);
    std::memcpy(scene_buffer_.mapped, &scene_, sizeof scene_);
}

void Sea::advance(double seconds) {
    set_time(seconds);
    gpu_.run(waves_alone_);
}

std::vector<std::complex<float>> Sea::spectra(double seconds) {
    set_time(seconds);
    return waves_.spectra();
}

void Sea::set_time(double seconds, double since_last) {
    scene_.foam[0] = foam_left(since_last);
    set_time(seconds);
}

FrameTime Sea::draw(double seconds) {
    set_time(seconds);
    gpu_.run(frame_);
    return time_of_frame();
}

FrameTime Sea::time_of_frame() const {
    if (!gpu_.has_timestamps()) return {};
    std::array<std::uint64_t, marks> at{};
    check(gpu_.vk().GetQueryPoolResults(gpu_.device(), times_, 0, marks, sizeof at, at.data(), sizeof at[0],
                                        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
          "GetQueryPoolResults");
    const double transforms = gpu_.milliseconds(at[1], at[2]);
    return {transforms, gpu_.milliseconds(at[0], at[3]) - transforms};
}

}  // namespace seiche::ocean
