// The commands of the tool: one function and one file each. A function adds its command, with options, to the app.
#pragma once

#include "cli/command/command_line.hpp"

namespace seiche::cli {

void add_transform(Command& app);
void add_spectrogram(Command& app);
void add_spectrum(Command& app);
void add_resample(Command& app);
void add_convolve(Command& app);
void add_filter(Command& app);
void add_polymul(Command& app);
void add_bigmul(Command& app);
void add_devices(Command& app);
void add_plan(Command& app);
void add_explain(Command& app);
void add_emit(Command& app);
void add_check(Command& app);
void add_bench(Command& app);
void add_cache(Command& app);
void add_pack(Command& app);
void add_tune(Command& app);
void add_features(Command& app);
/// Commands that speak of those that were added before them.
void add_help(CommandLine& app);
void add_completion(CommandLine& app);

}  // namespace seiche::cli
