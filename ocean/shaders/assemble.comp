// From the transforms' fields: images of displacement and of slopes, and foam where the displaced sea folds.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"

layout(local_size_x = 32, local_size_y = 4) in;
#ifdef IN_IMAGES
layout(rg32f, binding = 1) readonly uniform image2D fields;
vec2 field(uint place) {
    const uint size = uint(scene.sea.z);
    return imageLoad(fields, ivec2(place % size, place / size)).xy;
}
#else
layout(std430, binding = 1) readonly buffer Fields { vec2 fields[]; };
vec2 field(uint place) { return fields[place]; }
#endif
layout(std430, binding = 2) buffer Foam { float foam[]; };
layout(rgba16f, binding = 3) writeonly uniform image2DArray displacement;
layout(rgba16f, binding = 4) writeonly uniform image2DArray slopes;

void main() {
    const uint size = uint(scene.sea.z), column = gl_GlobalInvocationID.x, row = gl_GlobalInvocationID.y;
    const uint own = gl_WorkGroupID.z, area = size * size, place = row * size + column;
    if (column >= size || row >= size) return;
    const uint first = 4 * own * area + place;
    const vec2 height_dx = field(first), dz_cross = field(first + area);
    const vec2 slope = field(first + 2 * area), stretch = field(first + 3 * area);
    const float choppiness = scene.sea.y;
    const vec2 scaled = 1.0 + choppiness * stretch;
    const float cross_term = choppiness * dz_cross.y;
    const float jacobian = scaled.x * scaled.y - cross_term * cross_term;
    const float folds = clamp((scene.patches[own].w - jacobian) / scene.steepness[own], 0.0, 1.0);
    const float left = max(foam[own * area + place] * scene.foam.x, folds);
    foam[own * area + place] = left;
    // The slope of what is displaced.
    const vec2 seen = slope / max(scaled, 0.4);
    const ivec3 texel = ivec3(column, row, own);
    imageStore(displacement, texel, vec4(choppiness * height_dx.y, height_dx.x, choppiness * dz_cross.x, jacobian));
    imageStore(slopes, texel, vec4(seen, dot(seen, seen), left));
}
