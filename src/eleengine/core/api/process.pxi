# api/process.pxi - what this build can do, numbers and texts from Python, locks, signals in the middle of long work.
#
# Uses: base/platform, base/openmp.

import cython


cdef extern from "Python.h":
    Py_ssize_t PyNumber_AsSsize_t(object number, object overflow) except? -1


cdef int64_t within(str name, object value, int64_t low, int64_t high) except? -1:
    """The C number of any integer of Python or numpy in a range; TypeError, ValueError.

    It is compared after the conversion: operators of a subclass of int may say anything.
    """
    cdef int64_t number
    if not PyIndex_Check(value):
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
    try:
        number = PyNumber_AsSsize_t(value, OverflowError)
    except OverflowError:
        number = low - 1
    if not low <= number <= high:
        raise ValueError(f"{name} must be {low}..{high}, not {value}")
    return number


cdef str plain_text(str name, object text):
    """A text without what a subclass of str may add to it; TypeError for anything else."""
    if not isinstance(text, str):
        raise TypeError(f"{name} is a str, not {type(text).__name__}")
    return str.__str__(text)


cdef void* need(void* memory, str what) except NULL:
    """The memory that was asked for; MemoryError says for what."""
    if memory == NULL:
        raise MemoryError(f"no memory for {what}")
    return memory


def openmp_enabled():
    """Whether the extension was built with OpenMP, that is, can use several threads."""
    return bool(ELE_OPENMP)


def checks_enabled():
    """Whether this is a debug build, which tests its own claims and aborts on a broken one."""
    return bool(ELE_CHECKED)


def cpu_count():
    """Processors that OpenMP may use, by affinity, OMP_NUM_THREADS and OMP_THREAD_LIMIT; 1 without OpenMP."""
    return max(1, min(omp_get_num_procs(), omp_get_max_threads(), omp_get_thread_limit()))


@cython.final
cdef class _Lock:
    """A lock that raises RuntimeError in the thread that holds it, where it would never be released.

    Callbacks and handlers of signals run in that thread, in the middle of the work.
    """
    cdef object lock
    cdef unsigned long holder        # a thread, or 0
    cdef str refusal                 # what the error says

    def __cinit__(self, str refusal):
        self.lock = allocate_lock()
        self.refusal = refusal

    def __enter__(self):
        if self.holder == PyThread_get_thread_ident():
            raise RuntimeError(self.refusal)
        self.lock.acquire()
        self.holder = PyThread_get_thread_ident()

    def __exit__(self, *error):
        self.holder = 0
        self.lock.release()


cdef class _Interruptible:
    """Long work that a signal may end; what its handler raised is raised again when the work has stopped."""
    cdef object failure


cdef bint is_free(size_t bytes, size_t given_back) noexcept with gil:
    """Has the system as many bytes, once some are given back? Yes, if it cannot be asked."""
    try:
        from eleengine._internal.system import has_room as is_free
        return is_free(bytes, given_back)
    except KeyboardInterrupt:
        interrupt_main()  # once more, where it can be raised
        return True
    except ImportError:  # while the interpreter ends
        return True


ask_for_room = is_free


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
