// What a physical device says of itself, as far as this backend asks.
#pragma once

#include <string>
#include <vector>

#include "runtime/vulkan/chips.hpp"
#include "runtime/vulkan/extensions.hpp"

namespace seiche::vulkan {
struct NativeDevice;  // seiche/interop/vulkan.hpp
}

namespace seiche::runtime::vulkan {

std::vector<QueueFamily> families_of(const Api& api, PhysicalDevice device);

bool is_gpu(Uint device_type);

/// Structures behind one another, as Vulkan takes them.
class Chain {
public:
    explicit Chain(Header& first) : last_(&first) {}
    void add(Header& next) {
        last_->pNext = &next;
        last_ = &next;
    }

private:
    Header* last_;
};

/// Each part is asked for only if the device knows of it, and zero otherwise.
struct Facts {
    Properties2 properties;
    SubgroupProperties subgroup;
    Maintenance3Properties maintenance;
    DriverProperties driver;
    Features2 features;
    Storage16Features storage_16;
    Storage8Features storage_8;
    TimelineFeatures timeline;
    AddressFeatures addresses;
    PushDescriptorProperties push_descriptors;
    SubgroupSizeProperties subgroup_sizes;
    SubgroupSizeFeatures subgroup_features;
    NvidiaUnits nvidia_units;
    AmdUnits amd_units;
    AmdActiveUnits amd_active_units;
    ArmUnits arm_units;
    bool is_callers = false;     ///< The device is made by a caller.
    bool has_storage_8 = false;  ///< It knows of storage_8.
    /// Of those that this backend uses, the extensions that a device of Seiche's own is made with.
    std::vector<const char*> extensions;

    /// `enabled` says what a caller made a device with, which is all that is used of it then; null: a device of
    /// Seiche's own, made with whatever is there.
    Facts(const Api& api, PhysicalDevice device, const seiche::vulkan::NativeDevice* enabled);
    Facts(const Facts&) = delete;
    Facts& operator=(const Facts&) = delete;

    /// Lanes of a subgroup as plans see them. Of a choice the narrowest from 16 on (Intel's 8 to 32: 16; 32 to 64 of
    /// AMD's RDNA: 32): a thread of a narrower subgroup has more registers, and below 16 lanes a unit is not filled.
    Uint planned_subgroup_size() const;

private:
    struct Wanted;
    void ask_properties(const Api& api, PhysicalDevice device, const Wanted& wanted);
    void ask_features(const Api& api, PhysicalDevice device, const Wanted& wanted);
    void restrict_to(const seiche::vulkan::NativeDevice& enabled);
};

}  // namespace seiche::runtime::vulkan
