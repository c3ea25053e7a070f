"""The offline evaluation gate and the benchmarks."""
