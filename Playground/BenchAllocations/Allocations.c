// Counts allocations of a thread. On glibc the executable's own malloc, calloc, realloc and aligned_alloc stand before
// the library's: they count and pass the call on, so the memory itself stays glibc's. Elsewhere nothing is counted.
// The counter belongs to one thread, so counting costs no atomic operation that would show in what is measured.

#include "CWeirBenchAllocations.h"
#include <stdlib.h>

// A sanitizer has allocators of its own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

static _Thread_local long allocations;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    allocations += 1;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations += 1;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    allocations += 1;
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations += 1;
    return __libc_memalign(alignment, size);
}

long bench_allocations(void) { return allocations; }

#else

long bench_allocations(void) { return -1; }

#endif
