// Names of devices, the default choice, and what is said when there is none.
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/backend.hpp"
#include "seiche/device.hpp"
#include "seiche/error.hpp"
#include "tests/support/environment.hpp"

namespace seiche::test {
namespace {

std::string refusal(const std::string& name) {
    try {
        runtime::open_device(name);
    } catch (const Unsupported& error) {
        return error.what();
    }
    return {};
}

TEST(Registry, offers_every_backend_once_and_gives_reasons_for_the_absent) {
    const std::vector<DeviceInfo> infos = devices();
    for (const runtime::BackendEntry& entry : runtime::registry())
        EXPECT_TRUE(std::any_of(infos.begin(), infos.end(), [&](const DeviceInfo& i) {
            return i.backend == entry.backend;
        })) << entry.name;
    for (const DeviceInfo& info : infos) {
        EXPECT_FALSE(info.name.empty());
        if (info.available)
            EXPECT_TRUE(info.problem.empty()) << info.name;
        else
            EXPECT_TRUE(!info.problem.empty() && !info.remedy.empty()) << info.name;
    }
}

TEST(Registry, lists_gpus_then_processors_then_reference_then_the_absent) {
    const auto rank = [](const DeviceInfo& i) {
        return !i.available ? 3 : i.backend == Backend::reference ? 2 : i.is_gpu ? 0 : 1;
    };
    const std::vector<DeviceInfo> infos = devices();
    EXPECT_TRUE(
        std::is_sorted(infos.begin(), infos.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); }));
}

TEST(Registry, opens_by_name_whatever_its_case) {
    EXPECT_EQ(runtime::open_device("reference")->info().backend, Backend::reference);
    EXPECT_EQ(runtime::open_device("Reference:INTERPRETER")->info().backend, Backend::reference);
    EXPECT_EQ(runtime::open_device("reference"), runtime::open_device("reference")) << "one device is shared";
}

TEST(Registry, takes_the_variable_when_no_name_is_given) {
    set_environment("SEICHE_DEVICE", "reference");
    EXPECT_EQ(Device::open().info().backend, Backend::reference);
    set_environment("SEICHE_DEVICE", "nonsense");
    EXPECT_THROW(Device::open(), Unsupported);
    EXPECT_EQ(Device::open("reference").info().backend, Backend::reference);
    unset_environment("SEICHE_DEVICE");
}

TEST(Registry, never_takes_reference_by_itself) {
    unset_environment("SEICHE_DEVICE");
    try {
        std::string note = "old";
        EXPECT_NE(Device::open({}, &note).info().backend, Backend::reference);
        EXPECT_NE(note, "old");
    } catch (const Unsupported& error) {
        EXPECT_NE(std::string(error.what()).find("reference"), std::string::npos) << error.what();
    }
}

TEST(Registry, says_what_there_is_instead) {
    EXPECT_NE(refusal("metal").find("cuda, hip, level_zero, vulkan, cpu, opencl, opengl, reference"), std::string::npos)
        << refusal("metal");
    EXPECT_NE(refusal("reference:nonsense").find("interpreter"), std::string::npos) << refusal("reference:nonsense");
    EXPECT_FALSE(refusal("opencl:99").empty());
    EXPECT_FALSE(refusal("cuda:99").empty());
}

TEST(ReferenceDevice, has_the_limits_of_a_large_gpu) {
    const DeviceLimits limits = Device::open("reference").limits();
    EXPECT_EQ(limits.vectors, Vectors::subgroups);
    EXPECT_EQ(limits.max_group_size, 1024u);
    EXPECT_EQ(limits.shared_bytes, 227u * 1024);
    EXPECT_TRUE(limits.fp64);
}

TEST(ReferenceDevice, moves_bytes_and_refuses_what_does_not_fit) {
    const Device device = Device::open("reference");
    Queue queue = device.create_queue();
    const Buffer a = device.allocate(64), b = device.allocate(32);
    const std::string text = "sixteen letters.";
    queue.upload({a, 8}, text.data(), text.size());
    queue.copy({b, 16}, {a, 8}, 16);
    std::string back(16, '\0');
    queue.download(back.data(), {b, 16}, back.size());
    EXPECT_EQ(back, text);
    EXPECT_THROW(queue.upload({b, 20}, text.data(), text.size()), InvalidProblem);
    EXPECT_THROW(queue.download(back.data(), Buffer(), 1), InvalidProblem);
    EXPECT_THROW(Queue().wait(), InvalidProblem);
    EXPECT_THROW(Device().allocate(1), InvalidProblem);
    EXPECT_THROW(device.allocate(std::uint64_t{1} << 60), BackendError);
    const Event first = queue.record(), last = queue.record();
    EXPECT_GE(queue.milliseconds(first, last), 0.0);
}

}  // namespace
}  // namespace seiche::test
