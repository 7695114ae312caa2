#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void atomic_count(
    __global uint* counters, ulong counters_offset)
{
    counters += counters_offset;
    const uint thread = (uint)get_local_id(0);
    const bool p0 = thread < 20u;
    if (p0) atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    const uint v1 = p0 ? atomic_add((volatile __global uint*)(counters + 0ul), 1u) : 0u;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    const uint v2 = atomic_xchg((volatile __global uint*)(counters + 1ul), 1u);
}
