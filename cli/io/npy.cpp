// NumPy's .npy format, versions 1 to 3 (NEP 1; numpy.lib.format).
#include "cli/io/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::io {
namespace {

constexpr std::string_view magic{"\x93NUMPY", 6};
constexpr std::uint64_t longest_header = 1 << 20;  // NumPy itself writes a few hundred bytes
constexpr std::size_t highest_rank = 64;           // NumPy 2's own limit
constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';

struct TypeName {
    ElementType type;
    const char* code;
    const char* name;
    std::uint64_t bytes, part_bytes;
};
constexpr std::array<TypeName, 14> types{{{ElementType::float16, "f2", "float16", 2, 2},
                                          {ElementType::float32, "f4", "float32", 4, 4},
                                          {ElementType::float64, "f8", "float64", 8, 8},
                                          {ElementType::complex64, "c8", "complex64", 8, 4},
                                          {ElementType::complex128, "c16", "complex128", 16, 8},
                                          {ElementType::int8, "i1", "int8", 1, 1},
                                          {ElementType::int16, "i2", "int16", 2, 2},
                                          {ElementType::int32, "i4", "int32", 4, 4},
                                          {ElementType::int64, "i8", "int64", 8, 8},
                                          {ElementType::uint8, "u1", "uint8", 1, 1},
                                          {ElementType::uint16, "u2", "uint16", 2, 2},
                                          {ElementType::uint32, "u4", "uint32", 4, 4},
                                          {ElementType::uint64, "u8", "uint64", 8, 8},
                                          {ElementType::boolean, "b1", "bool", 1, 1}}};

const TypeName& row(ElementType type) noexcept { return types[static_cast<std::size_t>(type)]; }

/// Reads exactly the subset of Python that a header is made of.
class DictionaryParser {
public:
    explicit DictionaryParser(std::string_view text) : text_(text) {}

    NpyHeader parse() {
        expect('{');
        while (!accept('}')) {
            entry(string());
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skip_space();
        if (at_ != text_.size()) fail("text after the dictionary");
        for (const auto& [seen, key] : {std::pair{descr_, "descr"}, {order_, "fortran_order"}, {shape_, "shape"}})
            if (!seen) fail(std::string("no key '") + key + "'");
        return header_;
    }

private:
    void entry(const std::string& key) {
        expect(':');
        bool* seen = key == "descr" ? &descr_ : key == "fortran_order" ? &order_ : key == "shape" ? &shape_ : nullptr;
        if (seen == nullptr) fail("unknown key '" + printable(key) + "'");
        if (*seen) fail("key '" + key + "' twice");
        *seen = true;
        if (seen == &descr_) {
            type();
        } else if (seen == &order_) {
            header_.fortran_order = boolean();
        } else {
            shape();
        }
    }

    void type() {
        skip_space();
        if (at_ < text_.size() && text_[at_] == '[') fail_type("a structured type");
        const std::string name = string();
        const char order = name.empty() ? '?' : name[0];
        for (const TypeName& candidate : types) {
            if (name.substr(std::min<std::size_t>(1, name.size())) != candidate.code) continue;
            const bool needs_none = order == '|' && candidate.bytes == 1;
            if (order != '<' && order != '>' && order != '=' && !needs_none) break;
            header_.type = candidate.type;
            header_.swapped = candidate.bytes > 1 && order != '=' && order != native_order;
            return;
        }
        fail_type("'" + printable(name) + "'");
    }

    [[noreturn]] static void fail_type(const std::string& got) {
        throw Failure(
            "expected the dtype float16, float32, float64, complex64 or complex128, bool, or an integer's, got " + got);
    }

    bool boolean() {
        skip_space();
        for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}})
            if (text_.substr(at_, word.size()) == word) {
                at_ += word.size();
                return value;
            }
        fail("expected True or False");
    }

    void shape() {
        expect('(');
        while (!accept(')')) {
            header_.shape.push_back(length());
            if (header_.shape.size() > highest_rank) fail("more than 64 axes");
            if (!accept(',')) {
                expect(')');
                if (header_.shape.size() == 1) fail("a shape that is no tuple");
                break;
            }
        }
    }

    std::uint64_t length() {
        skip_space();
        std::uint64_t value = 0;
        const char* end = text_.data() + text_.size();
        const auto result = std::from_chars(text_.data() + at_, end, value);
        if (result.ec == std::errc::result_out_of_range) fail("a length beyond 64 bits");
        if (result.ec != std::errc{}) fail("expected a length of 0 or more");
        at_ = static_cast<std::size_t>(result.ptr - text_.data());
        if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 wrote long integers
        return value;
    }

    std::string string() {
        skip_space();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '\'' && quote != '"') fail("expected a string");
        const std::size_t close = text_.find(quote, at_ + 1);
        if (close == std::string_view::npos) fail("a string without end");
        std::string value(text_.substr(at_ + 1, close - at_ - 1));
        at_ = close + 1;
        return value;
    }

    void skip_space() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    }
    bool accept(char c) {
        skip_space();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) fail(std::string("expected '") + c + "'");
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw Failure("malformed .npy header: " + what + " at character " + std::to_string(at_));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    NpyHeader header_;
    bool descr_ = false, order_ = false, shape_ = false;
};

std::string read_dictionary(InputFile& file) {
    std::array<char, 8> start{};
    if (file.bytes() < start.size())
        file.refuse("expected an .npy file, got " + std::to_string(file.bytes()) + " bytes");
    file.read(start.data(), start.size(), "the magic");
    if (std::string_view(start.data(), magic.size()) != magic) file.refuse("expected an .npy file, got another magic");
    const unsigned major = static_cast<unsigned char>(start[6]), minor = static_cast<unsigned char>(start[7]);
    if (major < 1 || major > 3 || minor != 0)
        file.refuse("expected .npy version 1.0, 2.0 or 3.0, got " + std::to_string(major) + "." +
                    std::to_string(minor));
    std::array<unsigned char, 4> size{};
    file.read(size.data(), major == 1 ? 2 : 4, "the header's length");
    std::uint64_t length = 0;
    for (std::size_t i = size.size(); i-- > 0;) length = length << 8 | size[i];
    if (length > std::min(file.left(), longest_header))
        file.refuse("truncated or malformed: the header claims " + std::to_string(length) + " bytes, " +
                    std::to_string(file.left()) + " are left" +
                    (length <= file.left() ? " and at most 1 MiB is accepted" : ""));
    std::string text(length, '\0');
    file.read(text.data(), length, "the header");
    return text;
}

/// The number whose bytes, in this machine's order, `part` starts with.
template <class V>
V number_in(const std::array<unsigned char, 8>& part) {
    V value{};
    std::memcpy(&value, part.data(), sizeof value);
    return value;
}

/// Hands the number to `put` in its own type; float16 as float.
template <class Put>
void put_part(const std::array<unsigned char, 8>& part, ElementType type, const Put& put) {
    switch (type) {
        case ElementType::float16: return put(half_to_float(number_in<std::uint16_t>(part)));
        case ElementType::float32:
        case ElementType::complex64: return put(number_in<float>(part));
        case ElementType::float64:
        case ElementType::complex128: return put(number_in<double>(part));
        case ElementType::int8: return put(number_in<std::int8_t>(part));
        case ElementType::int16: return put(number_in<std::int16_t>(part));
        case ElementType::int32: return put(number_in<std::int32_t>(part));
        case ElementType::int64: return put(number_in<std::int64_t>(part));
        case ElementType::uint8: return put(number_in<std::uint8_t>(part));
        case ElementType::uint16: return put(number_in<std::uint16_t>(part));
        case ElementType::uint32: return put(number_in<std::uint32_t>(part));
        case ElementType::uint64: return put(number_in<std::uint64_t>(part));
        case ElementType::boolean: return put(static_cast<std::uint8_t>(part[0] != 0 ? 1 : 0));
    }
}

}  // namespace

const char* to_string(ElementType type) noexcept { return row(type).name; }
std::uint64_t bytes_of(ElementType type) noexcept { return row(type).bytes; }
bool is_integer(ElementType type) noexcept {
    const char kind = row(type).code[0];
    return kind == 'i' || kind == 'u' || kind == 'b';
}
bool is_complex(ElementType type) noexcept { return row(type).code[0] == 'c'; }

float half_to_float(std::uint16_t half) noexcept {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1Fu, fraction = half & 0x3FFu;
    if (exponent == 0) {  // zero and subnormals: fraction * 2^-24
        const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t wide = exponent == 31 ? 255u : exponent + 112u;
    return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

std::uint64_t element_count(const std::vector<std::uint64_t>& shape) {
    std::uint64_t count = 1;
    for (const std::uint64_t length : shape)
        if (__builtin_mul_overflow(count, length, &count))
            throw Failure("a shape with more elements than fit in 64 bits");
    return count;
}

NpyHeader parse_npy_header(std::string_view dictionary) { return DictionaryParser(dictionary).parse(); }

NpyFile::NpyFile(const std::string& path) : file_(path) {
    const std::string dictionary = read_dictionary(file_);
    try {
        header_ = parse_npy_header(dictionary);
        // An axis of 0 must not hide an impossible length beside it.
        std::vector<std::uint64_t> lengths = header_.shape;
        std::replace(lengths.begin(), lengths.end(), std::uint64_t{0}, std::uint64_t{1});
        static_cast<void>(element_count(lengths));
        count_ = element_count(header_.shape);
    } catch (const Failure& failure) {
        file_.refuse(failure.what());
    }
    std::uint64_t expected = 0;
    if (__builtin_mul_overflow(count_, bytes_of(header_.type), &expected) || expected > file_.left())
        file_.refuse("truncated: its shape says " + std::to_string(count_) + " elements of " +
                     std::to_string(bytes_of(header_.type)) + " bytes, but only " + std::to_string(file_.left()) +
                     " bytes follow the header");
    if (expected < file_.left())
        file_.refuse("oversized: expected " + std::to_string(expected) + " bytes after the header, got " +
                     std::to_string(file_.left()));
}

template <class Put>
void NpyFile::for_each_part(const Put& put) {
    constexpr std::uint64_t chunk = 1 << 16;  // elements
    const std::uint64_t bytes = row(header_.type).part_bytes;
    std::vector<unsigned char> raw;
    std::array<unsigned char, 8> part{};
    for (std::uint64_t done = 0; done < count_; done += chunk) {
        raw.resize(std::min(chunk, count_ - done) * bytes_of(header_.type));
        file_.read(raw.data(), raw.size(), "the data");
        for (std::size_t at = 0; at < raw.size(); at += bytes) {
            std::memcpy(part.data(), raw.data() + at, bytes);
            if (header_.swapped) std::reverse(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(bytes));
            put_part(part, header_.type, put);
        }
    }
}

template <class T>
std::vector<std::complex<T>> NpyFile::read() {
    std::vector<std::complex<T>> values(count_);
    T* parts = reinterpret_cast<T*>(values.data());  // as [complex.numbers.general] allows
    const std::ptrdiff_t step = is_complex(header_.type) ? 1 : 2;
    for_each_part([&parts, step](auto value) {
        *parts = static_cast<T>(value);
        parts += step;
    });
    return values;
}
template std::vector<std::complex<float>> NpyFile::read();
template std::vector<std::complex<double>> NpyFile::read();

std::vector<std::int64_t> NpyFile::read_integers() {
    std::vector<std::int64_t> values;
    values.reserve(count_);
    for_each_part([&](auto value) {
        if constexpr (std::is_same_v<decltype(value), std::uint64_t>)
            if (value >> 63 != 0)
                file_.refuse("expected integers up to 2^63 - 1, got " + std::to_string(value) + " at position " +
                             std::to_string(values.size()));
        values.push_back(static_cast<std::int64_t>(value));
    });
    return values;
}

std::string npy_preamble(const NpyHeader& header) {
    std::string shape = "(";
    for (std::size_t i = 0; i < header.shape.size(); ++i)
        shape += (i == 0 ? "" : ", ") + std::to_string(header.shape[i]);
    shape += header.shape.size() == 1 ? ",)" : ")";
    std::string dictionary =
        std::string("{'descr': '") + (bytes_of(header.type) == 1 ? '|' : native_order) + row(header.type).code +
        "', 'fortran_order': " + (header.fortran_order ? "True" : "False") + ", 'shape': " + shape + ", }";
    constexpr std::size_t prefix = 10, alignment = 64;
    dictionary.append(alignment - 1 - (prefix + dictionary.size()) % alignment, ' ');
    dictionary += '\n';
    std::string preamble(magic);
    preamble += {'\x01', '\x00'};
    preamble += static_cast<char>(dictionary.size() & 0xFF);
    preamble += static_cast<char>(dictionary.size() >> 8);
    return preamble + dictionary;
}

}  // namespace seiche::cli::io
