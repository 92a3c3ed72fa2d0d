"""Values of the warp domain: what each of the 32 lanes of a warp holds, symbolically."""
