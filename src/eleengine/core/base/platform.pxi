# base/platform.pxi - what compilers and systems do differently: claims of a debug build, prefetch, clock, large memory.
#
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

    #ifdef _WIN32
    #include <windows.h>
    static inline int64_t now_us(void) {
        LARGE_INTEGER count, second;
        QueryPerformanceCounter(&count);
        QueryPerformanceFrequency(&second);
        return count.QuadPart / second.QuadPart * 1000000
             + count.QuadPart % second.QuadPart * 1000000 / second.QuadPart;
    }
    #else
    #include <time.h>
    static inline int64_t now_us(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
    }
    #endif
    static inline int64_t now_ms(void) { return now_us() / 1000; }

    /* Has the system as many bytes, once some are given back? It promises more than it has, and kills
       whoever uses that. The api sets who is asked, which takes Python: about large blocks alone. */
    static int (*ask_for_room)(size_t bytes, size_t given_back);
    static int has_room(size_t bytes, size_t given_back) {
        return bytes <= ((size_t)64 << 20) || ask_for_room == NULL || ask_for_room(bytes, given_back);
    }

    /* Zeroed memory that starts a large page, or a cache line if it is small; the system gives
       zeros when it is first touched. The word before it leads back to the block to free. */
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    static void *table_alloc(size_t bytes, size_t given_back) {
        size_t unit = bytes >= (2u << 20) ? (2u << 20) : 64;
        char *block, *p;
        if (!has_room(bytes, given_back)) return NULL;
        block = calloc(1, bytes + unit + sizeof(void *));
        if (block == NULL) return NULL;
        p = block + sizeof(void *);
        p += (unit - (uintptr_t)p % unit) % unit;
        memcpy(p - sizeof(void *), &block, sizeof(void *));
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (unit > 64) madvise(p, bytes, MADV_HUGEPAGE);
    #endif
        return p;
    }
    static void table_free(void *p) {
        char *block;
        if (p == NULL) return;
        memcpy(&block, (char *)p - sizeof(void *), sizeof(void *));
        free(block);
    }

    /* realloc, of a block that has `before` bytes. */
    static void *grow(void *p, size_t before, size_t bytes) {
        return has_room(bytes, before) ? realloc(p, bytes) : NULL;
    }
    """
    int ELE_CHECKED
    # A claim about the code's own state: stops a debug build, costs a release build nothing.
    void ele_check(bint claim, const char* what) noexcept nogil
    void ele_prefetch(const void* p) noexcept nogil

    int64_t now_us() noexcept nogil                   # of a clock that never jumps
    int64_t now_ms() noexcept nogil
    bint (*ask_for_room)(size_t bytes, size_t given_back) noexcept nogil
    bint has_room(size_t bytes, size_t given_back) noexcept nogil
    # NULL when there is not enough memory; given_back: bytes that will be free before these are used
    void* table_alloc(size_t bytes, size_t given_back) noexcept nogil
    void table_free(void* p) noexcept nogil
    void* grow(void* p, size_t before, size_t bytes) noexcept nogil
