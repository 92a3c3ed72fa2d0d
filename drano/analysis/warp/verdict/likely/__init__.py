"""What is likely of addresses, and not sure: strides, starts of rows and runs, numbers in turn."""
