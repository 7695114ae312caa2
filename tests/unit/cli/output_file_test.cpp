// Output files: nothing appears unless it is complete.
#include "cli/io/output_file.hpp"

#include <gtest/gtest.h>

#include "cli/io/input_file.hpp"
#include "tests/unit/cli/temporary.hpp"

namespace seiche::cli::io {
namespace {

TEST(OutputFile, AppearsOnCommit) {
    TemporaryFolder folder;
    {
        OutputFile file(folder.file("a.csv"));
        file.write("1,2\n");
        EXPECT_FALSE(std::filesystem::exists(folder.file("a.csv")));
        file.commit();
    }
    EXPECT_EQ(read_all(folder.file("a.csv")), "1,2\n");
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(OutputFile, LeavesNothingBehindOnFailure) {
    TemporaryFolder folder;
    folder.write("a.csv", "old");
    try {
        OutputFile file(folder.file("a.csv"));
        file.write("new");
        throw Failure("x");
    } catch (const Failure&) {
    }
    EXPECT_EQ(read_all(folder.file("a.csv")), "old");
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(OutputFile, RefusesFoldersAndMissingFolders) {
    TemporaryFolder folder;
    EXPECT_NE(failure_of([&] { OutputFile(folder.file("")); }).find("folder"), std::string::npos);
    EXPECT_NE(failure_of([&] { OutputFile(folder.file("no/a.npy")); }).find("No such file"), std::string::npos);
}

TEST(OutputFile, KeepsLinks) {
    TemporaryFolder folder;
    folder.write("real", "old");
    std::error_code none;
    std::filesystem::create_symlink("real", folder.file("link"), none);
    if (none) GTEST_SKIP() << "no symbolic links: " << none.message();
    OutputFile file(folder.file("link"));
    file.write("new");
    file.commit();
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
    EXPECT_EQ(read_all(folder.file("real")), "new");
}

TEST(OutputFile, ReplacesWhatIsBeingRead) {
    TemporaryFolder folder;
    InputFile reader(folder.write("a", "old"));
    OutputFile file(folder.file("a"));
    file.write("newer");
    file.commit();
    EXPECT_EQ(read_all(folder.file("a")), "newer");
    std::string seen(3, ' ');
    reader.read(seen.data(), seen.size(), "what was there");
    EXPECT_EQ(seen, "old");
}

TEST(OutputFile, KeepsDevices) {
    if (!std::filesystem::exists("/dev/null")) GTEST_SKIP();
    OutputFile null("/dev/null");
    null.write("x");
    null.commit();
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFile, ReportsAFullDisk) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
    EXPECT_NE(failure_of([] {
                  OutputFile file("/dev/full");
                  file.write("x");
                  file.commit();
              }).find("No space left"),
              std::string::npos);
}

}  // namespace
}  // namespace seiche::cli::io
