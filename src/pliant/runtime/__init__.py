"""What is under everything and knows no physics: compiled kernels, threads, caches, errors."""
