// A mesh that is even on the screen, laid on the still sea and moved by the waves.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"

layout(binding = 1) uniform sampler2DArray displacement;
layout(location = 0) out vec2 still;
layout(location = 1) out vec3 place;

void main() {
    const int columns = int(scene.grid.x) + 1;
    const vec2 cell = vec2(gl_VertexIndex % columns, gl_VertexIndex / columns) / scene.grid.xy;
    const vec2 screen = vec2(-1.25 + 2.5 * cell.x, 1.0 - 2.0 * mix(scene.grid.z, scene.grid.w, cell.y));
    const vec3 ray = scene.ahead.xyz + screen.x * scene.right.xyz + screen.y * scene.up.xyz;
    const float far = scene.camera.w, reach = min(ray.y < 0.0 ? -scene.camera.y / ray.y : far, far);
    still = scene.camera.xz + reach * ray.xz;
    // What one cell of the mesh covers, across and away.
    const float across = reach * 2.5 * length(scene.right.xyz) / scene.grid.x;
    const float away = reach * reach / scene.camera.y * 2.0 * length(scene.up.xyz) *
                       (scene.grid.w - scene.grid.z) / scene.grid.y;
    const float covered = max(across, 0.35 * away);
    place = vec3(still.x, 0.0, still.y);
    for (int p = 0; p < 3; ++p) {
        const float side = scene.patches[p].x, level = log2(covered * scene.sea.z / side);
        if (side <= 0.0 || covered > 0.5 * side) continue;
        const vec3 moved = textureLod(displacement, vec3(to_patch(still, p) / side, p), max(level, 0.0)).xyz;
        const vec2 along = from_patch(moved.xz, p);
        place += vec3(along.x, moved.y, along.y);
    }
    gl_Position = scene.to_clip * vec4(place, 1.0);
}
