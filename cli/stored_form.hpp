// How a problem's numbers lie in a buffer: in which storage, and with real and imaginary parts together or apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "seiche/half.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {

/// One of a problem's two arrays. On the host its numbers are `T` in the order of an interleaved array, two to an
/// element or, of a real array, one; memory that is none of it is poisoned, all bits set, there and here.
class StoredForm {
public:
    StoredForm() = default;
    /// `elements` of the array, those before its first one included, of one or two `parts`.
    StoredForm(const Problem& problem, bool output, std::uint64_t elements, std::uint64_t parts = 2)
        : storage_(problem.storage),
          real_bytes_(stored_bytes(problem.precision, problem.storage)),
          elements_(elements),
          parts_(parts) {
        const Layout& layout = output && problem.placement == Placement::out_of_place ? problem.output : problem.input;
        planar_ = layout.planar;
        before_ = layout.byte_offset / element_bytes();
        is_plain_ = !planar_ && real_bytes_ > 2 && real_bytes_ == stored_bytes(problem.precision, Storage::same);
    }

    /// Nothing to convert.
    bool is_plain() const { return is_plain_; }
    bool is_planar() const { return planar_; }
    /// What strides and byte offsets count by.
    std::uint64_t element_bytes() const { return planar_ ? real_bytes_ : parts_ * real_bytes_; }
    /// Of both halves, from the start of the buffer; then what follows them.
    std::uint64_t bytes(std::uint64_t more_numbers = 0) const { return (places() + more_numbers) * real_bytes_; }
    std::uint64_t numbers() const { return parts_ * elements_; }
    std::uint64_t real_bytes() const { return real_bytes_; }
    /// Of one half, ahead of its first element.
    std::uint64_t before_bytes() const { return before_ * element_bytes(); }
    /// From where the real half's view begins to where the imaginary half's does.
    std::uint64_t half_distance() const { return (elements_ - before_) * real_bytes_; }

    template <class T>
    std::vector<unsigned char> encoded(const T* values, std::uint64_t count) const {
        std::vector<unsigned char> memory(bytes(count - numbers()), poison);
        for (std::uint64_t i = 0; i < count; ++i)
            if (const std::uint64_t at = place(i); at != nowhere) put(values[i], memory.data() + at * real_bytes_);
        return memory;
    }
    template <class T>
    void decode(const std::vector<unsigned char>& memory, T* values, std::uint64_t count) const {
        std::memset(static_cast<void*>(values), poison, count * sizeof(T));
        for (std::uint64_t i = 0; i < count; ++i)
            if (const std::uint64_t at = place(i); at != nowhere) get(memory.data() + at * real_bytes_, values[i]);
    }

private:
    static constexpr unsigned char poison = 0xff;
    static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

    std::uint64_t places() const { return planar_ ? 2 * elements_ - before_ : numbers(); }
    /// Where number i lies, in numbers; what is before a planar array has no imaginary parts.
    std::uint64_t place(std::uint64_t i) const {
        if (!planar_) return i;
        const std::uint64_t element = i / 2;
        if (element >= elements_) return places() + i - 2 * elements_;
        if (i % 2 == 0) return element;
        return element < before_ ? nowhere : elements_ + element - before_;
    }
    template <class T>
    void put(const T& number, unsigned char* to) const {
        static const std::vector<unsigned char> none(sizeof(T), poison);
        if (std::memcmp(&number, none.data(), sizeof(T)) == 0) return;
        if (real_bytes_ == sizeof(T)) {
            std::memcpy(to, &number, sizeof(T));
            return;
        }
        const auto twice = static_cast<double>(number);
        const auto single = static_cast<float>(twice);
        const std::uint16_t half = storage_ == Storage::bf16 ? to_bf16(single) : to_f16(single);
        const void* from = real_bytes_ == 2               ? static_cast<const void*>(&half)
                           : real_bytes_ == sizeof single ? static_cast<const void*>(&single)
                                                          : &twice;
        std::memcpy(to, from, real_bytes_);
    }
    template <class T>
    void get(const unsigned char* from, T& number) const {
        static const std::vector<unsigned char> none(2 * sizeof(double), poison);
        if (std::memcmp(from, none.data(), real_bytes_) == 0) return;
        double twice = 0;
        float single = 0;
        std::uint16_t half = 0;
        if (real_bytes_ == sizeof(T)) {
            std::memcpy(&number, from, sizeof(T));
        } else if (real_bytes_ == 2) {
            std::memcpy(&half, from, sizeof half);
            number = storage_ == Storage::bf16 ? from_bf16(half) : from_f16(half);
        } else if (real_bytes_ == sizeof twice) {
            std::memcpy(&twice, from, sizeof twice);
            number = static_cast<T>(twice);
        } else {
            std::memcpy(&single, from, sizeof single);
            number = single;
        }
    }

    Storage storage_ = Storage::same;
    std::uint64_t real_bytes_ = 4, elements_ = 0, parts_ = 2, before_ = 0;
    bool planar_ = false, is_plain_ = true;
};

}  // namespace seiche::cli
