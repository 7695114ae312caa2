// Copies beside transforms: the chunks of a long recording go through two queues in turn, so that one chunk travels to
// or from the device while another is transformed.
#include <array>
#include <cmath>
#include <cstdio>
#include <seiche/seiche.hpp>

namespace {

constexpr std::size_t n = 1024, rows = 64, chunks = 8;
using Sample = std::complex<float>;

/// Row r of the recording is a tone of frequency r modulo n.
Sample tone(std::size_t row, std::size_t j) {
    const double turn = 2 * std::acos(-1.0) / n * static_cast<double>(row * j % n);
    return {static_cast<float>(std::cos(turn)), static_cast<float>(std::sin(turn))};
}

bool is_spectrum(const Sample* values, std::size_t row) {
    float worst = 0;
    for (std::size_t k = 0; k < n; ++k)
        worst = std::fmax(worst, std::abs(values[k] - Sample(k == row % n ? float(n) : 0.0f)));
    return worst < 0.1f;
}

}  // namespace

int main() {
    try {
        const seiche::Device device = seiche::Device::open();
        seiche::Problem problem;
        problem.lengths = {n};
        problem.batch = rows;
        problem.placement = seiche::Placement::in_place;
        const seiche::Plan plan(device, problem);
        const std::size_t bytes = plan.input_bytes();

        // Memory that the device fetches and fills by itself: from other memory it would be copied by the host first.
        const seiche::HostMemory recording = device.allocate_host(chunks * bytes);
        auto* samples = static_cast<Sample*>(recording.data());
        for (std::size_t row = 0; row < chunks * rows; ++row)
            for (std::size_t j = 0; j < n; ++j) samples[row * n + j] = tone(row, j);

        struct Lane {
            seiche::Queue queue;
            seiche::Execution execution;
        };
        std::array<Lane, 2> lanes;
        for (Lane& lane : lanes) {
            lane.queue = device.create_queue();
            lane.execution.input = device.allocate(bytes);
            if (plan.workspace_bytes() != 0) lane.execution.workspace = device.allocate(plan.workspace_bytes());
        }

        for (std::size_t chunk = 0; chunk < chunks; ++chunk) {  // nothing here waits
            Lane& lane = lanes[chunk % lanes.size()];
            Sample* place = samples + chunk * rows * n;
            lane.queue.enqueue_upload(lane.execution.input, place, bytes);
            plan.execute(lane.queue, lane.execution);
            lane.queue.enqueue_download(place, lane.execution.input, bytes);
        }
        for (Lane& lane : lanes) lane.queue.wait();

        std::size_t right = 0;
        for (std::size_t row = 0; row < chunks * rows; ++row) right += is_spectrum(samples + row * n, row) ? 1 : 0;
        std::printf("on %s: %zu of %zu spectra are right\n", device.info().description.c_str(), right, chunks * rows);
        return right == chunks * rows ? 0 : 1;
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
