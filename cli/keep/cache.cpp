// `seiche cache`: shows and clears the cache of compiled kernels.
#include "seiche/cache.hpp"

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command/commands.hpp"
#include "cli/command/report.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

struct CacheOptions {
    bool clear = false;
    bool json = false;
};

void run(const CacheOptions& options) {
    std::uint64_t removed = 0;
    if (options.clear) removed = clear_cache();
    const CacheReport report = cache_report();
    if (options.json) {
        Json json{{"folder", report.folder},  {"writable", report.writable},       {"entries", report.entries},
                  {"bytes", report.bytes},    {"limit_bytes", report.limit_bytes}, {"problem", report.problem},
                  {"refused", report.refused}};
        if (options.clear) json["removed"] = removed;
        print_json(json);
        return;
    }
    std::string text;
    if (options.clear) text += "removed " + counted(removed, "entry", "entries") + "\n";
    text += "folder    " + (report.folder.empty() ? "none" : report.folder) + "\n";
    if (!report.problem.empty()) text += "not used  " + report.problem + " (kernels are compiled each time)\n";
    text += "entries   " + std::to_string(report.entries) + "\nsize      " + byte_text(report.bytes) + "\nlimit     " +
            byte_text(report.limit_bytes) + "\n";
    if (!report.refused.empty())
        text += "refused   " + counted(report.refused.size(), "entry", "entries") + ", which --clear removes\n";
    for (const std::string& one : report.refused) text += "          " + one + "\n";
    print(text);
}

}  // namespace

void add_cache(Command& app) {
    Command command = app.add_subcommand("cache", "Show or clear the cache of compiled kernels");
    auto options = std::make_shared<CacheOptions>();
    command.add_flag("--clear", options->clear, "Remove all entries");
    add_json_option(command, options->json);
    command.footer(
        "The folder is $SEICHE_CACHE_DIR, else $XDG_CACHE_HOME/seiche, else ~/.cache/seiche; on Windows "
        "%LOCALAPPDATA%\\seiche. A folder that others may write to is not used.\n\n"
        "$SEICHE_CACHE_MAX limits the size: a number of bytes, or one with K, M or G (default: 1G; 0 keeps nothing). "
        "Beyond it, the entries that were not used for the longest time are removed.");
    command.callback([options] { run(*options); });
}

}  // namespace seiche::cli
