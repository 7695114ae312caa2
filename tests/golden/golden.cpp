// Reads, compares and updates golden files.
#include "golden.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string_view>

namespace seiche::test {

namespace {

bool update = false;

// The first line that differs, for a message that can be read.
std::string difference(const std::string& want, const std::string& got) {
    std::size_t line = 1, at = 0;
    for (; at < want.size() && at < got.size() && want[at] == got[at]; ++at)
        if (want[at] == '\n') ++line;
    const auto cut = [&](const std::string& text) {
        const std::size_t start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
        return start < text.size() ? text.substr(start, text.find('\n', start) - start) : std::string("(end)");
    };
    return "line " + std::to_string(line) + "\n  expected: " + cut(want) + "\n  got:      " + cut(got);
}

}  // namespace

void expect_golden(const std::string& file, const std::string& text) {
    const std::string path = std::string(SEICHE_GOLDEN_FOLDER) + "/" + file;
    if (update) {
        std::ofstream(path, std::ios::binary) << text;
        return;
    }
    std::ifstream stream(path, std::ios::binary);
    ASSERT_TRUE(stream) << "no " << path << ": read the new text and run with --update-golden";
    const std::string want((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    EXPECT_TRUE(want == text) << file << " differs in " << difference(want, text)
                              << "\nif the new text is right, run this test with --update-golden";
}

}  // namespace seiche::test

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    for (int i = 1; i < argc; ++i)
        if (std::string_view(argv[i]) == "--update-golden") seiche::test::update = true;
    return RUN_ALL_TESTS();
}
