// The sea's surface on a device: spectra at a time, their transforms, and what drawing needs of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ocean/resources.hpp"
#include "ocean/scene.hpp"
#include "seiche/interop/vulkan.hpp"
#include "seiche/plan.hpp"

namespace seiche::ocean {

constexpr const char* automatic = "automatic";

/// Storage images are of rg32f. Those of OpenGL are for times only, not for pictures.
enum class Arrays { buffers, images, opengl_images };

/// What transforms, and on what.
struct Algorithm {
    std::string name = automatic;  ///< The planner's own choice, or a textbook recipe.
    Arrays arrays = Arrays::buffers;
};

/// For `count` inverse transforms of size x size. Throws what planning throws.
Plan plan_of_fields(const seiche::Device& device, std::uint32_t size, std::uint32_t count, const Algorithm& algorithm);

class Waves {
public:
    /// Complex transforms of a patch; each has two real fields.
    static constexpr std::uint32_t transforms_per_patch = 4;

    /// `scene` is the uniform buffer. Throws what planning throws: Unsupported where the algorithm cannot do it.
    Waves(const Gpu& gpu, Resources& resources, const Buffer& scene, const std::vector<PatchOfWaves>& waves,
          const Algorithm& algorithm);

    /// Appends the waves of the time that the scene has. The times before and after the transforms go to `first` and
    /// the one after it of `times`.
    void record(VkCommandBuffer commands, VkQueryPool times, std::uint32_t first) const;

    const Image& displacement() const { return displacement_; }
    const Image& slopes() const { return slopes_; }
    const Plan& plan() const { return plan_; }
    /// The transforms' output: patch after patch four arrays of size x size complex numbers: height and displacement in
    /// x; displacement in z and its derivative in x; slopes in x and z; derivatives of displacement in x along x and in
    /// z along z. In metres, along the patch's own axes.
    std::vector<std::complex<float>> fields() const;
    /// The transforms' input at the time that the scene has, in the same order. Nothing may be running.
    std::vector<std::complex<float>> spectra() const;
    /// What foam there is, 0 to 1, patch after patch.
    std::vector<float> foam() const;

private:
    void make_images(std::uint32_t patches);
    void make_arrays(const Algorithm& algorithm);
    Image array_image(const ImageSize& texels);
    void dispatch(VkCommandBuffer commands, VkPipeline pipeline, const BoundSet& set) const;
    template <class T>
    std::vector<T> download(const Buffer& buffer) const;
    std::vector<std::complex<float>> download(const Image& image) const;

    const Gpu& gpu_;
    Resources& resources_;
    std::uint32_t size_ = 0, patches_ = 0;
    Buffer amplitudes_, spectra_, fields_, foam_;
    Image spectra_image_, fields_image_;  // in place of the buffers
    Image displacement_, slopes_;
    BoundSet evolve_set_, assemble_set_;
    VkPipeline evolve_ = VK_NULL_HANDLE, assemble_ = VK_NULL_HANDLE;
    Plan plan_;
    std::unique_ptr<vulkan::Bindings> transforms_;
};

}  // namespace seiche::ocean
