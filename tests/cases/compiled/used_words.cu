// Requests of loads of which some words are used, as ptxas makes them. Case: two words of a
// 64-bit number, members of vectors, shared memory; what uses all stays one request.

__global__ void low(int *out, const long long *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = (int)in[t]; // drano: expect[DRN001] "lanes are 8 bytes apart; 8 sectors where 4"
}

__global__ void high(int *out, const long long *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = (int)(in[t] >> 40); // drano: expect[DRN001] "lanes are 8 bytes apart; 8 sectors where 4"
}

__global__ void sign(bool *out, const long long *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t] < 0; // drano: expect[DRN001] "lanes are 8 bytes apart; 8 sectors where 4"
}

__global__ void mantissa(int *out, const double *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = __double2loint(in[t]); // drano: expect[DRN001] "8 sectors where 4"
}

__global__ void as_index(float *out, const long long *index, const float *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int i = index[t]; // drano: expect[DRN001] "lanes are 8 bytes apart; 8 sectors where 4"
    if (i == t)
        out[t] = in[t];
}

// Both words are used: a shift by less than a word, a comparison, an address.
__global__ void both(int *out, const long long *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = (int)(in[t] >> 16);
}

__global__ void compared(int *out, const long long *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    long long value = in[t];
    out[t] = value > 5 ? (int)value : 0;
}

__global__ void below(bool *out, const long long *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t] < -1;
}

__global__ void above(bool *out, const long long *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t] > 0;
}

__global__ void kept(long long *out, const long long *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t] + 1;
}

// Of four words one, the first pair, the second, the middle one, three.
__global__ void first_of_four(float *out, const float4 *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = __ldg(in + t).x; // drano: expect[DRN001] "16 sectors where 4 would do"
}

__global__ void pair(float *out, const float4 *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float4 value = __ldg(in + t); // drano: expect[DRN001] "16 sectors where 8 would do"
    out[t] = value.z + value.w;
}

__global__ void three(float *out, const float4 *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float4 value = __ldg(in + t);
    out[t] = value.x + value.y + value.z;
}

__global__ void one_of_two(double *out, const double2 *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = __ldg(in + t).y; // drano: expect[DRN001] "16 sectors where 8 would do"
}

// Lanes 0 and 16 have words of one bank.
__global__ void shared_words(int *out, const long long *in) {
    __shared__ long long tile[256];
    int t = threadIdx.x;
    tile[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    out[blockIdx.x * 256 + t] = (int)tile[255 - t]; // drano: expect[DRN101] "2 wavefronts where 1"
}

int main() {
    low<<<8, 256>>>(0, 0);
    high<<<8, 256>>>(0, 0);
    sign<<<8, 256>>>(0, 0);
    mantissa<<<8, 256>>>(0, 0);
    as_index<<<8, 256>>>(0, 0, 0);
    both<<<8, 256>>>(0, 0);
    compared<<<8, 256>>>(0, 0);
    below<<<8, 256>>>(0, 0);
    above<<<8, 256>>>(0, 0);
    kept<<<8, 256>>>(0, 0);
    first_of_four<<<8, 256>>>(0, 0);
    pair<<<8, 256>>>(0, 0);
    three<<<8, 256>>>(0, 0);
    one_of_two<<<8, 256>>>(0, 0);
    shared_words<<<8, 256>>>(0, 0);
}
