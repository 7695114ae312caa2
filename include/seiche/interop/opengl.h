/* Your own OpenGL context, buffer objects and textures, for C: as opengl.hpp, which says what must be current when. No
 * header of OpenGL is needed: names are unsigned numbers. */
#ifndef SEICHE_INTEROP_OPENGL_H
#define SEICHE_INTEROP_OPENGL_H

#include "seiche/seiche.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* The OpenGL 4.3 or OpenGL ES 3.1 context that is current in this thread. `get_proc_address` gives entry points by
 * name; NULL: EGL's own. */
seiche_status seiche_opengl_current_device(void* (*get_proc_address)(const char* name), seiche_device** device);
/* A buffer object by its name, of whole words of 4 bytes. */
seiche_status seiche_opengl_buffer(const seiche_device* device, unsigned name, seiche_buffer** buffer);
/* A level of a two-dimensional texture by its name. */
seiche_status seiche_opengl_image(const seiche_device* device, unsigned texture, int level, seiche_image** image);
/* The name of a buffer of Seiche's own. */
seiche_status seiche_opengl_name(const seiche_buffer* buffer, unsigned* name);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
