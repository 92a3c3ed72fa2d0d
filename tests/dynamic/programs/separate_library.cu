// The third unit: device code alone, which a library brings.
__device__ float from_library(const float *values, int index) { return values[index] + 1; }
