// The sea's light: the sky and the sun in a rough mirror, light from within, foam, haze.
//
// Waves shorter than a pixel are the variance of slopes that the image levels keep (M. Olano and D. Baker, "LEAN
// mapping", 2010); Fresnel's mean over them and the sun's glitter follow E. Bruneton, F. Neyret and N. Holzschuch,
// "Real-time realistic ocean lighting using seamless transitions from geometry to BRDF", 2010.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
#include "light.glsl"

layout(binding = 2) uniform sampler2DArray slopes;
layout(binding = 3) uniform sampler2D sky;
layout(location = 0) in vec2 still;
layout(location = 1) in vec3 place;
layout(location = 0) out vec4 colour;

float fresnel(float cosine, float deviation) {
    return 0.02 + 0.98 * pow(1.0 - cosine, 5.0 * exp(-2.69 * deviation)) / (1.0 + 22.7 * deviation * sqrt(deviation));
}

void main() {
    const vec2 across = dFdx(still), away = dFdy(still);
    const float covered = sqrt(abs(across.x * away.y - across.y * away.x));
    vec2 slope = vec2(0.0);
    float variance = scene.sun.w, foam = 0.0;
    int last = 0;
    for (int p = 0; p < 3; ++p) {
        const float side = scene.patches[p].x;
        if (side <= 0.0) continue;
        const vec2 at = to_patch(still, p) / side;
        const float level = log2(1.4 * covered * scene.sea.z / side);
        const vec4 one = textureLod(slopes, vec3(at, p), level);
        slope += from_patch(one.xy, p);
        variance += max(one.z - dot(one.xy, one.xy), 0.0);
        foam += one.w;
        last = p;
    }
    const vec3 to_eye = scene.camera.xyz - place, view = normalize(to_eye);
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    // What is turned away from the eye is hidden by what is not: the visible waves of a pixel lean to the eye.
    normal = normalize(normal + view * max(0.06 - dot(normal, view), 0.0));
    const float facing = max(dot(normal, view), 0.0), deviation = sqrt(variance);

    vec3 mirrored = reflect(-view, normal);
    mirrored.y = sqrt(mirrored.y * mirrored.y + 0.01) + 0.2 * deviation;  // what would go down meets other waves
    mirrored = normalize(mirrored);
    const vec3 reflected = textureLod(sky, sky_place(mirrored), 2.0 + 12.0 * deviation).rgb;

    const vec3 sun = scene.sun.xyz, sunlight = vec3(1.0, 0.76, 0.48) * 0.9;
    const vec3 half_way = normalize(view + sun);
    const vec2 off = -half_way.xz / half_way.y - slope;
    const float spread = 0.5 * variance + 0.0004;
    const float chance = exp(-dot(off, off) / (2.0 * spread)) / (2.0 * pi * spread);
    const float steep = half_way.y * half_way.y;
    const float glitter = (0.02 + 0.98 * pow(1.0 - max(dot(view, half_way), 0.0), 5.0)) * chance /
                          (4.0 * steep * steep * max(facing, 0.12));

    const float raised = clamp(place.y / scene.sea.w + 0.25, 0.0, 1.0);
    const vec2 level_sun = normalize(sun.xz), level_view = normalize(view.xz);
    const float against = max(-dot(level_sun, level_view), 0.0);
    const float through = raised * raised * against * against * pow(0.5 - 0.5 * dot(sun, normal), 2.0);
    const vec3 deep = vec3(0.006, 0.040, 0.062), lit = vec3(0.030, 0.30, 0.26);
    const vec3 within = deep * (0.7 + 0.6 * max(dot(normal, sun), 0.0)) + lit * (2.2 * through + 0.10 * raised * facing);

    const float mirror = fresnel(facing, deviation);
    vec3 light = mix(within, reflected, mirror) + sunlight * min(glitter, 4.0);

    // Froth is whole where it is young and torn to lace where it is old; seen from afar only its share counts.
    const float white = clamp(foam, 0.0, 1.0), near = clamp(1.6 - 7.0 * covered, 0.0, 1.0);
    const float blur = log2(scene.sea.z * max(covered / 9.7, 0.012));
    const vec2 coarse = textureLod(slopes, vec3(still / 23.1, last), blur - 0.6).xy;
    const vec2 fine = textureLod(slopes, vec3(still.yx / 9.7, last), blur).xy;
    const float ridges = abs(coarse.x + 0.5 * fine.y) + abs(coarse.y - 0.5 * fine.x);
    const float lace = clamp(1.1 - ridges * scene.foam.y, 0.0, 1.0);
    const float torn = smoothstep(1.0 - white, 1.45 - white, lace);
    const float cover = mix(0.7 * white, torn, near) * smoothstep(0.0, 0.3, white);
    const vec3 froth = vec3(0.60, 0.67, 0.72) + sunlight * 0.3 * max(dot(normal, sun) + 0.2, 0.0);
    light = mix(light, froth, 0.9 * cover);

    const float distance_m = length(to_eye);
    const vec3 beyond = textureLod(sky, sky_place(normalize(vec3(-view.x, 0.012, -view.z))), 3.0).rgb;
    light = mix(light, beyond, 1.0 - exp(-distance_m * 2.6e-4));
    colour = vec4(on_screen(light), 1.0);
}
