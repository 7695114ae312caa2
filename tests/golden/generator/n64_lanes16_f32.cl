// c2c f32 n=64 radices=4x4x4 lanes=16 along butterflies units=8 strides=1,1
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
#ifdef __clang__
typedef float float16_at4 __attribute__((ext_vector_type(16), aligned(4)));
#define load_float16_at4(space, p) (*(space const float16_at4*)(p))
#define store_float16_at4(space, p, v) (*(space float16_at4*)(p) = (v))
#else
#define load_float16_at4(space, p) vload16(0, (space const float*)(p))
#define store_float16_at4(space, p, v) vstore16(v, 0, (space float*)(p))
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void forward_0_n64(
    __global const float2* restrict in, ulong in_offset,
    __global float2* restrict out, ulong out_offset,
    __global const float* restrict table, ulong table_offset,
    const uint sequences)
{
    __local float scratch_a[128] __attribute__((aligned(64)));
    __local float scratch_b[128] __attribute__((aligned(64)));
    in += in_offset;
    out += out_offset;
    table += table_offset;
    const uint group = (uint)get_group_id(0);
    const uint v0 = group * 8u;
    const uint v1 = v0 + 8u;
    const uint v2 = min(v1, sequences);
    for (uint i3 = v0; i3 < v2; i3 += 1u) {
        const ulong v4 = (ulong)i3;
        const ulong v5 = v4 * 64ul;
        const float16 v6 = load_float16_at8(__global, in + v5);
        const ulong v7 = v5 + 8ul;
        const float16 v8 = load_float16_at8(__global, in + v7);
        const float16 v9 = shuffle_float16(v6, v8, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const float16 v10 = shuffle_float16(v6, v8, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        const ulong v11 = v5 + 16ul;
        const float16 v12 = load_float16_at8(__global, in + v11);
        const ulong v13 = v5 + 24ul;
        const float16 v14 = load_float16_at8(__global, in + v13);
        const float16 v15 = shuffle_float16(v12, v14, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const float16 v16 = shuffle_float16(v12, v14, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        const ulong v17 = v5 + 32ul;
        const float16 v18 = load_float16_at8(__global, in + v17);
        const ulong v19 = v5 + 40ul;
        const float16 v20 = load_float16_at8(__global, in + v19);
        const float16 v21 = shuffle_float16(v18, v20, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const float16 v22 = shuffle_float16(v18, v20, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        const ulong v23 = v5 + 48ul;
        const float16 v24 = load_float16_at8(__global, in + v23);
        const ulong v25 = v5 + 56ul;
        const float16 v26 = load_float16_at8(__global, in + v25);
        const float16 v27 = shuffle_float16(v24, v26, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const float16 v28 = shuffle_float16(v24, v26, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        const float16 v29 = v9 + v21;
        const float16 v30 = v10 + v22;
        const float16 v31 = v9 - v21;
        const float16 v32 = v10 - v22;
        const float16 v33 = v15 + v27;
        const float16 v34 = v16 + v28;
        const float16 v35 = v15 - v27;
        const float16 v36 = v16 - v28;
        const float16 v37 = v29 + v33;
        const float16 v38 = v30 + v34;
        const float16 v39 = v29 - v33;
        const float16 v40 = v30 - v34;
        const float16 v41 = v31 + v36;
        const float16 v42 = v32 - v35;
        const float16 v43 = v31 - v36;
        const float16 v44 = v32 + v35;
        const float16 v45 = shuffle_float16(v37, v39, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v46 = shuffle_float16(v37, v39, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v47 = shuffle_float16(v41, v43, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v48 = shuffle_float16(v41, v43, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v49 = shuffle_float16(v45, v47, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v50 = shuffle_float16(v45, v47, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v51 = shuffle_float16(v46, v48, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v52 = shuffle_float16(v46, v48, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v53 = shuffle_float16(v38, v40, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v54 = shuffle_float16(v38, v40, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v55 = shuffle_float16(v42, v44, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v56 = shuffle_float16(v42, v44, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v57 = shuffle_float16(v53, v55, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v58 = shuffle_float16(v53, v55, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v59 = shuffle_float16(v54, v56, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v60 = shuffle_float16(v54, v56, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_float16_at4(__local, scratch_a + 0u, v49);
        store_float16_at4(__local, scratch_a + 64u, v57);
        store_float16_at4(__local, scratch_a + 16u, v50);
        store_float16_at4(__local, scratch_a + 80u, v58);
        store_float16_at4(__local, scratch_a + 32u, v51);
        store_float16_at4(__local, scratch_a + 96u, v59);
        store_float16_at4(__local, scratch_a + 48u, v52);
        store_float16_at4(__local, scratch_a + 112u, v60);
        const float16 v61 = load_float16_at4(__local, scratch_a + 0u);
        const float16 v62 = load_float16_at4(__local, scratch_a + 64u);
        const float16 v63 = load_float16_at4(__local, scratch_a + 16u);
        const float16 v64 = load_float16_at4(__local, scratch_a + 80u);
        const float16 v65 = load_float16_at4(__local, scratch_a + 32u);
        const float16 v66 = load_float16_at4(__local, scratch_a + 96u);
        const float16 v67 = load_float16_at4(__local, scratch_a + 48u);
        const float16 v68 = load_float16_at4(__local, scratch_a + 112u);
        const float16 v69 = load_float16_at4(__global, table + 32ul);
        const float16 v70 = load_float16_at4(__global, table + 48ul);
        const float16 v71 = v66 * v70;
        const float16 v72 = -v71;
        const float16 v73 = fma(v65, v69, v72);
        const float16 v74 = v66 * v69;
        const float16 v75 = fma(v65, v70, v74);
        const float16 v76 = v61 + v73;
        const float16 v77 = v62 + v75;
        const float16 v78 = v61 - v73;
        const float16 v79 = v62 - v75;
        const float16 v80 = load_float16_at4(__global, table + 0ul);
        const float16 v81 = load_float16_at4(__global, table + 16ul);
        const float16 v82 = v64 * v81;
        const float16 v83 = -v82;
        const float16 v84 = fma(v63, v80, v83);
        const float16 v85 = v64 * v80;
        const float16 v86 = fma(v63, v81, v85);
        const float16 v87 = load_float16_at4(__global, table + 64ul);
        const float16 v88 = load_float16_at4(__global, table + 80ul);
        const float16 v89 = v68 * v88;
        const float16 v90 = -v89;
        const float16 v91 = fma(v67, v87, v90);
        const float16 v92 = v68 * v87;
        const float16 v93 = fma(v67, v88, v92);
        const float16 v94 = v84 + v91;
        const float16 v95 = v86 + v93;
        const float16 v96 = v84 - v91;
        const float16 v97 = v86 - v93;
        const float16 v98 = v76 + v94;
        const float16 v99 = v77 + v95;
        const float16 v100 = v76 - v94;
        const float16 v101 = v77 - v95;
        const float16 v102 = v78 + v97;
        const float16 v103 = v79 - v96;
        const float16 v104 = v78 - v97;
        const float16 v105 = v79 + v96;
        const float16 v106 = shuffle_float16(v98, v100, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v107 = shuffle_float16(v98, v100, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v108 = shuffle_float16(v102, v104, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v109 = shuffle_float16(v102, v104, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v110 = shuffle_float16(v106, v108, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v111 = shuffle_float16(v106, v108, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v112 = shuffle_float16(v107, v109, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v113 = shuffle_float16(v107, v109, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v114 = shuffle_float16(v99, v101, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v115 = shuffle_float16(v99, v101, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v116 = shuffle_float16(v103, v105, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v117 = shuffle_float16(v103, v105, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v118 = shuffle_float16(v114, v116, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v119 = shuffle_float16(v114, v116, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v120 = shuffle_float16(v115, v117, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v121 = shuffle_float16(v115, v117, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        store_float16_at4(__local, scratch_b + 0u, v110);
        store_float16_at4(__local, scratch_b + 64u, v118);
        store_float16_at4(__local, scratch_b + 16u, v111);
        store_float16_at4(__local, scratch_b + 80u, v119);
        store_float16_at4(__local, scratch_b + 32u, v112);
        store_float16_at4(__local, scratch_b + 96u, v120);
        store_float16_at4(__local, scratch_b + 48u, v113);
        store_float16_at4(__local, scratch_b + 112u, v121);
        const float16 v122 = load_float16_at4(__local, scratch_b + 0u);
        const float16 v123 = load_float16_at4(__local, scratch_b + 64u);
        const float16 v124 = load_float16_at4(__local, scratch_b + 16u);
        const float16 v125 = load_float16_at4(__local, scratch_b + 80u);
        const float16 v126 = load_float16_at4(__local, scratch_b + 32u);
        const float16 v127 = load_float16_at4(__local, scratch_b + 96u);
        const float16 v128 = load_float16_at4(__local, scratch_b + 48u);
        const float16 v129 = load_float16_at4(__local, scratch_b + 112u);
        const float16 v130 = load_float16_at4(__global, table + 128ul);
        const float16 v131 = load_float16_at4(__global, table + 144ul);
        const float16 v132 = v127 * v131;
        const float16 v133 = -v132;
        const float16 v134 = fma(v126, v130, v133);
        const float16 v135 = v127 * v130;
        const float16 v136 = fma(v126, v131, v135);
        const float16 v137 = v122 + v134;
        const float16 v138 = v123 + v136;
        const float16 v139 = v122 - v134;
        const float16 v140 = v123 - v136;
        const float16 v141 = load_float16_at4(__global, table + 96ul);
        const float16 v142 = load_float16_at4(__global, table + 112ul);
        const float16 v143 = v125 * v142;
        const float16 v144 = -v143;
        const float16 v145 = fma(v124, v141, v144);
        const float16 v146 = v125 * v141;
        const float16 v147 = fma(v124, v142, v146);
        const float16 v148 = load_float16_at4(__global, table + 160ul);
        const float16 v149 = load_float16_at4(__global, table + 176ul);
        const float16 v150 = v129 * v149;
        const float16 v151 = -v150;
        const float16 v152 = fma(v128, v148, v151);
        const float16 v153 = v129 * v148;
        const float16 v154 = fma(v128, v149, v153);
        const float16 v155 = v145 + v152;
        const float16 v156 = v147 + v154;
        const float16 v157 = v145 - v152;
        const float16 v158 = v147 - v154;
        const float16 v159 = v137 + v155;
        const float16 v160 = v138 + v156;
        const float16 v161 = v137 - v155;
        const float16 v162 = v138 - v156;
        const float16 v163 = v139 + v158;
        const float16 v164 = v140 - v157;
        const float16 v165 = v139 - v158;
        const float16 v166 = v140 + v157;
        const float16 v167 = shuffle_float16(v159, v160, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v168 = shuffle_float16(v159, v160, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_float16_at8(__global, out + v5, v167);
        store_float16_at8(__global, out + v7, v168);
        const float16 v169 = shuffle_float16(v163, v164, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v170 = shuffle_float16(v163, v164, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_float16_at8(__global, out + v11, v169);
        store_float16_at8(__global, out + v13, v170);
        const float16 v171 = shuffle_float16(v161, v162, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v172 = shuffle_float16(v161, v162, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_float16_at8(__global, out + v17, v171);
        store_float16_at8(__global, out + v19, v172);
        const float16 v173 = shuffle_float16(v165, v166, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v174 = shuffle_float16(v165, v166, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_float16_at8(__global, out + v23, v173);
        store_float16_at8(__global, out + v25, v174);
    }
}
