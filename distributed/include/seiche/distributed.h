/* One transform over several devices or processes, in C99: the counterparts of the headers in seiche/distributed, which
 * the library libseiche_distributed has beside them. seiche/c/core.h says how handles, structs, arrays, statuses and
 * messages are; seiche_last_error has the same text that the exception of C++ has.
 *
 * A rank is one thread or process of those that work on one array. All ranks make the same calls in the same order
 * where a comment says "all ranks". What a function refuses because of a pointer, a number of an enumeration or a
 * problem that makes no sense by itself, it refuses on that rank alone: the others wait for it, and return
 * SEICHE_BACKEND_ERROR after their time limit. What ranks disagree about is refused on all of them. */
#ifndef SEICHE_DISTRIBUTED_H
#define SEICHE_DISTRIBUTED_H

#include "seiche/seiche.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* The rank that was absent, where the last call of this thread to a function of this header that did not return
 * SEICHE_OK missed one; -1 where that call had another reason, and before the first. A communicator that has missed a
 * rank is of no use any more. */
int seiche_absent_rank(void);

/* ---- boxes: which part of an array each rank holds ---- */

/* A box for each rank: elements `lower` to `upper` - 1 along each axis, slowest axis first. A box with
 * lower == upper along an axis is empty. Lengths and bounds are in elements of the array. */
typedef struct seiche_boxes seiche_boxes;

/* The array of these lengths cut along one axis into a slab for each of `ranks`; a negative axis counts from the last.
 * Of n elements cut into p parts, the first n mod p have one more than the others; parts beyond n are empty. */
seiche_status seiche_boxes_slab(size_t axis_count, const uint64_t* lengths, int axis, int ranks, seiche_boxes** boxes);
/* Cut along two axes into p x q pencils: rank r has part r / q of axes[0] and part r % q of axes[1]. */
seiche_status seiche_boxes_pencils(size_t axis_count, const uint64_t* lengths, const int axes[2], int p, int q,
                                   seiche_boxes** boxes);
/* Cut along three axes into p x q x r bricks, in the same order of ranks. */
seiche_status seiche_boxes_bricks(size_t axis_count, const uint64_t* lengths, const int axes[3], int p, int q, int r,
                                  seiche_boxes** boxes);
/* Cut into parts[a] along each axis a, ranks in row-major order. */
seiche_status seiche_boxes_grid(size_t axis_count, const uint64_t* lengths, const uint64_t* parts,
                                seiche_boxes** boxes);
/* Boxes of your own for `ranks` ranks (at most 65536): `lower` and `upper` have ranks x axis_count numbers each, a
 * rank's after the other's. Whether they have each element of an array once is looked at when they are used. */
seiche_status seiche_boxes_create(size_t axis_count, size_t ranks, const uint64_t* lower, const uint64_t* upper,
                                  seiche_boxes** boxes);
void seiche_boxes_release(seiche_boxes* boxes);

/* From one element to the next along each axis in the memory of `rank`, in elements, at least 1; NULL: row-major and
 * dense, as boxes are made. The element at `lower` is the first of the buffer. A rank needs to set its own only. */
seiche_status seiche_boxes_set_strides(seiche_boxes* boxes, size_t rank, const int64_t* strides);
/* How many ranks, and how many axes; 0 for NULL. */
size_t seiche_boxes_ranks(const seiche_boxes* boxes);
size_t seiche_boxes_axis_count(const seiche_boxes* boxes);
/* Writes the bounds of a rank's box, a number for each axis; either may be NULL. */
seiche_status seiche_boxes_get(const seiche_boxes* boxes, size_t rank, uint64_t* lower, uint64_t* upper);
/* Elements in a rank's box. */
seiche_status seiche_boxes_elements(const seiche_boxes* boxes, size_t rank, uint64_t* elements);
/* "[0..4) x [8..16)"; to be released with seiche_text_release. */
seiche_status seiche_boxes_text(const seiche_boxes* boxes, size_t rank, char** text);
/* SEICHE_INVALID_PROBLEM, with the rank and `name` in the message, unless the boxes have each element of an array of
 * these lengths once. NULL as the name: "boxes". */
seiche_status seiche_boxes_check(const seiche_boxes* boxes, size_t axis_count, const uint64_t* lengths,
                                 const char* name);

/* ---- communicators: the ranks ---- */

/* One rank's end of a group of ranks, used by one thread at a time. Plans, redistributions and communicators that were
 * made of it keep it. */
typedef struct seiche_communicator seiche_communicator;
void seiche_communicator_release(seiche_communicator* communicator);
/* This rank, and how many there are; -1 and 0 for NULL. */
int seiche_communicator_rank(const seiche_communicator* communicator);
int seiche_communicator_size(const seiche_communicator* communicator);
/* Returns when all ranks have called it. */
seiche_status seiche_communicator_barrier(seiche_communicator* communicator);
/* The ranks that give the same color, in the order of their keys and then of their ranks here; NULL for a color below
 * 0. All ranks. */
seiche_status seiche_communicator_split(seiche_communicator* communicator, int color, int key,
                                        seiche_communicator** part);
/* How bytes went in the last exchange: "peer copies", "the host's memory"; "" before the first. To be released with
 * seiche_text_release. */
seiche_status seiche_communicator_transport(const seiche_communicator* communicator, char** text);

/* How bytes go between ranks that are threads, as Transport of peers.hpp. */
typedef enum seiche_transport {
    SEICHE_TRANSPORT_AUTOMATIC = 0, /* peer copies where all ranks' devices have them, else through the host's memory */
    SEICHE_TRANSPORT_HOST = 1,
    SEICHE_TRANSPORT_PEER = 2 /* SEICHE_UNSUPPORTED where a rank's device has none */
} seiche_transport;

typedef struct seiche_thread_options {
    size_t struct_size;
    uint64_t time_limit_ms; /* how long a call waits for the other ranks */
    seiche_transport transport;
    int reserved; /* 0 */
} seiche_thread_options;
#define SEICHE_THREAD_OPTIONS_INIT \
    { sizeof(seiche_thread_options), 60000, SEICHE_TRANSPORT_AUTOMATIC, 0 }
void seiche_thread_options_init(seiche_thread_options* options, size_t struct_size);

/* Each rank of a group of `count` threads of this process: writes `count` handles to `ranks`, one for each thread, each
 * to be released. Their devices may be several, or one several times. NULL as the options: the defaults. On failure
 * `count` times NULL. */
seiche_status seiche_thread_ranks(int count, const seiche_thread_options* options, seiche_communicator** ranks);

/* Of ranks that are processes. */
typedef struct seiche_message_options {
    size_t struct_size;
    uint64_t time_limit_ms;  /* how long the others of a call may take to come, and bytes to arrive */
    int reads_device_memory; /* not 0: messages read and write memory of CUDA and HIP by its address. Nothing finds out
                              * whether that is so: with an MPI that cannot, the process ends in a fault. */
    int reserved;            /* 0 */
} seiche_message_options;
#define SEICHE_MESSAGE_OPTIONS_INIT \
    { sizeof(seiche_message_options), 60000, 0, 0 }
void seiche_message_options_init(seiche_message_options* options, size_t struct_size);

/* All processes of MPI_COMM_WORLD of an MPI with MPI's standard ABI (MPI 5.0), which is loaded at run time; of any
 * other MPI see seiche/distributed/mpi.h. `library`: its name; NULL or "": libmpi_abi.so.1, wherever the system's
 * loader finds it. MPI is initialised unless the program has done that; what was initialised here is finalised when the
 * communicator and what was made of it are gone. SEICHE_UNSUPPORTED where there is no such library,
 * SEICHE_BACKEND_ERROR where MPI fails or not all processes come within the time limit. All ranks. */
seiche_status seiche_mpi_abi_world(const seiche_message_options* options, const char* library,
                                   seiche_communicator** communicator);
/* The processes of `comm`, an MPI_Comm of that ABI, which is duplicated. MPI must have been initialised by the program,
 * SEICHE_INVALID_PROBLEM else; finalise it after the communicator and what was made of it are gone. */
seiche_status seiche_mpi_abi_communicator(void* comm, const seiche_message_options* options, const char* library,
                                          seiche_communicator** communicator);
/* The same of the number that stands for it, as MPI_Comm_toint and Fortran's INTEGER handles (MPI_Fint) have it. */
seiche_status seiche_mpi_abi_communicator_from_int(int comm, const seiche_message_options* options, const char* library,
                                                   seiche_communicator** communicator);

/* Messages of your own between processes, as Messages of messages.hpp; seiche/distributed/mpi.h makes them of the MPI
 * that a program is compiled with. Functions return 0, or an error code. None waits, but for `open`. They are called by
 * one thread at a time. Of two messages from one rank to another the first is received first. */
typedef struct seiche_messages {
    size_t struct_size;
    void* user; /* the first argument of each function */
    /* Called once, before all others: says this rank and how many there are. It may wait for the others so long. */
    int (*open)(void* user, uint64_t time_limit_ms, int* rank, int* size);
    /* Start a message of `bytes` bytes, at least 1, and say what stands for it. Its memory lives until it is done. */
    int (*send)(void* user, const void* data, uint64_t bytes, int to, void** request);
    int (*receive)(void* user, void* data, uint64_t bytes, int from, void** request);
    /* Lets messages go on, and sets `is_done` to 1 where this one has gone or come: the request ends with that. One
     * that never does so, because a rank is missing, is not asked about again. */
    int (*is_done)(void* user, void* request, int* is_done);
    /* May be NULL: called where a rank was missed. What waits for that rank must not be called any more. */
    void (*abandon)(void* user);
    /* May be NULL: called once at the end, also where seiche_message_ranks fails after it has read this struct. */
    void (*release)(void* user);
    /* May be NULL: one line for an error code, valid until the next call. */
    const char* (*error_text)(void* user, int code);
} seiche_messages;
#define SEICHE_MESSAGES_INIT \
    { sizeof(seiche_messages), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }
void seiche_messages_init(seiche_messages* messages, size_t struct_size);

/* Ranks over such messages. The struct is read, and not kept. All ranks. */
seiche_status seiche_message_ranks(const seiche_messages* messages, const seiche_message_options* options,
                                   seiche_communicator** communicator);

/* The same ranks, threads or processes, each with a card of CUDA's of its own; exchanges are NCCL's, which is loaded at
 * run time. `library`: its name; NULL or "": libnccl.so.2. SEICHE_UNSUPPORTED where there is no NCCL or the device is
 * not CUDA's, SEICHE_BACKEND_ERROR where NCCL fails, as with two ranks on one card. NCCL waits on the devices: the time
 * limit of `ranks` does not hold for exchanges. All ranks. */
seiche_status seiche_nccl_ranks(const seiche_communicator* ranks, const seiche_device* device, const char* library,
                                seiche_communicator** communicator);
/* The same ranks, processes of one machine, which copy from each other's device memory (CUDA IPC). SEICHE_UNSUPPORTED
 * where the device has no such memory, SEICHE_INVALID_PROBLEM for ranks of one process or of several machines. What
 * ipc.hpp says of queues and buffers holds. All ranks. */
seiche_status seiche_ipc_ranks(const seiche_communicator* ranks, const seiche_device* device,
                               seiche_communicator** communicator);

/* ---- plans ---- */

/* How the array may be cut on its way, as Decomposition of plan.hpp. */
typedef enum seiche_decomposition {
    SEICHE_DECOMPOSITION_ANY = 0,      /* what costs least, by bytes and messages */
    SEICHE_DECOMPOSITION_SLABS = 1,    /* along one axis: each rank exchanges with all others */
    SEICHE_DECOMPOSITION_PENCILS = 2,  /* along two axes: one exchange more, each with few others */
    SEICHE_DECOMPOSITION_FOUR_STEP = 3 /* the longest transformed axis as two axes */
} seiche_decomposition;

typedef struct seiche_distributed_options {
    size_t struct_size;
    seiche_directions directions;
    seiche_decomposition decomposition;
    uint64_t pieces; /* exchanges go in so many pieces at most, 1 to 1024; 0: as many as cost least by count */
    /* The text of a fabric, as parse_fabric of fabric.hpp reads it, for whose speeds the way the array is cut and
     * pieces are chosen, the same on all ranks; NULL: by prices. SEICHE_INVALID_PROBLEM where it does not parse. */
    const char* fabric;
} seiche_distributed_options;
#define SEICHE_DISTRIBUTED_OPTIONS_INIT \
    { sizeof(seiche_distributed_options), SEICHE_BOTH, SEICHE_DECOMPOSITION_ANY, 0, NULL }
void seiche_distributed_options_init(seiche_distributed_options* options, size_t struct_size);

/* One rank's part of a transform over all ranks of a communicator. */
typedef struct seiche_distributed_plan seiche_distributed_plan;
/* All ranks, with the same problem, boxes and options; devices, strides of boxes and `batch_distance` of the problem's
 * layouts are each rank's own. `input` and `output` have a box for each rank in the arrays that are read and written,
 * in both directions; the complex array of r2c, c2r, hfft and ihfft has n/2 + 1 elements along the halved axis. The
 * plan keeps the device and the communicator, and copies the rest. NULL as the options: the defaults.
 * SEICHE_INVALID_PROBLEM for boxes that do not fit and where ranks disagree, SEICHE_UNSUPPORTED for pruning, stages,
 * planar arrays, arrays in several buffers and images, pass order but for c2c, and a four-step decomposition of what
 * has none. */
seiche_status seiche_distributed_plan_create(const seiche_device* device, const seiche_problem* problem,
                                             const seiche_boxes* input, const seiche_boxes* output,
                                             const seiche_communicator* communicator,
                                             const seiche_distributed_options* options, seiche_distributed_plan** plan);
void seiche_distributed_plan_release(seiche_distributed_plan* plan);

/* What this rank's buffers need, in bytes; 0 where its box is empty. */
seiche_status seiche_distributed_plan_input_bytes(const seiche_distributed_plan* plan, uint64_t* bytes);
seiche_status seiche_distributed_plan_output_bytes(const seiche_distributed_plan* plan, uint64_t* bytes);
seiche_status seiche_distributed_plan_workspace_bytes(const seiche_distributed_plan* plan, uint64_t* bytes);

/* The frequency at a position along an axis in the spectrum, as DistributedPlan::spectrum_index of plan.hpp says. */
seiche_status seiche_distributed_plan_spectrum_index(const seiche_distributed_plan* plan, int axis, uint64_t position,
                                                     uint64_t* index);

/* What an execution does, filled in by the library. */
typedef struct seiche_distributed_report {
    size_t struct_size;
    uint64_t bytes_sent;   /* by this rank to others */
    uint64_t bytes_copied; /* before and after exchanges, because no transform could read or write the messages */
    int copies;            /* in so many copies */
    int exchanges;         /* of all ranks */
} seiche_distributed_report;
#define SEICHE_DISTRIBUTED_REPORT_INIT \
    { sizeof(seiche_distributed_report), 0, 0, 0, 0 }
void seiche_distributed_report_init(seiche_distributed_report* report, size_t struct_size);
seiche_status seiche_distributed_plan_get_report(const seiche_distributed_plan* plan,
                                                 seiche_distributed_report* report);
/* The steps as text, a line each. Valid while the plan is; "" for NULL. */
const char* seiche_distributed_plan_report(const seiche_distributed_plan* plan);

/* The arguments of one execution on one rank. Offsets are in bytes. */
typedef struct seiche_distributed_execution {
    size_t struct_size;
    seiche_direction direction; /* the same on all ranks */
    int reserved;               /* 0 */
    const seiche_buffer* input; /* this rank's box; may be NULL where that is empty */
    uint64_t input_offset;
    const seiche_buffer* output; /* in place: may be NULL */
    uint64_t output_offset;
    const seiche_buffer* workspace; /* may be NULL where 0 bytes are needed */
    uint64_t workspace_offset;
} seiche_distributed_execution;
#define SEICHE_DISTRIBUTED_EXECUTION_INIT \
    { sizeof(seiche_distributed_execution), SEICHE_DIRECTION_OF_PLAN, 0, NULL, 0, NULL, 0, NULL, 0 }
void seiche_distributed_execution_init(seiche_distributed_execution* execution, size_t struct_size);
/* Transforms, in the order of the queue. It may return before transforms that follow the last exchange have run. All
 * ranks. */
seiche_status seiche_distributed_execute(const seiche_distributed_plan* plan, seiche_queue* queue,
                                         const seiche_distributed_execution* execution);

/* ---- redistributions: the same array, held in other boxes ---- */

/* The elements of an array. */
typedef struct seiche_element {
    seiche_precision precision;
    seiche_storage storage;
    int is_complex; /* 0: real numbers */
} seiche_element;

typedef struct seiche_redistribution seiche_redistribution;
/* Moves `batch` arrays of these lengths from any boxes to any others; each array begins where the one before ends. All
 * ranks, with the same arguments but for devices and strides. Fails as seiche_distributed_plan_create does. */
seiche_status seiche_redistribution_create(const seiche_device* device, const seiche_element* element,
                                           size_t axis_count, const uint64_t* lengths, const seiche_boxes* from,
                                           const seiche_boxes* to, const seiche_communicator* communicator,
                                           uint64_t batch, seiche_redistribution** redistribution);
void seiche_redistribution_release(seiche_redistribution* redistribution);
/* Of this rank's buffers, and what it sends to others. */
seiche_status seiche_redistribution_input_bytes(const seiche_redistribution* redistribution, uint64_t* bytes);
seiche_status seiche_redistribution_output_bytes(const seiche_redistribution* redistribution, uint64_t* bytes);
seiche_status seiche_redistribution_workspace_bytes(const seiche_redistribution* redistribution, uint64_t* bytes);
seiche_status seiche_redistribution_bytes_sent(const seiche_redistribution* redistribution, uint64_t* bytes);
/* Input and output do not overlap. The buffer of a part may be NULL where its bytes are 0. All ranks. */
seiche_status seiche_redistribution_execute(const seiche_redistribution* redistribution, seiche_queue* queue,
                                            seiche_buffer_part input, seiche_buffer_part output,
                                            seiche_buffer_part workspace);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
