# base/openmp.pxi - OpenMP or its absence, and teams of threads that the system can really provide.
#
# Uses: base/platform.

cdef extern from *:
    """
    #ifdef _OPENMP
    #include <omp.h>
    #define ELE_OPENMP 1
    #else
    static int omp_get_thread_num(void) { return 0; }
    static int omp_get_num_procs(void) { return 1; }
    static int omp_get_max_threads(void) { return 1; }
    static int omp_get_thread_limit(void) { return 1; }
    #define ELE_OPENMP 0
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
       and waking it up so often costs a search with two threads a twentieth of its nodes a second. With musl it
       crashes: GCC's OpenMP finds a thread's handle at a fixed distance from its own data, and there it is none. */
    #if defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
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
    """
    int ELE_OPENMP
    int omp_get_thread_num() noexcept nogil
    int omp_get_num_procs() noexcept nogil
    int omp_get_max_threads() noexcept nogil
    int omp_get_thread_limit() noexcept nogil
    int team_of(int n) noexcept nogil
    void end_team() noexcept nogil
