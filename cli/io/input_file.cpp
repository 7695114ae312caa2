// A file, a pipe or standard input that is read with every length checked against what is really there.
#include "cli/io/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli::io {
namespace {

struct Closer {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using Stream = std::unique_ptr<std::FILE, Closer>;

constexpr const char* standard_name = "standard input";

}  // namespace

/// What is read from, for one InputFile or, where it was a pipe, for all that name it.
struct InputFile::Source {
    Stream file;
    std::uint64_t bytes = 0;
    std::uint64_t position = 0;  ///< Of `file`.
};

namespace {

/// Copies all that a stream brings into a file without a name.
Stream copy_of(std::FILE* from, std::uint64_t& bytes, const InputFile& file) {
    constexpr std::size_t block = 1 << 16;
    Stream copy(unnamed_file());
    const auto fail = [&] { file.refuse(std::string("cannot keep it in a temporary file: ") + std::strerror(errno)); };
    if (!copy) fail();
    std::vector<char> buffer(block);
    for (std::size_t count = block; count == block;) {
        count = std::fread(buffer.data(), 1, block, from);
        if (std::fwrite(buffer.data(), 1, count, copy.get()) != count) fail();
        bytes += count;
    }
    if (std::ferror(from) != 0) file.refuse(std::string("cannot read: ") + std::strerror(errno));
    if (std::fflush(copy.get()) != 0 || !go_to(copy.get(), 0)) fail();
    return copy;
}

}  // namespace

bool is_standard_input(const std::string& path) {
    return path == "-" || path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0";
}

InputFile::InputFile(const std::string& path) : path_(is_standard_input(path) ? standard_name : path) {
    namespace fs = std::filesystem;
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<Source>> streams;
    const bool is_standard = is_standard_input(path);
    std::error_code error;
    const fs::file_status status = is_standard ? fs::file_status() : fs::status(path_of(path), error);
    const bool is_stream = is_standard || fs::is_fifo(status);
    if (!is_stream && fs::exists(status) && !fs::is_regular_file(status)) refuse("expected a file or a pipe");
    const std::lock_guard<std::mutex> lock(mutex);
    if (const auto found = streams.find(path_); is_stream && found != streams.end()) {
        source_ = found->second;
    } else {
        if (is_standard && is_terminal_stdin()) refuse("expected a file or a pipe, got a terminal");
        source_ = std::make_shared<Source>();
        source_->file.reset(is_standard ? standard_input() : open_file(path, "rb"));
        if (!source_->file) refuse(std::string("cannot read: ") + std::strerror(errno));
        if (const auto whole = bytes_of_whole(source_->file.get()))
            source_->bytes = *whole;
        else
            source_->file = copy_of(source_->file.get(), source_->bytes, *this);
        if (is_stream) streams[path_] = source_;
    }
    bytes_ = source_->bytes;
}

/// Brings the stream, which another InputFile may have moved, to this one's position.
bool InputFile::arrive() noexcept {
    if (source_->position == position_) return true;
    if (!go_to(source_->file.get(), position_)) return false;
    source_->position = position_;
    return true;
}

void InputFile::read(void* to, std::uint64_t count, const std::string& what) {
    if (count > left())
        refuse("truncated: " + what + " takes " + std::to_string(count) + " bytes, but only " + std::to_string(left()) +
               " are left");
    if (read_some(to, count) != count) refuse("cannot read " + what);
}

std::uint64_t InputFile::read_some(void* to, std::uint64_t count) noexcept {
    if (!arrive()) return 0;
    const std::uint64_t got = std::fread(to, 1, std::min(count, left()), source_->file.get());
    position_ += got;
    source_->position = position_;
    return got;
}

void InputFile::seek(std::uint64_t position) {
    if (position > bytes_) refuse("cannot go to byte " + std::to_string(position));
    position_ = position;
}

void InputFile::refuse(const std::string& what) const { throw Failure("'" + path_ + "': " + what); }

}  // namespace seiche::cli::io
