/* Ranks of the MPI that your program is compiled with, whichever it is, from MPI 3.0 on: as mpi.hpp, for C. All here is
 * inline and compiled against your own <mpi.h>, so that the library needs to know none of them. A program in Fortran
 * takes seiche_mpi_communicator_from_fint through a file in C that calls it. */
#ifndef SEICHE_DISTRIBUTED_MPI_H
#define SEICHE_DISTRIBUTED_MPI_H

#include <mpi.h>
#include <stdlib.h>

#include "seiche/distributed.h"

/* What belongs to one communicator. */
typedef struct seiche_mpi_state {
    MPI_Comm given, own; /* a duplicate, so that nobody else's messages come between */
    MPI_Request duplicating;
    int is_open, is_abandoned;
    char text[MPI_MAX_ERROR_STRING];
} seiche_mpi_state;

/* A message as the parts that MPI takes, whose counts are ints. */
typedef struct seiche_mpi_parts {
    size_t count, done;
    MPI_Request requests[1]; /* `count` of them */
} seiche_mpi_parts;

enum { SEICHE_MPI_NO_MEMORY = -1, SEICHE_MPI_LATE = -2 };
/* The same on all ranks. */
#ifndef SEICHE_MPI_PART_BYTES
#define SEICHE_MPI_PART_BYTES ((size_t)1 << 30)
#endif

static inline int seiche_mpi_open(void* user, uint64_t time_limit_ms, int* rank, int* size) {
    seiche_mpi_state* const state = (seiche_mpi_state*)user;
    const double end = MPI_Wtime() + 1e-3 * (double)time_limit_ms;
    int is_done = 0, code = MPI_Comm_rank(state->given, rank);
    if (code == MPI_SUCCESS) code = MPI_Comm_size(state->given, size);
    if (code == MPI_SUCCESS) code = MPI_Comm_idup(state->given, &state->own, &state->duplicating);
    while (code == MPI_SUCCESS && !is_done) {
        code = MPI_Test(&state->duplicating, &is_done, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS && !is_done && MPI_Wtime() > end) {
            state->is_abandoned = 1; /* MPI may still write the duplicate */
            return SEICHE_MPI_LATE;
        }
    }
    state->is_open = code == MPI_SUCCESS;
    return code == MPI_SUCCESS ? MPI_Comm_set_errhandler(state->own, MPI_ERRORS_RETURN) : code;
}

/* Parts for a message of so many bytes, at least one; NULL: the host is out of memory. */
static inline seiche_mpi_parts* seiche_mpi_parts_of(uint64_t bytes) {
    const size_t count = (size_t)((bytes + SEICHE_MPI_PART_BYTES - 1) / SEICHE_MPI_PART_BYTES);
    seiche_mpi_parts* const parts = (seiche_mpi_parts*)malloc(sizeof(seiche_mpi_parts) + count * sizeof(MPI_Request));
    if (parts != NULL) {
        parts->count = count;
        parts->done = 0;
    }
    return parts;
}
/* The bytes of a part. */
static inline int seiche_mpi_part_bytes(uint64_t bytes, size_t part) {
    const uint64_t left = bytes - part * SEICHE_MPI_PART_BYTES;
    return (int)(left < SEICHE_MPI_PART_BYTES ? left : SEICHE_MPI_PART_BYTES);
}

static inline int seiche_mpi_send(void* user, const void* data, uint64_t bytes, int to, void** request) {
    seiche_mpi_parts* const parts = seiche_mpi_parts_of(bytes);
    const char* const from = (const char*)data;
    if (parts == NULL) return SEICHE_MPI_NO_MEMORY;
    *request = parts;
    for (size_t part = 0; part < parts->count; ++part) {
        const int code = MPI_Isend(from + part * SEICHE_MPI_PART_BYTES, seiche_mpi_part_bytes(bytes, part), MPI_BYTE,
                                   to, 0, ((seiche_mpi_state*)user)->own, &parts->requests[part]);
        if (code != MPI_SUCCESS) return code;
    }
    return MPI_SUCCESS;
}

static inline int seiche_mpi_receive(void* user, void* data, uint64_t bytes, int from, void** request) {
    seiche_mpi_parts* const parts = seiche_mpi_parts_of(bytes);
    char* const to = (char*)data;
    if (parts == NULL) return SEICHE_MPI_NO_MEMORY;
    *request = parts;
    for (size_t part = 0; part < parts->count; ++part) {
        const int code = MPI_Irecv(to + part * SEICHE_MPI_PART_BYTES, seiche_mpi_part_bytes(bytes, part), MPI_BYTE,
                                   from, 0, ((seiche_mpi_state*)user)->own, &parts->requests[part]);
        if (code != MPI_SUCCESS) return code;
    }
    return MPI_SUCCESS;
}

static inline int seiche_mpi_is_done(void* user, void* request, int* is_done) {
    seiche_mpi_parts* const parts = (seiche_mpi_parts*)request;
    (void)user;
    *is_done = 0;
    for (; parts->done < parts->count; ++parts->done) {
        int has_come = 0;
        const int code = MPI_Test(&parts->requests[parts->done], &has_come, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS) return code;
        if (!has_come) return MPI_SUCCESS;
    }
    *is_done = 1;
    free(parts);
    return MPI_SUCCESS;
}

static inline void seiche_mpi_abandon(void* user) { ((seiche_mpi_state*)user)->is_abandoned = 1; }

static inline void seiche_mpi_release(void* user) {
    seiche_mpi_state* const state = (seiche_mpi_state*)user;
    /* With a rank missing, this would wait for it, and MPI may still use what is here. */
    if (state->is_abandoned) return;
    if (state->is_open) MPI_Comm_free(&state->own);
    free(state);
}

static inline const char* seiche_mpi_error_text(void* user, int code) {
    seiche_mpi_state* const state = (seiche_mpi_state*)user;
    int length = 0;
    if (code == SEICHE_MPI_NO_MEMORY) return "the host is out of memory";
    if (code == SEICHE_MPI_LATE) return "MPI_Comm_idup: not all ranks came within the time limit";
    return MPI_Error_string(code, state->text, &length) == MPI_SUCCESS ? state->text : NULL;
}

/* The ranks of `comm`, all of which call this: it makes a duplicate. MPI must have been initialised, and is yours to
 * finalise after the communicator and what was made of it are gone. NULL as the options: the defaults.
 * SEICHE_BACKEND_ERROR where MPI fails or not all ranks come within the time limit. */
static inline seiche_status seiche_mpi_communicator(MPI_Comm comm, const seiche_message_options* options,
                                                    seiche_communicator** communicator) {
    seiche_messages messages = SEICHE_MESSAGES_INIT;
    seiche_mpi_state* const state = (seiche_mpi_state*)calloc(1, sizeof *state);
    if (state != NULL) {
        state->given = comm;
        messages.user = state;
        messages.open = seiche_mpi_open;
        messages.send = seiche_mpi_send;
        messages.receive = seiche_mpi_receive;
        messages.is_done = seiche_mpi_is_done;
        messages.abandon = seiche_mpi_abandon;
        messages.release = seiche_mpi_release;
        messages.error_text = seiche_mpi_error_text;
    }
    /* Without memory there are no functions, which is refused. */
    return seiche_message_ranks(&messages, options, communicator);
}
/* The same of a handle of Fortran's. */
static inline seiche_status seiche_mpi_communicator_from_fint(MPI_Fint comm, const seiche_message_options* options,
                                                              seiche_communicator** communicator) {
    return seiche_mpi_communicator(MPI_Comm_f2c(comm), options, communicator);
}

#endif
