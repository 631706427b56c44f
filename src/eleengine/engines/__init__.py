"""Engines under the names of python-chess: the one in this process, and other programs.

>>> from eleengine import Board
>>> from eleengine.engines import Engine, Limit
>>> with Engine() as engine:
...     engine.play(Board(), Limit(nodes=500)).move in Board().legal_moves
True
"""

from .._internal.lazy import import_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .._core import Searcher
    from ..score import Cp, Mate, MateGiven, PovScore, PovWdl, Score, Wdl
    from .aio import AsyncAnalysis, AsyncEngine, EngineTransport, popen_ucci, popen_uci
    from .external import ExternalAnalysis, ExternalEngine, IllegalReplyError
    from .local import Engine
    from .options import Option
    from .pool import EnginePool, PoolJob
    from .session import Analysis
    from .types import (
        INFO_ALL,
        INFO_BASIC,
        INFO_CURRLINE,
        INFO_NONE,
        INFO_PV,
        INFO_REFUTATION,
        INFO_SCORE,
        AnyAnalysis,
        AnyEngine,
        EngineError,
        EngineTerminatedError,
        EngineTimeoutError,
        Info,
        InfoDict,
        Limit,
        PlayResult,
    )

__all__ = [
    "INFO_ALL", "INFO_BASIC", "INFO_CURRLINE", "INFO_NONE", "INFO_PV", "INFO_REFUTATION", "INFO_SCORE",
    "Analysis", "AnyAnalysis", "AnyEngine", "AsyncAnalysis", "AsyncEngine", "Cp", "Engine", "EngineError",
    "EnginePool", "EngineTerminatedError", "EngineTimeoutError", "EngineTransport", "ExternalAnalysis",
    "ExternalEngine", "IllegalReplyError", "Info", "InfoDict", "Limit", "Mate", "MateGiven", "Option",
    "PlayResult", "PoolJob", "PovScore", "PovWdl", "Score", "Searcher", "Wdl", "popen_ucci", "popen_uci",
]  # fmt: skip

# Imported when first asked for, because the UCCI engine, which needs the clock only, starts fast.
_MODULES = {
    **dict.fromkeys((
        "INFO_ALL", "INFO_BASIC", "INFO_CURRLINE", "INFO_NONE", "INFO_PV", "INFO_REFUTATION", "INFO_SCORE",
        "AnyAnalysis", "AnyEngine", "EngineError", "EngineTerminatedError", "EngineTimeoutError", "Info",
        "InfoDict", "Limit", "PlayResult",
    ), "types"),
    **dict.fromkeys(("Cp", "Mate", "MateGiven", "PovScore", "PovWdl", "Score", "Wdl"), ".score"),
    **dict.fromkeys(("AsyncAnalysis", "AsyncEngine", "EngineTransport", "popen_ucci", "popen_uci"), "aio"),
    **dict.fromkeys(("ExternalAnalysis", "ExternalEngine", "IllegalReplyError"), "external"),
    **dict.fromkeys(("EnginePool", "PoolJob"), "pool"),
    "Analysis": "session", "Engine": "local", "Option": "options", "Searcher": "local",
}  # fmt: skip


def __getattr__(name: str) -> object:
    from .chess_names import CLASSES

    return import_name(__name__, _MODULES, CLASSES.get(name, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
