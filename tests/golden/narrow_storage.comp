#version 430 core
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
layout(std430, binding = 0) restrict readonly buffer block_in0 { uint in0[]; };
layout(std430, binding = 1) restrict readonly buffer block_in1 { uint in1[]; };
layout(std430, binding = 2) restrict readonly buffer block_in2 { uint in2[]; };
layout(std430, binding = 3) restrict readonly buffer block_in3 { uint in3[]; };
layout(std430, binding = 4) restrict buffer block_out0 { uint out0[]; };
layout(std430, binding = 5) restrict buffer block_out1 { uint out1[]; };
layout(std430, binding = 6) restrict buffer block_out2 { uint out2[]; };
layout(std430, binding = 7) restrict buffer block_out3 { uint out3[]; };
layout(location = 0) uniform uint arguments[10];

void main() {
    uint offset_in0 = arguments[0];
    uint offset_in1 = arguments[1];
    uint offset_in2 = arguments[2];
    uint offset_in3 = arguments[3];
    uint offset_out0 = arguments[4];
    uint offset_out1 = arguments[5];
    uint offset_out2 = arguments[6];
    uint offset_out3 = arguments[7];
    uint first_group = arguments[8];
    uint thread = gl_LocalInvocationID.x;
    uint group = gl_WorkGroupID.x + first_group;
    uvec2 v0 = uvec2(thread, 0u);
    uvec2 v1 = uvec2(group, 0u);
    uvec2 v2 = u64_mul(v1, uvec2(32u, 0u));
    uvec2 v3 = u64_add(v2, v0);
    bool p4 = u64_less(v3, uvec2(60u, 0u));
    uint v5 = v3.x;
    uint v6 = p4 ? bitfieldExtract(in0[(offset_in0 + v5) >> 2], int(((offset_in0 + v5) & 3u) << 3), 8) : uint(0);
    int v7 = bitfieldExtract(int(v6), 0, 8);
    int v8 = 0 + v7;
    uint v9 = v3.x;
    uint v10 = bitfieldExtract(in1[(offset_in1 + v9) >> 2], int(((offset_in1 + v9) & 3u) << 3), 8);
    int v11 = int(v10);
    int v12 = v8 + v11;
    uint v13 = v3.x;
    uint v14 = p4 ? bitfieldExtract(in2[(offset_in2 + v13) >> 1], int(((offset_in2 + v13) & 1u) << 4), 16) : uint(0);
    int v15 = bitfieldExtract(int(v14), 0, 16);
    int v16 = v12 + v15;
    uint v17 = v3.x;
    uint v18 = bitfieldExtract(in3[(offset_in3 + v17) >> 1], int(((offset_in3 + v17) & 1u) << 4), 16);
    int v19 = int(v18);
    int v20 = v16 + v19;
    uint v21 = uint(v20);
    uint v22 = uint(v20) & 0xffu;
    uint v23 = v3.x;
    uint v24 = uint(v21) & 0xffu;
    uint v25 = v3.x;
    if (p4) {
        { atomicAnd(out0[(offset_out0 + v23) >> 2], ~(0xffu << (((offset_out0 + v23) & 3u) << 3))); atomicOr(out0[(offset_out0 + v23) >> 2], (v22) << (((offset_out0 + v23) & 3u) << 3)); }
        { atomicAnd(out1[(offset_out1 + v25) >> 2], ~(0xffu << (((offset_out1 + v25) & 3u) << 3))); atomicOr(out1[(offset_out1 + v25) >> 2], (v24) << (((offset_out1 + v25) & 3u) << 3)); }
    }
    uint v26 = uint(v20) & 0xffffu;
    uint v27 = v3.x;
    { atomicAnd(out2[(offset_out2 + v27) >> 1], ~(0xffffu << (((offset_out2 + v27) & 1u) << 4))); atomicOr(out2[(offset_out2 + v27) >> 1], (v26) << (((offset_out2 + v27) & 1u) << 4)); }
    uint v28 = uint(v21) & 0xffffu;
    uint v29 = v3.x;
    { atomicAnd(out3[(offset_out3 + v29) >> 1], ~(0xffffu << (((offset_out3 + v29) & 1u) << 4))); atomicOr(out3[(offset_out3 + v29) >> 1], (v28) << (((offset_out3 + v29) & 1u) << 4)); }
}
