// A report as values: what the study found, before anyone decides how it looks.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace seiche::study {

enum class Look {
    plain,
    printed,    ///< A number that the text prints, quoted.
    automatic,  ///< Of Seiche's own plan.
    missing,    ///< There is no figure; the words say why.
    wrong,      ///< The answer was wrong, so there is no figure.
};

struct Cell {
    std::string text;
    std::optional<double> value;  ///< What the text shows, unrounded.
    Look look = Look::plain;
};

struct Table {
    std::string title;
    std::vector<std::string> columns;  ///< The first names the rows.
    std::vector<std::vector<Cell>> rows;
    std::vector<std::string> notes;
};

struct Series {
    std::string name;
    std::vector<std::pair<double, double>> points;  ///< x ascending; both positive.
    Look look = Look::plain;
};

/// Curves over x; bars where there is one x only. Both axes are logarithmic: times and lengths span decades.
struct Chart {
    std::string title, x_title, y_title;
    std::vector<Series> series;
};

/// What the text says, word for word or number for number, or that our copy lacks it.
struct Quote {
    std::string words, where;
};

struct Paragraph {
    std::string words;
};

using Block = std::variant<Paragraph, Quote, Table, Chart>;

struct Section {
    std::string key, title, source;  ///< "wang", a heading, and who wrote what where.
    std::vector<Block> blocks;
    double seconds = 0;  ///< That measuring it took.
};

struct Document {
    std::string title, device, driver, machine, date, command, version;
    bool is_quick = false;
    std::vector<Paragraph> summary;
    std::vector<Section> sections;
};

/// UTF-8 text without control characters, safe between tags and in attributes.
std::string escaped(const std::string& text);

/// The chart as an inline SVG picture with a title for readers that see no pictures.
std::string svg_of(const Chart& chart);
/// One self-contained page: styles and pictures inside, nothing fetched.
std::string html_of(const Document& document);
/// Tables in columns, charts as bars of their last x.
std::string terminal_text(const Section& section);
/// For programs: every table with its texts and unrounded values.
std::string json_of(const Document& document);

}  // namespace seiche::study
