// Where Intel's driver may write what it would have told hardware that is not there: the current folder.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "runtime/library.hpp"

namespace seiche::test {

/// A new current folder, with a cache of kernels in it, for the tests of a program; gone with all that is in it when
/// they end.
class TemporaryFolder : public testing::Environment {
public:
    void SetUp() override {
        folder_ = runtime::unique_name(std::filesystem::temp_directory_path(), "seiche-intel");
        std::filesystem::create_directories(folder_ / "cache");
        std::filesystem::current_path(folder_);
        setenv("SEICHE_CACHE_DIR", (folder_ / "cache").c_str(), 1);
    }
    void TearDown() override {
        std::filesystem::current_path("/");
        std::filesystem::remove_all(folder_);
    }

private:
    std::filesystem::path folder_;
};

}  // namespace seiche::test
