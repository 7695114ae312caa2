// Output files: nothing appears unless it is complete.
#include "cli/io/output_file.hpp"

#include <gtest/gtest.h>

#ifndef _WIN32
#include <sys/stat.h>
#endif

#include <cstdint>
#include <thread>

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

TEST(OutputFile, NamesOfStandardOutput) {
    for (const char* name : {"-", "/dev/stdout", "csv:-", "npy:-"}) EXPECT_TRUE(is_standard_output(name)) << name;
    for (const char* name : {"", "a", "--", "./-", ":-", "csv:", "csv:a", "a/b:-", "C:\\-"})
        EXPECT_FALSE(is_standard_output(name)) << name;
    EXPECT_EQ(output_extension("-", ".png"), ".png");
    EXPECT_EQ(output_extension("CSV:-", ".png"), ".csv");
    EXPECT_EQ(output_extension("a.NPY", ".png"), ".npy");
    EXPECT_EQ(output_extension("a", ".png"), "");
}

#ifndef _WIN32
/// Writes to a pipe of that name, which waits for its reader.
class PipeWriter {
public:
    PipeWriter(const std::string& path, const std::string& bytes) {
        EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
        thread_ = std::thread([path, bytes] { std::ofstream(path, std::ios::binary) << bytes; });
    }
    PipeWriter(const PipeWriter&) = delete;
    PipeWriter& operator=(const PipeWriter&) = delete;
    ~PipeWriter() { thread_.join(); }

private:
    std::thread thread_;
};

TEST(InputFile, ReadsAPipeToAndFro) {
    TemporaryFolder folder;
    std::string bytes;
    for (std::uint32_t i = 0; i < 200000; ++i) bytes += static_cast<char>(i * i >> 3);
    const PipeWriter writer(folder.file("pipe"), bytes);
    InputFile one(folder.file("pipe")), two(folder.file("pipe"));  // what was read once is there for both
    EXPECT_EQ(one.bytes(), bytes.size());
    std::string a(1000, ' '), b(1000, ' ');
    one.seek(150000);
    for (std::size_t at = 0; at < 50000; at += 1000) {
        one.read(a.data(), a.size(), "the pipe");
        two.read(b.data(), b.size(), "the pipe");
        EXPECT_EQ(a, bytes.substr(150000 + at, 1000));
        EXPECT_EQ(b, bytes.substr(at, 1000));
    }
    EXPECT_EQ(one.left(), 0u);
    EXPECT_EQ(one.read_some(a.data(), 5), 0u);
    EXPECT_NE(failure_of([&] { one.read(a.data(), 1, "more"); }).find("more takes 1 bytes, but only 0"),
              std::string::npos);
}

TEST(InputFile, RefusesDevices) {
    EXPECT_NE(failure_of([] { InputFile file("/dev/zero"); }).find("expected a file or a pipe"), std::string::npos);
    EXPECT_NE(failure_of([] { InputFile file("/"); }).find("expected a file or a pipe"), std::string::npos);
}
#endif

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
