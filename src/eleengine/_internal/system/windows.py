"""Windows. What Python does not wrap is called through ctypes, which only those pay for who need it."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

assert sys.platform == "win32"
import _winapi  # noqa: E402 - mypy must know before

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Mapping
    from typing import IO, Any, TextIO

_LOCK_AT = 1 << 29  # times 4 GiB, far behind what files hold: nobody else can read a byte that is locked
_RIGHTS = 0x100000 | 0x1000  # to wait for a process and to ask what it is
_NO_SUCH_PROCESS = 87  # ERROR_INVALID_PARAMETER: an id that nobody has
_VIRTUAL_TERMINAL = 4  # the bit of a console's mode that lets it obey escape sequences
_jobs: dict[int, int] = {}  # handles of job objects by process, 0 for this one
_jobs_lock = threading.Lock()


def _kernel() -> Any:
    import ctypes

    return ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]


def split_command(text: str) -> list[str]:
    r"""The words of a command line as Windows takes it apart: a \ is a letter, " quotes; ValueError."""
    import ctypes

    shell = ctypes.WinDLL("shell32")  # type: ignore[attr-defined,unused-ignore]
    shell.CommandLineToArgvW.restype = ctypes.POINTER(ctypes.c_wchar_p)
    count = ctypes.c_int()
    # The first word is a program, which has other rules.
    words = shell.CommandLineToArgvW(f"program {text}", ctypes.byref(count))
    if not words:
        raise ValueError("no command line")
    try:
        return words[1 : count.value]  # type: ignore[no-any-return]
    finally:
        _free(words)


def _free(pointer: Any) -> None:
    import ctypes

    kernel = _kernel()
    kernel.LocalFree.argtypes = [ctypes.c_void_p]
    kernel.LocalFree(pointer)


def start_program(
    command: list[str], *, cwd: str | os.PathLike[str] | None, env: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """Start a program with unbuffered pipes and without a window; OSError, ValueError.

    It ends with this process at the latest, and what it starts does, too.
    """
    import subprocess

    with _jobs_lock:
        if 0 not in _jobs:  # ours: nobody is outside in the moment between the start and a job of their own
            _jobs[0] = _job_of(_winapi.GetCurrentProcess())
    process = subprocess.Popen(
        command, cwd=cwd, env=env,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
        creationflags=subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP,
    )  # fmt: skip
    _jobs[process.pid] = _job_of(int(process._handle))  # type: ignore[attr-defined]
    return process


def _job_of(process: int) -> int:
    """A job object with the process of that handle and those that it starts; they end when it is closed."""
    import ctypes

    class JobLimits(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

        _fields_ = (
            ("times", ctypes.c_int64 * 2),
            ("flags", ctypes.c_uint32),
            ("working_set", ctypes.c_size_t * 2),
            ("active_processes", ctypes.c_uint32),
            ("affinity", ctypes.c_size_t),
            ("classes", ctypes.c_uint32 * 2),
            ("io_counters", ctypes.c_uint64 * 6),
            ("memory", ctypes.c_size_t * 4),
        )

    kernel = _kernel()
    kernel.CreateJobObjectW.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    limits = JobLimits(flags=0x2000)  # JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
    kernel.SetInformationJobObject(job, 9, ctypes.byref(limits), ctypes.sizeof(limits))
    kernel.AssignProcessToJobObject(job, ctypes.c_void_p(process))
    return job.value or 0


def kill_program(process: subprocess.Popen[bytes], *, with_group: bool) -> None:
    """End a program that start_program has started, and all in its job, even if it has ended itself."""
    if job := _jobs.pop(process.pid, 0):
        _winapi.CloseHandle(job)
    if process.poll() is None:
        process.kill()
    process.wait()


def share_processors(groups: int, each: int) -> list[set[int]]:
    """ValueError: programs here do not inherit the processors of the thread that starts them."""
    raise ValueError("threads can be kept on processors of their own on Linux only")


def keep_on(processors: set[int]) -> None:
    """Nothing: `share_processors` has none to give."""


def _started_by(process: int) -> int:
    """The id of the process that started the one of that handle, or 0."""
    import ctypes

    # PROCESS_BASIC_INFORMATION: the last of its six words. Wine 8 does not survive os.getppid() of an orphan.
    facts = (ctypes.c_size_t * 6)()
    ctypes.WinDLL("ntdll").NtQueryInformationProcess(  # type: ignore[attr-defined,unused-ignore]
        ctypes.c_void_p(process), 0, facts, ctypes.sizeof(facts), None
    )
    return int(facts[5])


def _program_of(process: int) -> str:
    """The path of the program that runs in the process of that handle, or "" if it is not known."""
    import ctypes

    path = ctypes.create_unicode_buffer(32768)
    size = ctypes.c_uint32(len(path))
    _kernel().QueryFullProcessImageNameW(ctypes.c_void_p(process), 0, path, ctypes.byref(size))
    return path.value


def _open_process(number: int) -> int:
    """A handle to wait for the process of that id, 0 if it has ended; OSError."""
    try:
        return _winapi.OpenProcess(_RIGHTS, False, number)
    except OSError as error:
        if number and error.winerror == _NO_SUCH_PROCESS:
            return 0
        raise


def _open_parent() -> int:
    """A handle to wait for the process that started this one, 0 if it has ended; OSError.

    That is not a program that only starts Python and waits for it, for it would outlive the GUI, too: pip's
    wrapper of a script, which is Python's first argument then, or the python.exe of a virtual environment.
    """
    starters = [path for path in sys.orig_argv[1:2] if path.lower().endswith(".exe")]
    if sys.executable != sys._base_executable:  # type: ignore[attr-defined]
        starters.append(sys.executable)
    process = _open_process(_started_by(_winapi.GetCurrentProcess()))
    with suppress(OSError):
        for _ in starters:
            if os.path.normcase(_program_of(process)) in map(os.path.normcase, starters):
                process = _open_process(_started_by(process))
    return process


def when_orphaned(act: Callable[[], object]) -> None:
    """Call act, in a thread of its own, when the process that started this one ends, or has ended by now.

    The programs do not notice, and the pipes never end when we have inherited both of their ends. Nothing
    happens where the parent cannot be watched.
    """

    def watch() -> None:
        try:
            parent = _open_parent()
        except OSError:
            return
        if parent:
            _winapi.WaitForSingleObject(parent, _winapi.INFINITE)
        act()

    threading.Thread(target=watch, name="parent", daemon=True).start()


def start_without_signals(thread: threading.Thread) -> None:
    """Start a thread; signals are always the main thread's here."""
    thread.start()


def lock_file(file: IO[bytes]) -> bool:
    """Keep other processes from locking the file until it is closed; False if one has locked it."""
    import ctypes
    import msvcrt

    handle = ctypes.c_void_p(msvcrt.get_osfhandle(file.fileno()))
    return bool(_kernel().LockFile(handle, 0xFFFFFFFE, _LOCK_AT, 1, 0))


def max_open_files() -> int:
    """How many files, sockets and pipes this process may have open."""
    return 8192  # of the C library; sockets are not among them


def memory_mib() -> int:
    """How much memory this process can have at best."""
    total_physical, _, total_committed, *_ = _memory_sizes()
    return min(total_physical, total_committed) >> 20


def free_memory_mib() -> int:
    """How much of that memory nobody uses."""
    _, free_physical, _, free_committed, *_ = _memory_sizes()
    return min(free_physical, free_committed) >> 20


def _memory_sizes() -> list[int]:
    """Bytes of memory, and what is free of them; then the same with the paging file; more."""
    import ctypes

    class MemoryStatus(ctypes.Structure):
        """MEMORYSTATUSEX."""

        _fields_ = (("length", ctypes.c_uint32), ("load", ctypes.c_uint32), ("sizes", ctypes.c_uint64 * 7))

    status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
    if not _kernel().GlobalMemoryStatusEx(ctypes.byref(status)):
        return [1 << 50] * 7  # the system refuses at once what it cannot give
    return list(status.sizes)


def cpu_name() -> str:
    """The name that Windows gives the processor."""
    import platform

    return platform.processor() or platform.machine()


def system_language() -> str:
    """The language and country in which Windows speaks to the user, such as zh_CN; empty if nobody knows."""
    import locale  # its own answer needs a locale to be set, which the Windows folder's Python leaves alone

    return locale.windows_locale.get(_kernel().GetUserDefaultUILanguage(), "")


def is_terminal(stream: TextIO) -> bool:
    """Is the stream a terminal that obeys escape sequences? A console is set to do so."""
    import ctypes
    import msvcrt

    if not stream.isatty():
        return False
    kernel, mode = _kernel(), ctypes.c_uint32()
    console = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno()))
    if not kernel.GetConsoleMode(console, ctypes.byref(mode)):
        return False
    return bool(kernel.SetConsoleMode(console, mode.value | _VIRTUAL_TERMINAL))
