/* The sizes that structs have today, for a program that knows those of the previous header only. */
#ifndef SEICHE_TODAY_H
#define SEICHE_TODAY_H

#include <stddef.h>

size_t today_bytes(const char* name);

#endif
