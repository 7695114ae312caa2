// 64 points reversed and halved; group of 64
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void reverse_64(
    __global const float2* restrict in, ulong in_offset,
    __global float2* restrict out, ulong out_offset,
    const ulong count)
{
    __local float re[64] __attribute__((aligned(64)));
    __local float im[64] __attribute__((aligned(64)));
    in += in_offset;
    out += out_offset;
    const uint thread = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0);
    const ulong v0 = (ulong)thread;
    const ulong v1 = (ulong)group;
    const ulong v2 = v1 * 64ul;
    const ulong v3 = v2 + v0;
    const bool p4 = v3 < count;
    const float2 v5 = p4 ? in[v3] : (float2)(0.0f);
    const float v6 = v5.s0;
    re[thread] = v6;
    const float v7 = v5.s1;
    im[thread] = v7;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint v8 = 63u - thread;
    const float v9 = re[v8];
    const float v10 = v9 * 0.5f;
    const float v11 = im[v8];
    const float v12 = v11 * 0.5f;
    const float2 v13 = (float2)(v10, v12);
    if (p4) out[v3] = v13;
}
