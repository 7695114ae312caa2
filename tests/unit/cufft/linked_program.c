/* A program that was linked with one version of cuFFT: which one answers, and whether it computes. Device memory is the
 * host's, as SEICHE_CUFFT_DEVICE has it. */
#include <stdio.h>
#include <stdlib.h>

int cufftGetVersion(int* version);
int cufftPlan1d(int* plan, int nx, int type, int batch);
int cufftExecC2C(int plan, float* in, float* out, int direction);
int cufftDestroy(int plan);

int main(void) {
    int version = 0, plan = -1, wrong = 0, k;
    float* const data = aligned_alloc(64, 64);
    if (data == NULL) return 1;
    for (k = 0; k < 16; ++k) data[k] = k == 0;
    wrong += cufftGetVersion(&version) != 0;
    wrong += cufftPlan1d(&plan, 8, 0x29, 1) != 0;
    wrong += cufftExecC2C(plan, data, data, -1) != 0;
    for (k = 0; k < 16; ++k) wrong += data[k] != (k % 2 == 0);
    wrong += cufftDestroy(plan) != 0;
    free(data);
    printf("cuFFT %d: %s\n", version / 1000, wrong == 0 ? "right" : "wrong");
    return wrong != 0;
}
