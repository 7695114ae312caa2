// The sea's surface on a device: spectra at a time, their transforms, and what drawing needs of them.
#include "ocean/waves.hpp"

#include <cmath>
#include <cstring>

#include "assemble.comp.h"
#include "evolve.comp.h"

namespace seiche::ocean {

namespace {

constexpr Shader evolve_shader{evolve_comp, std::size(evolve_comp)};
constexpr Shader assemble_shader{assemble_comp, std::size(assemble_comp)};

seiche::Buffer as_seiche(const Gpu& gpu, const Buffer& buffer) {
    return vulkan::buffer(gpu.transforms(), reinterpret_cast<std::uintptr_t>(buffer.handle), buffer.bytes);
}

Plan make_plan(const Gpu& gpu, std::uint32_t size, std::uint32_t batch, const std::string& algorithm) {
    Problem problem;
    problem.lengths = {size, size};
    problem.batch = batch;
    problem.may_overwrite_input = true;
    PlanOptions options;
    options.directions = Directions::inverse;
    if (algorithm != automatic) options.tuning.recipe = algorithm;
    return {gpu.transforms(), problem, options};
}

}  // namespace

Waves::Waves(const Gpu& gpu, Resources& resources, const Buffer& scene, const std::vector<PatchOfWaves>& waves,
             const std::string& algorithm)
    : gpu_(gpu), resources_(resources), patches_(static_cast<std::uint32_t>(waves.size())) {
    const std::size_t area = waves.at(0).amplitudes.size();
    size_ = static_cast<std::uint32_t>(std::lround(std::sqrt(static_cast<double>(area))));
    plan_ = make_plan(gpu, size_, transforms_per_patch * patches_, algorithm);
    std::vector<Amplitude> all;
    for (const PatchOfWaves& one : waves) all.insert(all.end(), one.amplitudes.begin(), one.amplitudes.end());
    constexpr VkBufferUsageFlags used =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    amplitudes_ = resources.filled(all.data(), all.size() * sizeof(Amplitude), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    spectra_ = resources.buffer(plan_.input_bytes(), used, Memory::device);
    fields_ = resources.buffer(plan_.output_bytes(), used, Memory::device);
    const std::vector<float> nothing(area * patches_);
    foam_ = resources.filled(nothing.data(), nothing.size() * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    make_images(patches_);

    Execution execution;
    execution.direction = Direction::inverse;
    execution.input = as_seiche(gpu, spectra_);
    execution.output = as_seiche(gpu, fields_);
    if (const std::uint64_t bytes = plan_.workspace_bytes(); bytes != 0)
        execution.workspace = gpu.transforms().allocate(bytes);
    transforms_ = std::make_unique<vulkan::Bindings>(plan_, execution);

    evolve_set_ =
        resources.bind(VK_SHADER_STAGE_COMPUTE_BIT, {uniform(scene), storage(amplitudes_), storage(spectra_)});
    evolve_ = resources.compute(evolve_shader, evolve_set_);
    assemble_set_ = resources.bind(VK_SHADER_STAGE_COMPUTE_BIT, {uniform(scene), storage(fields_), storage(foam_),
                                                                 storage(displacement_), storage(slopes_)});
    assemble_ = resources.compute(assemble_shader, assemble_set_);
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

std::vector<std::complex<float>> Waves::fields() const { return download<std::complex<float>>(fields_); }
std::vector<float> Waves::foam() const { return download<float>(foam_); }

}  // namespace seiche::ocean
