#version 430 core
#extension GL_KHR_shader_subgroup_basic : require

layout(local_size_x = 256, local_size_y = 1, local_size_z = 1) in;
layout(std430, binding = 0) restrict buffer block_data { float data[]; };
layout(location = 0) uniform uint arguments[3];
shared float tile[256];

void main() {
    uint offset_data = arguments[0];
    uint first_group = arguments[1];
    uint thread = gl_LocalInvocationID.x;
    uint group = gl_WorkGroupID.x + first_group;
    uint v0 = group * 256u;
    uint v1 = v0 + thread;
    float v2 = data[offset_data + v1];
    tile[thread] = v2;
    subgroupBarrier();
    uint v3 = thread ^ 1u;
    float v4 = tile[v3];
    float v5 = v4 + v4;
    data[offset_data + v1] = v5;
}
