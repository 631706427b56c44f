# base/platform.pxi - all that differs between C compilers and machines.
#
# Checks that vanish in release builds, OpenMP or its absence, prefetching.
# GCC and Clang on 64-bit machines; 128-bit integers are what rules out MSVC.

cdef extern from *:
    """
    #if !defined(__SIZEOF_INT128__)
    #error "eleengine needs a compiler with 128-bit integers (GCC or Clang, 64-bit)"
    #endif

    #include <stdatomic.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>

    #ifdef _OPENMP
    #include <omp.h>
    #else
    static int omp_get_thread_num(void) { return 0; }
    static int omp_get_num_procs(void) { return 1; }
    static int omp_get_max_threads(void) { return 1; }
    static int omp_get_thread_limit(void) { return 1; }
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

    /* How many threads, at most n, a parallel region of this thread can have now. OpenMP ends the process if it
       cannot make one, so those that it lacks are made here before, all at once, and ended again. It keeps the
       threads of a region for the next one of the same thread; in a forked process they are gone, and it would
       wait for them. */
    #if defined(_OPENMP) && !defined(_WIN32)
    #include <pthread.h>
    #include <sys/stat.h>
    #include <unistd.h>

    static size_t team_stack(void) {                 /* OMP_STACKSIZE: a number of KiB, or with its unit */
        const char *text = getenv("OMP_STACKSIZE");
        char *unit = NULL;
        double size = text ? strtod(text, &unit) : 0;
        if (size <= 0) return 0;
        while (*unit == ' ') unit++;
        switch (*unit | 32) {
            case 'b': break;
            case 'm': size *= 1 << 20; break;
            case 'g': size *= 1 << 30; break;
            default: size *= 1 << 10;
        }
        return (size_t)size;
    }

    static long count_threads(void) {                /* 0: not known */
        struct stat found;
        return stat("/proc/self/task", &found) == 0 ? (long)found.st_nlink : 0;
    }

    static void *wait_at(void *gate) {
        pthread_mutex_lock(gate);
        pthread_mutex_unlock(gate);
        return NULL;
    }

    static int threads_to_be_had(int n) {
        pthread_t *made = malloc(n * sizeof(pthread_t));
        pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
        pthread_attr_t attributes;
        long before = count_threads();
        int i, found = 0;
        if (made == NULL || pthread_attr_init(&attributes) != 0) {
            free(made);
            return 0;
        }
        pthread_attr_setstacksize(&attributes, team_stack());    /* refused if it is none: the default remains */
        pthread_mutex_lock(&gate);
        while (found < n && pthread_create(&made[found], &attributes, wait_at, &gate) == 0)
            found++;
        pthread_mutex_unlock(&gate);
        for (i = 0; i < found; i++)
            pthread_join(made[i], NULL);
        for (i = 0; i < 100 && before && count_threads() > before; i++)
            usleep(100);                             /* the system counts them for a moment more */
        pthread_attr_destroy(&attributes);
        free(made);
        return found;
    }

    static _Thread_local int team_size = 1, team_process;

    static int team_of(int n) {
        if (n <= 1) return 1;                        /* leaves the threads of the last team alone */
        if (team_size > 1 && team_process != getpid()) return 1;
        if (n > omp_get_thread_limit()) n = omp_get_thread_limit();
        if (n > team_size) {
            _Atomic int there = 0;
            n = team_size + threads_to_be_had(n - team_size);
            #pragma omp parallel num_threads(n)
            there++;                                 /* now OpenMP has them */
            n = there;
        }
        team_size = n;
        team_process = getpid();
        return n;
    }

    /* Gives the threads of this thread's team back. As long as all teams together, idle ones too, have no more
       threads than there are processors, GCC's OpenMP lets a thread that waits for work spin. Otherwise it sleeps,
       and waking it up so often costs a search with two threads a twentieth of its nodes a second. */
    #if defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
    #pragma weak omp_pause_resource_all
    static void end_team(void) {
        if (team_size > 1 && team_process == getpid() && omp_pause_resource_all
                && omp_pause_resource_all(omp_pause_soft) == 0)
            team_size = 1;
    }
    #else
    static void end_team(void) {}
    #endif
    #elif defined(_OPENMP)
    static int team_of(int n) { return n < omp_get_thread_limit() ? n : omp_get_thread_limit(); }
    static void end_team(void) {}
    #else
    static int team_of(int n) { (void)n; return 1; }
    static void end_team(void) {}
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

    /* Flags that one thread sets and others read, and words of the table that all may write. */
    typedef _Atomic int ele_flag;
    #define flag_get(p)    atomic_load_explicit((p), memory_order_relaxed)
    #define flag_set(p, v) atomic_store_explicit((p), (v), memory_order_relaxed)
    #define word_get(p)    __atomic_load_n((p), __ATOMIC_RELAXED)
    #define word_set(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)

    /* Spin lock, for critical sections of a few instructions. */
    typedef _Atomic int ele_spin;
    static inline void spin_take(ele_spin *lock) {
        while (atomic_exchange_explicit(lock, 1, memory_order_acquire))
            while (atomic_load_explicit(lock, memory_order_relaxed)) {}
    }
    static inline void spin_give(ele_spin *lock) {
        atomic_store_explicit(lock, 0, memory_order_release);
    }

    /* Zeroed memory that starts a large page, or a cache line if it is small; the system gives
       zeros when it is first touched. The word before it leads back to the block to free. */
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    static void *table_alloc(size_t bytes) {
        size_t unit = bytes >= (2u << 20) ? (2u << 20) : 64;
        char *block = calloc(1, bytes + unit + sizeof(void *)), *p;
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
    """
    int ELE_OPENMP, ELE_CHECKED
    int omp_get_thread_num() noexcept nogil
    int omp_get_num_procs() noexcept nogil
    int omp_get_max_threads() noexcept nogil
    int omp_get_thread_limit() noexcept nogil
    int team_of(int n) noexcept nogil
    void end_team() noexcept nogil
    # A claim about the code's own state: stops a debug build, costs a release build nothing.
    void ele_check(bint claim, const char* what) noexcept nogil
    void ele_prefetch(const void* p) noexcept nogil

    int64_t now_us() noexcept nogil                   # of a clock that never jumps
    int64_t now_ms() noexcept nogil
    ctypedef int atomic_flag "ele_flag"
    int flag_get(atomic_flag* p) noexcept nogil
    void flag_set(atomic_flag* p, int value) noexcept nogil
    ctypedef int spin_lock "ele_spin"
    void spin_take(spin_lock* lock) noexcept nogil
    void spin_give(spin_lock* lock) noexcept nogil
    uint64_t word_get(const uint64_t* p) noexcept nogil
    void word_set(uint64_t* p, uint64_t value) noexcept nogil
    void byte_set "word_set"(uint8_t* p, uint8_t value) noexcept nogil
    void* table_alloc(size_t bytes) noexcept nogil    # NULL when there is not enough memory
    void table_free(void* p) noexcept nogil
