// A regular file that is read with every length checked against what is really there.
#include "cli/io/input_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/failure.hpp"
#include "cli/system.hpp"

namespace seiche::cli::io {

InputFile::InputFile(const std::string& path) : path_(path) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(path_of(path), error);
    // Before it is opened: opening a pipe that nobody writes to would wait for ever.
    if (fs::exists(status) && !fs::is_regular_file(status)) refuse("expected a regular file");
    file_.reset(open_file(path, "rb"));
    if (!file_) refuse(std::string("cannot read: ") + std::strerror(errno));
    bytes_ = fs::file_size(path_of(path), error);
    if (error) refuse("cannot read: " + error.message());
}

void InputFile::read(void* to, std::uint64_t count, const std::string& what) {
    if (count > left())
        refuse("truncated: " + what + " takes " + std::to_string(count) + " bytes, but only " + std::to_string(left()) +
               " are left");
    if (std::fread(to, 1, count, file_.get()) != count) refuse("cannot read " + what);
    position_ += count;
}

void InputFile::seek(std::uint64_t position) {
    if (position > bytes_ || !go_to(file_.get(), position)) refuse("cannot go to byte " + std::to_string(position));
    position_ = position;
}

void InputFile::refuse(const std::string& what) const { throw Failure("'" + path_ + "': " + what); }

}  // namespace seiche::cli::io
