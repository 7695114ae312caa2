// Wisdom: the tunings that were measured to be the fastest, problem by problem, as a text that people can read. Nothing
// uses it by itself: look a problem up and give what you find to PlanOptions::tuning.
#pragma once

#include <string>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/problem.hpp"
#include "seiche/tables.hpp"
#include "seiche/tuning.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

/// "passes=256x256 groups-per-cluster=8": what is not left to the cost model; empty where all is.
std::string to_string(const Tuning& tuning);
/// The other way. Throws InvalidProblem for a word that it does not know and for a value beyond the bounds of Tuning.
Tuning parse_tuning(const std::string& text);

/// Tunings worth measuring on a device with these limits: the cost model's own first, then others that can be had and
/// make other kernels. Takes milliseconds for each.
std::vector<Tuning> candidate_tunings(const Problem& problem, const DeviceLimits& limits);

struct WisdomEntry {
    std::string device;   ///< DeviceInfo::description.
    std::string version;  ///< Of Seiche.
    std::string problem;  ///< to_string of it, with its batch.
    Tuning tuning;
    double milliseconds = 0;          ///< Of one execution so,
    double untuned_milliseconds = 0;  ///< and as the cost model chooses.

    friend bool operator==(const WisdomEntry& a, const WisdomEntry& b) {
        return a.device == b.device && a.version == b.version && a.problem == b.problem && a.tuning == b.tuning &&
               a.milliseconds == b.milliseconds && a.untuned_milliseconds == b.untuned_milliseconds;
    }
};

class Wisdom {
public:
    /// Throws InvalidProblem that names the line.
    static Wisdom parse(const std::string& text);
    std::string text() const;

    const std::vector<WisdomEntry>& entries() const { return entries_; }
    /// In place of the entry for the same device, version and problem, if there is one.
    void set(const WisdomEntry& entry);
    /// For this version on this device: of the problem as it is, else of the one that differs in its batch alone, and
    /// least; null: none.
    const WisdomEntry* find(const DeviceInfo& device, const Problem& problem) const;
    /// Of the problem as it is alone.
    const WisdomEntry* find_exactly(const DeviceInfo& device, const Problem& problem) const;
    /// What it has for this version on this device as a table, whose rows serve inside larger problems too: a batch of
    /// rows or columns in one kernel, an axis by itself in several passes, or in a cluster. Of several batches of one
    /// such part, the last. `source`: what the rows say of where they come from; empty: the device. Empty: none.
    MeasuredTable table(const DeviceInfo& device, const std::string& source = {}) const;

private:
    std::vector<WisdomEntry> entries_;
};

}  // namespace seiche
SEICHE_EXPORT_END
