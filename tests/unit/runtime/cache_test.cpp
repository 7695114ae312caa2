// The cache of compiled kernels: what it gives back, what it refuses, and how threads share it.
#include "runtime/cache.hpp"

#include <gtest/gtest.h>

#include <atomic>
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
