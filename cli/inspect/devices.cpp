// `seiche devices`: every device of every backend with its limits, and why a backend is absent.
#include "seiche/device.hpp"
#include "seiche/error.hpp"

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command/commands.hpp"
#include "cli/command/report.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

const char* to_string(Vectors vectors) {
    switch (vectors) {
        case Vectors::subgroups: return "subgroups";
        case Vectors::explicit_simd: return "explicit SIMD";
        case Vectors::implicit_simd: break;
    }
    return "implicit SIMD";
}

Json to_json(const DeviceLimits& limits) {
    return {{"architecture", limits.architecture},
            {"vectors", to_string(limits.vectors)},
            {"subgroup_size", limits.subgroup_size},
            {"vector_bytes", limits.vector_bytes},
            {"max_group_size", limits.max_group_size},
            {"shared_bytes", limits.shared_bytes},
            {"shared_bytes_per_unit", limits.shared_bytes_per_unit},
            {"registers_per_thread", limits.registers_per_thread},
            {"compute_units", limits.compute_units},
            {"max_cluster_size", limits.max_cluster_size},
            {"max_allocation_bytes", limits.max_allocation_bytes},
            {"max_buffer_bytes", limits.max_buffer_bytes},
            {"max_addressed_bytes", limits.max_addressed_bytes},
            {"memory_bytes", limits.memory_bytes},
            {"memory_bytes_per_second", limits.memory_bytes_per_second},
            {"cache_bytes", limits.cache_bytes},
            {"unit_cache_bytes", limits.unit_cache_bytes},
            {"sector_bytes", limits.sector_bytes},
            {"shared_banks", limits.shared_banks},
            {"fp64", limits.fp64},
            {"exact_fp64", limits.exact_fp64},
            {"fp16_storage", limits.fp16_storage},
            {"fp16_arithmetic", limits.fp16_arithmetic},
            {"fast_fma", limits.fast_fma},
            {"waits_for_groups", limits.waits_for_groups},
            {"bounds_registers", limits.bounds_registers},
            {"fixed_subgroups", limits.fixed_subgroups},
            {"part_barriers", limits.part_barriers}};
}

Json to_json(const DeviceInfo& device) {
    Json json{{"name", device.name},
              {"description", device.description},
              {"backend", seiche::to_string(device.backend)},
              {"available", device.available}};
    if (device.available) {
        json["is_gpu"] = device.is_gpu;
        json["driver"] = device.driver;
        json["limits"] = to_json(device.limits);
    } else {
        json["problem"] = device.problem;
        json["remedy"] = device.remedy;
    }
    return json;
}

std::string numeric_types(const DeviceLimits& limits) {
    std::string text = "fp32";
    if (limits.fp64) text += ", fp64";
    if (limits.fp16_arithmetic)
        text += ", fp16";
    else if (limits.fp16_storage)
        text += ", fp16 storage";
    return text + (limits.fast_fma ? ", fma" : "");
}

std::string available_text(const DeviceInfo& device, bool is_default) {
    const DeviceLimits& limits = device.limits;
    std::string text = device.name + "  " + one_line(device.description) + (device.is_gpu ? "  [GPU" : "  [CPU") +
                       (is_default ? ", default]\n" : "]\n");
    const auto field = [&](const char* name, const std::string& value) {
        text += "    " + std::string(name) + std::string(14 - std::string(name).size(), ' ') + value + "\n";
    };
    if (!device.driver.empty()) field("driver", one_line(device.driver));
    field("compute",
          limits.architecture + ", " + counted(limits.compute_units, "unit") + ", " +
              (limits.vectors == Vectors::explicit_simd
                   ? "vectors of " + std::to_string(limits.vector_bytes) + " bytes"
                   : to_string(limits.vectors) + std::string(" of ") + std::to_string(limits.subgroup_size)));
    field("group", "up to " + counted(limits.max_group_size, "thread") +
                       (limits.max_cluster_size > 1 ? ", clusters of up to " + std::to_string(limits.max_cluster_size)
                                                    : std::string()));
    field("shared memory",
          byte_text(limits.shared_bytes) + " a group, " + byte_text(limits.shared_bytes_per_unit) + " a unit");
    field("memory", byte_text(limits.memory_bytes) + ", one allocation up to " +
                        byte_text(limits.max_allocation_bytes) + ", last cache " + byte_text(limits.cache_bytes));
    field("numbers", numeric_types(limits));
    return text;
}

std::string absent_text(const DeviceInfo& device) {
    const std::string name = device.name.empty() ? seiche::to_string(device.backend) : device.name;
    std::string text = name + "  not available: " + one_line(device.problem) + "\n";
    if (!device.remedy.empty()) text += "    remedy        " + one_line(device.remedy) + "\n";
    return text;
}

/// The device that commands take where none is named; empty where there is none.
std::string default_name() {
    try {
        return Device::open().info().name;
    } catch (const Error&) {  // the list says why
        return {};
    }
}

void run(bool json) {
    const std::vector<DeviceInfo> list = devices();
    const std::string chosen = default_name();
    if (json) {
        Json array = Json::array();
        for (const DeviceInfo& device : list) {
            array.push_back(to_json(device));
            array.back()["is_default"] = device.available && device.name == chosen;
        }
        print_json(array);
        return;
    }
    std::string text;
    for (const DeviceInfo& device : list)
        text += device.available ? available_text(device, device.name == chosen) : absent_text(device);
    print(text);
}

}  // namespace

void add_devices(Command& app) {
    Command command = app.add_subcommand("devices", "List all devices with their limits, and why backends are absent");
    auto json = std::make_shared<bool>(false);
    add_json_option(command, *json);
    command.footer(
        "Commands use $SEICHE_DEVICE by default, else the first GPU, else the first CPU device. `reference`, the "
        "interpreter, is used only if it is named.");
    command.callback([json] { run(*json); });
}

}  // namespace seiche::cli
