#version 430 core
uint bf16_from_f32(float x) {
    uint bits = floatBitsToUint(x);
    return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc0u : (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
}

layout(local_size_x = 32, local_size_y = 1, local_size_z = 1) in;
layout(std430, binding = 0) restrict readonly buffer block_in_ { uint in_[]; };
layout(std430, binding = 1) restrict writeonly buffer block_out_ { uint out_[]; };
layout(location = 0) uniform uint arguments[4];

void main() {
    uint offset_in_ = arguments[0];
    uint offset_out_ = arguments[1];
    uint first_group = arguments[2];
    uint thread = gl_LocalInvocationID.x;
    uint group = gl_WorkGroupID.x + first_group;
    uint v0 = group * 32u;
    uint v1 = v0 + thread;
    uint v2 = in_[offset_in_ + v1];
    uint v3 = bitfieldExtract(v2, 0, 16);
    uint v4 = bitfieldExtract(v2, 16, 16);
    float v5 = unpackHalf2x16(v3).x;
    float v6 = unpackHalf2x16(v4).x;
    float v7 = v5 * 3.0f;
    float v8 = v6 * 3.0f;
    uint v9 = bf16_from_f32(v7);
    uint v10 = bf16_from_f32(v8);
    uint v11 = v9 | (v10 << 16);
    out_[offset_out_ + v1] = v11;
}
