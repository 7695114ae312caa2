// What every command shares: opening a device, notes on stderr, JSON on stdout, errors to exit status.
#include "cli/report.hpp"

#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/system.hpp"
#include "cli/text.hpp"

namespace seiche::cli {

void note(const std::string& line) {
    const std::string text = "seiche: " + one_line(line) + "\n";
    std::fputs(text.c_str(), stderr);
}

void note_clipped(std::uint64_t clipped, std::uint64_t of, const std::string& what) {
    if (clipped == 0) return;
    note("clipped " + std::to_string(clipped) + " of " + std::to_string(of) + " samples to the range of " + what);
}

void print_json(const Json& json) {
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    std::fputs(text.c_str(), stdout);
}

std::string device_text(const Device& device) { return device.info().name + " (" + device.info().description + ")"; }

Device open_device(const std::string& name) {
    std::string passed_over;
    Device device = Device::open(name, &passed_over);
    if (!passed_over.empty()) note(passed_over);
    note("using " + device_text(device));
    return device;
}

int guarded(const std::function<void()>& work) {
    try {
        work();
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw Failure("cannot write to standard output");
        return ok;
    } catch (const UsageError& error) {
        note(error.what());
        return usage;
    } catch (const std::bad_alloc&) {
        note("not enough host memory");
    } catch (const std::length_error&) {
        note("not enough host memory");
    } catch (const std::exception& error) {
        note(error.what());
    }
    return failed;
}

double now_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Progress::Progress(std::string what)
    : what_(std::move(what)), started_(now_seconds()), terminal_(is_terminal_stderr()) {}

Progress::~Progress() {
    if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::at(double done, double total) {
    constexpr double quiet_seconds = 1.0, interval_seconds = 0.2;
    if (!terminal_ || total <= 0) return;
    const double now = now_seconds();
    if (now - started_ < quiet_seconds || now - last_ < interval_seconds) return;
    last_ = now;
    shown_ = true;
    const std::string line = "\rseiche: " + what_ + " " + fixed(100.0 * done / total, 0) + " %\033[K";
    std::fputs(line.c_str(), stderr);
}

}  // namespace seiche::cli
