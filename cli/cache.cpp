// `seiche cache`: shows and clears the cache of compiled kernels.
#include "seiche/cache.hpp"

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/report.hpp"
#include "cli/text.hpp"

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
        Json json{{"folder", report.folder},
                  {"writable", report.writable},
                  {"entries", report.entries},
                  {"bytes", report.bytes}};
        if (options.clear) json["removed"] = removed;
        print_json(json);
        return;
    }
    std::string text;
    if (options.clear) text += "removed " + std::to_string(removed) + " entries\n";
    text += "folder    " + report.folder + (report.writable ? "" : "  (not writable: kernels are compiled each time)") +
            "\nentries   " + std::to_string(report.entries) + "\nsize      " + byte_text(report.bytes) + "\n";
    std::fputs(text.c_str(), stdout);
}

}  // namespace

void add_cache(Command& app) {
    Command command = app.add_subcommand("cache", "Show or clear the cache of compiled kernels");
    auto options = std::make_shared<CacheOptions>();
    command.add_flag("--clear", options->clear, "Remove every entry");
    command.add_flag("--json", options->json, "Print JSON");
    command.footer(
        "The folder is $SEICHE_CACHE_DIR, else $XDG_CACHE_HOME/seiche, else ~/.cache/seiche;\n"
        "on Windows %LOCALAPPDATA%\\seiche.");
    command.callback([options] { run(*options); });
}

}  // namespace seiche::cli
