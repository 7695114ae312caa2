// Timing by turns.
#include "cli/measure/contender.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "cli/command/report.hpp"

namespace seiche::cli {
namespace {

/// How often in a row each is run, so that a sample lasts long against the clock's own cost.
unsigned count_for(double milliseconds) {
    constexpr double enough_milliseconds = 1.0, most = 100;
    if (!(milliseconds > 0)) return static_cast<unsigned>(most);
    return static_cast<unsigned>(std::clamp(std::ceil(enough_milliseconds / milliseconds), 1.0, most));
}

/// A card that was idle, while the host verified, raises its clock only after some work. Measured: LAB-0044.
void wake(const Contender& contender) {
    constexpr double enough_seconds = 0.3;
    const double start = now_seconds();
    do {
        contender.run(16);
    } while (now_seconds() - start < enough_seconds);
}

}  // namespace

void run_rounds(std::vector<Contender>& contenders, unsigned repeat, Progress& progress) {
    wake(contenders.front());
    for (Contender& contender : contenders) contender.count = std::min(contender.most, count_for(contender.run(1)));
    const double total = static_cast<double>(repeat) * static_cast<double>(contenders.size());
    double done = 0;
    for (unsigned round = 0; round < repeat; ++round) {
        for (Contender& contender : contenders) {
            contender.samples.push_back(contender.run(contender.count));
            progress.at(++done, total);
        }
    }
}

void set_rows(BenchResult& result, const std::vector<Contender>& contenders, std::uint64_t payload_bytes) {
    double copy_rate = 0;
    for (const Contender& contender : contenders) {
        BenchRow row;
        row.name = contender.name;
        row.description = contender.description;
        row.milliseconds = spread_of(contender.samples);
        row.rate = 2e-6 * static_cast<double>(payload_bytes) / row.milliseconds.median;
        row.plan_ms = contender.plan_ms;
        if (is_copy(row.name) && row.rate > copy_rate) {
            copy_rate = row.rate;
            result.yardstick = row.name;
        }
        result.rows.push_back(row);
    }
    for (BenchRow& row : result.rows) {
        row.of_copy = row.rate / copy_rate;
        row.of_best_copy = row.rate / std::max(copy_rate, result.large_copy);
        row.speed_of_seiche = row.milliseconds.median / result.rows.front().milliseconds.median;
        if (row.name == result.yardstick) row.description += "; fractions are of this";
    }
}

std::string time_text() {
    const std::time_t now = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    return text;
}

}  // namespace seiche::cli
