// 16 lanes in one work-item
#ifndef __HIPCC_RTC__
#include <hip/hip_runtime.h>
#endif
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void __launch_bounds__(1)
bundle_16(
    const float2* __restrict__ in,
    float2* __restrict__ out,
    const float* __restrict__ twiddles)
{
    float4 scratch[16];
    const u32 group = blockIdx.x;
    const u64 v0 = (u64)group;
    const u64 v1 = v0 * 32ull;
    for (u32 i2 = 0u; i2 < 4u; i2 += 1u) {
        const u64 v3 = (u64)i2;
        const u64 v4 = v3 * 8ull;
        const u64 v5 = v1 + v4;
        const float2 v6 = in[v5];
        const u64 v7 = v5 + 1ull;
        const float2 v8 = in[v7];
        const u64 v9 = v5 + 2ull;
        const float2 v10 = in[v9];
        const u64 v11 = v5 + 3ull;
        const float2 v12 = in[v11];
        const u64 v13 = v5 + 4ull;
        const float2 v14 = in[v13];
        const u64 v15 = v5 + 5ull;
        const float2 v16 = in[v15];
        const u64 v17 = v5 + 6ull;
        const float2 v18 = in[v17];
        const u64 v19 = v5 + 7ull;
        const float2 v20 = in[v19];
        const u32 v21 = i2 * 4u;
        scratch[v21] = make_float4(v6.x, v6.y, v8.x, v8.y);
        const u32 v22 = i2 * 4u;
        const u32 v23 = v22 + 1u;
        scratch[v23] = make_float4(v10.x, v10.y, v12.x, v12.y);
        const u32 v24 = i2 * 4u;
        const u32 v25 = v24 + 2u;
        scratch[v25] = make_float4(v14.x, v14.y, v16.x, v16.y);
        const u32 v26 = i2 * 4u;
        const u32 v27 = v26 + 3u;
        scratch[v27] = make_float4(v18.x, v18.y, v20.x, v20.y);
    }
    const float4 v28 = scratch[0u];
    const float4 v29 = scratch[1u];
    const float4 v30 = scratch[2u];
    const float4 v31 = scratch[3u];
    const float4 v32 = scratch[8u];
    const float4 v33 = scratch[9u];
    const float4 v34 = scratch[10u];
    const float4 v35 = scratch[11u];
    const float v36 = twiddles[3ull];
    const float v37 = fmaf(v32.x, v36, v28.x);
    const float v38 = fmaf(v32.y, v36, v28.y);
    const float v39 = fmaf(v32.z, v36, v28.z);
    const float v40 = fmaf(v32.w, v36, v28.w);
    const float v41 = fmaf(v33.x, v36, v29.x);
    const float v42 = fmaf(v33.y, v36, v29.y);
    const float v43 = fmaf(v33.z, v36, v29.z);
    const float v44 = fmaf(v33.w, v36, v29.w);
    const float v45 = fmaf(v34.x, v36, v30.x);
    const float v46 = fmaf(v34.y, v36, v30.y);
    const float v47 = fmaf(v34.z, v36, v30.z);
    const float v48 = fmaf(v34.w, v36, v30.w);
    const float v49 = fmaf(v35.x, v36, v31.x);
    const float v50 = fmaf(v35.y, v36, v31.y);
    const float v51 = fmaf(v35.z, v36, v31.z);
    const float v52 = fmaf(v35.w, v36, v31.w);
    const float v53 = -v32.x;
    const float v54 = -v32.y;
    const float v55 = -v32.z;
    const float v56 = -v32.w;
    const float v57 = -v33.x;
    const float v58 = -v33.y;
    const float v59 = -v33.z;
    const float v60 = -v33.w;
    const float v61 = -v34.x;
    const float v62 = -v34.y;
    const float v63 = -v34.z;
    const float v64 = -v34.w;
    const float v65 = -v35.x;
    const float v66 = -v35.y;
    const float v67 = -v35.z;
    const float v68 = -v35.w;
    const float v69 = fmaf(v53, v36, v28.x);
    const float v70 = fmaf(v54, v36, v28.y);
    const float v71 = fmaf(v55, v36, v28.z);
    const float v72 = fmaf(v56, v36, v28.w);
    const float v73 = fmaf(v57, v36, v29.x);
    const float v74 = fmaf(v58, v36, v29.y);
    const float v75 = fmaf(v59, v36, v29.z);
    const float v76 = fmaf(v60, v36, v29.w);
    const float v77 = fmaf(v61, v36, v30.x);
    const float v78 = fmaf(v62, v36, v30.y);
    const float v79 = fmaf(v63, v36, v30.z);
    const float v80 = fmaf(v64, v36, v30.w);
    const float v81 = fmaf(v65, v36, v31.x);
    const float v82 = fmaf(v66, v36, v31.y);
    const float v83 = fmaf(v67, v36, v31.z);
    const float v84 = fmaf(v68, v36, v31.w);
    out[v1] = make_float2(v52, v51);
    const u64 v85 = v1 + 1ull;
    out[v85] = make_float2(v50, v49);
    const u64 v86 = v1 + 2ull;
    out[v86] = make_float2(v48, v47);
    const u64 v87 = v1 + 3ull;
    out[v87] = make_float2(v46, v45);
    const u64 v88 = v1 + 4ull;
    out[v88] = make_float2(v44, v43);
    const u64 v89 = v1 + 5ull;
    out[v89] = make_float2(v42, v41);
    const u64 v90 = v1 + 6ull;
    out[v90] = make_float2(v40, v39);
    const u64 v91 = v1 + 7ull;
    out[v91] = make_float2(v38, v37);
    const u64 v92 = v1 + 8ull;
    out[v92] = make_float2(v37, v70);
    const u64 v93 = v92 + 1ull;
    out[v93] = make_float2(v39, v72);
    const u64 v94 = v92 + 2ull;
    out[v94] = make_float2(v41, v74);
    const u64 v95 = v92 + 3ull;
    out[v95] = make_float2(v43, v76);
    const u64 v96 = v92 + 4ull;
    out[v96] = make_float2(v45, v78);
    const u64 v97 = v92 + 5ull;
    out[v97] = make_float2(v47, v80);
    const u64 v98 = v92 + 6ull;
    out[v98] = make_float2(v49, v82);
    const u64 v99 = v92 + 7ull;
    out[v99] = make_float2(v51, v84);
}
