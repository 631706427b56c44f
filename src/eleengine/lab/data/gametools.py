"""What can be done with files of games, in bounded memory: count, check, import, merge, filter, shuffle.

New files appear under their name when they are complete; until then they are called .NAME.*.part.
"""

from __future__ import annotations

import os
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from typing import IO, Any, Final

from ... import records
from ..._core import MATE, NO_SCORE, STARTING_FEN, BaseBoard, Move
from ..._internal.files import new_file
from ..._version import __version__
from ...records.packing import opened
from ..match.game import FAULTS
from ..match.journal import read_match
from .gamefile import (
    BLACK_WON,
    DRAWN,
    RED_WON,
    GameFileError,
    PackedGame,
    Reason,
    Writer,
    decode,
    encode,
    find_fault,
    pack,
    read_blocks,
    read_games,
    read_header,
)

__all__ = [
    "GamesSummary", "MoveHashes", "NoGamesError", "check", "comment_score", "is_text", "merged", "packed",
    "read_journal", "read_records", "read_text", "save", "shuffled",
]  # fmt: skip

PILE_BYTES = 64 << 20  # that a shuffle holds in memory, about
TEXT_LINE = re.compile(rb"\s*[10=]\s+[a-i]\d[a-i]\d")
TEXT_RESULTS = {"1": RED_WON, "0": BLACK_WON, "=": DRAWN}
COMMENT_SCORE = re.compile(r"\s*([+-]?\d{1,6}(?:\.\d{1,3})?)/\d")
RECORD_RESULTS = {"1-0": RED_WON, "0-1": BLACK_WON, "1/2-1/2": DRAWN}


class NoGamesError(ValueError):
    """There are no games for a file that is to be written."""


@dataclass
class GamesSummary:
    """Sums over games."""

    games: int = 0
    plies: int = 0
    scored: int = 0  #: plies with a score
    results: Counter[int] = field(default_factory=Counter)
    reasons: Counter[Reason] = field(default_factory=Counter)
    longest: int = 0

    def add(self, game: PackedGame) -> None:
        """Count a game."""
        self.games += 1
        self.plies += len(game.moves)
        self.scored += sum(score != NO_SCORE for score in game.scores or ())
        self.results[game.result] += 1
        self.reasons[Reason(game.reason)] += 1
        self.longest = max(self.longest, len(game.moves))


def check(path: str, tell: Callable[[GamesSummary], None] = lambda summary: None) -> GamesSummary:
    """Read the whole file and replay its games by the rules; `tell` is called now and then.

    GameFileError names the offset of the first damaged block, or of the block with the first faulty game.
    """
    summary = GamesSummary()
    for block in read_blocks(path):
        for game in block.games:
            fault = find_fault(game)
            if fault is not None:
                raise GameFileError(f"{path}: offset {block.offset}: game {summary.games}: {fault}")
            summary.add(game)
        tell(summary)
    return summary


def save(path: str, how: str, games: Iterable[PackedGame], sources: list[str], **more: Any) -> int:
    """Write games to a new file that says how and from what it was made; how many they were.

    FileExistsError if there is such a file, NoGamesError if there are no games for it.
    """
    with new_file(path) as part:
        of = [{"file": os.path.basename(source), **read_header(source)} for source in sources]
        with Writer(part, {"made by": f"eleengine {__version__} data {how}", "of": of, **more}) as writer:
            for game in games:
                writer.append(game)
        if not writer.games:
            raise NoGamesError(f"no games that can be used: {path} is not written")
    return writer.games


def merged(paths: list[str], *, unique: bool = False) -> Iterator[PackedGame]:
    """The games of all files in turn; unique: each course of moves once (24 to 48 bytes of memory each)."""
    hashes = MoveHashes()
    for path in paths:
        for game in read_games(path):
            if unique:
                course = encode(game._replace(result=0, reason=0, scores=None))
                if not hashes.add(blake2b(course, digest_size=MoveHashes.BYTES).digest()):
                    continue
            yield game


class MoveHashes:
    """A set of digests in a table of their bare bytes, of which a third is free at least.

    >>> hashes = MoveHashes()
    >>> [hashes.add(bytes([n]) * MoveHashes.BYTES) for n in (1, 2, 1)]
    [True, True, False]
    """

    BYTES = 16  # of a digest: two of 2**40 games are alike with a chance of 2**-49
    FIRST_SLOTS = 1 << 10

    def __init__(self) -> None:
        self._slots = self.FIRST_SLOTS
        self._table = bytearray(self._slots * self.BYTES)
        self._size = 0

    def add(self, digest: bytes) -> bool:
        """Take up a digest; was it not there?"""
        if 3 * self._size >= 2 * self._slots:
            self._grow()
        at = self._find(digest)
        if self._table[at : at + self.BYTES] == digest:
            return False
        self._table[at : at + self.BYTES] = digest
        self._size += 1
        return True

    def _find(self, digest: bytes) -> int:
        """Where it is, or the free place for it: a free slot is zero."""
        slot = int.from_bytes(digest[:8], "little") % self._slots
        while True:
            at = slot * self.BYTES
            found = self._table[at : at + self.BYTES]
            if found == digest or not any(found):
                return at
            slot = (slot + 1) % self._slots

    def _grow(self) -> None:
        old = self._table
        self._slots *= 2
        self._table = bytearray(self._slots * self.BYTES)
        for start in range(0, len(old), self.BYTES):
            digest = bytes(old[start : start + self.BYTES])
            if any(digest):
                at = self._find(digest)
                self._table[at : at + self.BYTES] = digest


def shuffled(path: str, seed: int, *, pile_bytes: int = PILE_BYTES) -> Iterator[PackedGame]:
    """The games in an order that depends on the seed alone; each order is as likely as any other.

    Games are dealt out to temporary files at random, then each of these is shuffled in memory.
    """
    rng = random.Random(seed)
    piles = 1 + 3 * os.path.getsize(path) // pile_bytes  # about the bytes of the games when unpacked
    with ExitStack() as stack:
        files: list[IO[bytes]] = [
            stack.enter_context(tempfile.TemporaryFile(dir=os.path.dirname(path) or "."))
            for _ in range(piles)
        ]
        for game in read_games(path):
            files[rng.randrange(piles)].write(encode(game))
        for file in files:
            file.seek(0)
            games = list(decode(file.read()))
            rng.shuffle(games)
            yield from games


def read_records(path: str, fault: Callable[[int, str], None]) -> Iterator[PackedGame]:
    """The main lines of game records, in any format that `records` reads.

    Comments that begin with a score, as match programs write them, give the scores (`comment_score`).

    fault: called with the number of a game and why it is left out: no result, or something is wrong with it.
    OSError, RecordError if the file cannot be read.
    """
    for number, entry in enumerate(records.scan_games(path), 1):
        if entry.deleted:
            continue
        try:
            yield packed(entry.game())
        except ValueError as error:
            fault(number, str(error))


def packed(game: records.Game) -> PackedGame:
    """The main line of a record with the scores of its comments; ValueError says why it is of no use."""
    result = RECORD_RESULTS.get(game.result)
    if game.warnings:
        raise ValueError(str(game.warnings[0]))
    if _is_no_moves_fault(end := game.headers.get("Termination", "")):
        raise ValueError(f"the game was lost by {end}")
    if result is None:
        raise ValueError("the result is not known")
    nodes = list(game.mainline())
    moves = _without_pass(game.mainline_moves())
    scores = (
        tuple(comment_score(node.comment) for node in nodes) if any(node.comment for node in nodes) else ()
    )
    known = scores if any(score != NO_SCORE for score in scores) else None
    return PackedGame(result, Reason.UNKNOWN, pack(moves), known, game.start)


def _is_no_moves_fault(reason: str) -> bool:
    """Does the end of a game say nothing of its moves, whatever program names it?"""
    return reason.lower().replace(" ", "_") in _NOT_BY_MOVES


def _without_pass(moves: Iterable[Move]) -> list[Move]:
    """The moves; ValueError if one of them is a pass, which files of games do not have."""
    found = list(moves)
    if not all(found):
        raise ValueError("a game for tuning has no pass")
    return found


def comment_score(comment: str) -> int:
    """Return the score at the head of a move's comment, in centipawns for its side, or NO_SCORE.

    A score stands before a slash and the depth, as `match` ("+34/8"), cutechess-cli and fastchess ("+0.34/8",
    in pawns) write it. The mates of others ("+M5/8") are left out.

    >>> comment_score("+34/8 0.062s"), comment_score("-0.34/12 0.1s"), comment_score("good") == NO_SCORE
    (34, -34, True)
    """
    if not (found := COMMENT_SCORE.match(comment)):
        return NO_SCORE
    score = round(float(found[1]) * 100) if "." in found[1] else int(found[1])
    return score if abs(score) <= MATE else NO_SCORE


#: Reasons and headers Termination, of our matches and of others, that no choice of a move has led to.
_NOT_BY_MOVES: Final = {*FAULTS, "abandoned", "stalled_connection", "emergency", "death"} - {
    "illegal_move",
    "no_move",
}
#: How the games of a match end, but for the rules of repetition, captures and material.
_REASONS: Final = {
    "checkmate": Reason.MATE, "stalemate": Reason.MATE, "max_plies": Reason.LENGTH,
    "resignation": Reason.ADJUDICATION, "win_adjudication": Reason.ADJUDICATION,
    "draw_adjudication": Reason.ADJUDICATION, "table_adjudication": Reason.ADJUDICATION,
}  # fmt: skip


def read_journal(path: str, fault: Callable[[int, str], None]) -> Iterator[PackedGame]:
    """The games of a match with the scores of both players.

    fault: called with the number, from 1, of a game that no move has ended but a player's failure, and which;
        it is left out.
    OSError; ValueError if the journal is damaged.
    """
    for number, game in sorted(read_match(path).results.records.items()):
        if _is_no_moves_fault(game.reason):
            fault(number + 1, f"the game was lost by {game.reason}")
            continue
        scores = [NO_SCORE] * game.book
        for note in game.notes:
            usable = note.score is not None and abs(note.score) <= MATE
            scores.append(note.score if usable and note.score is not None else NO_SCORE)
        result, reason = RECORD_RESULTS[game.result], _REASONS.get(game.reason, Reason.RULES)
        packed = PackedGame(result, reason, pack(game.moves), tuple(scores), game.fen)
        # A match may have had other rules than those by which such files are checked.
        yield packed._replace(reason=Reason.UNKNOWN) if find_fault(packed) else packed


def is_text(path: str) -> bool:
    """Is the file one of lines for `read_text`? OSError, RecordError."""
    with opened(path) as (file, _):
        for line in islice(file, 1000):
            if line.strip() and not line.startswith(b"#"):
                return bool(TEXT_LINE.match(line))
    return False


def read_text(path: str, fault: Callable[[int, str], None]) -> Iterator[PackedGame]:
    """Games out of text, packed or not: a line each, result (1, 0 or =) and moves in ICCS.

    fault: called with the line and the fault of a game that is left out. OSError, RecordError if the file
    cannot be read.
    """
    with opened(path) as (file, _):
        for number, line in enumerate(file, 1):
            words = line.decode("ascii", "replace").split()
            if not words or words[0].startswith("#"):
                continue
            try:
                if words[0] not in TEXT_RESULTS:
                    raise ValueError(f"a result is 1, 0 or =, not {words[0][:20]!r}")
                moves = _without_pass(map(Move.from_iccs, words[1:]))
                board = BaseBoard(STARTING_FEN)
                for move in moves:
                    board.push(move)
                yield PackedGame(TEXT_RESULTS[words[0]], Reason.UNKNOWN, pack(moves))
            except ValueError as error:
                fault(number, str(error))
