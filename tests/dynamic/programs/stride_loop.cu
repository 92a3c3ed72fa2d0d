// A loop over a block's stride, of bytes: half of the warp's lanes go round once more.
#include <cstdio>

__global__ void doubled(char *out, const char *in, int n) {
    for (int j = threadIdx.x; j < n; j += 256)
        out[j] = 2 * in[j];
}

int main() {
    char *in, *out;
    cudaMallocManaged(&in, 2048);
    cudaMallocManaged(&out, 2048);
    for (int j = 0; j < 2048; ++j)
        in[j] = j % 50;
    doubled<<<1, 32>>>(out, in, 1024 + 16);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int j = 0; j < 1040; ++j)
        wrong += j % 256 < 32 && out[j] != 2 * (j % 50);
    printf("%d wrong\n", wrong);
}
