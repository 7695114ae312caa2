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
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint v51 = v41 + v0;
    const uint v52 = v51 >> 7u;
    const uint v53 = v51 >> 2u;
    const uint v54 = v52 ^ v53;
    const uint v55 = v54 & 31u;
    const uint v56 = v51 ^ v55;
    const float v57 = real[v56];
    const uint v58 = v56 ^ 5u;
    const float v59 = real[v58];
    const uint v60 = v56 ^ 10u;
    const float v61 = real[v60];
    const uint v62 = v56 ^ 15u;
    const float v63 = real[v62];
    const float v64 = imag[v56];
    const float v65 = imag[v58];
    const float v66 = imag[v60];
    const float v67 = imag[v62];
    const uint v68 = v0 & 3u;
    const ulong v69 = (ulong)v68;
    const float2 v70 = table[v69];
    const float v71 = v70.s0;
    const float v72 = v70.s1;
    const uint v73 = v68 + 4u;
    const ulong v74 = (ulong)v73;
    const float2 v75 = table[v74];
    const float v76 = v75.s0;
    const float v77 = v75.s1;
    const float v78 = fma(v71, v61, v57);
    const float v79 = -v72;
    const float v80 = fma(v79, v66, v78);
    const float v81 = fma(v71, v66, v64);
    const float v82 = fma(v72, v61, v81);
    const float v83 = -v80;
    const float v84 = fma(v57, 2.0f, v83);
    const float v85 = -v82;
    const float v86 = fma(v64, 2.0f, v85);
    const float v87 = fma(v71, v63, v59);
    const float v88 = fma(v79, v67, v87);
    const float v89 = fma(v71, v67, v65);
    const float v90 = fma(v72, v63, v89);
    const float v91 = -v88;
    const float v92 = fma(v59, 2.0f, v91);
    const float v93 = -v90;
    const float v94 = fma(v65, 2.0f, v93);
    const float v95 = fma(v76, v88, v80);
    const float v96 = -v77;
    const float v97 = fma(v96, v90, v95);
    const float v98 = fma(v76, v90, v82);
    const float v99 = fma(v77, v88, v98);
    const float v100 = -v97;
    const float v101 = fma(v80, 2.0f, v100);
    const float v102 = -v99;
    const float v103 = fma(v82, 2.0f, v102);
    const float v104 = -v76;
    const float v105 = fma(v77, v92, v84);
    const float v106 = fma(v76, v94, v105);
    const float v107 = fma(v77, v94, v86);
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
