#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void subgroup_swap(
    __global float* restrict data, ulong data_offset)
{
    data += data_offset;
    const uint thread = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0);
    const ulong v0 = (ulong)thread;
    const ulong v1 = (ulong)group;
    const ulong v2 = v1 * 64ul;
    const ulong v3 = v2 + v0;
    const float v4 = data[v3];
    const uint v5 = get_sub_group_local_id();
    const float v6 = sub_group_shuffle_xor(v4, 1u);
    const float v7 = sub_group_shuffle(v4, 0u);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    const float v8 = (float)v5;
    const float v9 = v6 + v7;
    const float v10 = v9 + v8;
    data[v3] = v10;
}
