// A regular file that is read with every length checked against what is really there.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace seiche::cli::io {

class InputFile {
public:
    /// Throws Failure unless `path` is a regular file that can be read.
    explicit InputFile(const std::string& path);

    const std::string& path() const noexcept { return path_; }
    std::uint64_t bytes() const noexcept { return bytes_; }
    std::uint64_t position() const noexcept { return position_; }
    std::uint64_t left() const noexcept { return bytes_ - position_; }
    std::FILE* stream() const noexcept { return file_.get(); }

    /// Reads exactly `count` bytes; throws Failure, naming `what` was read, where fewer are left.
    void read(void* to, std::uint64_t count, const std::string& what);
    void seek(std::uint64_t position);
    /// Throws Failure("'path': " + what).
    [[noreturn]] void refuse(const std::string& what) const;

private:
    struct Closer {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    std::string path_;
    std::unique_ptr<std::FILE, Closer> file_;
    std::uint64_t bytes_ = 0, position_ = 0;
};

}  // namespace seiche::cli::io
