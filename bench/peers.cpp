// seiche-peers: runs other FFT libraries on request, in lock step with `seiche bench --vs`, so that FFTW's licence
// stays in a program of its own.
//
// Each line on standard input is a request, each answered by one line on standard output:
//   list                         -> peers NAME...
//   prepare NAME CASE            -> ready PLAN_MS ERROR DESCRIPTION   (CASE as in case.hpp; verified on random input)
//   run NAME COUNT               -> ms MILLISECONDS                   (of one, after a run that is not timed)
//   release                      -> released                          (forgets what was prepared)
// or by `error REASON`. It ends with its input.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>

#include "bench/case.hpp"

namespace seiche::bench {
namespace {

struct Prepared {
    std::unique_ptr<Transform> transform;
    bool spoils = false;               // its input: in place, and c2r in some libraries
    std::vector<unsigned char> input;  // of one that does, which has to be renewed
};

using Bench = std::map<std::string, Prepared>;

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
    for (const Peer& peer : peers()) {
        if (peer.name != name) continue;
        const auto start = std::chrono::steady_clock::now();
        auto transform = peer.prepare(what);
        const std::chrono::duration<double, std::milli> plan = std::chrono::steady_clock::now() - start;
        std::vector<unsigned char> input = random_input(what), output(what.output_bytes());
        transform->load(input.data());
        transform->run(1);
        transform->read(output.data());
        const double error = error_of(what, input, output);
        if (!(error < tolerance_of(what))) {
            throw PeerError(name + " gives a wrong answer, relative error " + text(error));
        }
        std::string answer = "ready " + text(plan.count()) + " " + text(error) + " " + transform->description();
        const bool spoils = what.in_place || what.kind() == Kind::c2r;
        bench[name] = {std::move(transform), spoils, spoils ? std::move(input) : std::vector<unsigned char>{}};
        return answer;
    }
    throw PeerError("this seiche-peers was built without " + name);
}

std::string run(Bench& bench, std::istringstream& words) {
    std::string name;
    unsigned count = 0;
    words >> name >> count;
    const auto found = bench.find(name);
    if (found == bench.end() || count == 0) throw PeerError("expected run NAME COUNT of a prepared peer");
    Prepared& prepared = found->second;
    if (prepared.spoils) prepared.transform->reload(prepared.input.data());
    prepared.transform->run(1);
    if (prepared.spoils) prepared.transform->reload(prepared.input.data());
    return "ms " + text(prepared.transform->run(count));
}

std::string answer(Bench& bench, const std::string& line) {
    std::istringstream words(line);
    std::string request;
    words >> request;
    if (request == "prepare") return prepare(bench, words);
    if (request == "run") return run(bench, words);
    if (request == "release") {
        bench.clear();
        return "released";
    }
    if (request != "list") throw PeerError("expected list, prepare, run or release, got '" + request + "'");
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
