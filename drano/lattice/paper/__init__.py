"""Values of the paper's domain (GPUDrano, CAV'17): multipliers, truth values, pointers."""
