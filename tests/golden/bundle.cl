// 16 lanes in one work-item
#pragma OPENCL FP_CONTRACT OFF
#ifdef __clang__
typedef float float16_at8 __attribute__((ext_vector_type(16), aligned(8)));
#define load_float16_at8(space, p) (*(space const float16_at8*)(p))
#define store_float16_at8(space, p, v) (*(space float16_at8*)(p) = (v))
#else
#define load_float16_at8(space, p) vload16(0, (space const float*)(p))
#define store_float16_at8(space, p, v) vstore16(v, 0, (space float*)(p))
#endif
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define shuffle_float16(a, b, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15) __builtin_shufflevector(a, b, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15)
#endif
#endif
#ifndef shuffle_float16
#define shuffle_float16(a, b, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15) shuffle2(a, b, (uint16)(i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15))
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void bundle_16(
    __global const float2* restrict in, ulong in_offset,
    __global float2* restrict out, ulong out_offset,
    __global const float* restrict twiddles, ulong twiddles_offset)
{
    float16 scratch[4] __attribute__((aligned(64)));
    in += in_offset;
    out += out_offset;
    twiddles += twiddles_offset;
    const uint group = (uint)get_group_id(0);
    const ulong v0 = (ulong)group;
    const ulong v1 = v0 * 32ul;
    for (uint i2 = 0u; i2 < 4u; i2 += 1u) {
        const ulong v3 = (ulong)i2;
        const ulong v4 = v3 * 8ul;
        const ulong v5 = v1 + v4;
        const float16 v6 = load_float16_at8(__global, in + v5);
        scratch[i2] = v6;
    }
    const float16 v7 = scratch[0u];
    const float16 v8 = scratch[2u];
    const float v9 = twiddles[3ul];
    const float16 v10 = (float16)(v9);
    const float16 v11 = fma(v8, v10, v7);
    const float16 v12 = -v8;
    const float16 v13 = fma(v12, v10, v7);
    const float16 v14 = v11.sfedcba9876543210;
    store_float16_at8(__global, out + v1, v14);
    const float16 v15 = shuffle_float16(v11, v13, 0, 17, 2, 19, 4, 21, 6, 23, 8, 25, 10, 27, 12, 29, 14, 31);
    const ulong v16 = v1 + 8ul;
    store_float16_at8(__global, out + v16, v15);
}
