/* What a rank that uses the C interface checks, by threads and by MPI: each function returns "" or what is wrong. */
#ifndef SEICHE_TEST_C_CHECKS_H
#define SEICHE_TEST_C_CHECKS_H

#include "seiche/distributed.h"

/* Transforms and redistributions over all ranks, against one device. The text is valid until the thread's next call. */
const char* check_transforms(const char* device, seiche_communicator* ranks);
/* Bad input that ranks refuse together, each with its status and message. */
const char* check_refusals(const char* device, seiche_communicator* ranks);
/* Bad input that needs no other rank. */
const char* check_arguments(void);

#endif
