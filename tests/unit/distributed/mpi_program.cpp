// One process of several under mpiexec. What it does is its first argument:
//
//   cases COUNT [SEED]  random transforms, equal to one device's
//   lines COUNT [SEED]  the same of one axis over all ranks; with an MPI that the program was compiled with, in
//   messages of
//                       at most 48 bytes
//   groups              exchanges in groups that were split off, several times
//   killed              rank 1 ends in the middle; the others say so in time
//   disagree            rank 1 has another problem; all say so
//
// Each rank writes a line to the file R in the folder SEICHE_TEST_FOLDER: "right", or what is wrong. By its build the
// program takes the MPI that it was compiled with, or loads one by MPI's standard ABI, which SEICHE_TEST_MPI names.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "case.hpp"
#include "says.hpp"
#include "seiche/error.hpp"
#ifdef SEICHE_TEST_COMPILED_MPI
#include "seiche/distributed/mpi.hpp"
#else
#include "seiche/distributed/mpi_abi.hpp"
#endif

namespace seiche::distributed::test {
namespace {

using Shared = std::shared_ptr<Communicator>;

Shared open_world(std::chrono::milliseconds limit, [[maybe_unused]] bool has_short_messages) {
    MessageOptions options;
    options.time_limit = limit;
#ifdef SEICHE_TEST_COMPILED_MPI
    if (!has_short_messages) return mpi::communicator(MPI_COMM_WORLD, options);
    using Mpi = mpi::CompiledMpi;
    return communicator(std::make_shared<MpiMessages<Mpi>>(Mpi{}, MPI_COMM_WORLD, limit, 48), options);
#else
    const char* const library = std::getenv("SEICHE_TEST_MPI");
    return mpi::world(options, library == nullptr ? "" : library);
#endif
}

Device device() {
    const char* const name = std::getenv("SEICHE_TEST_DEVICE");
    return Device::open(name == nullptr ? "reference" : name);
}

/// `make` is random_case or random_line.
std::string cases(const Shared& world, std::uint64_t count, std::uint64_t first, Case (*make)(std::uint64_t, int)) {
    const Device own = device();
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const std::string text = fault(own, make(seed, world->size()), world);
        if (!text.empty()) return text;
    }
    return "right";
}

/// The members of a group send each other their ranks in the world.
std::string exchange_ranks(const Device& device, Communicator& group, int own, const std::vector<int>& expected) {
    const auto ranks = static_cast<std::size_t>(group.size());
    if (ranks != expected.size()) return "a group of " + std::to_string(ranks);
    Exchange exchange{device, device.allocate(4 * ranks), device.allocate(4 * ranks)};
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        exchange.send_bytes.push_back(4);
        exchange.send_offsets.push_back(4 * rank);
    }
    exchange.receive_bytes = exchange.send_bytes;
    exchange.receive_offsets = exchange.send_offsets;
    Queue queue = device.create_queue();
    std::vector<int> sent(ranks, own), got(ranks);
    queue.upload(exchange.send, sent.data(), 4 * ranks);
    group.all_to_all_v(queue, exchange);
    queue.download(got.data(), exchange.receive, 4 * ranks);
    return got == expected ? "right" : "wrong ranks";
}

std::string groups(const Shared& world) {
    const Device own = device();
    const int rank = world->rank(), ranks = world->size();
    std::vector<int> half, all;
    for (int other = ranks - 1; other >= 0; --other) {
        all.push_back(other);
        if (other % 2 == rank % 2) half.push_back(other);
    }
    for (int round = 0; round < 3; ++round) {
        const Shared turned = world->split(0, -rank), part = turned->split(rank % 2, 0);
        for (const std::string& said :
             {exchange_ranks(own, *part, rank, half), exchange_ranks(own, *turned, rank, all)})
            if (said != "right") return said;
        if (world->split(rank == 0 ? -1 : 3, 0) == nullptr && rank != 0) return "no group";
    }
    const auto texts = world->all_gather(std::string(static_cast<std::size_t>(rank), 'x'));
    for (std::size_t other = 0; other < texts.size(); ++other)
        if (texts[other] != std::string(other, 'x')) return "a wrong text";
    return "right";
}

std::string killed(const Shared& world) {
    const Device own = device();
    const Problem problem = parse_problem("16x16x4 f64");
    const DistributedPlan plan(
        own, problem, {slab(problem.lengths, 0, world->size()), slab(problem.lengths, 1, world->size())}, world);
    Queue queue = own.create_queue();
    DistributedExecution execution;
    execution.input = own.allocate(plan.input_bytes());
    execution.output = own.allocate(plan.output_bytes());
    execution.workspace = own.allocate(plan.workspace_bytes());
    plan.execute(queue, execution);
    if (world->rank() == 1) raise(SIGKILL);
    for (int round = 0; round < 3; ++round) {
        const std::string said = refusal([&] { plan.execute(queue, execution); });
        // Which words depends on whether MPI notices by itself.
        if (said.find("rank 1 of ") == std::string::npos) return "said '" + said + "'";
    }
    return "right";
}

std::string disagree(const Shared& world) {
    const Problem problem = parse_problem(world->rank() == 1 ? "16x4 f64" : "16x4 f32");
    const Boxes boxes{slab(problem.lengths, 0, world->size()), slab(problem.lengths, 1, world->size())};
    const std::string said = refusal([&] { DistributedPlan(device(), problem, boxes, world); });
    return said == "InvalidProblem: problem: expected the same on all ranks, got '16x4 c2c f32' on rank 0 and '16x4 "
                   "c2c "
                   "f64' on rank 1"
               ? "right"
               : "said '" + said + "'";
}

/// Under another name first, so that a file that is there is whole.
void report(int rank, const std::string& said) {
    const char* const folder = std::getenv("SEICHE_TEST_FOLDER");
    const std::string name = std::string(folder == nullptr ? "." : folder) + "/" + std::to_string(rank);
    std::ofstream(name + ".part") << said << "\n";
    std::rename((name + ".part").c_str(), name.c_str());
}

/// MPICH's mpiexec may end all ranks when one is killed, whatever its options say. It ends the process group that it
/// started, so the rank is a child in a group of its own.
void leave_group() {
    const pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        return;
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) raise(WTERMSIG(status));
    _exit(WEXITSTATUS(status));
}

int run(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    const auto number = [&](int i, std::uint64_t otherwise) {
        return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
    };
    Shared world = open_world(std::chrono::milliseconds(what == "killed" ? 1500 : 30000), what == "lines");
    std::string said = "no such argument: " + what;
    try {
        if (what == "cases") said = cases(world, number(2, 20), number(3, 1), random_case);
        if (what == "lines") said = cases(world, number(2, 20), number(3, 1), random_line);
        if (what == "groups") said = groups(world);
        if (what == "killed") said = killed(world);
        if (what == "disagree") said = disagree(world);
    } catch (const std::exception& error) {
        said = error.what();
    }
    report(world->rank(), said);
    if (what == "killed") _exit(0);  // the end of some MPIs would wait for the rank that is missing
    return said == "right" ? 0 : 1;
}

}  // namespace
}  // namespace seiche::distributed::test

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "killed") == 0) seiche::distributed::test::leave_group();
#ifdef SEICHE_TEST_COMPILED_MPI
    MPI_Init(&argc, &argv);
    const int status = seiche::distributed::test::run(argc, argv);
    MPI_Finalize();
    return status;
#else
    try {
        return seiche::distributed::test::run(argc, argv);
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
#endif
}
