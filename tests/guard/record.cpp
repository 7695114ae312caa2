// One line a problem: its number, 12 digits over everything, and for every profile 3 digits for each part.
#include "tests/guard/record.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "cli/io/device_profile.hpp"
#include "cli/problem/profiles.hpp"
#include "support/text.hpp"
#include "tests/guard/hash.hpp"

#if __has_include(<xbyak/xbyak.h>)
#define XBYAK_NO_OP_NAMES
#include <xbyak/xbyak.h>
#endif

namespace seiche::guard {

namespace {

/// Which assembler makes machine code of x86-64: others may choose other encodings of the same instruction.
std::string assembler() {
#if __has_include(<xbyak/xbyak.h>)
    return std::to_string(static_cast<int>(Xbyak::VERSION));
#else
    return "none";
#endif
}

/// It decides the order in which arguments are evaluated, and with it the order of a kernel's instructions.
#ifdef __clang__
constexpr const char* compiler = "clang";
#else
constexpr const char* compiler = "GCC";
#endif

/// The part that every compiler has alike.
constexpr const char* any_order = "instructions";

constexpr unsigned total_digits = 12, part_digits = 3;
const std::string no_text(part_digits, '-');

std::vector<std::string> part_names(const Profile& profile, bool with_text) {
    std::vector<std::string> names{"choices", "kernels"};
    if (with_text)
        for (const emit::Dialect dialect : dialects_of(profile.limits)) names.emplace_back(name_of(dialect));
    names.emplace_back(any_order);
    return names;
}

/// The same record without the parts that `is_known` says no to.
template <class IsKnown>
void forget(std::uint32_t number, Record& record, const IsKnown& is_known) {
    for (const Profile* profile : profiles_of(number)) {
        const std::vector<std::string> names = part_names(*profile, is_wide(number));
        const auto found = record.cells.find(profile->name);
        if (found == record.cells.end() || found->second.size() != part_digits * names.size()) continue;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (is_known(names[i])) continue;
            record.is_whole = false;
            found->second.replace(part_digits * i, part_digits, no_text);
        }
    }
}

}  // namespace

const std::vector<Profile>& profiles() {
    static const std::vector<Profile> list = [] {
        std::vector<Profile> all_profiles;
        for (const cli::Profile& profile : cli::profiles()) all_profiles.push_back({profile.name, profile.limits});
        for (const auto& file : std::filesystem::directory_iterator(SEICHE_PROFILES))
            all_profiles.push_back(
                {file.path().stem().string(), cli::io::read_device_profile(file.path().string()).limits});
        std::sort(all_profiles.begin(), all_profiles.end(),
                  [](const Profile& a, const Profile& b) { return a.name < b.name; });
        return all_profiles;
    }();
    return list;
}

// A third of them for the card that most was measured on, whose plans have every form; else the profile of the least
// hash: with one more profile, few problems get another.
std::vector<const Profile*> profiles_of(std::uint32_t number) {
    std::vector<const Profile*> list;
    for (const Profile& profile : profiles()) list.push_back(&profile);
    if (is_wide(number)) return list;
    const auto rank = [number](const Profile* profile) {
        const bool is_first = number % 3 == 0 && profile->name == "h200";
        return is_first ? std::string() : Hash().text(profile->name).number(number).digits(16);
    };
    return {*std::min_element(list.begin(), list.end(),
                              [&](const Profile* a, const Profile* b) { return rank(a) < rank(b); })};
}

std::vector<Part> parts_of(const Drawn& drawn, const Profile& profile) {
    Choices made;
    try {
        made = choices(drawn, profile.limits);
    } catch (const std::exception& error) {
        throw std::runtime_error("problem " + std::to_string(drawn.number) + ", " + command_of(drawn) + ", on " +
                                 profile.name + ": " + error.what());
    }
    std::vector<Part> parts{{"choices", made.text}, {"kernels", kernels_text(made)}};
    if (is_wide(drawn.number))
        for (const emit::Dialect dialect : dialects_of(profile.limits))
            parts.push_back(
                {name_of(dialect), emit::can_emit(dialect) ? emitted_text(made, dialect, profile.limits) : no_text});
    parts.push_back({any_order, instructions_text(made)});
    return parts;
}

Record record_of(std::uint32_t number) {
    const Drawn drawn = draw(number);
    Record record;
    Hash total;
    total.text(command_of(drawn));
    for (const Profile* profile : profiles_of(number)) {
        std::string& cell = record.cells[profile->name];
        for (const Part& part : parts_of(drawn, *profile)) {
            const bool is_there = part.text != no_text;
            const Hash hash = Hash().text(part.text);
            if (part.name != any_order) total.text(hash.digits(16));  // it follows from the kernels
            record.is_whole = record.is_whole && is_there;
            cell += is_there ? hash.digits(part_digits) : no_text;
        }
    }
    record.total = total.digits(total_digits);
    return record;
}

std::string difference(std::uint32_t number, const Record& kept, const Record& now) {
    const bool are_whole = kept.is_whole && now.is_whole;
    if (are_whole && kept.total == now.total && kept.cells.size() == now.cells.size()) return "";
    std::string text;
    const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
    for (const Profile* profile : profiles_of(number)) {
        const std::string& cell = now.cells.at(profile->name);
        const auto found = kept.cells.find(profile->name);
        if (found == kept.cells.end()) {
            add(profile->name + " (is new)");
            continue;
        }
        const std::vector<std::string> names = part_names(*profile, is_wide(number));
        std::string parts;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::string mine = cell.substr(part_digits * i, part_digits);
            const std::string theirs = part_digits * i < found->second.size()
                                           ? found->second.substr(part_digits * i, part_digits)
                                           : std::string();
            if (mine != theirs && mine != no_text && theirs != no_text) parts += (parts.empty() ? "" : ", ") + names[i];
        }
        if (!parts.empty()) add(profile->name + " (" + parts + ")");
    }
    if (!text.empty() || !are_whole) return text;
    return kept.total != now.total ? "somewhere (its short hashes agree)" : "a profile is gone";
}

Records read_records(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("'" + path + "': cannot be read");
    Records records;
    std::vector<std::string> names;
    bool is_same_assembler = true, is_same_compiler = true;
    const auto is_known = [&](const std::string& part) {
        if (part == "choices" || part == any_order) return true;
        return is_same_compiler && (is_same_assembler || part != name_of(emit::Dialect::x86));
    };
    std::size_t number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        const std::vector<std::string_view> words = support::split(line, ' ');
        if (words[0] == "xbyak") is_same_assembler = words[1] == assembler();
        if (words[0] == "compiler") is_same_compiler = words[1] == compiler;
        if (words[0] == "profiles") names.assign(words.begin() + 1, words.end());
        if (words[0] == "profiles" || words[0] == "xbyak" || words[0] == "compiler" || words[0].empty() ||
            words[0] == "#")
            continue;
        const auto problem = support::parse_unsigned(words[0]);
        if (!problem || words.size() < 3)
            throw std::runtime_error("'" + path + "' line " + std::to_string(number) +
                                     ": expected a problem's number and its hashes");
        Record record;
        record.total = words[1];
        for (std::size_t i = 2; i < words.size(); ++i) {
            // "NAME:" before the only one of a problem beyond the wide ones
            const std::size_t colon = words[i].find(':');
            const bool is_named = colon != std::string_view::npos;
            if (!is_named && i - 2 >= names.size())
                throw std::runtime_error("'" + path + "' line " + std::to_string(number) +
                                         ": more hashes than profiles");
            const std::string cell(is_named ? words[i].substr(colon + 1) : words[i]);
            record.is_whole = record.is_whole && cell.find('-') == std::string::npos;
            record.cells[is_named ? std::string(words[i].substr(0, colon)) : names[i - 2]] = cell;
        }
        const auto own = static_cast<std::uint32_t>(*problem);
        forget(own, record, is_known);
        records[own] = std::move(record);
    }
    return records;
}

void write_records(const std::string& path, const Records& records) {
    if (std::string(compiler) != "GCC")
        throw std::runtime_error("the hashes are made by a build with GCC, got one with " + std::string(compiler));
    std::string text =
        "# Made by ./dev guard --update; docs/explanation/guard.md says what it is. A problem's number, a hash over\n"
        "# everything, and for every profile three digits each for choices, kernels, the text of each dialect, and "
        "kernels in any order.\n"
        "compiler " +
        std::string(compiler) + "\nxbyak " + assembler() + "\nprofiles";
    for (const Profile& profile : profiles()) text += " " + profile.name;
    text += "\n";
    for (const auto& [number, record] : records) {
        text += std::to_string(number) + " " + record.total;
        for (const auto& [name, cell] : record.cells) text += " " + (is_wide(number) ? "" : name + ":") + cell;
        text += "\n";
    }
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw std::runtime_error("'" + path + "': cannot be written");
}

}  // namespace seiche::guard
