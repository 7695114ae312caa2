#version 310 es
precision highp float;
precision highp int;
// 64 points reversed and halved; group of 64
uvec2 u64_product(uint a, uint b) {
    uint high, low;
    umulExtended(a, b, high, low);
    return uvec2(low, high);
}
uvec2 u64_mul(uvec2 a, uvec2 b) { return u64_product(a.x, b.x) + uvec2(0u, a.x * b.y + a.y * b.x); }
uvec2 u64_add(uvec2 a, uvec2 b) {
    uint low = a.x + b.x;
    return uvec2(low, a.y + b.y + uint(low < a.x));
}
bool u64_less(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }

layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(std430, binding = 0) restrict readonly buffer block_in_ { vec2 in_[]; };
layout(std430, binding = 1) restrict writeonly buffer block_out_ { vec2 out_[]; };
layout(location = 0) uniform uint arguments[6];
shared float re[64];
shared float im[64];

void main() {
    uint offset_in_ = arguments[0];
    uint offset_out_ = arguments[1];
    uvec2 count = uvec2(arguments[2], arguments[3]);
    uint first_group = arguments[4];
    uint thread = gl_LocalInvocationID.x;
    uint group = gl_WorkGroupID.x + first_group;
    uvec2 v0 = uvec2(thread, 0u);
    uvec2 v1 = uvec2(group, 0u);
    uvec2 v2 = u64_mul(v1, uvec2(64u, 0u));
    uvec2 v3 = u64_add(v2, v0);
    bool p4 = u64_less(v3, count);
    uint v5 = v3.x;
    vec2 v6 = p4 ? in_[offset_in_ + v5] : vec2(0);
    re[thread] = v6.x;
    im[thread] = v6.y;
    memoryBarrierShared(); barrier();
    uint v7 = 63u - thread;
    float v8 = re[v7];
    float v9 = v8 * 0.5f;
    float v10 = im[v7];
    float v11 = v10 * 0.5f;
    uint v12 = v3.x;
    if (p4) out_[offset_out_ + v12] = vec2(v9, v11);
}
