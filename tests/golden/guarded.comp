#version 430 core
// loads and stores under predicates; group of 32
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

layout(local_size_x = 32, local_size_y = 1, local_size_z = 1) in;
layout(std430, binding = 0) restrict readonly buffer block_in_ { float in_[]; };
layout(std430, binding = 1) restrict readonly buffer block_where { uint where[]; };
layout(std430, binding = 2) restrict writeonly buffer block_out_ { float out_[]; };
layout(location = 0) uniform uint arguments[8];

void main() {
    uint offset_in_ = arguments[0];
    uint offset_where = arguments[1];
    uint offset_out_ = arguments[2];
    uvec2 count = uvec2(arguments[4], arguments[5]);
    uint first_group = arguments[6];
    uint thread = gl_LocalInvocationID.x;
    uint group = gl_WorkGroupID.x + first_group;
    uvec2 v0 = uvec2(thread, 0u);
    uvec2 v1 = uvec2(group, 0u);
    uvec2 v2 = u64_mul(v1, uvec2(32u, 0u));
    uvec2 v3 = u64_add(v2, v0);
    bool p4 = u64_less(v3, count);
    uvec2 v5 = v3 & uvec2(1u, 0u);
    bool p6 = v5 == uvec2(0);
    uint v7 = v3.x;
    uint v8 = v3.x;
    uint v9 = uvec2(32u, 0u).x;
    uint v10 = v8 + v9;
    uint v11 = v3.x;
    float v12 = 0.0f;
    float v13 = 0.0f;
    uint v14 = 0u;
    if (p4) {
        v12 = in_[offset_in_ + v7];
        v13 = in_[offset_in_ + v10];
        v14 = where[offset_where + v11];
    }
    float v15 = v12 * 3.0f;
    float v16 = p4 ? in_[offset_in_ + v14] : 0.0f;
    uint v17 = v3.x;
    uint v18 = v17 + 64u;
    float v19 = p6 ? in_[offset_in_ + v18] : 0.0f;
    float v20 = v15 + v13;
    uint v21 = v3.x;
    float v22 = v16 * v19;
    uint v23 = v3.x;
    uint v24 = v23 + 96u;
    if (p4) {
        out_[offset_out_ + v21] = v20;
        out_[offset_out_ + v24] = v22;
    }
    uint v25 = v3.x;
    uint v26 = v25 + 192u;
    uint v27 = v3.x;
    uint v28 = v27 + 288u;
    if (p6) {
        out_[offset_out_ + v26] = v19;
        out_[offset_out_ + v28] = v12;
    }
}
