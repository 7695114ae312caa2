// The spectra of all fields at a time, two real fields in one complex spectrum: a + i b, whose transform is a in its
// real and b in its imaginary part.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"

layout(local_size_x = 32, local_size_y = 4) in;
layout(std430, binding = 1) readonly buffer Amplitudes { vec4 amplitudes[]; };
#ifdef IN_IMAGES
layout(rg32f, binding = 2) writeonly uniform image2D spectra;
void keep(uint place, vec2 value) {
    const uint size = uint(scene.sea.z);
    imageStore(spectra, ivec2(place % size, place / size), vec4(value, 0.0, 0.0));
}
#else
layout(std430, binding = 2) writeonly buffer Spectra { vec2 spectra[]; };
void keep(uint place, vec2 value) { spectra[place] = value; }
#endif

vec2 times(vec2 a, vec2 b) { return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

void main() {
    const uint size = uint(scene.sea.z), column = gl_GlobalInvocationID.x, row = gl_GlobalInvocationID.y;
    const uint own = gl_WorkGroupID.z, area = size * size, place = row * size + column;
    if (column >= size || row >= size) return;
    const float unit = 2.0 * pi / scene.patches[own].x;
    const vec2 k = unit * vec2(column < size / 2 ? int(column) : int(column) - int(size),
                               row < size / 2 ? int(row) : int(row) - int(size));
    const float length_k = length(k), over_k = length_k > 0.0 ? 1.0 / length_k : 0.0;
    const float phase = sqrt(9.81 * length_k) * scene.sea.x;
    const vec2 turn = vec2(cos(phase), -sin(phase));
    const vec4 h0 = amplitudes[own * area + place];
    const vec2 h = times(h0.xy, turn) + times(h0.zw, vec2(turn.x, -turn.y));
    const vec2 ih = vec2(-h.y, h.x);
    // Height and displacement in x, i k_x / k h: together h - k_x / k h.
    const uint first = 4 * own * area + place;
    keep(first, h * (1.0 - k.x * over_k));
    // Displacement in z, i k_z / k h, and its derivative in x, -k_x k_z / k h.
    keep(first + area, ih * (k.y * over_k * (1.0 - k.x)));
    // Slopes i k_x h and i k_z h.
    keep(first + 2 * area, ih * k.x - h * k.y);
    // Derivatives of displacement: in x along x, in z along z.
    keep(first + 3 * area, -over_k * (h * (k.x * k.x) + ih * (k.y * k.y)));
}
