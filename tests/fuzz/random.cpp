// Random numbers, and damage.
#include <algorithm>
#include <cctype>

#include "support/primes.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace seiche::fuzz {

std::uint64_t Random::bits() {
    state_ += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

std::uint64_t Random::number(unsigned most_bits) {
    const auto size = static_cast<unsigned>(1 + below(most_bits));
    const std::uint64_t power = std::uint64_t{1} << (size - 1), any = power + bits() % power;
    switch (below(8)) {
        case 0: return power;
        case 1: return power + 1;
        case 2: return std::max<std::uint64_t>(1, power - 1);
        case 3: {
            std::uint64_t prime = any | 1;
            while (!support::is_prime(prime)) prime += 2;
            return prime;
        }
        case 4: {  // few small factors
            std::uint64_t product = 1;
            const std::uint64_t factors[] = {2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 19, 31, 37};
            while (product < power) product *= factors[below(std::size(factors))];
            return product;
        }
        case 5: {  // two factors of about the same size
            const std::uint64_t half = std::uint64_t{1} << (size / 2);
            return (half + bits() % half) * (half + bits() % half);
        }
        default: return any;
    }
}

namespace {

void change(std::string& bytes, Random& random) {
    constexpr char telling[] = {'\0', '\x01', '\x7f', '\x80', '\xff', '(', ')', '9', '\'', '-'};
    const std::size_t at = random.below(bytes.size());
    const std::size_t length = 1 + random.below(std::min<std::size_t>(16, bytes.size() - at));
    switch (random.below(8)) {
        case 0: bytes.erase(at, length); break;
        case 1: bytes.insert(at, bytes.substr(at, length)); break;
        case 2: bytes.resize(at); break;
        case 3: bytes[at] = static_cast<char>(random.bits()); break;
        case 4: bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8))); break;
        case 5: bytes.insert(random.below(bytes.size()), bytes.substr(at, length)); break;
        case 6:  // a number of 4 bytes at an even place
            for (std::size_t i = at / 4 * 4; i < std::min(at / 4 * 4 + 4, bytes.size()); ++i)
                bytes[i] = static_cast<char>(random.once_in(2) ? 0xff : random.bits());
            break;
        default: bytes.replace(at, length, std::string(length, telling[random.below(sizeof telling)])); break;
    }
}

/// A number in the text becomes another.
void change_number(std::string& text, Random& random) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (std::isdigit(static_cast<unsigned char>(text[i])) &&
            (i == 0 || !std::isdigit(static_cast<unsigned char>(text[i - 1]))))
            places.push_back(i);
    if (places.empty()) return;
    const std::size_t begin = random.of(places);
    std::size_t end = begin;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    const std::string other = random.once_in(6) ? random.of({"0", "-1", "18446744073709551615", "18446744073709551616",
                                                             "9223372036854775808", "4294967296", "1e300", "nan"})
                                                : std::to_string(random.number(64));
    text.replace(begin, end - begin, other);
}

}  // namespace

std::string mutated(std::string bytes, Random& random) {
    for (std::uint64_t changes = 1 + random.below(4); changes > 0 && !bytes.empty(); --changes) change(bytes, random);
    return bytes;
}

std::string mutated_text(std::string text, Random& random, const std::vector<std::string>& words, std::size_t longest) {
    for (std::uint64_t changes = 1 + random.below(3); changes > 0 && !text.empty(); --changes) {
        const std::size_t at = random.below(text.size());
        switch (random.below(4)) {
            case 0: change_number(text, random); break;
            case 1: text.insert(at, " " + random.of(words) + " "); break;
            case 2: text.insert(at, random.of(words)); break;
            default: change(text, random); break;
        }
    }
    if (text.size() > longest) text.resize(longest);
    return text;
}

}  // namespace seiche::fuzz
