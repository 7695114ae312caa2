// The sea's surface on a device: spectra at a time, their transforms, and what drawing needs of them.
#include "ocean/waves.hpp"

#include <cmath>
#include <cstring>

#include "assemble.comp.h"
#include "assemble.comp.in_images.h"
#include "evolve.comp.h"
#include "evolve.comp.in_images.h"
#include "seiche/error.hpp"

namespace seiche::ocean {

namespace {

constexpr Shader evolve_shader{evolve_comp, std::size(evolve_comp)};
constexpr Shader evolve_in_images{evolve_comp_in_images, std::size(evolve_comp_in_images)};
constexpr Shader assemble_shader{assemble_comp, std::size(assemble_comp)};
constexpr Shader assemble_in_images{assemble_comp_in_images, std::size(assemble_comp_in_images)};

seiche::Buffer as_seiche(const Gpu& gpu, const Buffer& buffer) {
    return vulkan::buffer(gpu.transforms(), reinterpret_cast<std::uintptr_t>(buffer.handle), buffer.bytes);
}

seiche::Image as_seiche(const Gpu& gpu, const Image& image) {
    return vulkan::image(gpu.transforms(), reinterpret_cast<std::uintptr_t>(image.view), ImageFormat::rg32f,
                         image.width, image.height);
}

}  // namespace

Plan plan_of_fields(const seiche::Device& device, std::uint32_t size, std::uint32_t count, const Algorithm& algorithm) {
    Problem problem;
    problem.lengths = {size, size};
    problem.batch = count;
    problem.may_overwrite_input = true;
    if (algorithm.arrays != Arrays::buffers) problem.input.image = problem.output.image = ImageFormat::rg32f;
    PlanOptions options;
    options.directions = Directions::inverse;
    if (algorithm.name != automatic) options.tuning.recipe = algorithm.name;
    return {device, problem, options};
}

Waves::Waves(const Gpu& gpu, Resources& resources, const Buffer& scene, const std::vector<PatchOfWaves>& waves,
             const Algorithm& algorithm)
    : gpu_(gpu), resources_(resources), patches_(static_cast<std::uint32_t>(waves.size())) {
    const std::size_t area = waves.at(0).amplitudes.size();
    size_ = static_cast<std::uint32_t>(std::lround(std::sqrt(static_cast<double>(area))));
    plan_ = plan_of_fields(gpu.transforms(), size_, transforms_per_patch * patches_, algorithm);
    std::vector<Amplitude> all;
    for (const PatchOfWaves& one : waves) all.insert(all.end(), one.amplitudes.begin(), one.amplitudes.end());
    amplitudes_ = resources.filled(all.data(), all.size() * sizeof(Amplitude), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const std::vector<float> nothing(area * patches_);
    foam_ = resources.filled(nothing.data(), nothing.size() * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    make_images(patches_);
    make_arrays(algorithm);

    const bool in_images = algorithm.arrays == Arrays::images;
    const Binding spectra = in_images ? storage(spectra_image_) : storage(spectra_);
    const Binding fields = in_images ? storage(fields_image_) : storage(fields_);
    evolve_set_ = resources.bind(VK_SHADER_STAGE_COMPUTE_BIT, {uniform(scene), storage(amplitudes_), spectra});
    evolve_ = resources.compute(in_images ? evolve_in_images : evolve_shader, evolve_set_);
    assemble_set_ = resources.bind(VK_SHADER_STAGE_COMPUTE_BIT,
                                   {uniform(scene), fields, storage(foam_), storage(displacement_), storage(slopes_)});
    assemble_ = resources.compute(in_images ? assemble_in_images : assemble_shader, assemble_set_);
}

/// Input and output of the transforms, and their recording.
void Waves::make_arrays(const Algorithm& algorithm) {
    Execution execution;
    execution.direction = Direction::inverse;
    if (algorithm.arrays == Arrays::images) {
        spectra_image_ = array_image(plan_.input_texels());
        fields_image_ = array_image(plan_.output_texels());
        execution.input_image = as_seiche(gpu_, spectra_image_);
        execution.output_image = as_seiche(gpu_, fields_image_);
        if (const ImageSize texels = plan_.workspace_texels(); texels.width != 0)
            execution.workspace_image = as_seiche(gpu_, array_image(texels));
    } else {
        constexpr VkBufferUsageFlags used =
            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
        spectra_ = resources_.buffer(plan_.input_bytes(), used, Memory::device);
        fields_ = resources_.buffer(plan_.output_bytes(), used, Memory::device);
        execution.input = as_seiche(gpu_, spectra_);
        execution.output = as_seiche(gpu_, fields_);
    }
    if (const std::uint64_t bytes = plan_.workspace_bytes(); bytes != 0)
        execution.workspace = gpu_.transforms().allocate(bytes);
    transforms_ = std::make_unique<vulkan::Bindings>(plan_, execution);
}

/// Array below array, row below row, in the layout that shaders write.
Image Waves::array_image(const ImageSize& texels) {
    const std::uint64_t most = gpu_.properties().limits.maxImageDimension2D;
    if (texels.height > most)
        throw Unsupported("images of " + std::to_string(texels.width) + " by " + std::to_string(texels.height) +
                          " texels, expected at most " + std::to_string(most) + " either way on " + gpu_.name() +
                          ": use a smaller --size, or fewer --patches");
    ImageShape shape;
    shape.format = VK_FORMAT_R32G32_SFLOAT;
    shape.width = static_cast<std::uint32_t>(texels.width);
    shape.height = static_cast<std::uint32_t>(texels.height);
    shape.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const Image image = resources_.image(shape);
    gpu_.run(gpu_.commands([&](VkCommandBuffer commands) { record_transition(gpu_, commands, image, {}); }));
    return image;
}

void Waves::make_images(std::uint32_t patches) {
    ImageShape shape;
    shape.width = shape.height = size_;
    shape.layers = patches;
    shape.has_levels = true;
    shape.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                  VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    displacement_ = resources_.image(shape);
    slopes_ = resources_.image(shape);
}

void Waves::dispatch(VkCommandBuffer commands, VkPipeline pipeline, const BoundSet& set) const {
    const Functions& vk = gpu_.vk();
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, set.layout, 0, 1, &set.set, 0, nullptr);
    vk.CmdDispatch(commands, (size_ + 31) / 32, (size_ + 3) / 4, patches_);
}

void Waves::record(VkCommandBuffer commands, VkQueryPool times, std::uint32_t first) const {
    dispatch(commands, evolve_, evolve_set_);
    record_barrier(gpu_, commands);
    gpu_.vk().CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times, first);
    transforms_->record(commands);
    gpu_.vk().CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times, first + 1);
    Transition to_write;
    to_write.after =
        VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    record_transition(gpu_, commands, displacement_, to_write);
    record_transition(gpu_, commands, slopes_, to_write);
    dispatch(commands, assemble_, assemble_set_);
    record_levels(gpu_, commands, displacement_);
    record_levels(gpu_, commands, slopes_);
    record_barrier(gpu_, commands);  // the next frame's foam and spectra
}

template <class T>
std::vector<T> Waves::download(const Buffer& buffer) const {
    std::vector<T> data(buffer.bytes / sizeof(T));
    gpu_.transforms().create_queue().download(data.data(), as_seiche(gpu_, buffer), buffer.bytes);
    return data;
}

std::vector<std::complex<float>> Waves::download(const Image& image) const {
    std::vector<std::complex<float>> data(std::size_t{image.width} * image.height);
    Resources own(gpu_);
    const Buffer held = own.buffer(data.size() * sizeof data[0], VK_BUFFER_USAGE_TRANSFER_DST_BIT, Memory::download);
    gpu_.run(own.commands([&](VkCommandBuffer commands) {
        VkBufferImageCopy copy{};
        copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        copy.imageExtent = {image.width, image.height, 1};
        record_barrier(gpu_, commands);
        gpu_.vk().CmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, held.handle, 1, &copy);
        record_barrier(gpu_, commands);
    }));
    std::memcpy(data.data(), held.mapped, data.size() * sizeof data[0]);
    return data;
}

std::vector<std::complex<float>> Waves::fields() const {
    return fields_image_.handle != VK_NULL_HANDLE ? download(fields_image_) : download<std::complex<float>>(fields_);
}

std::vector<std::complex<float>> Waves::spectra() const {
    Resources own(gpu_);
    gpu_.run(own.commands([this](VkCommandBuffer commands) {
        dispatch(commands, evolve_, evolve_set_);
        record_barrier(gpu_, commands);
    }));
    return spectra_image_.handle != VK_NULL_HANDLE ? download(spectra_image_) : download<std::complex<float>>(spectra_);
}

std::vector<float> Waves::foam() const { return download<float>(foam_); }

}  // namespace seiche::ocean
