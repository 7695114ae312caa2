// The options of user stages, as `transform`, `plan` and `emit` share them.
#pragma once

#include <string>
#include <vector>

#include "cli/command/command_line.hpp"
#include "cli/problem/text_kind.hpp"
#include "seiche/plan.hpp"
#include "seiche/short_time.hpp"
#include "seiche/spectral.hpp"

namespace seiche::cli {

/// What was written on the command line. Buffers and scalars go to those stages whose text mentions them.
struct StageOptions {
    std::string load, store;                    ///< The text, or @FILE.
    std::string middle;                         ///< The same, of a spectral operator.
    std::vector<std::string> buffers, scalars;  ///< NAME=...
    bool any() const {
        return !load.empty() || !store.empty() || !middle.empty() || !buffers.empty() || !scalars.empty();
    }
};

/// --load-stage, --store-stage, --stage-buffer, --stage-scalar; with files and values for `transform`, otherwise with
/// types.
void add_stage_options(Command& command, StageOptions& options, bool with_values);

/// --stage-buffer and --stage-scalar alone.
void add_stage_arguments(Command& command, StageOptions& options, bool with_values);

/// `--middle-stage`, where spectral operators are taken.
void add_middle_stage_option(Command& command, StageOptions& options);

/// The transform. Throws UsageError beside stages, which it has of its own.
ShortTimeProblem short_time_problem(const std::string& text, const StageOptions& options);

/// The operator with its stages; NAME=TYPE:COUNT and NAME=TYPE.
SpectralProblem spectral_problem(const std::string& text, const StageOptions& options);

/// Forward, or the only direction of the problem's kind.
Direction default_direction(const Problem& problem);

/// For `plan` and `emit`: NAME=TYPE:COUNT and NAME=TYPE. Throws UsageError for a middle stage.
void declare_stages(const StageOptions& options, Direction direction, Problem& problem);

/// For `transform`: NAME=FILE.npy and NAME=NUMBER; gives what an execution on `device` takes.
struct StageArguments {
    std::vector<StageBufferArgument> buffers;
    std::vector<StageScalarArgument> scalars;
};
StageArguments load_stages(const StageOptions& options, const Device& device, Direction direction, Problem& problem);

}  // namespace seiche::cli
