// The report for a terminal, and for programs.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/text/text.hpp"
#include "study/document.hpp"
#include "study/tables.hpp"

namespace seiche::study {
namespace {

using Json = nlohmann::ordered_json;

/// Characters, not bytes: a column is as wide as it looks.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool to_the_left) {
    const std::string space(width - std::min(width, width_of(text)), ' ');
    return to_the_left ? text + space : space + text;
}

/// As many lines as make no line longer than a terminal; words stay whole.
std::string wrapped(const std::string& text, const std::string& indent) {
    constexpr std::size_t most = 110;
    std::string result = indent, word;
    std::size_t at = indent.size();
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && text[i] != ' ') {
            word += text[i];
            continue;
        }
        if (at > indent.size() && at + 1 + width_of(word) > most) {
            result += "\n" + indent;
            at = indent.size();
        }
        if (at > indent.size()) result += " ", ++at;
        result += word;
        at += width_of(word);
        word.clear();
    }
    return result + "\n";
}

std::string text_of(const Paragraph& paragraph) { return "\n" + wrapped(paragraph.words, "  "); }
std::string text_of(const Quote& quote) {
    return "\n" + wrapped("\"" + quote.words + "\" (" + quote.where + ")", "  | ");
}

std::string text_of(const Table& table) {
    std::vector<std::size_t> widths;
    for (const std::string& column : table.columns) widths.push_back(width_of(column));
    for (const auto& row : table.rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i].text));
    std::string text = "\n  " + table.title + "\n";
    const auto line = [&](std::size_t i, const std::string& words) {
        text += (i == 0 ? "    " : "  ") + padded(words, widths[i], i == 0);
    };
    for (std::size_t i = 0; i < table.columns.size(); ++i) line(i, table.columns[i]);
    text += "\n";
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) line(i, row[i].text);
        text += "\n";
    }
    for (const std::string& note : table.notes) text += wrapped(note, "    ");
    return text;
}

std::string text_of(const Chart& chart) {
    constexpr double longest = 48;
    double last = 0, most = 0;
    std::size_t names = 0;
    for (const Series& series : chart.series)
        if (!series.points.empty()) last = std::max(last, series.points.back().first);
    std::vector<std::pair<std::string, double>> bars;
    for (const Series& series : chart.series) {
        if (series.points.empty() || series.points.back().first != last) continue;
        bars.emplace_back(series.name, series.points.back().second);
        most = std::max(most, bars.back().second);
        names = std::max(names, width_of(series.name));
    }
    if (bars.empty()) return "";
    std::string text =
        "\n  " + chart.title + ", " + chart.x_title + " " + cli::significant(last, 6) + ": " + chart.y_title + "\n";
    for (const auto& [name, value] : bars)
        text += "    " + padded(name, names, true) + "  " +
                std::string(std::max<std::size_t>(1, static_cast<std::size_t>(longest * value / most)), '#') + " " +
                short_text(value) + "\n";
    return text;
}

const char* name_of(Look look) {
    switch (look) {
        case Look::plain: return "measured";
        case Look::printed: return "printed";
        case Look::automatic: return "automatic";
        case Look::missing: return "missing";
        case Look::wrong: return "wrong";
    }
    return "?";
}

Json json_of(const Paragraph& paragraph) { return {{"paragraph", paragraph.words}}; }
Json json_of(const Quote& quote) { return {{"quote", quote.words}, {"where", quote.where}}; }

Json json_of(const Table& table) {
    Json rows = Json::array();
    for (const auto& row : table.rows) {
        Json cells = Json::array();
        for (const Cell& cell : row) {
            Json one{{"text", cell.text}, {"look", name_of(cell.look)}};
            if (cell.value) one["value"] = *cell.value;
            cells.push_back(one);
        }
        rows.push_back(cells);
    }
    return {{"table", table.title}, {"columns", table.columns}, {"rows", rows}, {"notes", table.notes}};
}

Json json_of(const Chart& chart) {
    Json list = Json::array();
    for (const Series& series : chart.series) list.push_back({{"name", series.name}, {"points", series.points}});
    return {{"chart", chart.title}, {"x", chart.x_title}, {"y", chart.y_title}, {"series", list}};
}

}  // namespace

std::string terminal_text(const Section& section) {
    std::string text = "\n" + section.title + "\n" + wrapped(section.source, "  ");
    for (const Block& block : section.blocks) text += std::visit([](const auto& one) { return text_of(one); }, block);
    return text;
}

std::string json_of(const Document& document) {
    Json sections = Json::array();
    for (const Section& section : document.sections) {
        Json blocks = Json::array();
        for (const Block& block : section.blocks)
            blocks.push_back(std::visit([](const auto& one) { return json_of(one); }, block));
        sections.push_back({{"text", section.key},
                            {"title", section.title},
                            {"source", section.source},
                            {"seconds", section.seconds},
                            {"blocks", blocks}});
    }
    Json summary = Json::array();
    for (const Paragraph& paragraph : document.summary) summary.push_back(paragraph.words);
    const Json json{{"device", document.device},  {"driver", document.driver},   {"processor", document.machine},
                    {"date", document.date},      {"command", document.command}, {"version", document.version},
                    {"quick", document.is_quick}, {"summary", summary},          {"texts", sections}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace seiche::study
