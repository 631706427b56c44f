"""Engines under the names of python-chess: the one in this process, and other programs.

>>> from eleengine import Board
>>> from eleengine.engines import Engine, Limit
>>> with Engine() as engine:
...     engine.play(Board(), Limit(nodes=500)).move in Board().legal_moves
True
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .._core import Searcher
    from .aio import AsyncAnalysis, AsyncEngine
    from .external import EngineTimeoutError, ExternalAnalysis, ExternalEngine, IllegalReplyError
    from .local import Engine
    from .session import Analysis
    from .types import EngineError, EngineTerminatedError, InfoDict, Limit, PlayResult, Wdl

__all__ = [
    "Analysis", "AsyncAnalysis", "AsyncEngine", "Engine", "EngineError", "EngineTerminatedError",
    "EngineTimeoutError", "ExternalAnalysis", "ExternalEngine", "IllegalReplyError", "InfoDict", "Limit",
    "PlayResult", "Searcher", "Wdl",
]  # fmt: skip

# Imported when first asked for, because the UCCI engine, which needs the clock only, starts fast.
_MODULES = {
    "Analysis": "session", "AsyncAnalysis": "aio", "AsyncEngine": "aio", "Engine": "local",
    "EngineError": "types", "EngineTerminatedError": "types", "EngineTimeoutError": "external",
    "ExternalAnalysis": "external", "ExternalEngine": "external", "IllegalReplyError": "external",
    "InfoDict": "types", "Limit": "types", "PlayResult": "types",
    "Searcher": "local", "Wdl": "types",
}  # fmt: skip


def __getattr__(name: str) -> object:
    if name in _MODULES:
        import importlib

        return getattr(importlib.import_module(f".{_MODULES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
