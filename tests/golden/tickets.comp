#version 430 core

layout(local_size_x = 16, local_size_y = 1, local_size_z = 1) in;
layout(std430, binding = 0) restrict coherent buffer block_counters { uint counters[]; };
layout(std430, binding = 1) restrict coherent buffer block_data { uint data[]; };
layout(location = 0) uniform uint arguments[4];
shared uint ticket[1];

void main() {
    uint offset_counters = arguments[0];
    uint offset_data = arguments[1];
    uint thread = gl_LocalInvocationID.x;
    bool p0 = thread == 0u;
    uint v1 = p0 ? atomicAdd(counters[offset_counters + 8u], 1u) : 0u;
    if (p0) ticket[0u] = v1;
    memoryBarrierShared(); memoryBarrierBuffer(); barrier();
    uint v2 = ticket[0u];
    uint v3 = v2 >> 2u;
    uint v4 = v2 & 3u;
    uint v5 = v3 % 3u;
    uint v6 = 1u << v5;
    uint v7 = v6 - 1u;
    uint v8 = v4 & v7;
    uint v9 = v4 - v8;
    uint v10 = v9 * 2u;
    uint v11 = v10 + v8;
    if (gl_LocalInvocationIndex == 0u) {
        while (atomicOr(counters[offset_counters + v11], 0u) < v3) {}
    }
    memoryBarrier(); barrier();
    uint v12 = v11 + v6;
    if (gl_LocalInvocationIndex == 0u) {
        while (atomicOr(counters[offset_counters + v12], 0u) < v3) {}
    }
    memoryBarrier(); barrier();
    uint v13 = thread >> 3u;
    uint v14 = thread & 7u;
    uint v15 = v11 * 8u;
    uint v16 = v15 + v14;
    uint v17 = data[offset_data + v16];
    uint v18 = v12 * 8u;
    uint v19 = v18 + v14;
    uint v20 = data[offset_data + v19];
    memoryBarrierShared(); memoryBarrierBuffer(); barrier();
    bool p21 = v13 == 0u;
    uint v22 = v17 - v20;
    uint v23 = v17 + v20;
    uint v24 = p21 ? v23 : v22;
    uint v25 = v13 * v6;
    uint v26 = v11 + v25;
    uint v27 = v26 * 8u;
    uint v28 = v27 + v14;
    data[offset_data + v28] = v24;
    uint v29 = thread & 1u;
    uint v30 = v29 * v6;
    uint v31 = v11 + v30;
    memoryBarrierShared(); memoryBarrierBuffer(); barrier();
    bool p32 = thread < 2u;
    if (p32) memoryBarrier();
    uint v33 = p32 ? atomicAdd(counters[offset_counters + v31], 1u) : 0u;
}
