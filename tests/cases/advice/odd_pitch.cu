// drano-flags: --block 32,8 --select DRN002
// Rows of an unknown length start anywhere in a sector.
__global__ void fill(unsigned char* a, int pitch) {
  // drano: expect[DRN002] "pad the row pitch `pitch` to a multiple of 32 elements"
  a[threadIdx.y * pitch + threadIdx.x + 4] = 0;
}
