# _cpu.pyx - the level of x86-64 this machine runs; built only where _core has variants.
#
# Compiled for plain x86-64, so that it runs where the others may not.
# The builtin also asks whether the operating system saves the wide registers.
# Three features of v3 have a name in it only since gcc 11 and clang 19; cpuid always shows them.

cdef extern from *:
    """
    #include <cpuid.h>

    static int ele_x86_level(void) {
        unsigned a, b, c = 0, d, c1 = 0;
        #define HAS(name) __builtin_cpu_supports(name)
        __builtin_cpu_init();
        if (!(HAS("ssse3") && HAS("sse4.1") && HAS("sse4.2") && HAS("popcnt")))
            return 1;
        __get_cpuid(1, &a, &b, &c1, &d);
        __get_cpuid(0x80000001, &a, &b, &c, &d);
        if (!(HAS("avx2") && HAS("bmi") && HAS("bmi2") && HAS("fma")
              && (c1 & bit_MOVBE) && (c1 & bit_F16C) && (c & bit_LZCNT)))
            return 2;
        if (!(HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") && HAS("avx512dq") && HAS("avx512vl")))
            return 3;
        return 4;
        #undef HAS
    }
    """
    int ele_x86_level() noexcept nogil


def x86_level():
    """Return n of the highest x86-64-v<n> this machine supports, 1 to 4."""
    return ele_x86_level()
