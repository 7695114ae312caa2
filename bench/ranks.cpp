// seiche-ranks: times a transform over several ranks, and compares what each of them has with the same transform on its
// device alone. Ranks are threads with a device each, or with --mpi the processes that mpiexec started; --transport
// says how bytes go between them. Wall-clock times from a barrier to a barrier.
#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/ranks/timed_ranks.hpp"

using seiche::cli::TimedRanks;

int main(int argc, char** argv) {
    CLI::App app("Times a transform over several ranks, and compares it with one device's.");
    TimedRanks options;
    app.add_option("PROBLEM", options.problem, "e.g. \"512x512x512 r2c f32\", of two axes or more")->required();
    app.add_option("--ranks", options.group.ranks, "threads of this process")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    app.add_option("--devices", options.group.devices, "a device for each rank, in turn; default: as the tool chooses")
        ->delimiter(',');
    app.add_flag("--mpi", options.group.mpi, "the ranks are the processes of mpiexec, which started this program");
    app.add_option("--mpi-library", options.group.mpi_library,
                   "an MPI with the standard ABI; default: libmpi_abi.so.1");
    app.add_option("--transport", options.group.transport,
                   "how bytes go between ranks; automatic: peer copies where ranks are threads and all devices CUDA's, "
                   "else through the host's memory")
        ->check(CLI::IsMember({"automatic", "host", "peer", "nccl", "ipc"}))
        ->capture_default_str();
    app.add_option("--nccl-library", options.group.nccl_library, "default: libnccl.so.2");
    app.add_flag("--packed", options.group.packed, "with peer copies: pack messages, instead of copies in rows");
    app.add_option("--pieces", options.pieces,
                   "exchange in so many pieces at most, beside transforms; 0, the default: as many as cost least; of "
                   "several numbers each is timed in turn")
        ->delimiter(',')
        ->check(CLI::Range(0, 1024));
    app.add_flag("--pencils", options.pencils, "cut along two axes; default: slabs, along one");
    app.add_flag("--natural", options.natural, "cut the output as the input; default: along another axis");
    app.add_flag("--no-check", options.no_check, "do not compare with one device, which needs room for all");
    app.add_option("--repeat", options.repeat, "executions")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--time-limit", options.group.time_limit, "seconds that ranks wait for each other")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        return time_ranks(options, "seiche-ranks") ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "seiche-ranks: " << error.what() << "\n";
        return 1;
    }
}
