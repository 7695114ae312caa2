// Words of messages and of the command line: counts of things, quantities with a suffix, what was meant, lines of help.
#include "cli/text/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A plain decimal number: digits with at most one point, perhaps a sign.
bool is_decimal(std::string_view text) {
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
    const auto digits = std::count_if(text.begin(), text.end(), is_digit);
    const auto points = std::count(text.begin(), text.end(), '.');
    return digits > 0 && points <= 1 && digits + points == static_cast<std::ptrdiff_t>(text.size());
}

/// The number times a power of ten, digit by digit, so that nothing is rounded.
std::string shifted(std::string_view number, std::size_t places) {
    const std::size_t point = number.find('.');
    std::string whole(number.substr(0, point));
    std::string rest(point == std::string_view::npos ? "" : number.substr(point + 1));
    rest.resize(std::max(rest.size(), places), '0');
    whole += rest.substr(0, places);
    rest.erase(0, places);
    while (!rest.empty() && rest.back() == '0') rest.pop_back();
    const std::size_t sign = whole[0] == '-' || whole[0] == '+' ? 1 : 0;
    whole.erase(sign, std::min(whole.find_first_not_of('0', sign), whole.size() - 1) - sign);
    return rest.empty() ? whole : whole + "." + rest;
}

/// The number times a power of two; the text itself where that is beyond 64 bits.
std::string doubled(std::string_view number, unsigned times, std::string_view text) {
    double value = 0;
    const char* const end = number.data() + number.size();
    const auto result = std::from_chars(number.data() + (number[0] == '+' ? 1 : 0), end, value);
    value *= static_cast<double>(std::uint64_t{1} << times);
    if (result.ec != std::errc{} || result.ptr != end || value > 9e18 || value < -9e18) return std::string(text);
    const auto whole = static_cast<std::int64_t>(value);
    return static_cast<double>(whole) == value ? std::to_string(whole) : shortest(value);
}

/// Letters to insert, remove, change or exchange with their neighbour (Damerau 1964, Levenshtein 1966).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

/// Columns of UTF-8 text of single-width letters.
std::size_t columns(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

}  // namespace

std::string counted(std::uint64_t count, const std::string& singular, const std::string& plural) {
    const std::string many = plural.empty() ? singular + "s" : plural;
    return std::to_string(count) + " " + (count == 1 ? singular : many);
}

std::string without_suffix(std::string_view text) {
    struct Suffix {
        std::string_view name;
        unsigned tens, twos;
    };
    constexpr std::array<Suffix, 7> suffixes{
        {{"Ki", 0, 10}, {"Mi", 0, 20}, {"Gi", 0, 30}, {"k", 3, 0}, {"K", 3, 0}, {"M", 6, 0}, {"G", 9, 0}}};
    for (const Suffix& suffix : suffixes) {
        if (!text.ends_with(suffix.name)) continue;
        const std::string_view number = text.substr(0, text.size() - suffix.name.size());
        if (!is_decimal(number)) break;
        return suffix.twos != 0 ? doubled(number, suffix.twos, text) : shifted(number, suffix.tens);
    }
    return std::string(text);
}

std::string closest(std::string_view word, const std::vector<std::string>& known) {
    std::string best;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const std::string& candidate : known) {
        // The beginning of a longer word is meant as that word.
        const bool begins = word.size() >= 3 && candidate.starts_with(word);
        const std::size_t far = begins ? 1 : distance(word, candidate);
        if (far < least && far <= std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3)) {
            least = far;
            best = candidate;
        }
    }
    return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
    const std::string meant = closest(word, known);
    return meant.empty() ? "" : ", did you mean '" + meant + "'?";
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
    std::string out;
    const std::string margin(indent, ' ');
    std::size_t used = 0, breaks = 0;
    bool is_first = true;
    while (true) {
        while (!text.empty() && (text[0] == ' ' || text[0] == '\n')) {
            if (text[0] == '\n') ++breaks;
            text.remove_prefix(1);
        }
        if (text.empty()) return out;
        const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
        const std::string_view word = text.substr(0, end);
        if (breaks >= 2 && !is_first) {
            out += "\n\n" + margin;
            used = 0;
        } else if (!is_first && used + 1 + columns(word) > width) {
            out += "\n" + margin;
            used = 0;
        } else if (!is_first) {
            out += " ";
            ++used;
        }
        out += word;
        used += columns(word);
        breaks = 0;
        is_first = false;
        text.remove_prefix(end);
    }
}

}  // namespace seiche::cli
