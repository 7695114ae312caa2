#include "cli/ranks/group_options.hpp"

namespace seiche::cli {

void add_group_options(Command& command, GroupOptions& options) {
    constexpr int most_ranks = 1024;
    command.add_option("--ranks", options.ranks, "Over so many ranks, threads of this process")
        .value("N")
        .within(1, most_ranks);
    command.add_option("--devices", options.devices, "The ranks' devices, in turn, such as cuda:0,cuda:1")
        .value("NAME")
        .delimiter(',');
    command.add_flag("--mpi", options.mpi, "The ranks are processes of mpiexec, which started this program");
    command.add_option("--mpi-library", options.mpi_library, "An MPI with the standard ABI (default: libmpi_abi.so.1)")
        .value("FILE");
    command
        .add_option("--transport", options.transport,
                    "How bytes go between ranks: automatic is peer copies between threads with cards of CUDA, else "
                    "through the host's memory")
        .one_of({"automatic", "host", "peer", "nccl", "ipc"})
        .capture_default_str();
}

void add_ranked_options(Command& command, RankedOptions& options) {
    add_group_options(command, options.group);
    command
        .add_option("--launcher", options.group.launcher,
                    "Start the ranks as processes with this program, such as \"mpiexec\", and its options")
        .value("COMMAND");
    command.add_flag("--pencils", options.pencils, "With --ranks: cut along two axes (default: slabs, along one)");
    command.add_flag("--natural", options.natural,
                     "With --ranks: the output is cut as the input (default: along another axis)");
}

}  // namespace seiche::cli
