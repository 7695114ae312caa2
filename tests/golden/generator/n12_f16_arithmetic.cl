// c2c f16-arithmetic n=12 radices=4x3 threads=4 sequences=16 exchange=full strides=1,1
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void forward_0_n12(
    __global const ushort2* restrict in, ulong in_offset,
    __global ushort2* restrict out, ulong out_offset,
    __global const ushort2* restrict table, ulong table_offset,
    const uint sequences)
{
    __local ushort real[192] __attribute__((aligned(64)));
    __local ushort imag[192] __attribute__((aligned(64)));
    in += in_offset;
    out += out_offset;
    table += table_offset;
    const uint thread = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0);
    const uint v0 = thread & 3u;
    const uint v1 = thread >> 2u;
    const bool p2 = v0 < 3u;
    const uint v3 = group * 16u;
    const uint v4 = v3 + v1;
    const bool p5 = v4 < sequences;
    const bool p6 = p5 && p2;
    const ulong v7 = (ulong)v4;
    const ulong v8 = v7 * 12ul;
    const ulong v9 = (ulong)v0;
    const ulong v10 = v8 + v9;
    const ulong v11 = v10 + 3ul;
    const ulong v12 = v10 + 6ul;
    const ulong v13 = v10 + 9ul;
    ushort2 v14 = (ushort2)(0);
    ushort2 v15 = (ushort2)(0);
    ushort2 v16 = (ushort2)(0);
    ushort2 v17 = (ushort2)(0);
    if (p6) {
        v14 = in[v10];
        v15 = in[v11];
        v16 = in[v12];
        v17 = in[v13];
    }
    const ushort v18 = v14.s0;
    const ushort v19 = v14.s1;
    const ushort v20 = v15.s0;
    const ushort v21 = v15.s1;
    const ushort v22 = v16.s0;
    const ushort v23 = v16.s1;
    const ushort v24 = v17.s0;
    const ushort v25 = v17.s1;
    const ushort v26 = as_ushort(as_half((ushort)v18) + as_half((ushort)v22));
    const ushort v27 = as_ushort(as_half((ushort)v19) + as_half((ushort)v23));
    const ushort v28 = as_ushort(as_half((ushort)v18) - as_half((ushort)v22));
    const ushort v29 = as_ushort(as_half((ushort)v19) - as_half((ushort)v23));
    const ushort v30 = as_ushort(as_half((ushort)v20) + as_half((ushort)v24));
    const ushort v31 = as_ushort(as_half((ushort)v21) + as_half((ushort)v25));
    const ushort v32 = as_ushort(as_half((ushort)v20) - as_half((ushort)v24));
    const ushort v33 = as_ushort(as_half((ushort)v21) - as_half((ushort)v25));
    const ushort v34 = as_ushort(as_half((ushort)v26) + as_half((ushort)v30));
    const ushort v35 = as_ushort(as_half((ushort)v27) + as_half((ushort)v31));
    const ushort v36 = as_ushort(as_half((ushort)v26) - as_half((ushort)v30));
    const ushort v37 = as_ushort(as_half((ushort)v27) - as_half((ushort)v31));
    const ushort v38 = as_ushort(as_half((ushort)v28) + as_half((ushort)v33));
    const ushort v39 = as_ushort(as_half((ushort)v29) - as_half((ushort)v32));
    const ushort v40 = as_ushort(as_half((ushort)v28) - as_half((ushort)v33));
    const ushort v41 = as_ushort(as_half((ushort)v29) + as_half((ushort)v32));
    const uint v42 = v0 * 4u;
    const uint v43 = v1 * 12u;
    const uint v44 = v43 + v42;
    if (p2) real[v44] = v34;
    const uint v45 = v44 + 1u;
    if (p2) real[v45] = v38;
    const uint v46 = v44 + 2u;
    if (p2) real[v46] = v36;
    const uint v47 = v44 + 3u;
    if (p2) real[v47] = v40;
    if (p2) imag[v44] = v35;
    if (p2) imag[v45] = v39;
    if (p2) imag[v46] = v37;
    if (p2) imag[v47] = v41;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint v48 = v43 + v0;
    const ushort v49 = real[v48];
    const uint v50 = v48 + 4u;
    const ushort v51 = real[v50];
    const uint v52 = v48 + 8u;
    const ushort v53 = real[v52];
    const ushort v54 = imag[v48];
    const ushort v55 = imag[v50];
    const ushort v56 = imag[v52];
    const ushort2 v57 = table[v9];
    const ushort v58 = v57.s0;
    const ushort v59 = v57.s1;
    const ushort v60 = as_ushort(as_half((ushort)v55) * as_half((ushort)v59));
    const ushort v61 = v60 ^ (ushort)(0x8000);
    const ushort v62 = as_ushort(fma(as_half((ushort)v51), as_half((ushort)v58), as_half((ushort)v61)));
    const ushort v63 = as_ushort(as_half((ushort)v55) * as_half((ushort)v58));
    const ushort v64 = as_ushort(fma(as_half((ushort)v51), as_half((ushort)v59), as_half((ushort)v63)));
    const uint v65 = v0 + 4u;
    const ulong v66 = (ulong)v65;
    const ushort2 v67 = table[v66];
    const ushort v68 = v67.s0;
    const ushort v69 = v67.s1;
    const ushort v70 = as_ushort(fma(as_half((ushort)v68), as_half((ushort)v53), as_half((ushort)v62)));
    const ushort v71 = v69 ^ (ushort)(0x8000);
    const ushort v72 = as_ushort(fma(as_half((ushort)v71), as_half((ushort)v56), as_half((ushort)v70)));
    const ushort v73 = as_ushort(fma(as_half((ushort)v68), as_half((ushort)v56), as_half((ushort)v64)));
    const ushort v74 = as_ushort(fma(as_half((ushort)v69), as_half((ushort)v53), as_half((ushort)v73)));
    const ushort v75 = v72 ^ (ushort)(0x8000);
    const ushort v76 = as_ushort(fma(as_half((ushort)v62), as_half((ushort)0x4000), as_half((ushort)v75)));
    const ushort v77 = v74 ^ (ushort)(0x8000);
    const ushort v78 = as_ushort(fma(as_half((ushort)v64), as_half((ushort)0x4000), as_half((ushort)v77)));
    const ushort v79 = as_ushort(as_half((ushort)v49) + as_half((ushort)v72));
    const ushort v80 = as_ushort(as_half((ushort)v54) + as_half((ushort)v74));
    const ushort v81 = as_ushort(fma(as_half((ushort)v72), as_half((ushort)0xb800), as_half((ushort)v49)));
    const ushort v82 = as_ushort(fma(as_half((ushort)v74), as_half((ushort)0xb800), as_half((ushort)v54)));
    const ushort v83 = as_ushort(fma(as_half((ushort)v78), as_half((ushort)0x3aee), as_half((ushort)v81)));
    const ushort v84 = as_ushort(fma(as_half((ushort)v76), as_half((ushort)0xbaee), as_half((ushort)v82)));
    const ushort v85 = as_ushort(fma(as_half((ushort)v78), as_half((ushort)0xbaee), as_half((ushort)v81)));
    const ushort v86 = as_ushort(fma(as_half((ushort)v76), as_half((ushort)0x3aee), as_half((ushort)v82)));
    const ushort2 v87 = (ushort2)(v79, v80);
    const ulong v88 = v10 + 4ul;
    const ushort2 v89 = (ushort2)(v83, v84);
    const ulong v90 = v10 + 8ul;
    const ushort2 v91 = (ushort2)(v85, v86);
    if (p5) {
        out[v10] = v87;
        out[v88] = v89;
        out[v90] = v91;
    }
}
