// Device profiles: every shipped one can be read, and of a bad one the field is named.
#include "cli/io/device_profile.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include "temporary.hpp"

namespace seiche::cli {
namespace {

std::string profile_with(const std::string& limits, const std::string& rest = "") {
    return R"({"name": "A card", "sources": ["its data sheet"], )" + rest + R"("limits": {)" + limits + "}}";
}

/// All that must be there, `field` replaced by the text given; an empty text leaves it out.
std::string profile(const std::string& field = "", const std::string& value = "") {
    const std::vector<std::pair<std::string, std::string>> fields{
        {"architecture", "\"gfx90a\""},     {"subgroup_size", "64"},
        {"max_group_size", "1024"},         {"registers_per_thread", "256"},
        {"compute_units", "104"},           {"shared_bytes", "65536"},
        {"shared_bytes_per_unit", "65536"}, {"memory_bytes", "68719476736"},
        {"cache_bytes", "8388608"},         {"sector_bytes", "64"}};
    std::string text;
    bool replaced = false;
    const auto add = [&](const std::string& key, const std::string& number) {
        if (!number.empty()) text += (text.empty() ? "\"" : ", \"") + key + "\": " + number;
    };
    for (const auto& [key, number] : fields) {
        add(key, key == field ? value : number);
        replaced = replaced || key == field;
    }
    if (!replaced && !field.empty()) add(field, value);
    return profile_with(text);
}

std::string refusal(const std::string& text) {
    const TemporaryFolder folder;
    try {
        io::read_device_profile(folder.write("card.json", text));
    } catch (const Failure& failure) {
        const std::string what = failure.what();
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
        EXPECT_NE(what.find("card.json"), std::string::npos) << what;
        return what;
    }
    return "accepted";
}

TEST(DeviceProfile, gives_its_limits_and_sensible_ones_where_it_is_silent) {
    const TemporaryFolder folder;
    const io::DeviceProfile read = io::read_device_profile(folder.write("card.json", profile("fp64", "false")));
    EXPECT_EQ(read.name, "A card");
    EXPECT_EQ(read.limits.architecture, "gfx90a");
    EXPECT_EQ(read.limits.subgroup_size, 64u);
    EXPECT_EQ(read.limits.shared_bytes, 65536u);
    EXPECT_EQ(read.limits.max_allocation_bytes, read.limits.memory_bytes);
    EXPECT_EQ(read.limits.vectors, Vectors::subgroups);
    EXPECT_EQ(read.limits.max_cluster_size, 1u);
    EXPECT_FALSE(read.limits.fp64);
    EXPECT_FALSE(read.limits.exact_fp64) << "there is none to be exact";
}

TEST(DeviceProfile, names_the_field_the_rule_and_what_came) {
    const auto expect = [](const std::string& text, const std::string& said) {
        EXPECT_NE(refusal(text).find(said), std::string::npos) << refusal(text);
    };
    expect(profile("subgroup_size", "24"), "limits.subgroup_size: expected a power of two from 1 to 128, got 24");
    expect(profile("subgroup_size", "\"64\""),
           "limits.subgroup_size: expected a power of two from 1 to 128, got \"64\"");
    expect(profile("compute_units", ""), "limits.compute_units: expected a whole number from 1 to 65536, got nothing");
    expect(profile("compute_units", "-3"), "limits.compute_units: expected a whole number from 1 to 65536, got -3");
    expect(profile("compute_units", "1e3"), "limits.compute_units: expected a whole number");
    expect(profile("shared_bytes_per_unit", "1024"),
           "limits.shared_bytes_per_unit: expected a whole number from 65536");
    expect(profile("fp64", "1"), "limits.fp64: expected true or false, got 1");
    expect(profile("memory_bytes", "7e999"), "expected numbers of at most 64 bits, got a larger one");
    expect(profile("vectors", "\"many\""),
           "limits.vectors: expected subgroups, explicit-simd or implicit-simd, got \"many\"");
    expect(profile("wavefront", "64"), "limits.wavefront: expected one of architecture, ");
    expect(profile("architecture", "\"\""), "limits.architecture: expected a text, got \"\"");
    expect(R"({"sources": ["x"], "limits": {}})", "name: expected a text, got nothing");
    expect(R"({"name": "x", "limits": {}})",
           "sources: expected a list of documents that the numbers are from, got nothing");
    expect(R"({"name": "x", "sources": [1], "limits": {}})", "sources: expected texts, got 1");
    expect(R"({"name": "x", "sources": ["y"], "limits": 7})", "limits: expected an object, got 7");
    expect("[1, 2]", "expected an object with name, sources and limits");
    expect("{\"name\": ", "expected JSON, got something else at byte");
    expect("", "expected JSON");
    expect(std::string(70000, ' '), "expected a device profile of at most 64 KiB");
    expect(profile("architecture", "\"" + std::string(30000, '[') + "\"") + std::string(100000, '['), "at most");
    expect(std::string(60000, '['), "expected JSON");
}

TEST(DeviceProfile, the_shipped_ones_can_be_read_and_differ) {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(SEICHE_PROFILES)) {
        const io::DeviceProfile read = io::read_device_profile(file.path().string());
        EXPECT_GT(read.limits.compute_units, 1u) << file.path();
        names.push_back(read.name);
    }
    EXPECT_GE(names.size(), 12u);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace
}  // namespace seiche::cli
