// A file that appears only when it is complete: written under a temporary name in the same folder, then renamed.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace seiche::cli::io {

/// True for "-", the system's name of standard output, and "-" behind the name of a format: "csv:-".
bool is_standard_output(const std::string& name);
/// The lower-case extension of a file's name, with its dot; for "csv:-" ".csv", for "-" alone `of_stream`.
std::string output_extension(const std::string& name, const std::string& of_stream);

class OutputFile {
public:
    /// Opens the temporary file; throws Failure where that is impossible. A device, a pipe and standard output ("-")
    /// are written to directly; reports go to standard error then.
    explicit OutputFile(const std::string& path);
    /// Removes the temporary file unless `commit` succeeded; a signal that ends the program does so too.
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(const void* data, std::size_t bytes);
    void write(std::string_view text) { write(text.data(), text.size()); }
    /// Flushes, and gives the file its name.
    void commit();

private:
    void discard() noexcept;
    [[noreturn]] void fail(const std::string& what) const;

    std::string path_, temporary_;
    std::FILE* file_ = nullptr;
};

}  // namespace seiche::cli::io
