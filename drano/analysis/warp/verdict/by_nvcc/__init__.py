"""What nvcc makes of code where LLVM's optimiser does not: verdicts have to hold for both."""
