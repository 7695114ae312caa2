// Values as bytes and back. Both archives have the same verbs, so that one function says what is in a value.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seiche/error.hpp"

namespace seiche::exec {

/// Numbers have 8 bytes, the least significant first; lists and texts their count before them.
class WritingArchive {
public:
    void number(std::uint64_t value, const char*) {
        for (int shift = 0; shift < 64; shift += 8) bytes_.push_back(static_cast<std::byte>(value >> shift & 0xff));
    }
    void integer(std::int64_t value, const char* what) { number(static_cast<std::uint64_t>(value), what); }
    void real(double value, const char* what) { number(std::bit_cast<std::uint64_t>(value), what); }
    void flag(bool value, const char* what) { number(value ? 1 : 0, what); }
    /// Throws InternalError for an enumerator after the last one that could be read again.
    template <class Enumeration>
    void choice(Enumeration value, Enumeration last, const char* what) {
        if (value > last) throw InternalError(std::string("saving ") + what + ": expected an enumerator that is known");
        number(static_cast<std::uint64_t>(value), what);
    }
    void text(std::string_view value, const char* what) {
        number(value.size(), what);
        raw(std::as_bytes(std::span(value)));
    }
    void blob(const std::vector<std::byte>& value, const char* what) {
        number(value.size(), what);
        raw(value);
    }
    template <class T, class Item>
    void list(const std::vector<T>& values, const char* what, Item&& item) {
        number(values.size(), what);
        for (const T& value : values) item(value);
    }
    void raw(std::span<const std::byte> data) { bytes_.insert(bytes_.end(), data.begin(), data.end()); }

    const std::vector<std::byte>& bytes() const { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

/// Believes nothing that it reads: counts are held against the bytes that are left before anything is allocated.
/// Throws InvalidProblem that names what was to be read.
class ReadingArchive {
public:
    ReadingArchive(std::span<const std::byte> bytes, std::string name) : left_(bytes), name_(std::move(name)) {}

    template <class Integer>
    void number(Integer& value, const char* what) {
        const std::uint64_t read = word(what);
        value = static_cast<Integer>(read);
        if (static_cast<std::uint64_t>(value) != read) refuse(what, "a number that fits", std::to_string(read));
    }
    template <class Integer>
    void integer(Integer& value, const char* what) {
        const auto read = static_cast<std::int64_t>(word(what));
        value = static_cast<Integer>(read);
        if (value != read) refuse(what, "a number that fits", std::to_string(read));
    }
    void real(double& value, const char* what) { value = std::bit_cast<double>(word(what)); }
    void flag(bool& value, const char* what) {
        const std::uint64_t read = word(what);
        if (read > 1) refuse(what, "0 or 1", std::to_string(read));
        value = read == 1;
    }
    template <class Enumeration>
    void choice(Enumeration& value, Enumeration last, const char* what) {
        const std::uint64_t read = word(what), most = static_cast<std::uint64_t>(last);
        if (read > most) refuse(what, "0 to " + std::to_string(most), std::to_string(read));
        value = static_cast<Enumeration>(read);
    }
    void text(std::string& value, const char* what) {
        const auto bytes = take(count(what, 1), what);
        value.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    void blob(std::vector<std::byte>& value, const char* what) {
        const auto bytes = take(count(what, 1), what);
        value.assign(bytes.begin(), bytes.end());
    }
    template <class T, class Item>
    void list(std::vector<T>& values, const char* what, Item&& item) {
        values.clear();
        // No item is shorter than a number; most are longer, so that a count too large is found out before it is had.
        for (std::size_t left = count(what, word_bytes); left != 0; --left) item(values.emplace_back());
    }
    void expect_end() const {
        if (!left_.empty()) refuse("the end", "nothing more", std::to_string(left_.size()) + " bytes");
    }

private:
    static constexpr std::size_t word_bytes = 8;

    [[noreturn]] void refuse(const std::string& what, const std::string& expected, const std::string& got) const {
        throw InvalidProblem(name_ + ": " + what + ": expected " + expected + ", got " + got);
    }
    std::span<const std::byte> take(std::size_t bytes, const char* what) {
        if (bytes > left_.size())
            refuse(what, std::to_string(bytes) + " bytes", std::to_string(left_.size()) + " that are left");
        const auto taken = left_.first(bytes);
        left_ = left_.subspan(bytes);
        return taken;
    }
    std::uint64_t word(const char* what) {
        std::uint64_t value = 0;
        int shift = 0;
        for (const std::byte byte : take(word_bytes, what)) {
            value |= std::to_integer<std::uint64_t>(byte) << shift;
            shift += 8;
        }
        return value;
    }
    std::size_t count(const char* what, std::size_t least_bytes) {
        const std::uint64_t read = word(what), most = left_.size() / least_bytes;
        if (read > most) refuse(what, "at most " + std::to_string(most) + " of them", std::to_string(read));
        return static_cast<std::size_t>(read);
    }

    std::span<const std::byte> left_;
    std::string name_;
};

}  // namespace seiche::exec
