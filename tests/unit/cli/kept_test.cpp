// Files that an earlier state of Seiche wrote, in kept/: they are still taken, or refused in one line that names the
// version. When a format changes, the files of the one before stay here, and the new one's come beside them.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <functional>

#include "cli/io/device_profile.hpp"
#include "runtime/pack.hpp"
#include "seiche/convolution.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"
#include "seiche/version.hpp"
#include "seiche/wisdom.hpp"
#include "temporary.hpp"

namespace seiche::cli {
namespace {

std::string kept(const std::string& name) { return SEICHE_KEPT_FILES "/" + name; }

std::vector<std::byte> bytes_of(const std::string& text) {
    std::vector<std::byte> bytes(text.size());
    if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

/// Either it goes on, or it refuses the file as one of another version, in one line.
void taken_or_refused(const std::function<void()>& work) {
    try {
        work();
    } catch (const InvalidProblem& error) {
        const std::string what = error.what();
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
        EXPECT_NE(what.find("Seiche 0."), std::string::npos) << what;
    }
}

std::string refusal(const std::function<void()>& work) {
    try {
        work();
    } catch (const InvalidProblem& error) {
        return error.what();
    }
    return "accepted";
}

TEST(KeptFiles, a_saved_plan_transforms) {
    taken_or_refused([] {
        const Plan plan = Plan::load(Device::open("reference"), bytes_of(read_all(kept("plan.bin"))));
        EXPECT_EQ(to_string(plan.problem()), "12 r2c f32 batch=2");
        std::vector<float> signal(24);
        signal[0] = 1.0F;
        for (std::size_t i = 12; i < 24; ++i) signal[i] = 1.0F;
        const std::vector<std::complex<float>> spectrum = plan.transform<std::complex<float>>(signal);
        ASSERT_EQ(spectrum.size(), 14u);
        for (std::size_t k = 0; k < 7; ++k) {
            EXPECT_NEAR(std::abs(spectrum[k] - 1.0F), 0.0F, 1e-6F);
            EXPECT_NEAR(std::abs(spectrum[7 + k] - (k == 0 ? 12.0F : 0.0F)), 0.0F, 1e-5F);
        }
    });
}

TEST(KeptFiles, a_saved_convolution_convolves) {
    taken_or_refused([] {
        const ConvolutionPlan plan =
            ConvolutionPlan::load(Device::open("reference"), bytes_of(read_all(kept("convolution.bin"))));
        EXPECT_EQ(plan.convolution().kernel, std::vector<std::uint64_t>{5});
        std::vector<float> signal(12), kernel(5);
        for (std::size_t i = 0; i < signal.size(); ++i) signal[i] = static_cast<float>(i);
        kernel[2] = 2.0F;
        const std::vector<float> result = plan.convolve(signal, kernel);
        ASSERT_EQ(result.size(), signal.size());
        for (std::size_t i = 0; i < signal.size(); ++i) EXPECT_NEAR(result[i], 2.0F * signal[i], 1e-4F);
    });
}

TEST(KeptFiles, wisdom_keeps_its_entries_and_their_version) {
    taken_or_refused([] {
        const Wisdom wisdom = Wisdom::parse(read_all(kept("wisdom.txt")));
        ASSERT_EQ(wisdom.entries().size(), 1u);
        EXPECT_EQ(wisdom.entries()[0].version, "0.1.0");
        EXPECT_EQ(to_string(wisdom.entries()[0].tuning), "radices=8x8 threads=8 transforms-per-group=2");
        // of another version nothing is used
        const WisdomEntry* found = wisdom.find(Device::open("reference").info(), parse_problem("64 c2c f32 batch=2"));
        EXPECT_EQ(found != nullptr, std::string(version()) == "0.1.0");
    });
}

TEST(KeptFiles, a_pack_opens) {
    taken_or_refused([] { EXPECT_EQ(runtime::Pack(kept("kernels.pack")).kernels(), 1u); });
}

TEST(KeptFiles, a_device_profile_is_read) {
    const io::DeviceProfile profile = io::read_device_profile(kept("device_profile.json"));
    EXPECT_FALSE(profile.name.empty());
    EXPECT_EQ(profile.limits.shared_bytes, 65536u);
}

/// The same files as if of formats that came before or come after.
TEST(KeptFiles, other_formats_are_refused_by_their_version) {
    const TemporaryFolder folder;
    constexpr std::size_t plan_format = 12, convolution_format = 19;  // behind the words that begin the file
    std::string plan = read_all(kept("plan.bin")), convolution = read_all(kept("convolution.bin"));
    plan[plan_format] = 1;
    convolution[convolution_format] = 1;
    const Device device = Device::open("reference");
    EXPECT_NE(refusal([&] { Plan::load(device, bytes_of(plan)); }).find("got 1, saved by Seiche 0.1.0"),
              std::string::npos)
        << refusal([&] { Plan::load(device, bytes_of(plan)); });
    EXPECT_NE(refusal([&] { ConvolutionPlan::load(device, bytes_of(convolution)); }).find("saved by Seiche 0.1.0"),
              std::string::npos);
    std::string pack = read_all(kept("kernels.pack"));
    pack[std::strlen("seiche pack ")] = '0';
    const std::string packs = folder.write("old.pack", pack);
    EXPECT_NE(refusal([&] { runtime::Pack{packs}; }).find("as Seiche " + std::string(version())), std::string::npos);
    EXPECT_NE(refusal([] { Wisdom::parse("Seiche wisdom 0\n"); }).find("Seiche wisdom 1"), std::string::npos);
}

}  // namespace
}  // namespace seiche::cli
