// c2c f32 n=8 radices=4x2 threads=2 sequences=1 planes=2 strides=1,1
#define FFT_8_THREADS 2
static __device__ const float2 fft_8_twiddles[4] = {
    {1.0f, 0.0f}, {0.70710677f, (-0.70710677f)}, {0.0f, (-1.0f)}, {(-0.70710677f), (-0.70710677f)}};

__device__ __forceinline__ void fft_8(float2 (&x)[4], float* exchange, unsigned int lane)
{
    typedef unsigned int u32;
    typedef unsigned long long u64;
    float* const real = exchange + 0;
    float* const imag = exchange + 8;
    const float2 v0 = x[0u];
    const float2 v1 = x[1u];
    const float2 v2 = x[2u];
    const float2 v3 = x[3u];
    const float v4 = v0.y + v2.y;
    const float v5 = v0.x + v2.x;
    const float v6 = v0.y - v2.y;
    const float v7 = v0.x - v2.x;
    const float v8 = v1.y + v3.y;
    const float v9 = v1.x + v3.x;
    const float v10 = v1.y - v3.y;
    const float v11 = v1.x - v3.x;
    const float v12 = v4 + v8;
    const float v13 = v5 + v9;
    const float v14 = v4 - v8;
    const float v15 = v5 - v9;
    const float v16 = v6 + v11;
    const float v17 = v7 - v10;
    const float v18 = v6 - v11;
    const float v19 = v7 + v10;
    __syncthreads();
    const u32 v20 = lane * 4u;
    real[v20] = v12;
    (real + v20)[1u] = v16;
    (real + v20)[2u] = v14;
    (real + v20)[3u] = v18;
    imag[v20] = v13;
    (imag + v20)[1u] = v17;
    (imag + v20)[2u] = v15;
    (imag + v20)[3u] = v19;
    __syncthreads();
    const float v21 = real[lane];
    const float v22 = (real + lane)[4u];
    const u32 v23 = lane + 2u;
    const float v24 = (real + lane)[2u];
    const float v25 = (real + lane)[6u];
    const float v26 = imag[lane];
    const float v27 = (imag + lane)[4u];
    const float v28 = (imag + lane)[2u];
    const float v29 = (imag + lane)[6u];
    const u64 v30 = (u64)lane;
    const float2 v31 = __ldg(fft_8_twiddles + v30);
    const float v32 = fmaf(v31.x, v22, v21);
    const float v33 = -v31.y;
    const float v34 = fmaf(v33, v27, v32);
    const float v35 = fmaf(v31.x, v27, v26);
    const float v36 = fmaf(v31.y, v22, v35);
    const float v37 = -v34;
    const float v38 = fmaf(v21, 2.0f, v37);
    const float v39 = -v36;
    const float v40 = fmaf(v26, 2.0f, v39);
    const u64 v41 = (u64)v23;
    const float2 v42 = __ldg(fft_8_twiddles + v41);
    const float v43 = fmaf(v42.x, v25, v24);
    const float v44 = -v42.y;
    const float v45 = fmaf(v44, v29, v43);
    const float v46 = fmaf(v42.x, v29, v28);
    const float v47 = fmaf(v42.y, v25, v46);
    const float v48 = -v45;
    const float v49 = fmaf(v24, 2.0f, v48);
    const float v50 = -v47;
    const float v51 = fmaf(v28, 2.0f, v50);
    x[0u] = make_float2(v36, v34);
    x[2u] = make_float2(v40, v38);
    x[1u] = make_float2(v47, v45);
    x[3u] = make_float2(v51, v49);
}
