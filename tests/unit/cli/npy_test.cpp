// The reader of .npy: every dtype and byte order, and headers that lie.
#include "cli/io/npy.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "tests/unit/cli/temporary.hpp"

namespace seiche::cli::io {
namespace {

/// A file with this dictionary and data.
std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
    std::string text("\x93NUMPY", 6);
    text += version;
    text += '\0';
    const std::size_t bytes = version == 1 ? 2 : 4;
    for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(dictionary.size() >> (8 * i) & 0xFF);
    return text + dictionary + data;
}

template <class T>
std::string bytes_of_values(const std::vector<T>& values, bool swapped = false) {
    std::string bytes;
    for (const T& value : values) {
        std::string part(reinterpret_cast<const char*>(&value), sizeof(T));
        if (swapped) part = std::string(part.rbegin(), part.rend());
        bytes += part;
    }
    return bytes;
}

std::string header(const std::string& descr, const std::string& shape, const char* fortran = "False") {
    return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

std::string refusal(const std::string& bytes) {
    TemporaryFolder folder;
    const std::string path = folder.write("a.npy", bytes);
    return failure_of([&] { NpyFile(path).read<float>(); });
}

TEST(Npy, ReadsBothByteOrders) {
    TemporaryFolder folder;
    const std::vector<float> values{1.5f, -2.25f, 1e-40f};
    for (const bool swapped : {false, true}) {
        const std::string path =
            folder.write("a.npy", npy(header(swapped ? ">f4" : "<f4", "(3,)"), bytes_of_values(values, swapped)));
        const auto read = NpyFile(path).read<double>();
        ASSERT_EQ(read.size(), 3u);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(read[i], std::complex<double>(values[i]));
    }
}

template <class T>
void expect_integers(const std::string& code, const std::vector<T>& values) {
    TemporaryFolder folder;
    for (const char order : {'<', '>', '|'}) {
        if ((order == '|') != (sizeof(T) == 1)) continue;
        const std::string path = folder.write(
            "a.npy", npy(header(order + code, "(3,)"), bytes_of_values(values, order == '>' && sizeof(T) > 1)));
        EXPECT_EQ(NpyFile(path).read_integers(), std::vector<std::int64_t>(values.begin(), values.end())) << code;
        EXPECT_EQ(NpyFile(path).read<double>()[1], std::complex<double>(static_cast<double>(values[1]))) << code;
    }
}

TEST(Npy, ReadsIntegersExactly) {
    expect_integers<std::int8_t>("i1", {-128, 127, 1});
    expect_integers<std::uint8_t>("u1", {255, 128, 1});
    expect_integers<std::int16_t>("i2", {-32768, 32767, 1});
    expect_integers<std::uint16_t>("u2", {65535, 256, 1});
    expect_integers<std::int32_t>("i4", {INT32_MIN, INT32_MAX, 1});
    expect_integers<std::uint32_t>("u4", {UINT32_MAX, 65536, 1});
    expect_integers<std::int64_t>("i8", {INT64_MIN, INT64_MAX, 1});
    expect_integers<std::uint8_t>("b1", {1, 0, 1});
    expect_integers<std::uint64_t>("u8", {INT64_MAX, std::uint64_t{1} << 40, 1});
    TemporaryFolder folder;
    const std::string path =
        folder.write("a.npy", npy(header("<u8", "(2,)"), bytes_of_values<std::uint64_t>({1, std::uint64_t{1} << 63})));
    EXPECT_NE(failure_of([&] { NpyFile(path).read_integers(); }).find("got 9223372036854775808 at position 1"),
              std::string::npos);
}

TEST(Npy, ReadsComplexInEveryVersion) {
    TemporaryFolder folder;
    const std::vector<double> parts{1, 2, 3, 4};
    for (const char version : {'\1', '\2', '\3'}) {
        NpyFile file(folder.write("a.npy", npy(header("<c16", "(2, 1)", "True"), bytes_of_values(parts), version)));
        EXPECT_TRUE(file.header().fortran_order);
        EXPECT_EQ(file.header().shape, (std::vector<std::uint64_t>{2, 1}));
        EXPECT_EQ(file.read<float>(), (std::vector<std::complex<float>>{{1, 2}, {3, 4}}));
    }
}

TEST(Npy, ReadsAScalar) {
    TemporaryFolder folder;
    NpyFile file(folder.write("a.npy", npy(header("<f8", "()"), bytes_of_values<double>({7}))));
    EXPECT_TRUE(file.header().shape.empty());
    EXPECT_EQ(file.read<double>(), (std::vector<std::complex<double>>{7}));
}

TEST(Npy, HalvesAreExact) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const int exponent = static_cast<int>(bits >> 10 & 31);
        const double fraction = bits & 1023, sign = bits & 0x8000 ? -1 : 1;
        const float value = half_to_float(static_cast<std::uint16_t>(bits));
        if (exponent == 31 && fraction != 0) {
            EXPECT_TRUE(std::isnan(value));
            continue;
        }
        const double expected = exponent == 31  ? sign * INFINITY
                                : exponent == 0 ? sign * std::ldexp(fraction, -24)
                                                : sign * std::ldexp(1024 + fraction, exponent - 25);
        EXPECT_EQ(static_cast<double>(value), expected) << bits;
        EXPECT_EQ(std::signbit(value), bits >= 0x8000) << bits;
    }
}

TEST(Npy, AcceptsWhatPythonAccepts) {
    const NpyHeader expected{ElementType::float32, std::endian::native != std::endian::little, false, {3, 4}};
    for (const char* text : {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }\n",
                             "{\"shape\":(3,4,),\"fortran_order\":False,\"descr\":\"<f4\"}",
                             " { 'fortran_order' : False , 'descr' : '<f4' , 'shape' : (3L, 4L) } "})
        EXPECT_EQ(parse_npy_header(text), expected) << text;
}

TEST(Npy, RefusesMalformedHeaders) {
    const std::pair<const char*, const char*> cases[] = {
        {"", "expected '{'"},
        {"{}", "no key 'descr'"},
        {"{'descr': '<f4', 'shape': (1,)}", "no key 'fortran_order'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3)}", "no tuple"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}", "length of 0 or more"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "beyond 64 bits"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}", "True or False"},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", "twice"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'x': 1}", "unknown key 'x'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} import os", "after the dictionary"},
        {"{'descr': '<f4", "without end"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (3,)}", "expected the dtype"},
        {"{'descr': '<i3', 'fortran_order': False, 'shape': (3,)}", "'<i3'"},
        {"{'descr': '|i4', 'fortran_order': False, 'shape': (3,)}", "'|i4'"},
        {"{'descr': '|b2', 'fortran_order': False, 'shape': (3,)}", "'|b2'"},
        {"{'descr': '|f4', 'fortran_order': False, 'shape': (3,)}", "'|f4'"},
        {"{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (3,)}", "structured"}};
    for (const auto& [text, message] : cases) {
        const std::string_view dictionary = text;
        const std::string refused = failure_of([&] { parse_npy_header(dictionary); });
        EXPECT_NE(refused.find(message), std::string::npos) << text << " gave " << refused;
    }
}

TEST(Npy, RefusesFilesThatLie) {
    const std::string four = bytes_of_values<float>({1, 2, 3, 4});
    EXPECT_NE(refusal("").find("expected an .npy file, got 0 bytes"), std::string::npos);
    EXPECT_NE(refusal("RIFFxxxxxxxx").find("another magic"), std::string::npos);
    EXPECT_NE(refusal(npy(header("<f4", "(4,)"), four, 9)).find("got 9.0"), std::string::npos);
    EXPECT_NE(refusal(npy(header("<f4", "(5,)"), four)).find("truncated"), std::string::npos);
    EXPECT_NE(refusal(npy(header("<f4", "(3,)"), four)).find("oversized"), std::string::npos);
    EXPECT_NE(refusal(npy(header("<f4", "(4294967296, 4294967296)"), four)).find("64 bits"), std::string::npos);
    EXPECT_NE(refusal(npy(header("<f4", "(4611686018427387904,)"), four)).find("truncated"), std::string::npos);
    EXPECT_NE(refusal(npy(header("<f4", "(0, 4294967296, 4294967296)"), "")).find("64 bits"), std::string::npos);
    EXPECT_NE(refusal(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14)).find("claims 4294967295"),
              std::string::npos);
    EXPECT_EQ(refusal(npy(header("<f4", "(4,)"), four)), "");
}

TEST(Npy, RefusesWhatIsNoFile) {
    TemporaryFolder folder;
    EXPECT_NE(failure_of([&] { NpyFile(folder.file("none.npy")); }).find("No such file"), std::string::npos);
    EXPECT_NE(failure_of([&] { NpyFile(folder.file("")); }).find("expected a file or a pipe"), std::string::npos);
}

TEST(Npy, PreambleReadsBack) {
    for (std::size_t rank = 0; rank < 40; ++rank) {
        const NpyHeader wanted{ElementType::complex64, false, rank % 2 == 1, std::vector<std::uint64_t>(rank, 10)};
        const std::string text = npy_preamble(wanted);
        EXPECT_EQ(text.size() % 64, 0u);
        EXPECT_EQ(text.back(), '\n');
        EXPECT_EQ(parse_npy_header(std::string_view(text).substr(10)), wanted);
    }
}

}  // namespace
}  // namespace seiche::cli::io
