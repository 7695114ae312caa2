// What all shaders of the ocean know: struct Scene of scene.hpp.
layout(std140, binding = 0) uniform Scene {
    mat4 to_clip;
    vec4 camera;      // position in metres; distance of the mesh's far edge
    vec4 right;       // times the tangent of half the angle of view across
    vec4 up;          // likewise up and down
    vec4 ahead;
    vec4 sun;         // direction to it; variance of slopes that no patch has
    vec4 grid;        // columns, rows; first and last line of the mesh, 0 to 1 down the picture
    vec4 sea;         // time in s; choppiness; size of a patch in points; significant wave height in m
    vec4 foam;        // what is left of it after a frame; of slopes that tear it, how steep one is
    vec4 patches[3];  // side in m; cosine and sine of the rotation; threshold of the Jacobian
    vec4 steepness;   // of each patch: what the Jacobian falls below its threshold where foam is full
} scene;

const float pi = 3.14159265;

// From the world's axes to a patch's.
vec2 to_patch(vec2 p, int patch_index) {
    const vec4 own = scene.patches[patch_index];
    return vec2(own.y * p.x + own.z * p.y, own.y * p.y - own.z * p.x);
}
vec2 from_patch(vec2 p, int patch_index) {
    const vec4 own = scene.patches[patch_index];
    return vec2(own.y * p.x - own.z * p.y, own.z * p.x + own.y * p.y);
}

// The upper half of the sky as a disc: the zenith in its middle.
vec2 sky_place(vec3 direction) { return 0.5 + 0.49 * direction.xz / (1.0 + max(direction.y, 0.0)); }
