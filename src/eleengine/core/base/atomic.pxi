# base/atomic.pxi - what threads share without a lock, and a lock for a few instructions.
#
# Uses: base/platform.

cdef extern from *:
    """
    #include <stdatomic.h>

    /* Flags that one thread sets and others read; words of the table and scores that all may write. */
    typedef _Atomic int ele_flag;
    #define flag_get(p)    atomic_load_explicit((p), memory_order_relaxed)
    #define flag_set(p, v) atomic_store_explicit((p), (v), memory_order_relaxed)
    #define word_get(p)    __atomic_load_n((p), __ATOMIC_RELAXED)
    #define word_set(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
    #define pointer_get(p)    __atomic_load_n((p), __ATOMIC_ACQUIRE)
    #define pointer_set(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)

    #ifdef _WIN32
    #define ele_yield() SwitchToThread()
    #else
    #include <sched.h>
    #define ele_yield() sched_yield()
    #endif

    /* Spin lock, for critical sections of a few instructions. Who waits longer than they take gives its
       processor away: perhaps the holder was put aside and needs it. */
    typedef _Atomic int ele_spin;
    static inline void spin_take(ele_spin *lock) {
        while (atomic_exchange_explicit(lock, 1, memory_order_acquire))
            for (int i = 1; atomic_load_explicit(lock, memory_order_relaxed); i++)
                if (i % 1024 == 0) ele_yield();
    }
    static inline void spin_give(ele_spin *lock) {
        atomic_store_explicit(lock, 0, memory_order_release);
    }
    """
    ctypedef int atomic_flag "ele_flag"
    int flag_get(atomic_flag* p) noexcept nogil
    void flag_set(atomic_flag* p, int value) noexcept nogil
    ctypedef int spin_lock "ele_spin"
    void spin_take(spin_lock* lock) noexcept nogil
    void spin_give(spin_lock* lock) noexcept nogil
    uint64_t word_get(const uint64_t* p) noexcept nogil
    void word_set(uint64_t* p, uint64_t value) noexcept nogil
    const uint8_t* pointer_get(const uint8_t** p) noexcept nogil
    void pointer_set(const uint8_t** p, const uint8_t* value) noexcept nogil
    int16_t short_get "word_get"(const int16_t* p) noexcept nogil
    void short_set "word_set"(int16_t* p, int16_t value) noexcept nogil
    void byte_set "word_set"(uint8_t* p, uint8_t value) noexcept nogil
