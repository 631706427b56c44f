# api/process.pxi - what this build can do, and signals in the middle of long work.
#
# Uses: base/platform.

import cython


def openmp_enabled():
    """Whether the extension was built with OpenMP, that is, can use several threads."""
    return bool(ELE_OPENMP)


def checks_enabled():
    """Whether this is a debug build, which tests its own claims and aborts on a broken one."""
    return bool(ELE_CHECKED)


def cpu_count():
    """Processors that OpenMP may use, by affinity, OMP_NUM_THREADS and OMP_THREAD_LIMIT; 1 without OpenMP."""
    return max(1, min(omp_get_num_procs(), omp_get_max_threads(), omp_get_thread_limit()))


cdef class _Interruptible:
    """Long work that a signal may end; what its handler raised is raised again when the work has stopped."""
    cdef object failure


cdef bint in_main_thread():
    """Is this the thread that signals arrive in?"""
    from threading import get_ident, main_thread

    return get_ident() == main_thread().ident


cdef bint is_interrupted(void* work) noexcept with gil:
    """Has a signal's handler raised something? work: an _Interruptible."""
    try:
        PyErr_CheckSignals()
    except BaseException as error:
        (<_Interruptible>work).failure = error
        return True
    return False
