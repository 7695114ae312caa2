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
        const float16 v69 = load_float16_at4(__global, table + 0ul);
        const float16 v70 = load_float16_at4(__global, table + 16ul);
        const float16 v71 = fma(v69, v65, v61);
        const float16 v72 = -v70;
        const float16 v73 = fma(v72, v66, v71);
        const float16 v74 = fma(v69, v66, v62);
        const float16 v75 = fma(v70, v65, v74);
        const float16 v76 = -v73;
        const float16 v77 = fma(v61, (float16)(2.0f), v76);
        const float16 v78 = -v75;
        const float16 v79 = fma(v62, (float16)(2.0f), v78);
        const float16 v80 = fma(v69, v67, v63);
        const float16 v81 = fma(v72, v68, v80);
        const float16 v82 = fma(v69, v68, v64);
        const float16 v83 = fma(v70, v67, v82);
        const float16 v84 = -v81;
        const float16 v85 = fma(v63, (float16)(2.0f), v84);
        const float16 v86 = -v83;
        const float16 v87 = fma(v64, (float16)(2.0f), v86);
        const float16 v88 = load_float16_at4(__global, table + 32ul);
        const float16 v89 = load_float16_at4(__global, table + 48ul);
        const float16 v90 = fma(v88, v81, v73);
        const float16 v91 = -v89;
        const float16 v92 = fma(v91, v83, v90);
        const float16 v93 = fma(v88, v83, v75);
        const float16 v94 = fma(v89, v81, v93);
        const float16 v95 = -v92;
        const float16 v96 = fma(v73, (float16)(2.0f), v95);
        const float16 v97 = -v94;
        const float16 v98 = fma(v75, (float16)(2.0f), v97);
        const float16 v99 = -v88;
        const float16 v100 = fma(v89, v85, v77);
        const float16 v101 = fma(v88, v87, v100);
        const float16 v102 = fma(v89, v87, v79);
        const float16 v103 = fma(v99, v85, v102);
        const float16 v104 = -v101;
        const float16 v105 = fma(v77, (float16)(2.0f), v104);
        const float16 v106 = -v103;
        const float16 v107 = fma(v79, (float16)(2.0f), v106);
        const float16 v108 = shuffle_float16(v92, v96, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v109 = shuffle_float16(v92, v96, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v110 = shuffle_float16(v101, v105, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v111 = shuffle_float16(v101, v105, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v112 = shuffle_float16(v108, v110, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v113 = shuffle_float16(v108, v110, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v114 = shuffle_float16(v109, v111, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v115 = shuffle_float16(v109, v111, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v116 = shuffle_float16(v94, v98, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v117 = shuffle_float16(v94, v98, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v118 = shuffle_float16(v103, v107, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v119 = shuffle_float16(v103, v107, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v120 = shuffle_float16(v116, v118, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v121 = shuffle_float16(v116, v118, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v122 = shuffle_float16(v117, v119, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v123 = shuffle_float16(v117, v119, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        store_float16_at4(__local, scratch_b + 0u, v112);
        store_float16_at4(__local, scratch_b + 64u, v120);
        store_float16_at4(__local, scratch_b + 16u, v113);
        store_float16_at4(__local, scratch_b + 80u, v121);
        store_float16_at4(__local, scratch_b + 32u, v114);
        store_float16_at4(__local, scratch_b + 96u, v122);
        store_float16_at4(__local, scratch_b + 48u, v115);
        store_float16_at4(__local, scratch_b + 112u, v123);
        const float16 v124 = load_float16_at4(__local, scratch_b + 0u);
        const float16 v125 = load_float16_at4(__local, scratch_b + 64u);
        const float16 v126 = load_float16_at4(__local, scratch_b + 16u);
        const float16 v127 = load_float16_at4(__local, scratch_b + 80u);
        const float16 v128 = load_float16_at4(__local, scratch_b + 32u);
        const float16 v129 = load_float16_at4(__local, scratch_b + 96u);
        const float16 v130 = load_float16_at4(__local, scratch_b + 48u);
        const float16 v131 = load_float16_at4(__local, scratch_b + 112u);
        const float16 v132 = load_float16_at4(__global, table + 64ul);
        const float16 v133 = load_float16_at4(__global, table + 80ul);
        const float16 v134 = fma(v132, v128, v124);
        const float16 v135 = -v133;
        const float16 v136 = fma(v135, v129, v134);
        const float16 v137 = fma(v132, v129, v125);
        const float16 v138 = fma(v133, v128, v137);
        const float16 v139 = -v136;
        const float16 v140 = fma(v124, (float16)(2.0f), v139);
        const float16 v141 = -v138;
        const float16 v142 = fma(v125, (float16)(2.0f), v141);
        const float16 v143 = fma(v132, v130, v126);
        const float16 v144 = fma(v135, v131, v143);
        const float16 v145 = fma(v132, v131, v127);
        const float16 v146 = fma(v133, v130, v145);
        const float16 v147 = -v144;
        const float16 v148 = fma(v126, (float16)(2.0f), v147);
        const float16 v149 = -v146;
        const float16 v150 = fma(v127, (float16)(2.0f), v149);
        const float16 v151 = load_float16_at4(__global, table + 96ul);
        const float16 v152 = load_float16_at4(__global, table + 112ul);
        const float16 v153 = fma(v151, v144, v136);
        const float16 v154 = -v152;
        const float16 v155 = fma(v154, v146, v153);
        const float16 v156 = fma(v151, v146, v138);
        const float16 v157 = fma(v152, v144, v156);
        const float16 v158 = -v155;
        const float16 v159 = fma(v136, (float16)(2.0f), v158);
        const float16 v160 = -v157;
        const float16 v161 = fma(v138, (float16)(2.0f), v160);
        const float16 v162 = -v151;
        const float16 v163 = fma(v152, v148, v140);
        const float16 v164 = fma(v151, v150, v163);
        const float16 v165 = fma(v152, v150, v142);
        const float16 v166 = fma(v162, v148, v165);
        const float16 v167 = -v164;
        const float16 v168 = fma(v140, (float16)(2.0f), v167);
        const float16 v169 = -v166;
        const float16 v170 = fma(v142, (float16)(2.0f), v169);
        const float16 v171 = shuffle_float16(v155, v157, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v172 = shuffle_float16(v155, v157, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_float16_at8(__global, out + v5, v171);
        store_float16_at8(__global, out + v7, v172);
        const float16 v173 = shuffle_float16(v164, v166, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v174 = shuffle_float16(v164, v166, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_float16_at8(__global, out + v11, v173);
        store_float16_at8(__global, out + v13, v174);
        const float16 v175 = shuffle_float16(v159, v161, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v176 = shuffle_float16(v159, v161, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_float16_at8(__global, out + v17, v175);
        store_float16_at8(__global, out + v19, v176);
        const float16 v177 = shuffle_float16(v168, v170, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v178 = shuffle_float16(v168, v170, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_float16_at8(__global, out + v23, v177);
        store_float16_at8(__global, out + v25, v178);
    }
}
