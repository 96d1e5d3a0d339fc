"""Online kernels: a kernel learned from a stream of triplets, one at a time."""
