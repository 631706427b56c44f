"""Names of chess.engine for those who come from python-chess.

>>> from eleengine import Engine
>>> Engine().send_opponent_information
Traceback (most recent call last):
...
AttributeError: 'Engine' has no 'send_opponent_information', which is python-chess's: use nothing: ...
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

from ..chess_names import refuse

#: Names of engines in python-chess that are not here: what to use instead.
ENGINE_HINTS: Final = {
    "communicate": "AsyncEngine, whose methods are awaited",
    "popen": "the class itself, with the command of the program",
    "popen_xboard": "popen_ucci",
    "send_opponent_information": "nothing: engines do not learn of it",
}

#: Classes of chess.engine and what they are here.
CLASSES: Final = {
    "AnalysisResult": "AsyncAnalysis",
    "SimpleAnalysisResult": "ExternalAnalysis",
    "SimpleEngine": "ExternalEngine",
    "UciProtocol": "AsyncEngine",
}


class ChessEngineNames:
    """What engines in python-chess have, too."""

    def __getattr__(self, name: str) -> NoReturn:
        refuse(self, name, ENGINE_HINTS)

    def quit(self: Any) -> Any:
        """`close` under its name in python-chess."""
        return self.close()

    def send_game_result(self, board: object, winner: object = None, **told: object) -> object:
        """Nothing: neither UCI nor UCCI has a word for the result of a game."""
