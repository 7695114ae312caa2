#pragma OPENCL FP_CONTRACT OFF
float2 from_f162(ushort2 h) { return vload_half2(0, (const __private half*)&h); }
ushort2 bf16_from_float2(float2 x) {
    const uint2 u = as_uint2(x);
    const ushort2 h = convert_ushort2((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
    return select(h, (ushort2)(0x7fc0), convert_short2(isnan(x)));
}

__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void half_storage(
    __global const ushort2* restrict in, ulong in_offset,
    __global ushort2* restrict out, ulong out_offset)
{
    in += in_offset;
    out += out_offset;
    const uint thread = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0);
    const ulong v0 = (ulong)thread;
    const ulong v1 = (ulong)group;
    const ulong v2 = v1 * 32ul;
    const ulong v3 = v2 + v0;
    const ushort2 v4 = in[v3];
    const float2 v5 = from_f162(v4);
    const float2 v6 = v5 * (float2)(3.0f);
    const ushort2 v7 = bf16_from_float2(v6);
    out[v3] = v7;
}
