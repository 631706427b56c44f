# platform.pxi - all that differs between C compilers and machines.
#
# Checks that vanish in release builds, OpenMP or its absence, prefetching.
# GCC and Clang on 64-bit machines; 128-bit integers are what rules out MSVC.

cdef extern from *:
    """
    #if !defined(__SIZEOF_INT128__)
    #error "eleengine needs a compiler with 128-bit integers (GCC or Clang, 64-bit)"
    #endif

    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>

    #ifdef _OPENMP
    #include <omp.h>
    #else
    static int omp_get_thread_num(void) { return 0; }
    static int omp_get_num_procs(void) { return 1; }
    #endif

    #ifdef _OPENMP
    #define ELE_OPENMP 1
    #else
    #define ELE_OPENMP 0
    #endif

    #ifdef ELE_DEBUG
    #define ele_check(claim, what) do { if (!(claim)) { \\
        fprintf(stderr, "eleengine: broken claim: %s (%s:%d)\\n", what, __FILE__, __LINE__); \\
        abort(); } } while (0)
    #define ELE_CHECKED 1
    #else
    #define ele_check(claim, what) ((void)0)
    #define ELE_CHECKED 0
    #endif

    #define ele_prefetch(p) __builtin_prefetch(p)
    """
    int ELE_OPENMP, ELE_CHECKED
    int omp_get_thread_num() noexcept nogil
    int omp_get_num_procs() noexcept nogil
    # A claim about the code's own state: stops a debug build, costs a release build nothing.
    void ele_check(bint claim, const char* what) noexcept nogil
    void ele_prefetch(const void* p) noexcept nogil
