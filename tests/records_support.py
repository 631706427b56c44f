"""Game trees at random, and what becomes of a game in a format, for the tests of records."""

from hypothesis import strategies as st

from eleengine import RED, STARTING_FEN, Board
from eleengine.records import Arrow, Eval, Game, encode_game, read_game
from eleengine.score import Cp, Mate, PovScore

STARTS = [
    STARTING_FEN,
    "4k4/9/9/9/PPP6/9/9/9/9/3K5 b - - 3 40",
    "2bak4/4a4/4b4/p3p1p2/9/2P1R4/P3c3P/4C4/4A4/r2AK1B2 w - - 0 12",
]
# A text with U+FFFD has been damaged before: it is kept, and told by a warning.
LETTERS = st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="\ufffd")
WORDS = st.text(LETTERS, min_size=1, max_size=8)
LINES = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
TEXTS = st.lists(LINES, min_size=1, max_size=3).map("\n".join)
SQUARES = st.integers(0, 89)
ARROWS = st.builds(Arrow, SQUARES, SQUARES, st.sampled_from(["green", "red", "blue", "yellow"]))
SCORES = st.one_of(st.builds(Cp, st.integers(-3000, 3000)), st.builds(Mate, st.integers(1, 90)))
EVALS = st.builds(
    lambda score, sign, depth: Eval(PovScore(score if sign else -score, RED), depth),
    SCORES, st.booleans(), st.none() | st.integers(1, 60),
)  # fmt: skip


def through(name, game):
    """The game that is read of a game in a format, and what the writer says is lost."""
    losses = []
    return read_game(encode_game(game, name, losses=losses), format=name), losses


@st.composite
def trees(draw, starts=STARTS, texts=TEXTS, notes=True, variations=True, size=25):
    """A game of up to so many moves; comments are texts, other notes only if asked for."""
    game = Game(draw(st.sampled_from(starts)))
    nodes = [(game, Board(game.start))]
    for choice in draw(st.lists(st.integers(0, 10**6), max_size=size)):
        # Mostly the line goes on; sometimes it branches.
        parent, board = nodes[choice % len(nodes)] if variations and choice % 3 == 0 else nodes[-1]
        moves = [move for move in board.legal_moves if parent.child(move) is None]
        if moves:
            node = parent.add(moves[choice // 7 % len(moves)])
            board = board.copy()
            board.push(node.move)
            nodes.append((node, board))
    for place in draw(st.sets(st.integers(0, len(nodes) - 1), max_size=4)):
        nodes[place][0].comment = draw(texts)
    if notes:
        for place in draw(st.sets(st.integers(0, len(nodes) - 1), max_size=3)):
            node = nodes[place][0]
            arrows = draw(st.lists(ARROWS, max_size=2, unique=True))  # those with a length first, as in files
            node.arrows = tuple(sorted(arrows, key=lambda arrow: arrow.tail == arrow.head))
            node.eval = draw(st.none() | EVALS)
            if node.parent:
                node.nags = tuple(draw(st.lists(st.integers(1, 139), max_size=2, unique=True)))
                node.clock = draw(st.none() | st.integers(0, 86400).map(float))
                node.elapsed = draw(st.none() | st.integers(0, 9999).map(float))
    return game
