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
    const float v73 = v65 * v72;
    const float v74 = -v73;
    const float v75 = fma(v59, v71, v74);
    const float v76 = v65 * v71;
    const float v77 = fma(v59, v72, v76);
    const uint v78 = v68 + 4u;
    const ulong v79 = (ulong)v78;
    const float2 v80 = table[v79];
    const float v81 = v80.s0;
    const float v82 = v80.s1;
    const float v83 = v66 * v82;
    const float v84 = -v83;
    const float v85 = fma(v61, v81, v84);
    const float v86 = v66 * v81;
    const float v87 = fma(v61, v82, v86);
    const uint v88 = v68 + 8u;
    const ulong v89 = (ulong)v88;
    const float2 v90 = table[v89];
    const float v91 = v90.s0;
    const float v92 = v90.s1;
    const float v93 = v67 * v92;
    const float v94 = -v93;
    const float v95 = fma(v63, v91, v94);
    const float v96 = v67 * v91;
    const float v97 = fma(v63, v92, v96);
    const float v98 = v57 + v85;
    const float v99 = v64 + v87;
    const float v100 = v57 - v85;
    const float v101 = v64 - v87;
    const float v102 = v75 + v95;
    const float v103 = v77 + v97;
    const float v104 = v75 - v95;
    const float v105 = v77 - v97;
    const float v106 = v98 + v102;
    const float v107 = v99 + v103;
    const float v108 = v98 - v102;
    const float v109 = v99 - v103;
    const float v110 = v100 + v105;
    const float v111 = v101 - v104;
    const float v112 = v100 - v105;
    const float v113 = v101 + v104;
    const float2 v114 = (float2)(v106, v107);
    const float2 v115 = (float2)(v110, v111);
    const float2 v116 = (float2)(v108, v109);
    const float2 v117 = (float2)(v112, v113);
    if (p4) {
        out[v8] = v114;
        out[v9] = v115;
        out[v10] = v116;
        out[v11] = v117;
    }
}
