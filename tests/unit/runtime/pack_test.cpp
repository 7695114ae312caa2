// Packs of kernels: what is found in them, and that whatever is damaged is refused by name.
#include "runtime/pack.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "runtime/library.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

namespace fs = std::filesystem;
using runtime::Pack;

const std::string first_key = "0123456789abcdef0123456789abcdef", second_key = "ffffffffffffffffffffffffffffffff";

class PackFile : public testing::Test {
protected:
    void SetUp() override {
        file = runtime::unique_name(fs::temp_directory_path(), "seiche-pack-test");
        kernels[first_key] = {std::byte{1}, std::byte{2}, std::byte{3}};
        kernels[second_key] = std::vector<std::byte>(5000, std::byte{7});
        write(runtime::pack_bytes(kernels));
    }
    void TearDown() override {
        fs::remove(file);
        unsetenv("SEICHE_PACK_PATH");
    }
    void write(const std::vector<std::byte>& bytes) const {
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }

    /// What opening the bytes and reading both kernels says.
    std::string refusal(const std::vector<std::byte>& bytes) const {
        write(bytes);
        try {
            const Pack pack(file);
            pack.find(first_key);
            pack.find(second_key);
        } catch (const InvalidProblem& error) {
            return error.what();
        }
        return "taken";
    }

    fs::path file;
    runtime::PackedKernels kernels;
};

TEST_F(PackFile, gives_back_what_is_in_it) {
    const Pack pack(file);
    EXPECT_EQ(pack.kernels(), 2u);
    EXPECT_EQ(pack.find(first_key), kernels[first_key]);
    EXPECT_EQ(pack.find(second_key), kernels[second_key]);
    EXPECT_EQ(pack.find("0123456789abcdef0123456789abcde0"), std::nullopt);
}

TEST_F(PackFile, is_a_file_and_nothing_that_is_waited_for) {
    const auto says = [](const fs::path& path, const char* part) {
        try {
            const Pack pack(path);
        } catch (const InvalidProblem& error) {
            return std::string(error.what()).find(part) != std::string::npos;
        }
        return false;
    };
    fs::remove(file);
    EXPECT_TRUE(says(file, "expected a file that can be read, got none"));
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    EXPECT_TRUE(says(file, "got one that is no regular file"));
    EXPECT_TRUE(says(fs::temp_directory_path(), "got one that is no regular file"));
    EXPECT_TRUE(says("/dev/null/below", "got one that cannot be opened: "));
}

TEST_F(PackFile, refuses_damage_wherever_it_is) {
    const std::vector<std::byte> whole = runtime::pack_bytes(kernels);
    EXPECT_EQ(refusal(whole), "taken");
    for (std::size_t at = 0; at < whole.size(); at += at < 200 ? 1 : 97) {
        std::vector<std::byte> damaged = whole;
        damaged[at] ^= std::byte{0x40};
        const std::string said = refusal(damaged);
        EXPECT_NE(said.find(file.string()), std::string::npos) << at << ": " << said;
    }
    for (const std::size_t size : {std::size_t{0}, std::size_t{13}, std::size_t{60}, whole.size() - 1})
        EXPECT_NE(refusal({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}), "taken") << size;
    std::vector<std::byte> many = whole;
    for (std::size_t i = 0; i < 8; ++i) many[14 + i] = std::byte{0xff};
    EXPECT_NE(refusal(many).find("damaged"), std::string::npos);
}

TEST_F(PackFile, is_found_through_the_environment) {
    EXPECT_EQ(runtime::find_packed(first_key), std::nullopt);
    const fs::path other = file.string() + "-other";
    setenv("SEICHE_PACK_PATH", other.c_str(), 1);
    try {
        runtime::find_packed(first_key);
        ADD_FAILURE() << "a pack that is not there was passed over";
    } catch (const InvalidProblem& error) {
        EXPECT_NE(std::string(error.what()).find("expected a file that can be read"), std::string::npos)
            << error.what();
    }
    const auto bytes = runtime::pack_bytes({{first_key, {std::byte{9}}}});
    std::ofstream(other, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    setenv("SEICHE_PACK_PATH", (":" + other.string() + ":" + file.string()).c_str(), 1);
    EXPECT_EQ(runtime::find_packed(first_key), std::vector<std::byte>{std::byte{9}});  // the first that has it
    EXPECT_EQ(runtime::find_packed(second_key), kernels[second_key]);
    fs::remove(other);
}

}  // namespace
}  // namespace seiche::test
