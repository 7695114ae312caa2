// What each operating system does in its own way: libraries, environment, places for files.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "runtime/cache.hpp"
#include "runtime/library.hpp"
#include "runtime/memory_limit.hpp"
#include "runtime/system.hpp"
#include "tests/support/environment.hpp"

namespace seiche::runtime {
namespace {

namespace fs = std::filesystem;

#ifdef _WIN32
const LibraryNames system_library{.so = {}, .dll = {"kernel32.dll"}, .dylib = {}};
constexpr const char* function_name = "GetCurrentProcessId";
#else
const LibraryNames system_library{.so = {"libm.so.6"}, .dll = {}, .dylib = {"/usr/lib/libSystem.B.dylib"}};
constexpr const char* function_name = "cos";
#endif

TEST(System, loads_the_first_library_that_there_is) {
    std::vector<std::string> names = names_here(system_library);
    ASSERT_EQ(names.size(), 1u);
    names.insert(names.begin(), "seiche-no-such-library");
    const Library library = Library::open(names);
    ASSERT_TRUE(library) << library.error();
    EXPECT_EQ(library.name(), names[1]);
    EXPECT_EQ(library.error(), "");
    EXPECT_NE(library.symbol(function_name), nullptr);
    EXPECT_EQ(library.symbol("seiche_no_such_function"), nullptr);
}

TEST(System, says_why_a_library_does_not_load) {
    const Library library = Library::open({"seiche-no-such-library", "nor-this"});
    EXPECT_FALSE(library);
    EXPECT_NE(library.error().find("seiche-no-such-library"), std::string::npos) << library.error();
    EXPECT_EQ(library.error().find('\n'), std::string::npos);
    EXPECT_EQ(library.symbol(function_name), nullptr);
    EXPECT_EQ(Library::open({}).error(), "there is none for this system");
}

TEST(System, takes_no_library_of_the_folder_it_stands_in) {
    const fs::path name = unique_name(".", "seiche-planted").filename();
    std::ofstream(name, std::ios::binary) << "no library";
    const Library library = Library::open({name.string()});
    EXPECT_FALSE(library);
    // Its contents were never looked at: it was not found.
    EXPECT_EQ(library.error().find("header"), std::string::npos) << library.error();
    EXPECT_EQ(library.error().find("not a valid"), std::string::npos) << library.error();
    fs::remove(name);
}

TEST(System, reads_variables_of_any_length) {
    for (const std::size_t length : {1u, 63u, 64u, 65u, 1000u}) {
        const std::string value(length, 'x');
        set_environment("SEICHE_TEST_VARIABLE", value);
        EXPECT_EQ(environment("SEICHE_TEST_VARIABLE"), value);
    }
    unset_environment("SEICHE_TEST_VARIABLE");
    EXPECT_EQ(environment("SEICHE_TEST_VARIABLE"), "");
}

TEST(System, keeps_kernels_where_the_user_keeps_such_things) {
    unset_environment("SEICHE_CACHE_DIR");
#ifdef _WIN32
    set_environment("LOCALAPPDATA", "C:\\somewhere");
    EXPECT_EQ(cache_folder(), fs::path("C:\\somewhere\\seiche"));
#else
    set_environment("HOME", "/somewhere");
    unset_environment("XDG_CACHE_HOME");
    EXPECT_EQ(cache_folder(), fs::path("/somewhere/.cache/seiche"));
    set_environment("XDG_CACHE_HOME", "/elsewhere");
    EXPECT_EQ(cache_folder(), fs::path("/elsewhere/seiche"));
#endif
    set_environment("SEICHE_CACHE_DIR", "mine");
    EXPECT_EQ(cache_folder(), fs::path("mine"));
    unset_environment("SEICHE_CACHE_DIR");
}

TEST(System, file_names_are_utf8) {
    const fs::path folder = unique_name(fs::temp_directory_path(), "seiche-\xc3\xa4\xe6\xb3\xa2");
    EXPECT_EQ(why_unusable(folder), "");
    EXPECT_FALSE(fs::exists(folder));
    EXPECT_TRUE(make_private_folder(folder));
    EXPECT_TRUE(takes_files(folder));
    EXPECT_TRUE(fs::is_empty(folder)) << "an attempt to write was left behind";
    EXPECT_NE(folder.string().find("\xc3\xa4\xe6\xb3\xa2"), std::string::npos);
    const std::string key(32, 'a');
    const std::vector<std::byte> bytes{std::byte{26}, std::byte{10}, std::byte{13}};
    EXPECT_TRUE(write_entry(folder, key, bytes));
    EXPECT_TRUE(write_entry(folder, key, bytes)) << "over the one that is there";
    EXPECT_EQ(read_entry(folder, key), bytes);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
    fs::remove_all(folder);
}

TEST(System, a_file_is_no_folder) {
    const fs::path file = unique_name(fs::temp_directory_path(), "seiche-file");
    std::ofstream(file) << "x";
    EXPECT_NE(why_unusable(file), "");
    EXPECT_NE(why_unusable(file / "below"), "");
    EXPECT_FALSE(make_private_folder(file));
    EXPECT_FALSE(make_private_folder(file / "below"));
    fs::remove(file);
}

TEST(System, knows_the_memory_of_the_host) {
    EXPECT_GT(memory_limit(), std::uint64_t{1} << 26);
    EXPECT_LT(memory_limit(), std::uint64_t{1} << 50);
}

TEST(System, heeds_what_a_control_group_leaves) {
    const fs::path folder = unique_name(fs::temp_directory_path(), "seiche-groups");
    fs::create_directories(folder / "groups/a/b");
    fs::create_directories(folder / "groups/memory/c");
    const auto write = [&](const char* name, const char* text) { std::ofstream(folder / name) << text << "\n"; };
    const auto limit = [&](const char* membership) {
        write("self", membership);
        return control_group_limit(folder / "self", folder / "groups");
    };
    EXPECT_EQ(limit("0::/a/b"), 0u) << "there are no files";
    write("groups/a/memory.max", "1000");
    write("groups/a/b/memory.max", "max");
    write("groups/memory/c/memory.limit_in_bytes", "9223372036854771712");
    write("groups/memory/memory.limit_in_bytes", "500");
    EXPECT_EQ(limit("0::/a/b"), 1000u) << "that of the group above";
    EXPECT_EQ(limit("0::/"), 0u);
    EXPECT_EQ(limit("5:cpu,memory:/c\n0::/"), 500u);
    EXPECT_EQ(limit("5:cpu:/c"), 0u);
    EXPECT_EQ(limit("0::/of/the/host"), 0u);
    write("groups/memory.max", "2000");
    EXPECT_EQ(limit("0::/of/the/host"), 2000u) << "in a container the own group is the root";
    EXPECT_EQ(limit("nonsense"), 0u);
    fs::remove_all(folder);
}

TEST(System, heeds_what_processors_a_control_group_leaves) {
    const fs::path folder = unique_name(fs::temp_directory_path(), "seiche-groups");
    fs::create_directories(folder / "groups/a/b");
    fs::create_directories(folder / "groups/cpu/c");
    const auto write = [&](const char* name, const char* text) { std::ofstream(folder / name) << text << "\n"; };
    const auto processors = [&](const char* membership) {
        write("self", membership);
        return control_group_processors(folder / "self", folder / "groups");
    };
    EXPECT_EQ(processors("0::/a/b"), 0) << "there are no files";
    write("groups/a/cpu.max", "150000 100000");
    write("groups/a/b/cpu.max", "max 100000");
    EXPECT_EQ(processors("0::/a/b"), 1.5) << "that of the group above";
    write("groups/a/b/cpu.max", "50000 100000");
    EXPECT_EQ(processors("0::/a/b"), 0.5);
    write("groups/cpu/c/cpu.cfs_quota_us", "-1");
    write("groups/cpu/c/cpu.cfs_period_us", "100000");
    EXPECT_EQ(processors("4:cpu,cpuacct:/c"), 0);
    write("groups/cpu/c/cpu.cfs_quota_us", "400000");
    EXPECT_EQ(processors("4:cpu,cpuacct:/c"), 4);
    EXPECT_EQ(processors("4:cpuset:/c"), 0);
    fs::remove_all(folder);
    EXPECT_GE(allowed_processors(), 1u);
}

TEST(System, pages_are_zero_and_become_executable_or_say_why) {
    Pages none, large(5 << 20, true), small(1);
    EXPECT_FALSE(none);
    ASSERT_TRUE(large && small);
    EXPECT_GE(large.bytes(), 5u << 20);
    EXPECT_EQ(small.data()[small.bytes() - 1], std::byte{0});
    large.data()[large.bytes() - 1] = std::byte{1};
    EXPECT_FALSE(Pages(std::uint64_t{1} << 62)) << "no host has so much";
    std::string why;
    EXPECT_FALSE(none.make_executable(why));
    EXPECT_NE(why, "");
    Pages moved = std::move(large);
    EXPECT_FALSE(large);  // NOLINT(bugprone-use-after-move): what is moved from is empty
    EXPECT_EQ(moved.data()[moved.bytes() - 1], std::byte{1});
}

TEST(System, appends_lines_to_its_own_files_only) {
    const fs::path file = unique_name(fs::temp_directory_path(), "seiche-lines");
    EXPECT_TRUE(append_line(file, "a"));
    EXPECT_TRUE(append_line(file, "b"));
    std::string first, second;
    std::ifstream(file) >> first >> second;
    EXPECT_EQ(first + second, "ab");
    EXPECT_FALSE(append_line(fs::temp_directory_path(), "a"));
    fs::remove(file);
}

TEST(System, names_are_never_the_same_and_cannot_be_guessed) {
    const std::string a = unique_name("x", "stem").string(), b = unique_name("x", "stem").string();
    EXPECT_NE(a, b);
    EXPECT_NE(a.substr(a.rfind('.')), b.substr(b.rfind('.'))) << "the same digits";
    EXPECT_EQ(a.size() - a.rfind('.'), 17u);
}

TEST(System, writes_private_files_and_never_over_another) {
    const fs::path file = unique_name(fs::temp_directory_path(), "seiche-private");
    const std::vector<std::byte> bytes(10, std::byte{7});
    EXPECT_TRUE(write_private_file(file, {bytes, bytes}));
    EXPECT_EQ(fs::file_size(file), 20u);
    EXPECT_FALSE(write_private_file(file, {bytes})) << "it is there";
    EXPECT_EQ(fs::file_size(file), 20u);
#ifndef _WIN32
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
#endif
    fs::remove(file);
    EXPECT_FALSE(write_private_file(file / "below", {bytes}));
}

TEST(System, reads_regular_files_only) {
    const fs::path folder = unique_name(fs::temp_directory_path(), "seiche-input");
    fs::create_directory(folder);
    std::string why = "old";
    EXPECT_FALSE(InputFile(folder / "none", InputFile::Whose::anybodys, why));
    EXPECT_EQ(why, "");
    EXPECT_FALSE(InputFile(folder, InputFile::Whose::anybodys, why));
    EXPECT_NE(why, "");
    std::ofstream(folder / "file") << "0123456789";
    {
        const InputFile file(folder / "file", InputFile::Whose::anybodys, why);
        ASSERT_TRUE(file) << why;
        EXPECT_EQ(file.bytes(), 10u);
        std::string three(3, ' ');
        EXPECT_TRUE(file.read(4, three.data(), 3));
        EXPECT_EQ(three, "456");
        EXPECT_FALSE(file.read(8, three.data(), 3));
    }
    fs::remove_all(folder);  // Windows keeps a file that is open
}

TEST(System, texts_for_people_are_kept_as_they_are) {
    const std::string place = dump_text("test", ".cl", "one\ntwo\n");
    std::ifstream file(place, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "one\ntwo\n");
    file.close();
#ifndef _WIN32
    EXPECT_EQ(fs::status(place).permissions(), fs::perms::owner_read | fs::perms::owner_write);
#endif
    EXPECT_TRUE(fs::remove(place)) << place;
}

}  // namespace
}  // namespace seiche::runtime
