// Devices are opened once and kept for the process.
#include "devices.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>

#include "seiche/error.hpp"
#include "seiche/interop/cpu.hpp"
#include "settings.hpp"

namespace seiche_fftw {

namespace {

/// Below so many points the device is slower than a real FFTW in one thread (docs/lab/2026-11-29-fftw-threshold.md).
constexpr std::uint64_t processor_min_points = 2048;
/// The same of a device that arrays of the host are copied to and from: an H200. Of others nothing was measured.
constexpr std::uint64_t other_min_points = std::uint64_t{1} << 16;

constexpr unsigned most_threads = 1024;

/// Never destroyed: plans that a program keeps to its end hold their devices.
struct Kept {
    std::mutex mutex;
    seiche::Device main, processor;
    bool processor_was_tried = false;
};

Kept& kept() {
    static auto* const made = new Kept;
    return *made;
}

}  // namespace

seiche::Device main_device() {
    const std::lock_guard lock(kept().mutex);
    if (!kept().main) {
        std::string note;
        kept().main = seiche::Device::open({}, &note);
        if (!note.empty()) log_line(1, note);
    }
    return kept().main;
}

seiche::Device processor() {
    const std::lock_guard lock(kept().mutex);
    if (!kept().processor_was_tried) {
        kept().processor_was_tried = true;
        try {
            kept().processor = seiche::Device::open("cpu");
        } catch (const seiche::Error& error) {
            log_line(2, error.what());
        }
    }
    return kept().processor;
}

bool has_host_memory(const seiche::Device& device) { return device.info().backend == seiche::Backend::cpu; }

namespace {

/// Without a word of the user's. The interpreter is there for those who want it and nothing else.
std::uint64_t usual_min_points(const seiche::DeviceInfo& info) {
    if (info.backend == seiche::Backend::reference) return 0;
    return info.backend == seiche::Backend::cpu ? processor_min_points : other_min_points;
}

}  // namespace

Choice choose_device(std::uint64_t points) {
    Choice choice{main_device(), false};
    const seiche::DeviceInfo& info = choice.device.info();
    choice.is_for_real = points < settings().min_points.value_or(usual_min_points(info));
    // Without a real FFTW what is too small for a GPU is the processor's.
    if (choice.is_for_real && info.is_gpu)
        if (const seiche::Device own = processor()) choice.device = own;
    return choice;
}

void use_threads(int threads) {
    static std::atomic<int> now{0};
    if (settings().has_own_threads || now.load(std::memory_order_relaxed) == threads) return;
    now.store(threads, std::memory_order_relaxed);
    seiche::cpu::set_threads(std::min(static_cast<unsigned>(std::max(threads, 1)), most_threads));
}

}  // namespace seiche_fftw
