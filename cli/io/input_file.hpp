// A file, a pipe or standard input that is read with every length checked against what is really there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace seiche::cli::io {

/// True for "-" and the system's names of standard input.
bool is_standard_input(const std::string& path);

/// What a pipe brings is put into a temporary file first, so that every reader may go to and fro in it and knows its
/// size; a pipe that is named twice is read once.
class InputFile {
public:
    /// Opens a regular file, a pipe, or standard input ("-"). Throws Failure for anything else, and where it cannot be
    /// read.
    explicit InputFile(const std::string& path);

    /// As it was given; "standard input" for that.
    const std::string& path() const noexcept { return path_; }
    std::uint64_t bytes() const noexcept { return bytes_; }
    std::uint64_t position() const noexcept { return position_; }
    std::uint64_t left() const noexcept { return bytes_ - position_; }

    /// Reads exactly `count` bytes; throws Failure, naming `what` was read, where fewer are left.
    void read(void* to, std::uint64_t count, const std::string& what);
    /// Reads up to `count` bytes, fewer at the end, and returns how many; 0 too where reading fails. Never throws, for
    /// callbacks of C libraries.
    std::uint64_t read_some(void* to, std::uint64_t count) noexcept;
    void seek(std::uint64_t position);
    /// Throws Failure("'path': " + what).
    [[noreturn]] void refuse(const std::string& what) const;

private:
    struct Source;
    bool arrive() noexcept;

    std::string path_;
    std::shared_ptr<Source> source_;
    std::uint64_t bytes_ = 0, position_ = 0;
};

}  // namespace seiche::cli::io
