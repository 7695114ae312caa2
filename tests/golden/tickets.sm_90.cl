#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void tickets(
    __global uint* counters, ulong counters_offset,
    __global uint* data, ulong data_offset)
{
    __local uint ticket[1] __attribute__((aligned(64)));
    counters += counters_offset;
    data += data_offset;
    const uint thread = (uint)get_local_id(0);
    const bool p0 = thread == 0u;
    const uint v1 = p0 ? atomic_add((volatile __global uint*)(counters + 8ul), 1u) : 0u;
    if (p0) ticket[0u] = v1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint v2 = ticket[0u];
    const uint v3 = v2 >> 2u;
    const uint v4 = v2 & 3u;
    const uint v5 = v3 % 3u;
    const uint v6 = 1u << v5;
    const uint v7 = v6 - 1u;
    const uint v8 = v4 & v7;
    const uint v9 = v4 - v8;
    const uint v10 = v9 * 2u;
    const uint v11 = v10 + v8;
    const ulong v12 = (ulong)v11;
    if ((get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0) {
        while (*(volatile __global uint*)(counters + v12) < v3) {}
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint v13 = v11 + v6;
    const ulong v14 = (ulong)v13;
    if ((get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0) {
        while (*(volatile __global uint*)(counters + v14) < v3) {}
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint v15 = thread >> 3u;
    const uint v16 = thread & 7u;
    const uint v17 = v11 * 8u;
    const uint v18 = v17 + v16;
    const ulong v19 = (ulong)v18;
    const uint v20 = data[v19];
    const uint v21 = v13 * 8u;
    const uint v22 = v21 + v16;
    const ulong v23 = (ulong)v22;
    const uint v24 = data[v23];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const bool p25 = v15 == 0u;
    const uint v26 = v20 - v24;
    const uint v27 = v20 + v24;
    const uint v28 = p25 ? v27 : v26;
    const uint v29 = v15 * v6;
    const uint v30 = v11 + v29;
    const uint v31 = v30 * 8u;
    const uint v32 = v31 + v16;
    const ulong v33 = (ulong)v32;
    data[v33] = v28;
    const uint v34 = thread & 1u;
    const uint v35 = v34 * v6;
    const uint v36 = v11 + v35;
    const ulong v37 = (ulong)v36;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const bool p38 = thread < 2u;
    if (p38) asm volatile("fence.acq_rel.gpu;" ::: "memory");
    const uint v39 = p38 ? atomic_add((volatile __global uint*)(counters + v37), 1u) : 0u;
}
