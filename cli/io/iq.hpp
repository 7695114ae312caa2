// Raw radio recordings: samples without any header, as receivers write them.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/input_file.hpp"

namespace seiche::cli::io {

/// How a number is stored.
enum class Number { u8, i8, u16, i16, u32, i32, f32, f64 };

/// A sample: a pair of numbers (in phase, quadrature), or one.
struct IqType {
    Number number = Number::f32;
    bool is_complex = true;
    bool is_big_endian = false;
    friend bool operator==(const IqType&, const IqType&) = default;
};
/// In the names that receivers' tools use: "cs16", "rf32_be".
std::string to_string(const IqType& type);
/// Of one sample.
std::uint64_t bytes_of(const IqType& type) noexcept;
/// Reads a name: c or r (complex, real), u, s or i, or f (unsigned, signed, float), the bits, and for more than 8 of
/// them _le or _be, without which they are little-endian. Throws Failure for anything else.
IqType parse_iq_type(std::string_view name);

/// What a raw file does not say about itself.
struct IqFormat {
    IqType type;
    double rate = 0;             ///< Samples per second, Hz.
    double centre = 0;           ///< The radio frequency that was mixed down to 0, Hz.
    std::uint32_t channels = 1;  ///< Their samples take turns.
};

/// Throws Failure unless rate and centre are numbers that a frequency axis can be made of.
void check(const IqFormat& format);

/// What somebody said of a part of a recording.
struct Annotation {
    std::uint64_t start = 0;             ///< Its first sample.
    std::optional<std::uint64_t> count;  ///< Samples; none: to the end.
    std::optional<double> low, high;     ///< Hz
    std::string text;                    ///< UTF-8 in one line; may be empty.
};

/// Samples come as complex double, real ones with an imaginary part of 0. Signed integers are scaled to [-1, 1);
/// unsigned ones, whose zero lies between their two middle values, to [-1, 1]; floats are as stored.
class IqFile {
public:
    /// Throws Failure: no file, no samples. Bytes at the end that are no whole sample of every channel are left out.
    IqFile(const std::string& path, const IqFormat& format);
    const IqFormat& format() const noexcept { return format_; }
    const std::string& path() const noexcept { return file_.path(); }
    /// Of each channel.
    std::uint64_t samples() const noexcept { return samples_; }
    /// What is odd about the file but does no harm, one line; empty if nothing.
    const std::string& remark() const noexcept { return remark_; }
    const std::vector<Annotation>& annotations() const noexcept { return annotations_; }
    void annotate(std::vector<Annotation> annotations) { annotations_ = std::move(annotations); }
    /// Reads the next `count` samples of each channel (fewer at the end), channels interleaved, and returns how many it
    /// read. Throws Failure for a float that is not finite, which no receiver writes: the file is of another type.
    std::uint64_t read(std::vector<std::complex<double>>& interleaved, std::uint64_t count);
    /// Leaves out the next `count` samples, at most those that are left.
    void skip(std::uint64_t count);

private:
    InputFile file_;
    IqFormat format_;
    std::uint64_t samples_ = 0, samples_read_ = 0;
    std::vector<unsigned char> raw_;
    std::vector<Annotation> annotations_;
    std::string remark_;
};

}  // namespace seiche::cli::io
