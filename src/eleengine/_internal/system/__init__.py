"""What differs between operating systems: processes, processors, locks of files, memory, terminals."""

import sys

if sys.platform == "win32":
    from .windows import (
        cpu_name,
        free_memory_mib,
        is_terminal,
        keep_on,
        kill_program,
        lock_file,
        max_open_files,
        memory_mib,
        share_processors,
        split_command,
        start_program,
        system_language,
        when_orphaned,
    )
else:
    from .posix import (
        cpu_name,
        free_memory_mib,
        is_terminal,
        keep_on,
        kill_program,
        lock_file,
        max_open_files,
        memory_mib,
        share_processors,
        split_command,
        start_program,
        system_language,
        when_orphaned,
    )

__all__ = [
    "cpu_name",
    "free_memory_mib",
    "is_terminal",
    "keep_on",
    "kill_program",
    "lock_file",
    "max_open_files",
    "memory_mib",
    "share_processors",
    "split_command",
    "start_program",
    "system_language",
    "when_orphaned",
]
