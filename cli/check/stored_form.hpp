// How a problem's numbers lie in a buffer: in which storage, and with real and imaginary parts together or apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

#include "cli/check/large_memory.hpp"
#include "seiche/half.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {

/// One of a problem's two arrays. On the host its numbers are `T` in the order of an interleaved array, two to an
/// element or, of a real array, one; memory that is none of it is poisoned, all bits set, there and here.
class StoredForm {
public:
    StoredForm() = default;
    /// `elements` of the array, those before its first one included (`before`, or as its layout says), of one or two
    /// `parts`.
    StoredForm(const Problem& problem, bool output, std::uint64_t elements, std::uint64_t parts = 2,
               std::optional<std::uint64_t> before = {})
        : storage_(problem.storage),
          real_bytes_(stored_bytes(problem.precision, problem.storage)),
          elements_(elements),
          parts_(parts) {
        const Layout& layout = output && problem.placement == Placement::out_of_place ? problem.output : problem.input;
        planar_ = layout.planar;
        before_ = before ? *before : layout.byte_offset / element_bytes();
        is_plain_ = !planar_ && real_bytes_ > 2 && real_bytes_ == stored_bytes(problem.precision, Storage::same);
    }

    /// Of two arrays in one buffer that do not lie alike. The halves of both are where those of this are.
    static StoredForm of_both(const Problem& problem, std::uint64_t elements, std::uint64_t before) {
        StoredForm form(problem, false, elements, 2, before);
        form.is_of_both_ = true;
        return form;
    }

    /// Nothing to convert.
    bool is_plain() const { return is_plain_; }
    bool is_planar() const { return planar_; }
    bool is_of_both() const { return is_of_both_; }
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

    /// `count` numbers as they lie in a buffer, to its bytes(count - numbers()).
    template <class T>
    void encode(const T* values, std::uint64_t count, unsigned char* memory) const {
        if (planar_) fill_bytes(memory, poison, bytes(count - numbers()));
        with_format<T>([&]<class Format>(Format) {
            for_each_number(count, [&](std::uint64_t i, std::uint64_t at) {
                if (at == nowhere) return;
                const auto stored = is_poison(values[i]) ? poisoned<typename Format::Stored>() : Format::put(values[i]);
                std::memcpy(memory + at * sizeof stored, &stored, sizeof stored);
            });
        });
    }
    /// The other way.
    template <class T>
    void decode(const unsigned char* memory, T* values, std::uint64_t count) const {
        with_format<T>([&]<class Format>(Format) {
            for_each_number(count, [&](std::uint64_t i, std::uint64_t at) {
                auto stored = poisoned<typename Format::Stored>();
                if (at != nowhere) std::memcpy(&stored, memory + at * sizeof stored, sizeof stored);
                values[i] = is_poison(stored) ? poisoned<T>() : static_cast<T>(Format::get(stored));
            });
        });
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
    /// Calls work(number, its place) for all of them; where they lie in order that is one plain loop a piece.
    template <class Work>
    void for_each_number(std::uint64_t count, const Work& work) const {
        in_ranges(count, 0, [&](std::uint64_t first, std::uint64_t end) {
            if (planar_)
                for (std::uint64_t i = first; i < end; ++i) work(i, place(i));
            else
                for (std::uint64_t i = first; i < end; ++i) work(i, i);
        });
    }

    /// What is stored of a number, and back: through a double where the host's number is not what is stored.
    template <class T>
    struct Same {
        using Stored = T;
        static Stored put(T number) { return number; }
        static T get(Stored stored) { return stored; }
    };
    template <class To>
    struct Rounded {
        using Stored = To;
        template <class T>
        static Stored put(T number) {
            return static_cast<To>(static_cast<double>(number));
        }
        static Stored get(Stored stored) { return stored; }
    };
    template <std::uint16_t (*to_half)(float), float (*from_half)(std::uint16_t)>
    struct Half {
        using Stored = std::uint16_t;
        template <class T>
        static Stored put(T number) {
            return to_half(Rounded<float>::put(number));
        }
        static float get(Stored stored) { return from_half(stored); }
    };
    template <class T, class Work>
    void with_format(const Work& work) const {
        if (real_bytes_ == sizeof(T)) return work(Same<T>());
        if (real_bytes_ == sizeof(double)) return work(Rounded<double>());
        if (real_bytes_ == sizeof(float)) return work(Rounded<float>());
        storage_ == Storage::bf16 ? work(Half<to_bf16, from_bf16>()) : work(Half<to_f16, from_f16>());
    }

    template <class T>
    static T poisoned() {
        T number;
        std::memset(static_cast<void*>(&number), poison, sizeof number);
        return number;
    }
    template <class T>
    static bool is_poison(const T& number) {
        using Word = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                        std::conditional_t<sizeof(T) == sizeof(float), std::uint32_t, std::uint64_t>>;
        std::array<Word, sizeof(T) / sizeof(Word)> words;
        std::memcpy(words.data(), &number, sizeof number);
        bool all = true;
        for (const Word word : words) all = all && word == static_cast<Word>(~Word{0});
        return all;
    }

    Storage storage_ = Storage::same;
    std::uint64_t real_bytes_ = 4, elements_ = 0, parts_ = 2, before_ = 0;
    bool planar_ = false, is_plain_ = true, is_of_both_ = false;
};

}  // namespace seiche::cli
