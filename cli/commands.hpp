// The commands of the tool: one function and one file each. A function adds its command, with options, to the app.
#pragma once

#include <CLI/CLI.hpp>

namespace seiche::cli {

void add_transform(CLI::App& app);
void add_spectrogram(CLI::App& app);
void add_spectrum(CLI::App& app);
void add_resample(CLI::App& app);
void add_convolve(CLI::App& app);
void add_filter(CLI::App& app);
void add_polymul(CLI::App& app);
void add_bigmul(CLI::App& app);
void add_devices(CLI::App& app);
void add_plan(CLI::App& app);
void add_emit(CLI::App& app);
void add_check(CLI::App& app);
void add_bench(CLI::App& app);
void add_cache(CLI::App& app);
void add_pack(CLI::App& app);
void add_tune(CLI::App& app);
void add_features(CLI::App& app);

}  // namespace seiche::cli
