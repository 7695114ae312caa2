// Where the study measures: trials of one problem on one device, each verified before it is timed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/check/verify.hpp"
#include "cli/command/progress.hpp"
#include "cli/measure/peer.hpp"
#include "seiche/plan.hpp"
#include "study/document.hpp"

namespace seiche::study {

/// How much is measured.
struct Protocol {
    bool is_quick = false;
    std::vector<std::uint64_t> lengths;  ///< In place of a text's own; powers of two. Empty: its own.
    std::uint64_t every = 1;             ///< Of the lengths 2 to 4096 of vkfft2022's benchmark; 0: none.
    std::vector<std::string> peers;      ///< Other libraries, run by seiche-peers.
    /// Of the recipes' roots, where a text's own protocol leaves them open.
    TwiddleMethod twiddles = TwiddleMethod::any;
    Device opengl;  ///< For what a text has in GLSL beside the same in another language; empty: left out.
};

/// Who transforms: a textbook recipe, another library, or (with neither) Seiche's own plan.
struct Trial {
    std::string name;  ///< As in reports.
    Tuning tuning;
    std::string peer;
    bool is_automatic() const { return tuning.recipe.empty() && peer.empty(); }
};

Trial recipe(const std::string& name, TwiddleMethod twiddles = TwiddleMethod::any);
Trial automatic();
Trial library(const std::string& name);

struct Outcome {
    double milliseconds = 0;  ///< Of a forward transform: the median, and the mean of consecutive runs.
    double mean_ms = 0;
    double inverse_ms = 0;  ///< 0 where it wasn't asked for.
    double error = 0;       ///< Relative L2, the worse direction's; 0 of a library, which judges itself.
    Look look = Look::plain;
    std::string words;  ///< Why there is no figure.
    bool is_good() const { return milliseconds > 0; }
};

/// A problem as a row of a table and a point of a chart.
struct Row {
    std::string label;
    double x = 0;
    Problem problem;
};

/// Outcomes of some problems with some trials.
struct Grid {
    std::vector<Row> rows;
    std::vector<Trial> trials;
    std::vector<std::vector<Outcome>> outcomes;  ///< [row][trial]
};

/// What a plan is made of, without running it.
struct Anatomy {
    std::uint64_t launches = 0, barriers = 0, module_bytes = 0, group_size = 0, shared_bytes = 0, moved_bytes = 0;
    double sectors = 0;    ///< Touched by accesses to memory, of the least possible.
    double conflicts = 0;  ///< Wavefronts of accesses to shared memory, of the least possible; 0: there are none.
    double flops_per_byte = 0;
    std::uint64_t registers = 0, flops = 0;
    bool is_known = false, is_analysed = false;
};

class Laboratory {
public:
    Laboratory(const Device& device, Protocol protocol);

    const Device& device() const { return device_; }
    const Protocol& protocol() const { return protocol_; }
    bool is_gpu() const { return device_.info().is_gpu; }
    /// Of rg32f, as arrays of transforms.
    bool has_images() const;
    /// A text's own lengths, fewer under --quick, or those that were asked for.
    std::vector<std::uint64_t> lengths(const std::vector<std::uint64_t>& full,
                                       const std::vector<std::uint64_t>& quick) const;

    Outcome measure(const Problem& problem, const Trial& trial, bool has_inverse = false);
    /// How far the automatic plan's answer is off; nothing is timed. `why` says what kept it from an answer.
    struct Judged {
        std::optional<double> error;
        std::string why;
    };
    Judged precision_of(const Problem& problem);
    /// Every problem with every trial; Seiche's own plan, where it is among them, is compared with the fastest recipe.
    Grid measure_all(std::vector<Row> rows, std::vector<Trial> trials, bool has_inverse = false);
    Anatomy anatomy(const Problem& problem, const Trial& trial) const;

    /// Begins a text, ends one; tells a person how far it is.
    void begin(const std::string& key);
    double end();
    void step(const std::string& what);

    /// Takes over what another one, for another device, found wrong.
    void adopt_faults_of(const Laboratory& other);
    /// "problem, recipe: error ..." of each wrong answer.
    const std::vector<std::string>& wrong() const { return wrong_; }
    /// The fastest textbook recipe's time over the automatic plan's, problem by problem.
    struct Lead {
        std::string problem, recipe;
        double ratio = 0;
    };
    const std::vector<Lead>& leads() const { return leads_; }
    /// A textbook recipe's time over the automatic plan's, for each problem that both were measured with.
    struct Race {
        std::string text, recipe;
        double ratio = 0;
    };
    const std::vector<Race>& races() const { return races_; }

private:
    double seconds_of_sampling() const;
    Tuning tuning_of(const Trial& trial) const;
    Outcome measure_plan(const Problem& problem, const Trial& trial, bool inverse);
    /// Empty when it is right; a wrong one is remembered.
    std::string fault_of(const cli::Accuracy& accuracy, const Problem& problem, const std::string& name);
    Outcome measure_peer(const Problem& problem, const Trial& trial);
    void compare(const Row& row, const std::vector<Trial>& trials, const std::vector<Outcome>& outcomes);

    Device device_;
    Protocol protocol_;
    std::string key_;
    double started_ = 0, told_ = 0;
    bool terminal_ = false;
    std::optional<cli::Progress> progress_;
    std::vector<std::string> wrong_;
    cli::PeerPrograms programs_;
    std::vector<Lead> leads_;
    std::vector<Race> races_;
};

}  // namespace seiche::study
