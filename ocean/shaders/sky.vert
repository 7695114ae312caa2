// One triangle over the whole picture, behind everything.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"

layout(location = 0) out vec3 ray;

void main() {
    const vec2 corner = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
    ray = scene.ahead.xyz + corner.x * scene.right.xyz - corner.y * scene.up.xyz;
    gl_Position = vec4(corner, 0.0, 1.0);
}
