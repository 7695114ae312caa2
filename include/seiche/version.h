/* The version of these headers, for C and C++. */
#ifndef SEICHE_VERSION_H
#define SEICHE_VERSION_H

#define SEICHE_VERSION_MAJOR 0
#define SEICHE_VERSION_MINOR 2
#define SEICHE_VERSION_PATCH 0

#endif
