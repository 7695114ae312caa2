// Raw IQ recordings: complex samples without any header, as receivers write them.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/input_file.hpp"

namespace seiche::cli::io {

/// Pairs (in phase, quadrature), little-endian, in the names that receivers' tools use.
enum class IqType { cu8, cs8, cs16, cf32, cf64 };
const char* to_string(IqType type) noexcept;
/// Of one complex sample.
std::uint64_t bytes_of(IqType type) noexcept;
/// Throws Failure for a name that is none of them.
IqType parse_iq_type(std::string_view name);

/// What a raw file does not say about itself.
struct IqFormat {
    IqType type = IqType::cf32;
    double rate = 0;    ///< Samples per second, Hz.
    double centre = 0;  ///< The radio frequency that was mixed down to 0, Hz.
};

/// Throws Failure unless rate and centre are numbers that a frequency axis can be made of.
void check(const IqFormat& format);

/// Samples come as complex double: integers are scaled to [-1, 1) (cu8: (x - 128) / 128), floats are as stored.
class IqFile {
public:
    /// Throws Failure: no file, no samples, a size that is no multiple of a sample's.
    IqFile(const std::string& path, const IqFormat& format);
    const IqFormat& format() const noexcept { return format_; }
    const std::string& path() const noexcept { return file_.path(); }
    std::uint64_t samples() const noexcept { return samples_; }
    /// Reads the next `count` samples (fewer at the end) and returns how many it read. Throws Failure for a float that
    /// is not finite, which no receiver writes: the file is of another type.
    std::uint64_t read(std::vector<std::complex<double>>& to, std::uint64_t count);
    /// Leaves out the next `count` samples, at most those that are left.
    void skip(std::uint64_t count);

private:
    InputFile file_;
    IqFormat format_;
    std::uint64_t samples_ = 0, samples_read_ = 0;
    std::vector<unsigned char> raw_;
};

}  // namespace seiche::cli::io
