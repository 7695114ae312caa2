// The report as one page.
#include <type_traits>

#include "cli/text/text.hpp"
#include "study/document.hpp"

namespace seiche::study {
namespace {

constexpr const char* style = R"(
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #222; font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 32px 24px 80px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 8px; letter-spacing: -0.01em; }
h2 { font-size: 23px; margin: 64px 0 2px; padding-top: 20px; border-top: 2px solid #222; }
.source { color: #666; margin: 0 0 20px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 20px 0; font-size: 14px; }
dt { color: #666; } dd { margin: 0; }
dd code { font-size: 13px; }
nav { margin: 24px 0; } nav a { margin-right: 18px; }
a { color: #0b5cad; text-decoration: none; } a:hover { text-decoration: underline; }
.summary { background: #f3f7fb; border-radius: 8px; padding: 6px 20px; margin: 24px 0; }
blockquote { margin: 16px 0; padding: 2px 16px; border-left: 3px solid #c9a227; background: #fdf9ec; }
blockquote cite { color: #7a6a2a; font-size: 14px; font-style: normal; }
figure { margin: 28px 0; } figure svg { width: 100%; max-width: 860px; height: auto; display: block; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: 8px 0; font-size: 14px; font-variant-numeric: tabular-nums; }
h3 { font-weight: 600; font-size: 15px; margin: 28px 0 0; }
th, td { padding: 4px 12px 4px 0; text-align: right; border-bottom: 1px solid #eee; vertical-align: baseline; }
td { white-space: nowrap; }
th { color: #555; font-weight: 600; border-bottom: 1px solid #bbb; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; white-space: nowrap; }
tbody tr:hover { background: #fafafa; }
.printed { color: #8a6d00; } .automatic { font-weight: 700; } .missing { color: #999; }
.wrong { color: #b00020; font-weight: 700; }
.note { color: #555; font-size: 14px; margin: 4px 0; max-width: 780px; }
footer { margin-top: 64px; color: #777; font-size: 13px; }
@media print { main { max-width: none; padding: 0; } h2, h3 { break-after: avoid; } figure, table { break-inside: avoid; } }
)";

const char* class_of(Look look) {
    switch (look) {
        case Look::plain: return "";
        case Look::printed: return " class=\"printed\"";
        case Look::automatic: return " class=\"automatic\"";
        case Look::missing: return " class=\"missing\"";
        case Look::wrong: return " class=\"wrong\"";
    }
    return "";
}

std::string html_of(const Paragraph& paragraph) { return "<p>" + escaped(paragraph.words) + "</p>\n"; }

std::string html_of(const Quote& quote) {
    return "<blockquote><p>" + escaped(quote.words) + "<br><cite>" + escaped(quote.where) +
           "</cite></p></blockquote>\n";
}

std::string html_of(const Chart& chart) {
    const std::string picture = svg_of(chart);
    return picture.empty() ? "" : "<figure>\n" + picture + "\n</figure>\n";
}

std::string html_of(const Table& table) {
    // No caption: it would wrap to the width of a narrow table, or widen it.
    std::string html = "<h3>" + escaped(table.title) + "</h3>\n<div class=\"scroll\"><table>\n<thead><tr>";
    for (const std::string& column : table.columns) html += "<th>" + escaped(column) + "</th>";
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        html += "<tr>";
        for (const Cell& cell : row)
            html += std::string("<td") + class_of(cell.look) + ">" + escaped(cell.text) + "</td>";
        html += "</tr>\n";
    }
    html += "</tbody></table></div>\n";
    for (const std::string& note : table.notes) html += "<p class=\"note\">" + escaped(note) + "</p>\n";
    return html;
}

std::string heading_of(const Document& document) {
    std::string html = "<h1>" + escaped(document.title) + "</h1>\n<dl>";
    const auto line = [&](const char* name, const std::string& words, bool code = false) {
        if (words.empty()) return;
        html += std::string("<dt>") + name + "</dt><dd>" + (code ? "<code>" : "") + escaped(words) +
                (code ? "</code>" : "") + "</dd>\n";
    };
    line("Device", document.device);
    line("Driver", document.driver);
    line("Processor", document.machine);
    line("Date", document.date);
    line("Command", document.command, true);
    line("Version", document.version);
    return html + "</dl>\n";
}

}  // namespace

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : cli::printable(text)) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            case '\'': result += "&#39;"; break;
            default: result += c;
        }
    }
    return result;
}

std::string html_of(const Document& document) {
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>" +
        escaped(document.title) + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n<main>\n";
    html += heading_of(document) + "<nav>";
    for (const Section& section : document.sections)
        html += "<a href=\"#" + escaped(section.key) + "\">" + escaped(section.key) + "</a>";
    html += "</nav>\n<div class=\"summary\">\n";
    for (const Paragraph& paragraph : document.summary) html += html_of(paragraph);
    html += "</div>\n";
    for (const Section& section : document.sections) {
        html += "<section id=\"" + escaped(section.key) + "\">\n<h2>" + escaped(section.title) +
                "</h2>\n<p class=\"source\">" + escaped(section.source) + "</p>\n";
        for (const Block& block : section.blocks)
            html += std::visit([](const auto& one) { return html_of(one); }, block);
        html += "</section>\n";
    }
    return html + "<footer>Made by seiche study. Every time here is of an answer that was verified first.</footer>\n" +
           "</main>\n</body>\n</html>\n";
}

}  // namespace seiche::study
