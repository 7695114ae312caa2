// NumPy's .npy format, versions 1 to 3 (NEP 1; numpy.lib.format).
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/input_file.hpp"

namespace seiche::cli::io {

enum class ElementType {
    float16,
    float32,
    float64,
    complex64,
    complex128,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    boolean
};
const char* to_string(ElementType type) noexcept;
std::uint64_t bytes_of(ElementType type) noexcept;
/// A bool counts as one, of 0 or 1.
bool is_integer(ElementType type) noexcept;
bool is_complex(ElementType type) noexcept;

struct NpyHeader {
    ElementType type = ElementType::float64;
    bool swapped = false;              ///< The file's byte order is not this machine's.
    bool fortran_order = false;        ///< The first axis is contiguous.
    std::vector<std::uint64_t> shape;  ///< Empty: one number.
    friend bool operator==(const NpyHeader&, const NpyHeader&) = default;
};

/// Elements of an array; throws Failure if the product does not fit in 64 bits.
std::uint64_t element_count(const std::vector<std::uint64_t>& shape);

/// Reads the Python dictionary of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
/// Throws Failure for anything but that; evaluates nothing.
NpyHeader parse_npy_header(std::string_view dictionary);

/// A .npy file whose header was read and agrees with the file's size.
class NpyFile {
public:
    /// Throws Failure: not an .npy file, truncated, oversized, another dtype than ElementType, an impossible shape.
    explicit NpyFile(const std::string& path);
    const NpyHeader& header() const noexcept { return header_; }
    /// All elements in the order of the file; real numbers get the imaginary part 0. T is float or double.
    template <class T>
    std::vector<std::complex<T>> read();
    /// The same of integers, exactly. Throws Failure for one beyond int64.
    std::vector<std::int64_t> read_integers();

private:
    /// The real numbers of the file, each in its own type, one after the other to `put`.
    template <class Put>
    void for_each_part(const Put& put);

    InputFile file_;
    NpyHeader header_;
    std::uint64_t count_ = 0;
};

/// Magic, version and dictionary of a little- or big-endian (as this machine) file, padded to 64 bytes.
std::string npy_preamble(const NpyHeader& header);

/// IEEE 754 binary16 to float, exactly.
float half_to_float(std::uint16_t half) noexcept;

}  // namespace seiche::cli::io
