// What `bigmul` and `polymul` share: their arguments' files and their report.
#include "cli/number/product_report.hpp"

#include <nlohmann/json.hpp>

#include "cli/io/input_file.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {

std::string read_text(const std::string& path) {
    io::InputFile file(path);
    std::string text(file.bytes(), '\0');
    file.read(text.data(), text.size(), "the text");
    return text;
}

Json to_json(const ProductReport& report) {
    Json json = {{"device", device_text(report.device)}};
    if (!report.output.empty()) json["output"] = report.output;
    if (report.evidence != nullptr)
        json.update({{"transform", std::uint64_t{1} << report.evidence->proof.log2_n},
                     {"error_bound", report.evidence->proof.bound},
                     {"error_seen", report.evidence->distance}});
    json.update({{"device_milliseconds", report.figures.device_milliseconds},
                 {"plan_cold_ms", report.figures.plan_cold_ms},
                 {"plan_warm_ms", report.figures.plan_warm_ms}});
    return json;
}

void print(const ProductReport& report, const std::vector<Row>& facts) {
    std::vector<Row> rows{{"device", device_text(report.device)}, {"output", report.output}};
    rows.insert(rows.end(), facts.begin(), facts.end());
    if (report.evidence != nullptr) {
        rows.push_back({"transform", std::to_string(std::uint64_t{1} << report.evidence->proof.log2_n) + " points"});
        rows.push_back({"rounding", "proven within " + significant(report.evidence->proof.bound, 3) +
                                        " of an integer, seen within " + significant(report.evidence->distance, 3)});
    }
    rows.push_back({"device time", fixed(report.figures.device_milliseconds, 3) + " ms"});
    rows.push_back({"plan time", "cold " + fixed(report.figures.plan_cold_ms, 1) + " ms, warm " +
                                     fixed(report.figures.plan_warm_ms, 3) + " ms"});
    print_rows(rows);
}

}  // namespace seiche::cli
