// The sky behind the sea, with the sun's disc.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
#include "light.glsl"

layout(binding = 3) uniform sampler2D sky;
layout(location = 0) in vec3 ray;
layout(location = 0) out vec4 colour;

void main() {
    const vec3 direction = normalize(ray);
    vec3 light = textureLod(sky, sky_place(direction), 0.0).rgb;
    const float toward = dot(direction, scene.sun.xyz);
    light += vec3(9.0, 7.6, 5.6) * smoothstep(0.99988, 0.99995, toward);
    colour = vec4(on_screen(light), 1.0);
}
