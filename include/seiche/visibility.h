/* SEICHE_EXPORT_BEGIN and SEICHE_EXPORT_END enclose what a public header declares: the library is compiled with hidden
 * visibility, so that neither libseiche.so nor a shared object that takes libseiche.a exports anything else.
 * A user of the archive may define SEICHE_STATIC (the CMake target does): then inline functions stay hidden too. */
#ifndef SEICHE_VISIBILITY_H
#define SEICHE_VISIBILITY_H

#if defined(__GNUC__) && !defined(_WIN32) && !defined(SEICHE_STATIC)
#define SEICHE_EXPORT_BEGIN _Pragma("GCC visibility push(default)")
#define SEICHE_EXPORT_END _Pragma("GCC visibility pop")
#else
#define SEICHE_EXPORT_BEGIN
#define SEICHE_EXPORT_END
#endif

#endif
