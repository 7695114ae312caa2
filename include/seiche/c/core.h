/* What all of the C interface shares: status codes, messages, texts and bytes that Seiche allocates.
 *
 * Handles are opaque. They may be released in any order, in any thread; every release function takes NULL too.
 *
 * A struct whose first member is `struct_size` may get more members at its end in later versions. Start from its macro
 * SEICHE_..._INIT or its function seiche_..._init, both of which set `struct_size` and the defaults. Members beyond the
 * size that a caller gives have their defaults, so programs built against an earlier header keep working. A caller's
 * struct may also be larger than the library's: what the library does not know must be zero, else the call returns
 * SEICHE_INVALID_PROBLEM. Where the library fills such a struct, it writes no more than `struct_size` bytes. A struct
 * without `struct_size` never changes.
 *
 * An array is a pointer and a count: NULL is allowed only with a count of 0, or where the comment says so. */
#ifndef SEICHE_C_CORE_H
#define SEICHE_C_CORE_H

#include <stddef.h>
#include <stdint.h>

#include "seiche/version.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

typedef enum seiche_status {
    SEICHE_OK = 0,
    SEICHE_INVALID_PROBLEM = 1, /* the caller asked for something that makes no sense */
    SEICHE_UNSUPPORTED = 2,     /* this device or backend lacks what the problem needs */
    SEICHE_BACKEND_ERROR = 3,   /* a driver call failed */
    SEICHE_INTERNAL_ERROR = 4,  /* a defect of Seiche, or the host is out of memory */
    SEICHE_MISSING_FUNCTION = 5 /* the code of a stage's function has none of the name that was given */
} seiche_status;

/* The message of the last call of this thread that did not return SEICHE_OK: one line. Valid until the next such call
 * of this thread; "" before the first. */
const char* seiche_last_error(void);
/* "InvalidProblem", "Unsupported", "BackendError", "InternalError", "MissingFunction"; "OK" for SEICHE_OK, "unknown"
 * for other numbers. */
const char* seiche_status_name(seiche_status status);

/* "0.2.0": of the library that runs, which may be newer than the headers. */
const char* seiche_version(void);

/* Give up a text or bytes that a call returned. */
void seiche_text_release(char* text);
void seiche_bytes_release(unsigned char* bytes);

/* A list of texts. A text is valid while the list is; NULL for an index that is not there. */
typedef struct seiche_text_list seiche_text_list;
size_t seiche_text_list_count(const seiche_text_list* list);
const char* seiche_text_list_get(const seiche_text_list* list, size_t index);
void seiche_text_list_release(seiche_text_list* list);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
