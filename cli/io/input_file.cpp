// A regular file that is read with every length checked against what is really there.
#include "cli/io/input_file.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "cli/failure.hpp"

namespace seiche::cli::io {

InputFile::InputFile(const std::string& path) : path_(path) {
    struct stat status {};
    // Before it is opened: opening a pipe that nobody writes to would wait for ever.
    if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) refuse("expected a regular file");
    file_.reset(std::fopen(path.c_str(), "rb"));
    if (!file_ || fstat(fileno(file_.get()), &status) != 0) refuse(std::string("cannot read: ") + std::strerror(errno));
    bytes_ = static_cast<std::uint64_t>(status.st_size);
}

void InputFile::read(void* to, std::uint64_t count, const std::string& what) {
    if (count > left())
        refuse("truncated: " + what + " takes " + std::to_string(count) + " bytes, but only " + std::to_string(left()) +
               " are left");
    if (std::fread(to, 1, count, file_.get()) != count) refuse("cannot read " + what);
    position_ += count;
}

void InputFile::seek(std::uint64_t position) {
    if (position > bytes_ || fseeko(file_.get(), static_cast<off_t>(position), SEEK_SET) != 0)
        refuse("cannot go to byte " + std::to_string(position));
    position_ = position;
}

void InputFile::refuse(const std::string& what) const { throw Failure("'" + path_ + "': " + what); }

}  // namespace seiche::cli::io
