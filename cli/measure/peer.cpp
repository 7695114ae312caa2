// Another FFT library, run by seiche-peers in a process of its own and in step with our runs.
#include "cli/measure/peer.hpp"

#include <filesystem>
#include <locale>
#include <sstream>

#include "cli/system/environment.hpp"
#include "cli/system/system.hpp"

namespace seiche::cli {
namespace {

// $SEICHE_PEERS, else beside this program.
std::string peers_path() {
    if (std::string path = environment("SEICHE_PEERS"); !path.empty()) return path;
    const auto path = path_of(own_path()).parent_path() / "seiche-peers";
    if (!std::filesystem::exists(path)) {
        throw Failure("there is no seiche-peers beside this program; set SEICHE_PEERS to where it was built");
    }
    return path.string();
}

// "c2c", or the kinds of the axes: "dct2,dst3".
std::string kinds_text(const Problem& problem) {
    std::string text;
    for (const Kind kind : problem.axis_kinds) text += (text.empty() ? "" : ",") + std::string(to_string(kind));
    return text.empty() ? to_string(problem.kind) : text;
}

// The problem as seiche-peers reads it: a dense transform along all axes, unscaled, forward or c2r. Of halves each
// library says itself whether it has them.
std::string case_text(const Problem& problem, const DeviceInfo& device, bool cached_input, bool in_graph) {
    const bool in_place = problem.placement == Placement::in_place;
    if (!problem.axes.empty() || problem.input != Layout() || problem.output != Layout() ||
        problem.forward_scale != Scale::none() || problem.orthonormal || problem.orthogonalize ||
        (problem.kind == Kind::c2r && problem.inverse_scale != Scale::none())) {
        throw PeerRefusal("peers take dense, unscaled transforms along all axes only");
    }
    if (problem.precision != Precision::f32 && problem.precision != Precision::f64)
        throw PeerRefusal(std::string("peers compute in f32 and f64 only, got ") + to_string(problem.precision));
    const bool has_halves =
        problem.precision == Precision::f32 && (problem.storage == Storage::f16 || problem.storage == Storage::bf16);
    if (problem.storage != Storage::same && !has_halves)
        throw PeerRefusal("peers take arrays of the arithmetic's own precision, or halves for f32, only");
    const int rank = static_cast<int>(problem.lengths.size());
    if (problem.halved_axis && *problem.halved_axis != -1 && *problem.halved_axis != rank - 1)
        throw PeerRefusal("peers halve the last axis only");
    std::string text = std::string(has_halves ? to_string(problem.storage) : to_string(problem.precision)) + " " +
                       kinds_text(problem) + " ";
    for (std::size_t axis = 0; axis < problem.lengths.size(); ++axis) {
        text += (axis == 0 ? "" : "x") + std::to_string(problem.lengths[axis]);
    }
    const std::size_t colon = device.name.rfind(':');
    const bool numbered =
        colon != std::string::npos && device.name.find_first_not_of("0123456789", colon + 1) == std::string::npos;
    return text + " " + std::to_string(problem.batch) +
           (cached_input ? " cached"
            : in_place   ? " in"
                         : " out") +
           (in_graph ? ",graph " : " ") + (numbered ? device.name.substr(colon + 1) : "0") + " " + device.description;
}

}  // namespace

std::string PeerPrograms::ask(const std::string& library, const std::string& request) {
    std::unique_ptr<ChildProcess>& process = processes_[library];
    if (!process) process = std::make_unique<ChildProcess>(std::vector<std::string>{peers_path()});
    try {
        process->send(request);
        return process->receive();
    } catch (const Failure&) {
        process.reset();
        throw;
    }
}

Peer::Peer(PeerPrograms& programs, const std::string& name, const Problem& problem, const DeviceInfo& device,
           bool cached_input, bool in_graph)
    : programs_(programs), name_(name) {
    std::istringstream words(
        ask("prepare " + name + " " + case_text(problem, device, cached_input, in_graph), "ready"));
    words.imbue(std::locale::classic());
    words >> plan_milliseconds_;
    std::getline(words >> std::ws, description_);
}

Peer::~Peer() {
    try {
        programs_.ask(name_, "release");
    } catch (const Failure&) {
        return;  // a process that has ended has nothing left to release
    }
}

void Peer::verify() { ask("verify " + name_, "right"); }

double Peer::run(unsigned count) {
    std::istringstream words(ask("run " + name_ + " " + std::to_string(count), "ms"));
    words.imbue(std::locale::classic());
    double milliseconds = 0;
    if (!(words >> milliseconds)) throw Failure("seiche-peers gave no time for " + name_);
    return milliseconds;
}

std::string Peer::ask(const std::string& request, const std::string& expected) {
    const std::string answer = programs_.ask(name_, request);
    const std::size_t space = answer.find(' ');
    const std::string first = answer.substr(0, space),
                      rest = space == std::string::npos ? "" : answer.substr(space + 1);
    if (first == expected) return rest;
    if (first == "error") throw PeerRefusal(rest);
    throw Failure("seiche-peers answered '" + answer + "' to '" + request + "'");
}

}  // namespace seiche::cli
