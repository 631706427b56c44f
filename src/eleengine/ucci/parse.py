"""Reading the arguments of commands: moves, positions, and the bag of words behind `go`.

Whatever is wrong with them becomes a Complaint; nothing else is raised for any words.
"""

from .._core import STARTING_FEN, BaseBoard, Move
from .options import integer
from .replies import Complaint

_LIMITS = {"a": 2, "b": 2, "n": 2, "r": 2, "c": 2, "p": 5}
_ALIASES = str.maketrans("eEhH", "bBnN")
# The points of advisors and elephants seen from their own side: file, rank.
_ADVISOR = frozenset(((3, 0), (5, 0), (4, 1), (3, 2), (5, 2)))
_ELEPHANT = frozenset(((2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)))
MAX_QUIET = 10_000
MAX_MOVE_NUMBER = 99_999


def read_move(text: str) -> Move | None:
    """The move in text, or None if it is none.

    >>> read_move("H2-E2"), read_move("h2h2"), read_move("0000")
    (Move.from_iccs('h2e2'), None, None)
    """
    try:
        move = Move.from_iccs(text)
    except ValueError:
        return None
    return move if move.from_square != move.to_square else None


def read_place(words: list[str]) -> tuple[BaseBoard, str]:
    """The board that `fen ... [moves ...]` or `startpos [moves ...]` describes, and a warning or ""."""
    lower = [word.lower() for word in words]
    end = lower.index("moves") if "moves" in lower else len(words)
    fields = words[1:end]
    warning = ""
    if lower[:1] == ["startpos"] and not fields:
        board = BaseBoard(STARTING_FEN)
    elif lower[:1] == ["fen"] and fields:
        board = read_fen(fields)
        if len(fields) == 1:
            warning = "warning fen side missing"
    else:
        raise Complaint("error position incomplete")
    for ply, text in enumerate(words[end + 1 :], 1):
        move = read_move(text)
        if move is None:
            raise Complaint(f"error move {{}} malformed ply {ply}", text)
        try:
            board.push(move)
        except ValueError:
            raise Complaint(f"error move {{}} illegal ply {ply}", text) from None
    return board, warning


def read_fen(fields: list[str]) -> BaseBoard:
    """The board of a FEN of which only the first field is needed; what follows the side may be junk."""
    text = fields[0].translate(_ALIASES)
    check_pieces(check_ranks(text))
    side = fields[1].lower() if len(fields) > 1 else "w"
    if side not in ("w", "r", "b"):
        raise Complaint("error fen side {}", fields[1])
    quiet = number = None
    if len(fields) > 5:
        quiet, number = integer(fields[4]), integer(fields[5])
    if quiet is None or number is None or quiet < 0 or number < 0:
        quiet, number = 0, 1
    quiet, number = min(quiet, MAX_QUIET), min(number, MAX_MOVE_NUMBER)
    try:
        return BaseBoard(f"{text} {side} - - {quiet} {number}")
    except ValueError:
        raise Complaint("error fen king capturable") from None


def check_ranks(text: str) -> list[tuple[str, int, int]]:
    """The pieces of the board in text as (letter, file, rank)."""
    rows = text.split("/")
    if len(rows) != 10:
        raise Complaint("error fen ranks")
    pieces = []
    for rank, row in zip(range(9, -1, -1), rows, strict=True):
        file = 0
        for letter in row:
            if letter in "123456789":
                file += int(letter)
            else:
                pieces.append((letter, file, rank))
                file += 1
        if file != 9 or "0" in row:
            raise Complaint(f"error fen rank {rank} width")
    for letter, _, _ in pieces:
        if letter.lower() not in "kabnrcp":
            raise Complaint("error fen letter {}", letter)
    return pieces


def check_pieces(pieces: list[tuple[str, int, int]]) -> None:
    """Complain about pieces that cannot be there, the first defect in the order of the protocol's list."""
    own = [
        (letter.lower(), file, rank if letter.isupper() else 9 - rank, letter, f"{'abcdefghi'[file]}{rank}")
        for letter, file, rank in pieces
    ]
    letters = [letter for letter, _, _ in pieces]
    if letters.count("K") != 1 or letters.count("k") != 1:
        raise Complaint("error fen kings")
    if any(kind == "k" and not (3 <= file <= 5 and rank <= 2) for kind, file, rank, _, _ in own):
        raise Complaint("error fen palace")
    for name, letter, points in (("advisor", "a", _ADVISOR), ("elephant", "b", _ELEPHANT)):
        for kind, file, rank, _, square in own:
            if kind == letter and (file, rank) not in points:
                raise Complaint(f"error fen {name} {square}")
    home: set[tuple[str, int]] = set()  # files with a pawn that has not crossed the river
    for kind, file, rank, letter, square in own:
        if kind == "p" and rank < 5:
            if rank < 3 or file % 2 or (letter, file) in home:
                raise Complaint(f"error fen pawn {square}")
            home.add((letter, file))
    for letter in letters:
        if letters.count(letter) > _LIMITS.get(letter.lower(), 1):
            raise Complaint("error fen count {}", letter)


_FLAGS = frozenset(("ponder", "draw", "infinite"))
_CLOCK = frozenset((
    "time", "increment", "movestogo", "opptime", "oppincrement", "oppmovestogo", "movetime",
    "wtime", "btime", "winc", "binc",
))  # fmt: skip
_NUMBERS = _CLOCK | {"depth", "nodes", "mate"}
_LEAST = {"depth": 0, "nodes": 0, "mate": 1}
MAX_DEPTH = 100
MAX_NODES = 2**62


class Go:
    """The words behind `go`: flags, numbers by keyword, moves to search, complaints about the rest.

    >>> go = Go("depth 5 time 300 increment x".split())
    >>> go.numbers["depth"], go.numbers["time"], [str(c) for c in go.complaints]
    (5, 300, ['error go increment: bad value'])
    """

    def __init__(self, words: list[str]) -> None:
        self.flags: set[str] = set()
        self.numbers: dict[str, int] = {}
        self.moves: list[str] | None = None  # behind searchmoves
        self.complaints: list[Complaint] = []
        self.unknown: list[str] = []
        rest = list(reversed(words))  # the next word is at the end
        while rest:
            word = rest.pop().lower()
            if word in _FLAGS:
                self.flags.add(word)
            elif word in _NUMBERS:
                self._read_number(word, rest)
            elif word == "searchmoves":
                self.moves = []
                while rest and rest[-1].lower() not in _KEYWORDS:
                    self.moves.append(rest.pop())
            else:
                self.unknown.append(word)

    def _read_number(self, word: str, rest: list[str]) -> None:
        following = rest[-1].lower() if rest else ""
        if word == "depth" and following == "infinite":
            return  # `infinite` is the next word anyway
        value = integer(following)
        if following and following not in _KEYWORDS:
            rest.pop()
        if value is not None and value >= _LEAST.get(word, value):
            self.numbers[word] = value
            return
        self.complaints.append(Complaint(f"error go {word}: bad value"))
        if word == "movestogo":
            self.numbers.setdefault("increment", 0)  # be careful: take the time for the whole game's
        elif word in _CLOCK:
            self.numbers[word] = 0  # answering early is better than losing on time

    @property
    def ponder(self) -> bool:
        return "ponder" in self.flags

    @property
    def draw(self) -> bool:
        return "draw" in self.flags

    @property
    def is_bare(self) -> bool:
        """Nothing was told, or tried to be told, of when to end; in UCI that means never."""
        return not (self.flags or self.numbers or self.complaints)

    @property
    def infinite(self) -> bool:
        return "infinite" in self.flags

    @property
    def depth(self) -> int:
        return min(self.numbers.get("depth", 0), MAX_DEPTH)

    @property
    def nodes(self) -> int:
        """The limit, 0 for none; `nodes 0` asks for the quickest answer there is."""
        return min(max(1, self.numbers["nodes"]), MAX_NODES) if "nodes" in self.numbers else 0

    @property
    def mate(self) -> int:
        return min(self.numbers.get("mate", 0), MAX_DEPTH)

    @property
    def movetime(self) -> int | None:
        return self.numbers.get("movetime")

    @property
    def movestogo(self) -> int | None:
        return self.numbers.get("movestogo")

    def clock(self, red_to_move: bool, unit_ms: int) -> tuple[int | None, int | None]:
        """The mover's time and increment in ms, None for what was not told; `time` is in units."""
        mine = "w" if red_to_move else "b"
        found: list[int | None] = []
        for uci, ucci in ((f"{mine}time", "time"), (f"{mine}inc", "increment")):
            if ucci in self.numbers:
                found.append(self.numbers[ucci] * unit_ms)
            else:
                found.append(self.numbers.get(uci))
        return found[0], found[1]

    @property
    def one_move(self) -> bool:
        """A clock without any other word about the game is the time for this move."""
        return "time" in self.numbers and not self.numbers.keys() & (_CLOCK - {"time", "movetime"})


_KEYWORDS = _FLAGS | _NUMBERS | {"searchmoves"}
