// The results of `seiche bench` as JSON, and the file of `--resume` that keeps them from run to run.
#include "cli/measure/bench_record.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/io/input_file.hpp"
#include "cli/io/output_file.hpp"
#include "cli/problem/text_kind.hpp"
#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "cli/workflow/workflow_text.hpp"
#include "seiche/error.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format = "Seiche bench 1";

/// JSON has no number for what is not finite, which is written as null.
double number_of(const Json& json, const char* name) {
    const Json& value = json.at(name);
    return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

Json to_json(const BenchRow& row) {
    return {{"name", row.name},
            {"description", row.description},
            {"median_ms", row.milliseconds.median},
            {"lower_quartile_ms", row.milliseconds.lower_quartile},
            {"upper_quartile_ms", row.milliseconds.upper_quartile},
            {"fastest_ms", row.milliseconds.least},
            {"gb_per_s", row.rate},
            {"of_copy", row.of_copy},
            {"of_best_copy", row.of_best_copy},
            {"speed_of_seiche", row.speed_of_seiche},
            {"plan_ms", row.plan_ms}};
}

BenchRow row_of(const Json& json) {
    BenchRow row;
    json.at("name").get_to(row.name);
    json.at("description").get_to(row.description);
    row.milliseconds = {number_of(json, "median_ms"), number_of(json, "lower_quartile_ms"),
                        number_of(json, "upper_quartile_ms"), number_of(json, "fastest_ms")};
    row.rate = number_of(json, "gb_per_s");
    row.of_copy = number_of(json, "of_copy");
    row.of_best_copy = number_of(json, "of_best_copy");
    row.speed_of_seiche = number_of(json, "speed_of_seiche");
    row.plan_ms = number_of(json, "plan_ms");
    return row;
}

BenchOrigin origin_of(const Json& json) {
    BenchOrigin origin;
    json.at("device").get_to(origin.device);
    json.at("backend").get_to(origin.backend);
    json.at("description").get_to(origin.description);
    json.at("driver").get_to(origin.driver);
    json.at("version").get_to(origin.version);
    json.at("measured").get_to(origin.measured);
    return origin;
}

bool same_question(const BenchResult& a, const BenchResult& b) {
    return a.problem == b.problem && a.tuning == b.tuning && a.against == b.against && a.movement == b.movement &&
           a.cached_input == b.cached_input && a.in_graph == b.in_graph && a.repeat == b.repeat;
}

std::string shown(const BenchOrigin& origin) {
    return origin.backend + " on " + origin.description + " by Seiche " + origin.version;
}

void require_sound(const BenchResult& result) {
    if (result.rows.empty() || result.rows.front().name != "seiche")
        throw Failure("expected timings of seiche first, of " + result.problem);
    if (is_short_time(result.problem) || is_spectral(result.problem)) return;  // their parsers are the library's
    if (is_workflow(result.problem) ? to_string(parse_workflow(result.problem)) != result.problem
                                    : to_string(parse_problem(result.problem)) != result.problem)
        throw Failure("expected a problem as seiche bench writes it, got '" + result.problem + "'");
}

}  // namespace

Json to_json(const BenchResult& result) {
    Json rows = Json::array();
    for (const BenchRow& row : result.rows) rows.push_back(to_json(row));
    return {{"problem", result.problem},
            {"recipe", result.recipe},
            {"tuning", result.tuning},
            {"units", result.accuracy.units},
            {"bound_units", result.accuracy.bound},
            {"plan_ms", result.plan_first_ms},
            {"plan_again_us", result.plan_again_us},
            {"kernels", result.kernels},
            {"compiled", result.compiled},
            {"timings", rows},
            {"mark", result.mark},
            {"not_timed", result.absent},
            {"against", result.against},
            {"movement", result.movement},
            {"cached_input", result.cached_input},
            {"graph", result.in_graph},
            {"repeat", result.repeat},
            {"yardstick", result.yardstick},
            {"large_copy_gb_per_s", result.large_copy},
            {"large_copy_by", result.large_copy_by},
            {"device", result.origin.device},
            {"backend", result.origin.backend},
            {"description", result.origin.description},
            {"driver", result.origin.driver},
            {"version", result.origin.version},
            {"measured", result.origin.measured}};
}

BenchResult bench_result_of(const Json& json) {
    BenchResult result;
    json.at("problem").get_to(result.problem);
    json.at("recipe").get_to(result.recipe);
    json.at("tuning").get_to(result.tuning);
    result.accuracy.units = number_of(json, "units");
    result.accuracy.bound = number_of(json, "bound_units");
    result.plan_first_ms = number_of(json, "plan_ms");
    result.plan_again_us = number_of(json, "plan_again_us");
    json.at("kernels").get_to(result.kernels);
    json.at("compiled").get_to(result.compiled);
    for (const Json& row : json.at("timings")) result.rows.push_back(row_of(row));
    result.mark = number_of(json, "mark");
    json.at("not_timed").get_to(result.absent);
    json.at("against").get_to(result.against);
    json.at("movement").get_to(result.movement);
    result.cached_input = json.value("cached_input", false);  // older records have none
    result.in_graph = json.value("graph", false);             // likewise
    json.at("repeat").get_to(result.repeat);
    result.yardstick = json.value("yardstick", own_copy);  // likewise
    result.large_copy = number_of(json, "large_copy_gb_per_s");
    result.large_copy_by = json.value("large_copy_by", own_copy);
    result.origin = origin_of(json);
    require_sound(result);
    return result;
}

BenchRecord::BenchRecord(std::string path, const BenchOrigin& origin) : path_(std::move(path)) {
    std::error_code failed;
    if (std::filesystem::exists(path_of(path_), failed)) read(origin);
}

void BenchRecord::read(const BenchOrigin& origin) {
    constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
    io::InputFile file(path_);
    if (file.bytes() > most_bytes)
        file.refuse("expected results of seiche bench, got a file of " + std::to_string(file.bytes()) + " bytes");
    std::string text(static_cast<std::size_t>(file.bytes()), ' ');
    file.read(text.data(), text.size(), "results");
    try {
        const Json json = Json::parse(text);
        if (json.at("format") != format)
            throw Failure("expected the format '" + std::string(format) + "', got " + json.at("format").dump());
        for (const Json& one : json.at("results")) results_.push_back(bench_result_of(one));
    } catch (const std::exception& error) {
        file.refuse("expected results of seiche bench --resume: " + one_line(error.what()));
    }
    for (const BenchResult& result : results_) {
        if (shown(result.origin) == shown(origin)) continue;
        file.refuse("expected results of " + shown(origin) + ", got those of " + shown(result.origin));
    }
}

const BenchResult* BenchRecord::find(const BenchResult& asked) const {
    const auto found = std::find_if(results_.begin(), results_.end(),
                                    [&](const BenchResult& result) { return same_question(result, asked); });
    return found == results_.end() ? nullptr : &*found;
}

void BenchRecord::set(const BenchResult& result) {
    for (BenchResult& known : results_) {
        if (!same_question(known, result)) continue;
        known = result;
        return;
    }
    results_.push_back(result);
}

void BenchRecord::save() const {
    Json list = Json::array();
    for (const BenchResult& result : results_) list.push_back(to_json(result));
    const Json json{{"format", format}, {"results", list}};
    io::OutputFile file(path_);
    file.write(json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    file.commit();
}

}  // namespace seiche::cli
