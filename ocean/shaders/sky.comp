// The sky, once: a gradient, the glow of a low sun, thin clouds.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = 1) writeonly uniform image2D sky;

float noise_at(ivec2 p) {
    uint n = uint(p.x) * 0x9e3779b1u ^ uint(p.y) * 0x85ebca77u;
    n = (n ^ n >> 15) * 0x2c1b3c6du;
    n = (n ^ n >> 12) * 0x297a2d39u;
    return float((n ^ n >> 15) & 0xffffu) / 65535.0;
}

float noise(vec2 p) {
    const ivec2 cell = ivec2(floor(p));
    const vec2 f = p - floor(p), w = f * f * (3.0 - 2.0 * f);
    return mix(mix(noise_at(cell), noise_at(cell + ivec2(1, 0)), w.x),
               mix(noise_at(cell + ivec2(0, 1)), noise_at(cell + ivec2(1, 1)), w.x), w.y);
}

float clouds(vec2 p) {
    const mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);
    float sum = 0.0, weight = 0.5;
    for (int octave = 0; octave < 6; ++octave, weight *= 0.5) {
        sum += weight * noise(p);
        p = turn * p * 2.03;
    }
    return sum;
}

void main() {
    const vec2 size = vec2(imageSize(sky));
    if (any(greaterThanEqual(gl_GlobalInvocationID.xy, uvec2(size)))) return;
    const vec2 disc = ((vec2(gl_GlobalInvocationID.xy) + 0.5) / size - 0.5) / 0.49;
    const float r2 = dot(disc, disc);
    vec3 d = vec3(2.0 * disc.x, 1.0 - r2, 2.0 * disc.y) / (1.0 + r2);
    d = normalize(vec3(d.x, max(d.y, 0.0), d.z));
    const float toward = max(dot(d, scene.sun.xyz), 0.0), low = exp(-6.0 * d.y);
    vec3 colour = mix(vec3(0.055, 0.17, 0.42), vec3(0.36, 0.50, 0.64), exp(-5.0 * d.y));
    const vec3 warm = vec3(1.0, 0.72, 0.45);
    colour = mix(colour, vec3(0.80, 0.60, 0.42), 0.7 * low * pow(toward, 5.0));
    const float cover = smoothstep(0.46, 0.78, clouds(vec2(1.3, 2.6) * d.xz / (d.y + 0.14) + 7.0)) * smoothstep(0.015, 0.16, d.y);
    const vec3 lit = mix(vec3(0.45, 0.52, 0.60), vec3(0.95, 0.84, 0.72), 0.25 + 0.75 * toward * toward);
    colour = mix(colour, lit, 0.7 * cover);
    colour += warm * (0.10 * pow(toward, 12.0) + 0.35 * pow(toward, 90.0) + 1.2 * pow(toward, 1200.0)) * (1.0 - 0.4 * cover);
    imageStore(sky, ivec2(gl_GlobalInvocationID.xy), vec4(colour, 1.0));
}
