// What `seiche convolve` says that it did.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/edit/convolve.hpp"
#include "cli/sound/sound_words.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

const char* product_text(const ConvolveCommand& command) {
    return command.phase ? "phase" : command.correlate ? "correlate" : "convolve";
}

/// The order that the kind of file has.
template <class List>
List in_order(List list, const ConvolveReport& report) {
    if (report.is_picture) std::reverse(list.begin(), list.end());
    return list;
}

template <class List>
std::string joined(const List& list, const char* between) {
    std::string text;
    for (const auto& number : list) text += (text.empty() ? "" : between) + std::to_string(number);
    return text;
}

}  // namespace

void print_report(const ConvolveCommand& command, const ConvolveReport& report) {
    const Convolution& c = report.convolution;
    const Shape size = in_order(c.signal, report), kernel = in_order(c.kernel, report),
                result = in_order(result_lengths(c), report), padded = in_order(report.figures.padded, report);
    const std::uint64_t channels = c.batch * c.inputs;
    if (command.json) {
        Json json = {{"device", device_text(report.device)},
                     {"input", command.a},
                     {"kernel", command.b},
                     {"output", command.output},
                     {"product", product_text(command)},
                     {"mode", to_string(c.mode)},
                     {"channels", channels},
                     {"size", size},
                     {"kernel_size", kernel},
                     {"new_size", result},
                     {"padded", padded},
                     {"precision", to_string(report.precision)},
                     {"device_milliseconds", report.figures.device_milliseconds},
                     {"plan_ms", report.figures.plan_ms}};
        if (report.peak) {
            json["peak"] = {{"shift", in_order(report.peak->shift, report)}, {"height", report.peak->height}};
            if (channels > 1) json["peak"]["channel"] = report.peak->channel;
        }
        if (report.gain_db) json["gain_db"] = *report.gain_db;
        if (report.clipped) json["clipped"] = *report.clipped;
        print_json(json);
        return;
    }
    std::string line = std::string(product_text(command)) + ", " + to_string(c.mode) + ": " + joined(size, " x ") +
                       " with " + joined(kernel, " x ") + " -> " + joined(result, " x ");
    if (channels > 1) line += ", " + counted(channels, "channel");
    if (report.gain_db && *report.gain_db != 0) line += ", " + fixed(*report.gain_db, 2) + " dB";
    line += std::string(", ") + to_string(report.precision) + ", padded to " + joined(padded, " x ") + ", " +
            fixed(report.figures.device_milliseconds, 3) + " ms\n";
    if (report.peak)
        line += "peak " + significant(report.peak->height, 6) + " at shift " +
                joined(in_order(report.peak->shift, report), ", ") + (report.is_picture ? " (right, down)" : "") +
                of_channel(report.peak->channel, {channels, !report.is_picture}) + "\n";
    print_report_text(line);
}

}  // namespace seiche::cli
