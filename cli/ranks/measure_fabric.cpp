// `seiche tune --fabric`: the fabric between the devices of this machine, or between the processes that mpiexec
// started.
#include <nlohmann/json.hpp>

#include "cli/command/report.hpp"
#include "cli/ranks/fabric_file.hpp"
#include "cli/ranks/group.hpp"
#include "cli/ranks/group_options.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

using distributed::Fabric;
using distributed::Link;

std::string link_text(const Link& link) {
    return significant(link.bytes_per_second * 1e-9, 3) + " GB/s a rank and direction, " +
           significant(link.seconds_per_message * 1e6, 3) + " us a message";
}

Json to_json(const Link& link) {
    return {{"bytes_per_second", link.bytes_per_second}, {"seconds_per_message", link.seconds_per_message}};
}

void report(const Fabric& fabric, int ranks, bool json) {
    const bool has_inside = fabric.inside.bytes_per_second != 0, has_between = fabric.between.bytes_per_second != 0;
    if (json) {
        Json text{{"name", fabric.name},
                  {"ranks", ranks},
                  {"ranks_per_node", fabric.ranks_per_node},
                  {"memory_bytes_per_second", fabric.memory_bytes_per_second}};
        if (has_inside) text["inside"] = to_json(fabric.inside);
        if (has_between) text["between"] = to_json(fabric.between);
        print_json(text);
        return;
    }
    print_rows({{"ranks", std::to_string(ranks) + ", " + std::to_string(fabric.ranks_per_node) + " a node"},
                {"memory", significant(fabric.memory_bytes_per_second * 1e-9, 3) + " GB/s"},
                {"inside", has_inside ? link_text(fabric.inside) : "not measured: one rank a node"},
                {"between", has_between ? link_text(fabric.between) : "not measured: one node"}});
}

}  // namespace

void measure_fabric_file(const std::string& path, const GroupOptions& options, const std::string& device, bool json) {
    const RankGroup group = group_of(options, device);
    const bool is_right =
        on_each_rank(group, "seiche", [&](const std::shared_ptr<distributed::Communicator>& ranks, const Device& own) {
            if (ranks->size() < 2) throw Failure("--fabric: expected at least 2 ranks, got 1");
            Fabric fabric = distributed::measure_fabric(*ranks, own);
            if (ranks->rank() != 0) return;
            fabric.name = own.info().description;
            write_fabric(path, fabric);
            report(fabric, ranks->size(), json);
        });
    if (!is_right) throw Failure("--fabric: expected all ranks to measure, got what is said above");
}

}  // namespace seiche::cli
