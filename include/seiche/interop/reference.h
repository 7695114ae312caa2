/* Images of `reference`, for C: as reference.hpp. */
#ifndef SEICHE_INTEROP_REFERENCE_H
#define SEICHE_INTEROP_REFERENCE_H

#include "seiche/seiche.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* A buffer of the device as an image: `height` rows of `width` texels, one after the other. */
seiche_status seiche_reference_image(const seiche_device* device, const seiche_buffer* buffer,
                                     seiche_image_format format, uint32_t width, uint32_t height, seiche_image** image);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
