// Wisdom: what was planned with how much effort, and the tuning that was found to be the fastest. A text of its own
// that FFTW's functions carry, with the wisdom of the real FFTW inside where one is loaded.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace seiche_fftw {

/// FFTW_ESTIMATE, MEASURE, PATIENT, EXHAUSTIVE.
enum class Effort { estimate, measure, patient, exhaustive };
Effort effort_of(unsigned flags);

struct WisdomEntry {
    Effort effort = Effort::estimate;
    std::string device;  ///< The tuning's: DeviceInfo::description.
    std::string
        tuning;  ///< seiche::to_string; empty where nothing was measured or the cost model's own is the fastest.
};

class Wisdom {
public:
    static Wisdom& of_process();

    /// The entry of a form's text with at least that effort.
    std::optional<WisdomEntry> find(const std::string& form, Effort least);
    /// Keeps what took more effort.
    void set(const std::string& form, const WisdomEntry& entry);
    void forget();
    /// "(seiche-fftw 1 f64 ...)": entries of FFTW_MEASURE and more, as FFTW exports them.
    std::string text();
    /// Takes a text of `text()`, or one of FFTW's own where a real FFTW is there to take it. False, with nothing taken,
    /// for anything else, and for wisdom of another precision.
    bool import(const std::string& text);

private:
    std::mutex mutex_;
    std::unordered_map<std::string, WisdomEntry> entries_;
};

/// Reads one expression in brackets, character by character as FFTW does, so that what follows it stays unread. Empty
/// where none begins or the end comes first. `next` gives a character, below 0 at the end.
template <class Next>
std::string read_expression(const Next& next) {
    constexpr std::size_t most_characters = std::size_t{256} << 20;
    std::string text;
    int depth = 0;
    bool is_quoted = false;
    for (int c = next(); c >= 0; c = next()) {
        const char character = static_cast<char>(c);
        if (text.empty() && (character == ' ' || character == '\n' || character == '\t' || character == '\r')) continue;
        if (text.empty() && character != '(') return {};
        if (text.size() == most_characters) return {};
        text += character;
        if (character == '"') is_quoted = !is_quoted;
        if (is_quoted) continue;
        if (character == '(') ++depth;
        if (character == ')' && --depth == 0) return text;
    }
    return {};
}

}  // namespace seiche_fftw
