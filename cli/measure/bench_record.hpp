// The results of `seiche bench` as JSON, and the file of `--resume` that keeps them from run to run.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/measure/bench_result.hpp"

namespace seiche::cli {

nlohmann::ordered_json to_json(const BenchResult& result);
/// The other way. Throws Failure or what nlohmann-json throws where something is missing or of another type.
BenchResult bench_result_of(const nlohmann::ordered_json& json);

/// What was measured on one kind of device by one version of Seiche.
class BenchRecord {
public:
    /// Reads the file, if it is there. Throws Failure where it is no such file, or where its results are another
    /// device's or version's than `origin`: figures of two must not stand in one table.
    BenchRecord(std::string path, const BenchOrigin& origin);
    /// The result of the same question: problem, tuning, peers, movement and repeat; null: it was not measured.
    const BenchResult* find(const BenchResult& asked) const;
    /// In place of the one for the same question, if there is one.
    void set(const BenchResult& result);
    /// Writes the file, which is either as it was or complete.
    void save() const;

private:
    void read(const BenchOrigin& origin);

    std::string path_;
    std::vector<BenchResult> results_;
};

}  // namespace seiche::cli
