// Wisdom as text, and back.
#include "wisdom.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "precision.hpp"
#include "real.hpp"
#include "seiche/error.hpp"
#include "seiche/wisdom.hpp"

namespace seiche_fftw {

namespace {

constexpr std::array<const char*, 4> effort_names = {"estimate", "measure", "patient", "exhaustive"};
/// How a text of this library and this precision begins. Programs export wisdom while they end, too.
std::string head() { return std::string("(seiche-fftw 1 ") + precision_name; }
constexpr const char* fftw_head = "(fftw-";

std::string quoted(const std::string& text) {
    std::string made = "\"";
    // No text of a form or a tuning has quotes or line ends; a driver's name for a device might.
    for (const char c : text) made += c == '"' || c == '\n' ? ' ' : c;
    return made + "\"";
}

/// Words, strings and brackets of an expression, one after the other; an inner expression of FFTW's as a whole.
class Reader {
public:
    explicit Reader(const std::string& text) : text_(text) {}

    bool take(const std::string& word) {
        skip();
        if (text_.compare(at_, word.size(), word) != 0) return false;
        at_ += word.size();
        return true;
    }
    std::optional<std::string> string() {
        if (!take("\"")) return std::nullopt;
        const std::size_t end = text_.find('"', at_);
        if (end == std::string::npos) return std::nullopt;
        std::string found = text_.substr(at_, end - at_);
        at_ = end + 1;
        return found;
    }
    std::optional<std::string> word() {
        skip();
        const std::size_t end = std::min(text_.find_first_of(" \t\r\n()\"", at_), text_.size());
        if (end == at_) return std::nullopt;
        std::string found = text_.substr(at_, end - at_);
        at_ = end;
        return found;
    }
    std::string expression() {
        skip();
        return read_expression([&] { return at_ < text_.size() ? static_cast<unsigned char>(text_[at_++]) : -1; });
    }
    bool is_at(const char* word) {
        skip();
        return text_.compare(at_, std::char_traits<char>::length(word), word) == 0;
    }
    bool is_at_end() {
        skip();
        return at_ == text_.size();
    }

private:
    void skip() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

    const std::string& text_;
    std::size_t at_ = 0;
};

std::string real_wisdom() {
    RealFftw* const real = loaded_real_fftw();
    if (real == nullptr) return {};
    const std::lock_guard lock(real->planner);
    char* const text = real->functions.export_wisdom_to_string();
    const std::string made = text == nullptr ? "" : text;
    real->functions.free(text);
    return made;
}

bool import_real(const std::string& text) {
    RealFftw* const real = real_fftw();
    if (real == nullptr) return false;
    const std::lock_guard lock(real->planner);
    return real->functions.import_wisdom_from_string(text.c_str()) != 0;
}

std::optional<std::pair<std::string, WisdomEntry>> read_entry(Reader& reader) {
    const auto form = reader.string();
    const auto effort = reader.word();
    const auto device = reader.string(), tuning = reader.string();
    if (!form || !effort || !device || !tuning || !reader.take(")")) return std::nullopt;
    const auto* const name = std::find(effort_names.begin(), effort_names.end(), *effort);
    if (name == effort_names.end()) return std::nullopt;
    try {
        seiche::parse_tuning(*tuning);
    } catch (const seiche::Error&) {
        return std::nullopt;
    }
    return std::pair{*form, WisdomEntry{static_cast<Effort>(name - effort_names.begin()), *device, *tuning}};
}

}  // namespace

Effort effort_of(unsigned flags) {
    if ((flags & FFTW_ESTIMATE) != 0) return Effort::estimate;
    if ((flags & FFTW_EXHAUSTIVE) != 0) return Effort::exhaustive;
    return (flags & FFTW_PATIENT) != 0 ? Effort::patient : Effort::measure;
}

Wisdom& Wisdom::of_process() {
    static auto* const kept = new Wisdom;
    return *kept;
}

std::optional<WisdomEntry> Wisdom::find(const std::string& form, Effort least) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(form);
    if (found == entries_.end() || found->second.effort < least) return std::nullopt;
    return found->second;
}

void Wisdom::set(const std::string& form, const WisdomEntry& entry) {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = entries_.try_emplace(form, entry);
    if (!is_new && place->second.effort < entry.effort) place->second = entry;
}

void Wisdom::forget() {
    const std::lock_guard lock(mutex_);
    entries_.clear();
}

std::string Wisdom::text() {
    std::vector<std::pair<std::string, WisdomEntry>> sorted;
    {
        const std::lock_guard lock(mutex_);
        sorted.assign(entries_.begin(), entries_.end());
    }
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text = head() + "\n";
    for (const auto& [form, entry] : sorted)
        if (entry.effort > Effort::estimate)
            text += "  (plan " + quoted(form) + " " + effort_names[static_cast<std::size_t>(entry.effort)] + " " +
                    quoted(entry.device) + " " + quoted(entry.tuning) + ")\n";
    return text + real_wisdom() + ")\n";
}

bool Wisdom::import(const std::string& text) {
    Reader reader(text);
    if (reader.is_at(fftw_head)) return import_real(text);
    if (!reader.take(head())) return false;
    std::vector<std::pair<std::string, WisdomEntry>> taken;
    std::string real;
    while (!reader.take(")")) {
        if (reader.is_at(fftw_head)) {
            real = reader.expression();
            if (real.empty()) return false;
            continue;
        }
        if (!reader.take("(plan")) return false;
        auto entry = read_entry(reader);
        if (!entry) return false;
        taken.push_back(std::move(*entry));
    }
    if (!reader.is_at_end()) return false;
    // Another version's, or that of a machine with another FFTW, is no fault of this text.
    if (!real.empty()) import_real(real);
    for (const auto& [form, entry] : taken) set(form, entry);
    return true;
}

}  // namespace seiche_fftw
