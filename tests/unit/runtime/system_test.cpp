// What each operating system does in its own way: libraries, environment, places for files.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "runtime/cache.hpp"
#include "runtime/library.hpp"
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
    EXPECT_TRUE(could_write(folder));
    EXPECT_FALSE(fs::exists(folder));
    EXPECT_TRUE(usable_folder(folder));
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
    EXPECT_FALSE(usable_folder(file));
    EXPECT_FALSE(usable_folder(file / "below"));
    fs::remove(file);
}

TEST(System, knows_the_memory_of_the_host) {
    EXPECT_GT(physical_memory(), std::uint64_t{1} << 26);
    EXPECT_LT(physical_memory(), std::uint64_t{1} << 50);
}

TEST(System, texts_for_people_are_kept_as_they_are) {
    const std::string place = dump_text("test", ".cl", "one\ntwo\n");
    std::ifstream file(place, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "one\ntwo\n");
    file.close();
    EXPECT_TRUE(fs::remove(place)) << place;
}

}  // namespace
}  // namespace seiche::runtime
