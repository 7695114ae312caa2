// c2c f32 n=16 radices=4x4 threads=4 sequences=16 planes=2 strides=1,1
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void forward_0_n16(
    __global const float2* restrict in, ulong in_offset,
    __global float2* restrict out, ulong out_offset,
    __global const float2* restrict table, ulong table_offset,
    const uint sequences)
{
    __local float real[256] __attribute__((aligned(64)));
    __local float imag[256] __attribute__((aligned(64)));
    in += in_offset;
    out += out_offset;
    table += table_offset;
    const uint thread = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0);
    const uint v0 = thread & 3u;
    const uint v1 = thread >> 2u;
    const uint v2 = group * 16u;
    const uint v3 = v2 + v1;
    const bool p4 = v3 < sequences;
    const ulong v5 = (ulong)v3;
    const ulong v6 = v5 * 16ul;
    const ulong v7 = (ulong)v0;
    const ulong v8 = v6 + v7;
    const ulong v9 = v8 + 4ul;
    const ulong v10 = v8 + 8ul;
    const ulong v11 = v8 + 12ul;
    float2 v12 = (float2)(0.0f);
    float2 v13 = (float2)(0.0f);
    float2 v14 = (float2)(0.0f);
    float2 v15 = (float2)(0.0f);
    if (p4) {
        v12 = in[v8];
        v13 = in[v9];
        v14 = in[v10];
        v15 = in[v11];
    }
    const float v16 = v12.s0;
    const float v17 = v12.s1;
    const float v18 = v13.s0;
    const float v19 = v13.s1;
    const float v20 = v14.s0;
    const float v21 = v14.s1;
    const float v22 = v15.s0;
    const float v23 = v15.s1;
    const float v24 = v16 + v20;
    const float v25 = v17 + v21;
    const float v26 = v16 - v20;
    const float v27 = v17 - v21;
    const float v28 = v18 + v22;
    const float v29 = v19 + v23;
    const float v30 = v18 - v22;
    const float v31 = v19 - v23;
    const float v32 = v24 + v28;
    const float v33 = v25 + v29;
    const float v34 = v24 - v28;
    const float v35 = v25 - v29;
    const float v36 = v26 + v31;
    const float v37 = v27 - v30;
    const float v38 = v26 - v31;
    const float v39 = v27 + v30;
    const uint v40 = v0 * 4u;
    const uint v41 = v1 * 16u;
    const uint v42 = v41 + v40;
    const uint v43 = v42 >> 7u;
    const uint v44 = v42 >> 2u;
    const uint v45 = v43 ^ v44;
    const uint v46 = v45 & 31u;
    const uint v47 = v42 ^ v46;
    real[v47] = v32;
    const uint v48 = v47 ^ 1u;
    real[v48] = v36;
    const uint v49 = v47 ^ 2u;
    real[v49] = v34;
    const uint v50 = v47 ^ 3u;
    real[v50] = v38;
    imag[v47] = v33;
    imag[v48] = v37;
    imag[v49] = v35;
    imag[v50] = v39;
    const uint v51 = v0 & 3u;
    const ulong v52 = (ulong)v51;
    const float2 v53 = table[v52];
    const float v54 = v53.s0;
    const float v55 = v53.s1;
    const uint v56 = v51 + 4u;
    const ulong v57 = (ulong)v56;
    const float2 v58 = table[v57];
    const float v59 = v58.s0;
    const float v60 = v58.s1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint v61 = v41 + v0;
    const uint v62 = v61 >> 7u;
    const uint v63 = v61 >> 2u;
    const uint v64 = v62 ^ v63;
    const uint v65 = v64 & 31u;
    const uint v66 = v61 ^ v65;
    const float v67 = real[v66];
    const uint v68 = v66 ^ 5u;
    const float v69 = real[v68];
    const uint v70 = v66 ^ 10u;
    const float v71 = real[v70];
    const uint v72 = v66 ^ 15u;
    const float v73 = real[v72];
    const float v74 = imag[v66];
    const float v75 = imag[v68];
    const float v76 = imag[v70];
    const float v77 = imag[v72];
    const float v78 = fma(v54, v71, v67);
    const float v79 = -v55;
    const float v80 = fma(v79, v76, v78);
    const float v81 = fma(v54, v76, v74);
    const float v82 = fma(v55, v71, v81);
    const float v83 = -v80;
    const float v84 = fma(v67, 2.0f, v83);
    const float v85 = -v82;
    const float v86 = fma(v74, 2.0f, v85);
    const float v87 = fma(v54, v73, v69);
    const float v88 = fma(v79, v77, v87);
    const float v89 = fma(v54, v77, v75);
    const float v90 = fma(v55, v73, v89);
    const float v91 = -v88;
    const float v92 = fma(v69, 2.0f, v91);
    const float v93 = -v90;
    const float v94 = fma(v75, 2.0f, v93);
    const float v95 = fma(v59, v88, v80);
    const float v96 = -v60;
    const float v97 = fma(v96, v90, v95);
    const float v98 = fma(v59, v90, v82);
    const float v99 = fma(v60, v88, v98);
    const float v100 = -v97;
    const float v101 = fma(v80, 2.0f, v100);
    const float v102 = -v99;
    const float v103 = fma(v82, 2.0f, v102);
    const float v104 = -v59;
    const float v105 = fma(v60, v92, v84);
    const float v106 = fma(v59, v94, v105);
    const float v107 = fma(v60, v94, v86);
    const float v108 = fma(v104, v92, v107);
    const float v109 = -v106;
    const float v110 = fma(v84, 2.0f, v109);
    const float v111 = -v108;
    const float v112 = fma(v86, 2.0f, v111);
    const float2 v113 = (float2)(v97, v99);
    const float2 v114 = (float2)(v106, v108);
    const float2 v115 = (float2)(v101, v103);
    const float2 v116 = (float2)(v110, v112);
    if (p4) {
        out[v8] = v113;
        out[v9] = v114;
        out[v10] = v115;
        out[v11] = v116;
    }
}
