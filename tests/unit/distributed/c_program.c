/* A program in C99 over several ranks. Its first argument says which:
 *
 *   threads COUNT DEVICE  so many threads of this process
 *   world                 the processes of an MPI that is loaded by its standard ABI (SEICHE_TEST_MPI)
 *   comm                  the same by handle and by number, of an MPI that the program initialises
 *   compiled              the processes of the MPI that the program is compiled with
 *   killed                the same; rank 1 ends in the middle, and the others say so in time
 *
 * As a process of MPI it writes "right", or what is wrong, to the file R in the folder SEICHE_TEST_FOLDER. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c_checks.h"
#ifdef SEICHE_TEST_COMPILED_MPI
#include <signal.h>
#include <unistd.h>

#include "seiche/distributed/mpi.h"
#else
#include <dlfcn.h>
#endif

enum { most_ranks = 16, most_text = 600 };

typedef struct thread_rank {
    pthread_t thread;
    seiche_communicator* communicator;
    const char* device;
    char said[most_text];
} thread_rank;

static void* run_rank(void* given) {
    thread_rank* const own = given;
    const char* said = check_transforms(own->device, own->communicator);
    if (said[0] == '\0') said = check_refusals(own->device, own->communicator);
    snprintf(own->said, most_text, "%s", said);
    seiche_communicator_release(own->communicator);
    return NULL;
}

/* A rank whose communicator goes is named by those that wait for it. */
static int check_absent(void) {
    seiche_communicator* ranks[2];
    if (seiche_thread_ranks(2, NULL, ranks) != SEICHE_OK) return 1;
    seiche_communicator_release(ranks[1]);
    const seiche_status status = seiche_communicator_barrier(ranks[0]);
    const int absent = seiche_absent_rank();
    if (status != SEICHE_BACKEND_ERROR || absent != 1)
        printf("absent: status %d, rank %d: %s\n", (int)status, absent, seiche_last_error());
    seiche_communicator_release(ranks[0]);
    return status != SEICHE_BACKEND_ERROR || absent != 1;
}

static int run_threads(int count, const char* device) {
    static thread_rank ranks[most_ranks];
    seiche_communicator* communicators[most_ranks];
    const char* const said = check_arguments();
    int failed = said[0] != '\0';
    if (failed) printf("arguments: %s\n", said);
    if (count < 2 || count > most_ranks || seiche_thread_ranks(count, NULL, communicators) != SEICHE_OK) return 1;
    for (int rank = 0; rank < count; ++rank) {
        ranks[rank].communicator = communicators[rank];
        ranks[rank].device = device;
        if (pthread_create(&ranks[rank].thread, NULL, run_rank, &ranks[rank]) != 0) abort();
    }
    for (int rank = 0; rank < count; ++rank) {
        pthread_join(ranks[rank].thread, NULL);
        printf("rank %d: %s\n", rank, ranks[rank].said[0] == '\0' ? "right" : ranks[rank].said);
        failed |= ranks[rank].said[0] != '\0';
    }
    return failed | check_absent();
}

/* Under another name first, so that a file that is there is whole. */
static void report(int rank, const char* said) {
    const char* const folder = getenv("SEICHE_TEST_FOLDER");
    char part[4096], whole[4096];
    snprintf(whole, sizeof whole, "%s/%d", folder == NULL ? "." : folder, rank);
    snprintf(part, sizeof part, "%s/%d.part", folder == NULL ? "." : folder, rank);
    FILE* const file = fopen(part, "w");
    if (file == NULL) abort();
    fprintf(file, "%s\n", said[0] == '\0' ? "right" : said);
    fclose(file);
    rename(part, whole);
}

/* Checks over these ranks, which end here. "" or what is wrong. */
static const char* check_ranks(seiche_status status, seiche_communicator* const* made) {
    seiche_communicator* const ranks = *made;
    const char* const device = getenv("SEICHE_TEST_DEVICE");
    if (status != SEICHE_OK) return seiche_last_error();
    const char* said = check_transforms(device == NULL ? "reference" : device, ranks);
    if (said[0] == '\0') said = check_refusals(device == NULL ? "reference" : device, ranks);
    seiche_communicator_release(ranks);
    return said;
}

#ifdef SEICHE_TEST_COMPILED_MPI

/* The end of some MPIs would wait for the rank that is missing: this does not return. */
static void run_killed(int rank) {
    seiche_message_options options = SEICHE_MESSAGE_OPTIONS_INIT;
    seiche_communicator* ranks = NULL;
    const char* said = "";
    options.time_limit_ms = 1500;
    if (seiche_mpi_communicator(MPI_COMM_WORLD, &options, &ranks) != SEICHE_OK) abort();
    if (seiche_communicator_barrier(ranks) != SEICHE_OK) abort();
    if (rank == 1) raise(SIGKILL);
    for (int round = 0; round < 2; ++round) {
        const seiche_status status = seiche_communicator_barrier(ranks);
        if (status != SEICHE_BACKEND_ERROR || seiche_absent_rank() != 1) said = "no absent rank";
        if (strstr(seiche_last_error(), "rank 1 of 3") == NULL) said = seiche_last_error();
    }
    seiche_communicator_release(ranks);
    report(rank, said);
    _exit(0);
}

static int run_processes(const char* what) {
    seiche_communicator* ranks = NULL;
    int rank = 0;
    if (strcmp(what, "compiled") != 0 && strcmp(what, "killed") != 0) return 1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(what, "killed") == 0) run_killed(rank);
    const char* said = check_ranks(seiche_mpi_communicator(MPI_COMM_WORLD, NULL, &ranks), &ranks);
    if (said[0] == '\0')
        said = check_ranks(seiche_mpi_communicator_from_fint(MPI_Comm_c2f(MPI_COMM_WORLD), NULL, &ranks), &ranks);
    report(rank, said);
    MPI_Finalize();
    return said[0] != '\0';
}

#else

/* Sets a pointer to a function of the library. */
static void find(void* library, const char* symbol, void* function, size_t bytes) {
    void* const address = library == NULL ? NULL : dlsym(library, symbol);
    if (address == NULL) abort();
    memcpy(function, &address, bytes);
}

static int run_comm(const char* name) {
    void* const library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    void* const world = (void*)(uintptr_t)0x101; /* MPI_COMM_WORLD of the ABI */
    int (*init)(int*, char***);
    int (*finalize)(void);
    int (*to_int)(void*);
    int (*rank_of)(void*, int*);
    seiche_communicator* ranks = NULL;
    int rank = 0;
    find(library, "MPI_Init", &init, sizeof init);
    find(library, "MPI_Finalize", &finalize, sizeof finalize);
    find(library, "MPI_Comm_toint", &to_int, sizeof to_int);
    find(library, "MPI_Comm_rank", &rank_of, sizeof rank_of);
    const char* said = "";
    if (seiche_mpi_abi_communicator(world, NULL, name, &ranks) != SEICHE_INVALID_PROBLEM)
        said = "a communicator before MPI was initialised";
    if (init(NULL, NULL) != 0 || rank_of(world, &rank) != 0) return 1;
    if (seiche_mpi_abi_communicator(NULL, NULL, name, &ranks) != SEICHE_INVALID_PROBLEM) said = "no communicator";
    if (said[0] == '\0') said = check_ranks(seiche_mpi_abi_communicator(world, NULL, name, &ranks), &ranks);
    if (said[0] == '\0')
        said = check_ranks(seiche_mpi_abi_communicator_from_int(to_int(world), NULL, name, &ranks), &ranks);
    report(rank, said);
    finalize();
    return said[0] != '\0';
}

static int run_processes(const char* what) {
    const char* const name = getenv("SEICHE_TEST_MPI");
    seiche_communicator* ranks = NULL;
    if (strcmp(what, "comm") == 0) return run_comm(name);
    if (strcmp(what, "world") != 0) return 1;
    const seiche_status status = seiche_mpi_abi_world(NULL, name, &ranks);
    const int rank = seiche_communicator_rank(ranks);
    const char* const said = check_ranks(status, &ranks);
    report(rank, said);
    return said[0] != '\0';
}

#endif

int main(int argc, char** argv) {
    if (argc == 4 && strcmp(argv[1], "threads") == 0) return run_threads(atoi(argv[2]), argv[3]);
    return argc == 2 ? run_processes(argv[1]) : 1;
}
