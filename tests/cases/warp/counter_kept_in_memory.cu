// drano-flags: --as-written
// A counter that lies in a thread's own memory and goes on in a loop: what is known of it grows with
// each round, past all signed numbers.

// drano: expect-none
struct State {
    unsigned blocks;
    unsigned more;
    unsigned rows[16];
};

__device__ void absorb(State* s, const unsigned* words, int length) {
    for (; length >= 64; length -= 64, words += 16) {
        for (int i = 0; i < 16; ++i) s->rows[(i + s->blocks) % 16] ^= words[i];
        s->blocks++;
        if (s->blocks == 0) s->more++;
    }
}

__global__ void hash(const unsigned* in, unsigned* out, int length) {
    State s;
    for (int i = 0; i < 16; ++i) s.rows[i] = 0;
    s.blocks = 0;
    s.more = 0;
    absorb(&s, in, length);
    absorb(&s, in + 256, length);
    for (int i = 0; i < 16; ++i) s.rows[i] += s.rows[(i * s.more) % 16];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s.rows[s.blocks % 16] + s.blocks + s.more;
}
