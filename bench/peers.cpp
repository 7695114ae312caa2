// seiche-peers: runs other FFT libraries on request, in lock step with `seiche bench --vs`, so that FFTW's licence
// stays in a program of its own.
//
// Each line on standard input is a request, each answered by one line on standard output:
//   list                         -> peers NAME...
//   prepare NAME CASE            -> ready PLAN_MS DESCRIPTION   (CASE as in case.hpp; instead of what was prepared)
//   verify NAME                  -> right ERROR                 (of one run on random input)
//   run NAME COUNT               -> ms MILLISECONDS             (of one, after a run that is not timed)
//   workspace NAME               -> bytes BYTES                 (that the plan takes beside the arrays)
//   release                      -> released                    (forgets what was prepared)
// or by `error REASON`. It ends with its input.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>

#include "bench/case.hpp"
#include "cli/check/large_memory.hpp"

namespace seiche::bench {
namespace {

struct Prepared {
    std::string name;
    Case what;
    std::unique_ptr<Transform> transform;
    bool is_right = false;

    /// Its input: in place, and c2r in some libraries.
    bool spoils() const { return what.in_place || what.kind() == Kind::c2r; }
};

struct Bench {
    std::optional<Prepared> prepared;
    cli::LargeMemory data;  // the input, then the output; of a verified one that spoils its input the input once more
};

std::string text(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6g", value);
    return buffer;
}

std::string prepare(Bench& bench, std::istringstream& words) {
    std::string name, rest;
    words >> name;
    std::getline(words >> std::ws, rest);
    const Case what = parse_case(rest);
    bench.prepared.reset();
    if (what.cached_input && name != "cufft") throw PeerError(name + ": inputs in the cache are cuFFT's alone");
    if (what.in_graph && !has_graphs(name)) throw PeerError(name + ": graphs are of cufft and vkfft-cuda alone");
    for (const Peer& peer : peers()) {
        if (peer.name != name) continue;
        const auto start = std::chrono::steady_clock::now();
        auto transform = peer.prepare(what);
        const std::chrono::duration<double, std::milli> plan = std::chrono::steady_clock::now() - start;
        bench.prepared = Prepared{name, what, std::move(transform)};
        return "ready " + text(plan.count()) + " " + bench.prepared->transform->description();
    }
    throw PeerError("this seiche-peers was built without " + name);
}

Prepared& prepared(Bench& bench, const std::string& name) {
    if (!bench.prepared || bench.prepared->name != name)
        throw PeerError("expected a prepared peer, got '" + name + "'");
    return *bench.prepared;
}

std::string verify(Bench& bench, std::istringstream& words) {
    std::string name;
    words >> name;
    Prepared& peer = prepared(bench, name);
    unsigned char* data = bench.data.reserve(std::max(peer.what.input_bytes(), peer.what.output_bytes()));
    make_random_input(peer.what, data);
    const std::vector<ExpectedOutput> expected = some_outputs(peer.what, data);
    peer.transform->load(data);
    peer.transform->run(1);
    peer.transform->read(data);
    const double error = error_of(peer.what, expected, data);
    if (!(error < tolerance_of(peer.what))) {
        bench.prepared.reset();
        throw PeerError(name + " gives a wrong answer, relative error " + text(error));
    }
    if (peer.spoils()) {
        make_random_input(peer.what, data);
        peer.transform->reload(data);  // where the device keeps a copy it is there before anything is timed
    }
    peer.is_right = true;
    return "right " + text(error);
}

std::string run(Bench& bench, std::istringstream& words) {
    std::string name;
    unsigned count = 0;
    words >> name >> count;
    Prepared& peer = prepared(bench, name);
    if (!peer.is_right || count == 0) throw PeerError("expected run NAME COUNT of a verified peer");
    const unsigned char* input = bench.data.reserve(peer.what.input_bytes());
    if (peer.spoils()) peer.transform->reload(input);
    peer.transform->run(1);
    if (peer.spoils()) peer.transform->reload(input);
    return "ms " + text(peer.transform->run(count));
}

std::string workspace(Bench& bench, std::istringstream& words) {
    std::string name;
    words >> name;
    const auto bytes = prepared(bench, name).transform->workspace_bytes();
    if (!bytes) throw PeerError(name + " does not say how much workspace a plan takes");
    return "bytes " + std::to_string(*bytes);
}

std::string answer(Bench& bench, const std::string& line) {
    std::istringstream words(line);
    std::string request;
    words >> request;
    if (request == "prepare") return prepare(bench, words);
    if (request == "verify") return verify(bench, words);
    if (request == "run") return run(bench, words);
    if (request == "workspace") return workspace(bench, words);
    if (request == "release") {
        bench.prepared.reset();
        return "released";
    }
    if (request != "list")
        throw PeerError("expected list, prepare, verify, run, workspace or release, got '" + request + "'");
    std::string names = "peers";
    for (const Peer& peer : peers()) names += std::string(" ") + peer.name;
    return names;
}

int serve() {
    Bench bench;
    for (std::string line; std::getline(std::cin, line);) {
        std::string reply;
        try {
            reply = answer(bench, line);
        } catch (const std::exception& error) {
            reply = std::string("error ") + error.what();
        }
        std::cout << reply << std::endl;  // flushed: the other side waits for it
    }
    return 0;
}

}  // namespace
}  // namespace seiche::bench

int main() { return seiche::bench::serve(); }
