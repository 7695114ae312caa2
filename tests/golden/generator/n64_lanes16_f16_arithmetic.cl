// c2c f16-arithmetic n=64 radices=4x4x4 lanes=16 along butterflies units=8 strides=1,1
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
#ifdef __clang__
typedef ushort ushort16_at4 __attribute__((ext_vector_type(16), aligned(4)));
#define load_ushort16_at4(space, p) (*(space const ushort16_at4*)(p))
#define store_ushort16_at4(space, p, v) (*(space ushort16_at4*)(p) = (v))
#else
#define load_ushort16_at4(space, p) vload16(0, (space const ushort*)(p))
#define store_ushort16_at4(space, p, v) vstore16(v, 0, (space ushort*)(p))
#endif
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define shuffle_ushort16(a, b, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15) __builtin_shufflevector(a, b, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15)
#endif
#endif
#ifndef shuffle_ushort16
#define shuffle_ushort16(a, b, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15) shuffle2(a, b, (ushort16)(i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15))
#endif
#ifdef __clang__
typedef ushort ushort16_at2 __attribute__((ext_vector_type(16), aligned(2)));
#define load_ushort16_at2(space, p) (*(space const ushort16_at2*)(p))
#define store_ushort16_at2(space, p, v) (*(space ushort16_at2*)(p) = (v))
#else
#define load_ushort16_at2(space, p) vload16(0, (space const ushort*)(p))
#define store_ushort16_at2(space, p, v) vstore16(v, 0, (space ushort*)(p))
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void forward_0_n64(
    __global const ushort2* restrict in, ulong in_offset,
    __global ushort2* restrict out, ulong out_offset,
    __global const ushort* restrict table, ulong table_offset,
    const uint sequences)
{
    __local ushort scratch_a[128] __attribute__((aligned(64)));
    __local ushort scratch_b[128] __attribute__((aligned(64)));
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
        const ushort16 v6 = load_ushort16_at4(__global, in + v5);
        const ulong v7 = v5 + 8ul;
        const ushort16 v8 = load_ushort16_at4(__global, in + v7);
        const ushort16 v9 = shuffle_ushort16(v6, v8, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const ushort16 v10 = shuffle_ushort16(v6, v8, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        const ulong v11 = v5 + 16ul;
        const ushort16 v12 = load_ushort16_at4(__global, in + v11);
        const ulong v13 = v5 + 24ul;
        const ushort16 v14 = load_ushort16_at4(__global, in + v13);
        const ushort16 v15 = shuffle_ushort16(v12, v14, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const ushort16 v16 = shuffle_ushort16(v12, v14, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        const ulong v17 = v5 + 32ul;
        const ushort16 v18 = load_ushort16_at4(__global, in + v17);
        const ulong v19 = v5 + 40ul;
        const ushort16 v20 = load_ushort16_at4(__global, in + v19);
        const ushort16 v21 = shuffle_ushort16(v18, v20, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const ushort16 v22 = shuffle_ushort16(v18, v20, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        const ulong v23 = v5 + 48ul;
        const ushort16 v24 = load_ushort16_at4(__global, in + v23);
        const ulong v25 = v5 + 56ul;
        const ushort16 v26 = load_ushort16_at4(__global, in + v25);
        const ushort16 v27 = shuffle_ushort16(v24, v26, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const ushort16 v28 = shuffle_ushort16(v24, v26, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        const ushort16 v29 = as_ushort16(as_half16(v9) + as_half16(v21));
        const ushort16 v30 = as_ushort16(as_half16(v10) + as_half16(v22));
        const ushort16 v31 = as_ushort16(as_half16(v9) - as_half16(v21));
        const ushort16 v32 = as_ushort16(as_half16(v10) - as_half16(v22));
        const ushort16 v33 = as_ushort16(as_half16(v15) + as_half16(v27));
        const ushort16 v34 = as_ushort16(as_half16(v16) + as_half16(v28));
        const ushort16 v35 = as_ushort16(as_half16(v15) - as_half16(v27));
        const ushort16 v36 = as_ushort16(as_half16(v16) - as_half16(v28));
        const ushort16 v37 = as_ushort16(as_half16(v29) + as_half16(v33));
        const ushort16 v38 = as_ushort16(as_half16(v30) + as_half16(v34));
        const ushort16 v39 = as_ushort16(as_half16(v29) - as_half16(v33));
        const ushort16 v40 = as_ushort16(as_half16(v30) - as_half16(v34));
        const ushort16 v41 = as_ushort16(as_half16(v31) + as_half16(v36));
        const ushort16 v42 = as_ushort16(as_half16(v32) - as_half16(v35));
        const ushort16 v43 = as_ushort16(as_half16(v31) - as_half16(v36));
        const ushort16 v44 = as_ushort16(as_half16(v32) + as_half16(v35));
        const ushort16 v45 = shuffle_ushort16(v37, v39, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const ushort16 v46 = shuffle_ushort16(v37, v39, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const ushort16 v47 = shuffle_ushort16(v41, v43, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const ushort16 v48 = shuffle_ushort16(v41, v43, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const ushort16 v49 = shuffle_ushort16(v45, v47, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const ushort16 v50 = shuffle_ushort16(v45, v47, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const ushort16 v51 = shuffle_ushort16(v46, v48, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const ushort16 v52 = shuffle_ushort16(v46, v48, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const ushort16 v53 = shuffle_ushort16(v38, v40, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const ushort16 v54 = shuffle_ushort16(v38, v40, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const ushort16 v55 = shuffle_ushort16(v42, v44, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const ushort16 v56 = shuffle_ushort16(v42, v44, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const ushort16 v57 = shuffle_ushort16(v53, v55, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const ushort16 v58 = shuffle_ushort16(v53, v55, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const ushort16 v59 = shuffle_ushort16(v54, v56, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const ushort16 v60 = shuffle_ushort16(v54, v56, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_ushort16_at2(__local, scratch_a + 0u, v49);
        store_ushort16_at2(__local, scratch_a + 64u, v57);
        store_ushort16_at2(__local, scratch_a + 16u, v50);
        store_ushort16_at2(__local, scratch_a + 80u, v58);
        store_ushort16_at2(__local, scratch_a + 32u, v51);
        store_ushort16_at2(__local, scratch_a + 96u, v59);
        store_ushort16_at2(__local, scratch_a + 48u, v52);
        store_ushort16_at2(__local, scratch_a + 112u, v60);
        const ushort16 v61 = load_ushort16_at2(__local, scratch_a + 0u);
        const ushort16 v62 = load_ushort16_at2(__local, scratch_a + 64u);
        const ushort16 v63 = load_ushort16_at2(__local, scratch_a + 16u);
        const ushort16 v64 = load_ushort16_at2(__local, scratch_a + 80u);
        const ushort16 v65 = load_ushort16_at2(__local, scratch_a + 32u);
        const ushort16 v66 = load_ushort16_at2(__local, scratch_a + 96u);
        const ushort16 v67 = load_ushort16_at2(__local, scratch_a + 48u);
        const ushort16 v68 = load_ushort16_at2(__local, scratch_a + 112u);
        const ushort16 v69 = load_ushort16_at2(__global, table + 32ul);
        const ushort16 v70 = load_ushort16_at2(__global, table + 48ul);
        const ushort16 v71 = as_ushort16(as_half16(v66) * as_half16(v70));
        const ushort16 v72 = v71 ^ (ushort16)(0x8000);
        const ushort16 v73 = as_ushort16(fma(as_half16(v65), as_half16(v69), as_half16(v72)));
        const ushort16 v74 = as_ushort16(as_half16(v66) * as_half16(v69));
        const ushort16 v75 = as_ushort16(fma(as_half16(v65), as_half16(v70), as_half16(v74)));
        const ushort16 v76 = as_ushort16(as_half16(v61) + as_half16(v73));
        const ushort16 v77 = as_ushort16(as_half16(v62) + as_half16(v75));
        const ushort16 v78 = as_ushort16(as_half16(v61) - as_half16(v73));
        const ushort16 v79 = as_ushort16(as_half16(v62) - as_half16(v75));
        const ushort16 v80 = load_ushort16_at2(__global, table + 0ul);
        const ushort16 v81 = load_ushort16_at2(__global, table + 16ul);
        const ushort16 v82 = as_ushort16(as_half16(v64) * as_half16(v81));
        const ushort16 v83 = v82 ^ (ushort16)(0x8000);
        const ushort16 v84 = as_ushort16(fma(as_half16(v63), as_half16(v80), as_half16(v83)));
        const ushort16 v85 = as_ushort16(as_half16(v64) * as_half16(v80));
        const ushort16 v86 = as_ushort16(fma(as_half16(v63), as_half16(v81), as_half16(v85)));
        const ushort16 v87 = load_ushort16_at2(__global, table + 64ul);
        const ushort16 v88 = load_ushort16_at2(__global, table + 80ul);
        const ushort16 v89 = as_ushort16(as_half16(v68) * as_half16(v88));
        const ushort16 v90 = v89 ^ (ushort16)(0x8000);
        const ushort16 v91 = as_ushort16(fma(as_half16(v67), as_half16(v87), as_half16(v90)));
        const ushort16 v92 = as_ushort16(as_half16(v68) * as_half16(v87));
        const ushort16 v93 = as_ushort16(fma(as_half16(v67), as_half16(v88), as_half16(v92)));
        const ushort16 v94 = as_ushort16(as_half16(v84) + as_half16(v91));
        const ushort16 v95 = as_ushort16(as_half16(v86) + as_half16(v93));
        const ushort16 v96 = as_ushort16(as_half16(v84) - as_half16(v91));
        const ushort16 v97 = as_ushort16(as_half16(v86) - as_half16(v93));
        const ushort16 v98 = as_ushort16(as_half16(v76) + as_half16(v94));
        const ushort16 v99 = as_ushort16(as_half16(v77) + as_half16(v95));
        const ushort16 v100 = as_ushort16(as_half16(v76) - as_half16(v94));
        const ushort16 v101 = as_ushort16(as_half16(v77) - as_half16(v95));
        const ushort16 v102 = as_ushort16(as_half16(v78) + as_half16(v97));
        const ushort16 v103 = as_ushort16(as_half16(v79) - as_half16(v96));
        const ushort16 v104 = as_ushort16(as_half16(v78) - as_half16(v97));
        const ushort16 v105 = as_ushort16(as_half16(v79) + as_half16(v96));
        const ushort16 v106 = shuffle_ushort16(v98, v100, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const ushort16 v107 = shuffle_ushort16(v98, v100, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const ushort16 v108 = shuffle_ushort16(v102, v104, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const ushort16 v109 = shuffle_ushort16(v102, v104, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const ushort16 v110 = shuffle_ushort16(v106, v108, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const ushort16 v111 = shuffle_ushort16(v106, v108, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const ushort16 v112 = shuffle_ushort16(v107, v109, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const ushort16 v113 = shuffle_ushort16(v107, v109, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const ushort16 v114 = shuffle_ushort16(v99, v101, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const ushort16 v115 = shuffle_ushort16(v99, v101, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const ushort16 v116 = shuffle_ushort16(v103, v105, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const ushort16 v117 = shuffle_ushort16(v103, v105, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const ushort16 v118 = shuffle_ushort16(v114, v116, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const ushort16 v119 = shuffle_ushort16(v114, v116, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const ushort16 v120 = shuffle_ushort16(v115, v117, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const ushort16 v121 = shuffle_ushort16(v115, v117, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        store_ushort16_at2(__local, scratch_b + 0u, v110);
        store_ushort16_at2(__local, scratch_b + 64u, v118);
        store_ushort16_at2(__local, scratch_b + 16u, v111);
        store_ushort16_at2(__local, scratch_b + 80u, v119);
        store_ushort16_at2(__local, scratch_b + 32u, v112);
        store_ushort16_at2(__local, scratch_b + 96u, v120);
        store_ushort16_at2(__local, scratch_b + 48u, v113);
        store_ushort16_at2(__local, scratch_b + 112u, v121);
        const ushort16 v122 = load_ushort16_at2(__local, scratch_b + 0u);
        const ushort16 v123 = load_ushort16_at2(__local, scratch_b + 64u);
        const ushort16 v124 = load_ushort16_at2(__local, scratch_b + 16u);
        const ushort16 v125 = load_ushort16_at2(__local, scratch_b + 80u);
        const ushort16 v126 = load_ushort16_at2(__local, scratch_b + 32u);
        const ushort16 v127 = load_ushort16_at2(__local, scratch_b + 96u);
        const ushort16 v128 = load_ushort16_at2(__local, scratch_b + 48u);
        const ushort16 v129 = load_ushort16_at2(__local, scratch_b + 112u);
        const ushort16 v130 = load_ushort16_at2(__global, table + 128ul);
        const ushort16 v131 = load_ushort16_at2(__global, table + 144ul);
        const ushort16 v132 = as_ushort16(as_half16(v127) * as_half16(v131));
        const ushort16 v133 = v132 ^ (ushort16)(0x8000);
        const ushort16 v134 = as_ushort16(fma(as_half16(v126), as_half16(v130), as_half16(v133)));
        const ushort16 v135 = as_ushort16(as_half16(v127) * as_half16(v130));
        const ushort16 v136 = as_ushort16(fma(as_half16(v126), as_half16(v131), as_half16(v135)));
        const ushort16 v137 = as_ushort16(as_half16(v122) + as_half16(v134));
        const ushort16 v138 = as_ushort16(as_half16(v123) + as_half16(v136));
        const ushort16 v139 = as_ushort16(as_half16(v122) - as_half16(v134));
        const ushort16 v140 = as_ushort16(as_half16(v123) - as_half16(v136));
        const ushort16 v141 = load_ushort16_at2(__global, table + 96ul);
        const ushort16 v142 = load_ushort16_at2(__global, table + 112ul);
        const ushort16 v143 = as_ushort16(as_half16(v125) * as_half16(v142));
        const ushort16 v144 = v143 ^ (ushort16)(0x8000);
        const ushort16 v145 = as_ushort16(fma(as_half16(v124), as_half16(v141), as_half16(v144)));
        const ushort16 v146 = as_ushort16(as_half16(v125) * as_half16(v141));
        const ushort16 v147 = as_ushort16(fma(as_half16(v124), as_half16(v142), as_half16(v146)));
        const ushort16 v148 = load_ushort16_at2(__global, table + 160ul);
        const ushort16 v149 = load_ushort16_at2(__global, table + 176ul);
        const ushort16 v150 = as_ushort16(as_half16(v129) * as_half16(v149));
        const ushort16 v151 = v150 ^ (ushort16)(0x8000);
        const ushort16 v152 = as_ushort16(fma(as_half16(v128), as_half16(v148), as_half16(v151)));
        const ushort16 v153 = as_ushort16(as_half16(v129) * as_half16(v148));
        const ushort16 v154 = as_ushort16(fma(as_half16(v128), as_half16(v149), as_half16(v153)));
        const ushort16 v155 = as_ushort16(as_half16(v145) + as_half16(v152));
        const ushort16 v156 = as_ushort16(as_half16(v147) + as_half16(v154));
        const ushort16 v157 = as_ushort16(as_half16(v145) - as_half16(v152));
        const ushort16 v158 = as_ushort16(as_half16(v147) - as_half16(v154));
        const ushort16 v159 = as_ushort16(as_half16(v137) + as_half16(v155));
        const ushort16 v160 = as_ushort16(as_half16(v138) + as_half16(v156));
        const ushort16 v161 = as_ushort16(as_half16(v137) - as_half16(v155));
        const ushort16 v162 = as_ushort16(as_half16(v138) - as_half16(v156));
        const ushort16 v163 = as_ushort16(as_half16(v139) + as_half16(v158));
        const ushort16 v164 = as_ushort16(as_half16(v140) - as_half16(v157));
        const ushort16 v165 = as_ushort16(as_half16(v139) - as_half16(v158));
        const ushort16 v166 = as_ushort16(as_half16(v140) + as_half16(v157));
        const ushort16 v167 = shuffle_ushort16(v159, v160, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const ushort16 v168 = shuffle_ushort16(v159, v160, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_ushort16_at4(__global, out + v5, v167);
        store_ushort16_at4(__global, out + v7, v168);
        const ushort16 v169 = shuffle_ushort16(v163, v164, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const ushort16 v170 = shuffle_ushort16(v163, v164, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_ushort16_at4(__global, out + v11, v169);
        store_ushort16_at4(__global, out + v13, v170);
        const ushort16 v171 = shuffle_ushort16(v161, v162, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const ushort16 v172 = shuffle_ushort16(v161, v162, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_ushort16_at4(__global, out + v17, v171);
        store_ushort16_at4(__global, out + v19, v172);
        const ushort16 v173 = shuffle_ushort16(v165, v166, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const ushort16 v174 = shuffle_ushort16(v165, v166, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_ushort16_at4(__global, out + v23, v173);
        store_ushort16_at4(__global, out + v25, v174);
    }
}
