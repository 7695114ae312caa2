// Processes that verify problems for `seiche check`: one line of JSON for a task, one for its result.
#include "cli/check/check_worker.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command/report.hpp"
#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"
#include "seiche/wisdom.hpp"

namespace seiche::cli {
namespace {

/// Numbers as hexadecimal text: JSON has no NaN, and every bit counts.
std::string exact(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%a", value);
    return text;
}

Json answer(const Device& device, const Json& request) {
    VerifyOptions how;
    how.seed = request["seed"];
    how.directions = static_cast<Directions>(request["directions"].get<int>());
    try {
        how.tuning = parse_tuning(request.value("tuning", ""));
        const Accuracy accuracy = verify(device, parse_problem(request["problem"]), how);
        return {{"units", exact(accuracy.units)},
                {"bound", exact(accuracy.bound)},
                {"transforms", accuracy.transforms},
                {"fault", accuracy.fault}};
    } catch (const std::exception& error) {
        return {{"error", error.what()}};
    }
}

}  // namespace

std::unique_ptr<ChildProcess> CheckWorkers::take() {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            auto worker = std::move(idle_.back());
            idle_.pop_back();
            return worker;
        }
    }
    return std::make_unique<ChildProcess>(
        std::vector<std::string>{own_path(), "check", "--worker", "--device", device_});
}

Accuracy CheckWorkers::verify(const CheckTask& task) {
    const Json request = {{"problem", to_string(task.problem)},
                          {"seed", task.how.seed},
                          {"directions", static_cast<int>(task.how.directions)},
                          {"tuning", to_string(task.how.tuning)}};
    auto worker = take();
    worker->send(request.dump());
    const Json result = Json::parse(worker->receive());
    {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(worker));
    }
    if (result.contains("error")) throw Failure(result["error"].get<std::string>());
    Accuracy accuracy;
    accuracy.units = std::strtod(result["units"].get<std::string>().c_str(), nullptr);
    accuracy.bound = std::strtod(result["bound"].get<std::string>().c_str(), nullptr);
    accuracy.transforms = result["transforms"];
    accuracy.fault = result["fault"];
    return accuracy;
}

void serve_checks(const std::string& device_name) {
    Device device;
    Json refusal;  // nobody reads this process's standard error
    try {
        device = Device::open(device_name);
    } catch (const std::exception& error) {
        refusal = {{"error", error.what()}};
    }
    for (std::string line; std::getline(std::cin, line);) {
        const Json result = device ? answer(device, Json::parse(line)) : refusal;
        std::cout << result.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;  // flushed: one waits
    }
}

}  // namespace seiche::cli
