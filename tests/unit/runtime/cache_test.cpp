// The cache of compiled kernels: what it gives back, what it refuses, and how threads share it.
#include "runtime/cache.hpp"

#include <gtest/gtest.h>

#ifndef _WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <atomic>
#include <cstring>
#include <fstream>
#include <thread>

#include "runtime/backend.hpp"
#include "runtime/library.hpp"
#include "runtime/once.hpp"
#include "seiche/cache.hpp"
#include "seiche/error.hpp"
#include "tests/support/environment.hpp"

namespace seiche::test {
namespace {

namespace fs = std::filesystem;

class Cache : public testing::Test {
protected:
    void SetUp() override {
        folder = runtime::unique_name(fs::temp_directory_path(), "seiche-cache-test");
        set_environment("SEICHE_CACHE_DIR", folder.string());
    }
    void TearDown() override {
        std::error_code failed;
        fs::remove_all(folder, failed);
        unset_environment("SEICHE_CACHE_DIR");
    }
    fs::path entry() const { return folder / (key + ".kernel"); }

    fs::path folder;
    const std::string key = "0123456789abcdef0123456789abcdef";
};

std::vector<std::byte> some_bytes(std::size_t count) {
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 37 + 5);
    return bytes;
}

TEST_F(Cache, gives_back_what_was_written) {
    EXPECT_FALSE(runtime::read_entry(folder, key));
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{100000}}) {
        ASSERT_TRUE(runtime::write_entry(folder, key, some_bytes(count)));
        const auto back = runtime::read_entry(folder, key);
        ASSERT_TRUE(back);
        EXPECT_EQ(*back, some_bytes(count));
    }
    EXPECT_FALSE(runtime::read_entry(folder, "f" + key.substr(1)));
}

TEST_F(Cache, leaves_nothing_but_entries_behind) {
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(runtime::write_entry(folder, key, some_bytes(10)));
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& file : fs::directory_iterator(folder)) ++files;
    EXPECT_EQ(files, 1u);
}

TEST_F(Cache, reads_sizes) {
    const auto bytes = [](const char* text) { return runtime::parse_bytes(text); };
    EXPECT_EQ(bytes("0"), 0u);
    EXPECT_EQ(bytes("123"), 123u);
    EXPECT_EQ(bytes("3K"), 3072u);
    EXPECT_EQ(bytes("500M"), 500u << 20);
    EXPECT_EQ(bytes("2G"), std::uint64_t{2} << 30);
    for (const char* wrong : {"", "K", "-1", "1.5G", "2 G", "1g", "1T", "1KB", "99999999999999999999", "17179869185G"})
        EXPECT_FALSE(bytes(wrong)) << wrong;
    EXPECT_EQ(runtime::cache_limit(), std::uint64_t{1} << 30);
    set_environment("SEICHE_CACHE_MAX", "lots");
    EXPECT_THROW(runtime::cache_limit(), InvalidProblem);
    unset_environment("SEICHE_CACHE_MAX");
}

/// Whose entries were used so many hours ago.
void age(const fs::path& entry, int hours) {
    fs::last_write_time(entry, fs::file_time_type::clock::now() - std::chrono::hours(hours));
}

TEST_F(Cache, drops_what_was_used_longest_ago_when_it_is_full) {
    set_environment("SEICHE_CACHE_MAX", "10K");
    const auto key_of = [&](int i) { return std::string(1, static_cast<char>('0' + i)) + key.substr(1); };
    const auto has = [&](int i) { return fs::exists(folder / (key_of(i) + ".kernel")); };
    for (int i = 0; i < 4; ++i) {
        ASSERT_TRUE(runtime::write_entry(folder, key_of(i), some_bytes(1900)));
        age(folder / (key_of(i) + ".kernel"), 10 - i);
    }
    EXPECT_TRUE(runtime::read_entry(folder, key_of(0))) << "now it was used last";
    ASSERT_TRUE(runtime::write_entry(folder, key_of(4), some_bytes(1900)));
    EXPECT_EQ(cache_report().entries, 5u) << "it is not full yet";
    ASSERT_TRUE(runtime::write_entry(folder, key_of(5), some_bytes(1900)));
    EXPECT_TRUE(has(0));
    EXPECT_FALSE(has(1));
    EXPECT_FALSE(has(2));
    EXPECT_TRUE(has(3) && has(4) && has(5));
    EXPECT_LE(cache_report().bytes, 10u * 1024 * 9 / 10);
    EXPECT_FALSE(runtime::write_entry(folder, key_of(6), some_bytes(11000))) << "it alone is too large";
    EXPECT_EQ(cache_report().entries, 4u);
    set_environment("SEICHE_CACHE_MAX", "0");
    EXPECT_FALSE(runtime::write_entry(folder, key_of(7), some_bytes(1)));
    EXPECT_FALSE(cache_report().writable);
    EXPECT_NE(cache_report().problem, "");
    unset_environment("SEICHE_CACHE_MAX");
}

TEST_F(Cache, removes_what_was_left_half_written_and_nobody_elses_files) {
    ASSERT_TRUE(runtime::write_entry(folder, key, some_bytes(10)));
    const fs::path old = folder / ("." + key + ".1.2.0123456789abcdef"), fresh = folder / ("." + key + ".3.4.x");
    for (const fs::path& file : {old, fresh, folder / ".bashrc", folder / "photo.kernel"}) std::ofstream(file) << "x";
    for (const fs::path& file : {old, folder / ".bashrc", folder / "photo.kernel"}) age(file, 2);
    EXPECT_EQ(runtime::make_room(folder, 1 << 20), fs::file_size(entry()) + 1);
    EXPECT_FALSE(fs::exists(old));
    EXPECT_TRUE(fs::exists(fresh)) << "somebody may be writing it";
    EXPECT_EQ(clear_cache(), 2u);
    EXPECT_TRUE(fs::exists(folder / ".bashrc"));
    EXPECT_TRUE(fs::exists(folder / "photo.kernel"));
}

// Writers that fill it over and over, at once: each reads back either its own bytes or nothing.
TEST_F(Cache, stays_small_whoever_writes_at_once) {
    set_environment("SEICHE_CACHE_MAX", "64K");
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 100; ++i) {
                std::string own = key;
                own[0] = static_cast<char>('a' + t);
                own[1] = static_cast<char>('0' + i % 10);
                runtime::write_entry(folder, own, some_bytes(4000 + t));
                const auto back = runtime::read_entry(folder, own);
                wrong += back && *back != some_bytes(4000 + t) ? 1 : 0;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_LE(cache_report().bytes, 70u * 1024);
    EXPECT_GT(cache_report().entries, 4u);
    unset_environment("SEICHE_CACHE_MAX");
}

#ifndef _WIN32
class TrustedCache : public Cache {
protected:
    void SetUp() override {
        Cache::SetUp();
        ASSERT_TRUE(runtime::write_entry(folder, key, some_bytes(10)));
        ASSERT_TRUE(reads());
    }
    bool reads() const { return runtime::read_entry(folder, key).has_value(); }
    std::string refusal() const {
        const CacheReport report = cache_report();
        return report.refused.empty() ? report.problem : report.refused.front();
    }
    static bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
    static constexpr fs::perms others_write = fs::perms::others_write, group_write = fs::perms::group_write;
    static void allow(const fs::path& path, fs::perms more) { fs::permissions(path, more, fs::perm_options::add); }
};

TEST_F(TrustedCache, is_this_users_alone) {
    EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
    EXPECT_EQ(fs::status(entry()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(TrustedCache, refuses_entries_that_others_may_write) {
    for (const fs::perms more : {others_write, group_write}) {
        allow(entry(), more);
        EXPECT_FALSE(reads());
        EXPECT_TRUE(says(refusal(), "writable by others")) << refusal();
        ASSERT_TRUE(runtime::write_entry(folder, key, some_bytes(10))) << "a new one takes its place";
        EXPECT_TRUE(reads());
    }
    fs::create_symlink(entry(), folder / ("f" + key.substr(1) + ".kernel"));
    EXPECT_FALSE(runtime::read_entry(folder, "f" + key.substr(1)));
    EXPECT_TRUE(says(refusal(), "is a link")) << refusal();
}

TEST_F(TrustedCache, refuses_folders_that_others_may_write) {
    const auto refused = [&] {
        return !reads() && !runtime::write_entry(folder, "f" + key.substr(1), some_bytes(1)) &&
               says(cache_report().problem, "writable by others") && !cache_report().writable;
    };
    for (const fs::perms more : {others_write, group_write}) {
        allow(folder, more);
        EXPECT_TRUE(refused()) << refusal();
        fs::permissions(folder, fs::perms::owner_all);
        EXPECT_TRUE(reads());
    }
}

TEST_F(TrustedCache, refuses_folders_that_others_may_exchange) {
    const fs::path inner = folder / "in/ner";
    ASSERT_TRUE(runtime::write_entry(inner, key, some_bytes(10)));
    ASSERT_TRUE(runtime::read_entry(inner, key));
    allow(folder / "in", others_write);
    EXPECT_FALSE(runtime::read_entry(inner, key));
    // Of a folder like /tmp nobody may rename what is not theirs.
    allow(folder / "in", fs::perms::sticky_bit);
    EXPECT_TRUE(runtime::read_entry(inner, key));
    EXPECT_FALSE(runtime::why_unusable(folder / "in").empty()) << "but anybody may add to it";
    EXPECT_TRUE(says(runtime::why_unusable(folder / "in/"), "name one below it"));
    // By way of a link, in a folder where others may exchange it.
    fs::permissions(folder / "in", fs::perms::owner_all);
    fs::create_directory(folder / "open");
    allow(folder / "open", others_write);
    fs::create_directory_symlink(inner, folder / "open/link");
    EXPECT_FALSE(runtime::read_entry(folder / "open/link", key));
    fs::create_directory_symlink("in/ner", folder / "link");
    EXPECT_TRUE(runtime::read_entry(folder / "link", key)) << "of this user, in a folder of this user";
    fs::create_directory_symlink("round", folder / "round");
    EXPECT_FALSE(runtime::why_unusable(folder / "round").empty());
}

TEST_F(TrustedCache, refuses_what_belongs_to_another) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
    constexpr uid_t nobody = 65534;
    ASSERT_EQ(chown(entry().c_str(), nobody, nobody), 0);
    EXPECT_FALSE(reads());
    EXPECT_TRUE(says(refusal(), "belongs to user 65534")) << refusal();
    ASSERT_EQ(chown(entry().c_str(), 0, 0), 0);
    EXPECT_TRUE(reads());
    ASSERT_EQ(chown(folder.c_str(), nobody, nobody), 0);
    EXPECT_FALSE(reads());
    EXPECT_FALSE(runtime::write_entry(folder, key, some_bytes(1)));
    EXPECT_TRUE(says(refusal(), "belongs to user 65534")) << refusal();
    ASSERT_EQ(chown(folder.c_str(), 0, 0), 0);
}

TEST_F(TrustedCache, waits_for_nobody_and_reads_no_more_than_a_kernel) {
    fs::remove(entry());
    ASSERT_EQ(mkfifo(entry().c_str(), 0600), 0);
    EXPECT_FALSE(reads());
    EXPECT_TRUE(says(refusal(), "no regular file")) << refusal();
    ASSERT_TRUE(runtime::write_entry(folder, key, some_bytes(10))) << "a new one takes its place";
    std::ifstream in(entry(), std::ios::binary);
    std::string header((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    header.resize(header.size() - 10);
    const std::uint64_t length = std::uint64_t{30} << 30;  // as the header says itself, and the file has, sparse
    std::memcpy(&header[48], &length, sizeof length);
    std::ofstream(entry(), std::ios::binary | std::ios::trunc) << header;
    fs::resize_file(entry(), header.size() + length);
    EXPECT_FALSE(reads());
    EXPECT_TRUE(says(refusal(), "larger than any kernel")) << refusal();
    EXPECT_GT(cache_report().bytes, length);
}
#endif

// Every single byte of an entry, changed, makes it a miss; so does every shorter length.
TEST_F(Cache, takes_damage_for_a_miss) {
    ASSERT_TRUE(runtime::write_entry(folder, key, some_bytes(50)));
    std::ifstream in(entry(), std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const auto replaced_by = [&](const std::string& contents) {
        std::ofstream(entry(), std::ios::binary | std::ios::trunc) << contents;
        return runtime::read_entry(folder, key).has_value();
    };
    ASSERT_TRUE(replaced_by(whole));
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        EXPECT_FALSE(replaced_by(damaged)) << "byte " << at;
        EXPECT_FALSE(replaced_by(whole.substr(0, at))) << "cut at " << at;
    }
    EXPECT_FALSE(replaced_by(whole + "x"));
}

TEST_F(Cache, does_without_a_folder_it_cannot_write) {
    const fs::path file = folder.string() + "-file";
    std::ofstream(file) << "not a folder";
    EXPECT_FALSE(runtime::write_entry(file / "below", key, some_bytes(10)));
    EXPECT_FALSE(runtime::read_entry(file / "below", key));
    EXPECT_FALSE(runtime::write_entry({}, key, some_bytes(10)));
    set_environment("SEICHE_CACHE_DIR", (file / "below").string());
    EXPECT_FALSE(cache_report().writable);
    EXPECT_EQ(cache_report().entries, 0u);
    EXPECT_EQ(clear_cache(), 0u);
    fs::remove(file);
}

TEST_F(Cache, reports_and_clears) {
    EXPECT_TRUE(cache_report().writable);
    EXPECT_FALSE(fs::exists(folder)) << "a report makes nothing";
    ASSERT_TRUE(runtime::write_entry(folder, key, some_bytes(1000)));
    ASSERT_TRUE(runtime::write_entry(folder, "f" + key.substr(1), some_bytes(10)));
    std::ofstream(folder / "somebody-elses.txt") << "stays";
    const CacheReport report = cache_report();
    EXPECT_EQ(report.folder, folder.string());
    EXPECT_EQ(report.entries, 2u);
    EXPECT_EQ(report.limit_bytes, std::uint64_t{1} << 30);
    EXPECT_EQ(report.problem, "");
    EXPECT_TRUE(report.refused.empty());
    EXPECT_GT(report.bytes, 1010u);
    EXPECT_LT(report.bytes, 1500u);
    EXPECT_EQ(clear_cache(), 2u);
    EXPECT_EQ(cache_report().entries, 0u);
    EXPECT_TRUE(fs::exists(folder / "somebody-elses.txt"));
}

TEST_F(Cache, key_holds_all_that_decides_the_binary) {
    emit::Source source;
    source.entry = "kernel";
    source.text = "text";
    source.architecture = "sm_90";
    source.options = {"-a", "-b"};
    const std::string base = runtime::cache_key(source, "compiler 1");
    EXPECT_EQ(base.size(), 32u);
    EXPECT_EQ(base, runtime::cache_key(source, "compiler 1"));
    EXPECT_NE(base, runtime::cache_key(source, "compiler 2"));
    const auto changed = [&](auto&& change) {
        emit::Source other = source;
        change(other);
        return runtime::cache_key(other, "compiler 1");
    };
    EXPECT_NE(base, changed([](emit::Source& s) { s.text += " "; }));
    EXPECT_NE(base, changed([](emit::Source& s) { s.architecture = "sm_80"; }));
    EXPECT_NE(base, changed([](emit::Source& s) { s.options = {"-a-b"}; }));
    EXPECT_NE(base, changed([](emit::Source& s) { s.entry = "other"; }));
    EXPECT_NE(base, changed([](emit::Source& s) { s.dialect = emit::Dialect::opencl; }));
}

TEST(Once, makes_equal_things_once_and_different_ones_in_parallel) {
    runtime::Once<int> once(4);
    // Whoever makes one waits for the maker of the other, who is there only if they are made at the same time.
    constexpr auto patience = std::chrono::seconds(60);
    std::atomic<int> made{0};
    std::atomic<bool> alone{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            const auto value = once.get(std::to_string(t % 2), [&] {
                ++made;
                const auto until = std::chrono::steady_clock::now() + patience;
                while (made < 2 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
                if (made < 2) alone = true;
                return std::make_shared<int>(t % 2);
            });
            EXPECT_EQ(*value, t % 2);
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(made, 2);
    EXPECT_FALSE(alone);
}

TEST(Once, forgets_failures_and_what_nobody_needs) {
    runtime::Once<int> once(1);
    EXPECT_THROW(once.get("a", []() -> std::shared_ptr<int> { throw BackendError("first"); }), BackendError);
    auto first = once.get("a", [] { return std::make_shared<int>(1); });
    EXPECT_EQ(once.get("a", [] { return std::make_shared<int>(2); }), first);
    const std::weak_ptr<int> watched = first;
    once.get("b", [] { return std::make_shared<int>(3); });
    EXPECT_FALSE(watched.expired());
    first.reset();
    EXPECT_TRUE(watched.expired()) << "only the last one is kept for nobody";
}

// Looking at all of them for each would take minutes.
TEST(Once, one_more_costs_the_same_however_many_live) {
    runtime::Once<int> once(1);
    constexpr int count = 200000;
    std::vector<std::shared_ptr<int>> living;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i)
        living.push_back(once.get(std::to_string(i), [i] { return std::make_shared<int>(i); }));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    for (int i = 0; i < count; i += 1000)
        EXPECT_EQ(once.get(std::to_string(i), [] { return nullptr; }), living[static_cast<std::size_t>(i)]);
    living.clear();
    EXPECT_EQ(*once.get("7", [] { return std::make_shared<int>(-1); }), -1);
}

/// A device whose compiler counts.
class CountingDevice final : public runtime::Device {
public:
    struct CountedModule final : runtime::Module {
        explicit CountedModule(std::vector<std::byte> b) : bytes(std::move(b)) {}
        std::vector<std::byte> bytes;
    };
    const DeviceInfo& info() const override { return info_; }
    emit::Target target() const override { return {}; }
    std::string compiler_version() const override { return "counting"; }
    runtime::Binary compile(const emit::Source& source) override {
        ++compiled;
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        runtime::Binary binary;
        for (const char c : source.text) binary.bytes.push_back(static_cast<std::byte>(c));
        return binary;
    }
    std::shared_ptr<runtime::Module> load(const emit::Source&, const runtime::Binary& binary) override {
        if (binary.bytes.size() == refused_size) throw BackendError("refused");
        return std::make_shared<CountedModule>(binary.bytes);
    }
    std::shared_ptr<runtime::Buffer> allocate(std::uint64_t) override { return nullptr; }
    std::shared_ptr<runtime::Queue> create_queue() override { return nullptr; }

    std::atomic<int> compiled{0};
    std::size_t refused_size = 0;

private:
    DeviceInfo info_;
};

emit::Source source_of(const std::string& text) {
    emit::Source source;
    source.entry = "kernel";
    source.text = text;
    return source;
}

TEST_F(Cache, compiles_once_for_eight_threads_and_two_devices) {
    const auto first = std::make_shared<CountingDevice>(), second = std::make_shared<CountingDevice>();
    std::atomic<int> reported{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            const auto result = runtime::compile_cached(t % 2 == 0 ? first : second, source_of("the same"));
            EXPECT_EQ(dynamic_cast<CountingDevice::CountedModule&>(*result.module).bytes.size(), 8u);
            reported += result.compiled ? 1 : 0;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(first->compiled + second->compiled, 1);
    EXPECT_GE(reported, 1);
    EXPECT_EQ(cache_report().entries, 1u);
}

TEST_F(Cache, outlives_the_device_and_survives_a_driver_that_refuses_an_entry) {
    runtime::compile_cached(std::make_shared<CountingDevice>(), source_of("text"));
    const auto later = std::make_shared<CountingDevice>();
    EXPECT_FALSE(runtime::compile_cached(later, source_of("text")).compiled);
    EXPECT_EQ(later->compiled, 0);

    // An entry that reads well but that the driver does not take is compiled anew.
    const auto strict = std::make_shared<CountingDevice>();
    strict->refused_size = 3;
    ASSERT_TRUE(runtime::write_entry(folder, runtime::cache_key(source_of("text"), "counting"), some_bytes(3)));
    EXPECT_TRUE(runtime::compile_cached(strict, source_of("text")).compiled);
    EXPECT_EQ(runtime::read_entry(folder, runtime::cache_key(source_of("text"), "counting"))->size(), 4u);
}

TEST_F(Cache, failing_to_write_is_not_failing_to_compile) {
    set_environment("SEICHE_CACHE_DIR", nowhere);
    const auto device = std::make_shared<CountingDevice>();
    EXPECT_TRUE(runtime::compile_cached(device, source_of("text")).compiled);
    EXPECT_FALSE(runtime::compile_cached(device, source_of("text")).compiled) << "the process remembers";
}

}  // namespace
}  // namespace seiche::test
