#ifndef C_WEIR_BENCH_ALLOCATIONS_H
#define C_WEIR_BENCH_ALLOCATIONS_H

/// How often the calling thread has asked the C library for memory; -1 where that is not counted (only glibc is).
long bench_allocations(void);

#endif
