#version 430 core

layout(local_size_x = 32, local_size_y = 1, local_size_z = 1) in;
layout(std430, binding = 0) restrict coherent buffer block_counters { uint counters[]; };
layout(location = 0) uniform uint arguments[3];

void main() {
    uint offset_counters = arguments[0];
    uint thread = gl_LocalInvocationID.x;
    bool p0 = thread < 20u;
    if (p0) memoryBarrier();
    uint v1 = p0 ? atomicAdd(counters[offset_counters + 0u], 1u) : 0u;
    memoryBarrier();
    uint v2 = atomicExchange(counters[offset_counters + 1u], 1u);
}
