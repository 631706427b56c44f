"""Files of games: what is written is read, damage is found and named, tools lose and invent nothing."""

import gzip
import itertools
import json
import lzma
import os
import random
import re
import struct
import zlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import CHECKOUT, MISSING_FILE, Wrapped, call, examples, play, raises

from eleengine import STARTING_FEN, Board, Limit, Move
from eleengine._core import NO_SCORE
from eleengine.lab.data import gamefile, gametools
from eleengine.lab.data.gamefile import (
    GameFileError,
    PackedGame,
    Reason,
    Writer,
    decode,
    encode,
    pack,
    read_games,
)
from eleengine.lab.match.game import PlayedGame
from eleengine.lab.match.journal import MatchJournal
from eleengine.lab.match.plan import MatchPlan
from eleengine.lab.match.spec import EngineSpec

ENDGAME = "3k5/4P4/9/9/9/9/9/9/9/4K4 w - - 0 1"


def random_game(seed, plies=40, start=STARTING_FEN):
    """Legal random moves with made-up scores."""
    rng = random.Random(seed)
    board = Board(start)
    for _ in play(board, rng, rng.randrange(plies), {}):
        pass
    moves = pack(board.move_stack)
    scores = tuple(rng.choice([NO_SCORE, rng.randrange(-3000, 3000)]) for _ in moves)
    return PackedGame(rng.randrange(3), Reason.UNKNOWN, moves, None if rng.random() < 0.2 else scores, start)


GAMES = [random_game(i, start=ENDGAME if i % 5 == 0 else STARTING_FEN) for i in range(150)]


def write(path, games, header=None):
    with Writer(str(path), header or {"made by": "test"}) as writer:
        for game in games:
            writer.append(game)
    return str(path)


def test_who_cannot_write_lets_go_of_the_file(tmp_path, monkeypatch):
    """A disk that is full, and then is not."""
    path = str(tmp_path / "games")
    writer = Writer(path, {"made by": "test"})
    writer.append(GAMES[0])
    with monkeypatch.context() as patch, pytest.raises(OSError):
        patch.setattr(os, "fsync", lambda number: (_ for _ in ()).throw(OSError("full")))
        writer.close()
    with Writer(path, {"made by": "test"}, append=True) as again:
        again.append(GAMES[1])
    assert GAMES[1] in list(read_games(path))


def data(*args, cwd=None):
    return call("data", *args, cwd=cwd)


# The format


numbers = st.integers(0, 0xFFFF)
games = st.integers(0, 30).flatmap(
    lambda n: st.builds(
        PackedGame,
        st.integers(0, 2),
        st.sampled_from(Reason),
        st.lists(numbers, min_size=n, max_size=n).map(tuple),
        st.none() | st.lists(st.integers(-0x8000, 0x7FFF), min_size=n, max_size=n).map(tuple),
        st.sampled_from([STARTING_FEN, ENDGAME]),
    )
)


@given(st.lists(games, max_size=8))
def test_games_round_trip(some):
    assert list(decode(b"".join(map(encode, some)))) == some


def check_that_they_are_games_or_refused(data):
    """What can be read says all that the bytes say."""
    try:
        found = list(decode(data))
    except ValueError:
        return False
    assert b"".join(map(encode, found)) == data
    return True


@given(st.binary(max_size=len(STARTING_FEN)))  # too short to spell out the position that needs no words
def test_other_bytes_are_games_or_refused(data):
    check_that_they_are_games_or_refused(data)


def test_damaged_games_are_other_games_or_refused():
    """Each byte of some games with each bit turned, and each cut."""
    data = b"".join(map(encode, [GAMES[0], GAMES[1], GAMES[2]]))
    ends = {len(b"".join(map(encode, GAMES[:n]))) for n in range(4)}
    read = 0
    for i, bit in itertools.product(range(len(data)), range(8)):
        damaged = bytearray(data)
        damaged[i] ^= 1 << bit
        read += check_that_they_are_games_or_refused(bytes(damaged))
    assert 0 < read < 8 * len(data)
    for end in range(len(data) + 1):
        assert check_that_they_are_games_or_refused(data[:end]) == (end in ends), end


def test_files_round_trip(tmp_path):
    path = write(tmp_path / "a.games", GAMES, {"made by": "test", "seed": 4})
    assert list(read_games(path)) == GAMES
    assert gamefile.read_header(path) == {"made by": "test", "seed": 4}
    sizes = [len(block.games) for block in gamefile.read_blocks(path)]
    assert sizes == [64, 64, 22]
    assert list(read_games(write(tmp_path / "b.games", []))) == []


def test_four_bytes_a_ply_are_enough(tmp_path):
    """Even for moves and scores of pure chance, which do not compress; real ones take less."""
    long = [random_game(i, plies=300)._replace(start=STARTING_FEN) for i in range(64)]
    scores = [tuple(random.Random(i).randrange(-3000, 3000) for i in range(len(game.moves))) for game in long]
    path = write(tmp_path / "a", [g._replace(scores=s) for g, s in zip(long, scores, strict=True)])
    assert os.path.getsize(path) <= 4 * sum(len(game.moves) for game in long)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (PackedGame(0, 0, (1,) * 70_000), "at most 65535 plies, not 70000"),
        (PackedGame(0, 0, (1, 2), (5,)), "2 moves, but 1 scores"),
        (PackedGame(2, 0, (1,), (40_000,)), "out of range"),
        (PackedGame(3, 0, ()), "a result is 0, 1 or 2, not 3"),
    ],
)
def test_games_that_do_not_fit_are_refused(game, message):
    raises(ValueError, message, encode, game)


# Damage


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = write(tmp_path_factory.mktemp("games") / "whole", GAMES)
    with open(path, "rb") as file:
        return file.read()


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A path that each example writes anew: a folder for each would take Windows longer than the test."""
    return str(tmp_path_factory.mktemp("games") / "x")


@pytest.fixture(scope="module")
def starts(whole, scratch):
    """Where the blocks of the whole file begin."""
    with open(scratch, "wb") as file:
        file.write(whole)
    return [block.offset for block in gamefile.read_blocks(scratch)]


OFFSETS = st.integers(0, 10**9)


@given(OFFSETS, st.integers(1, 255))
@examples(60)
def test_each_changed_byte_is_found(whole, scratch, where, change):
    where %= len(whole)
    damaged = bytearray(whole)
    damaged[where] ^= change
    with open(scratch, "wb") as file:
        file.write(damaged)
    raises(GameFileError, re.escape(scratch), list, read_games(scratch))


@given(OFFSETS)
@examples(50)
def test_each_cut_is_found_and_named(whole, scratch, starts, where):
    where %= len(whole)
    with open(scratch, "wb") as file:
        file.write(whole[:where])
    found = []
    try:
        for game in read_games(scratch):
            found.append(game)
    except GameFileError as error:
        if where >= starts[0]:
            assert f"offset {max(s for s in starts if s <= where)}: the file ends within" in str(error)
    else:
        assert where in starts  # as good as a file with fewer blocks
    assert found == GAMES[: len(found)] and len(found) % 64 == 0


def test_check_names_file_and_offset(tmp_path, whole, starts):
    good, bad, strange = tmp_path / "good", tmp_path / "bad", tmp_path / "strange"
    good.write_bytes(whole)
    _, second, _ = starts
    bad.write_bytes(whole[: second + 40] + b"?" + whole[second + 41 :])
    strange.write_bytes(b"hello")
    result = data("check", good, bad, strange)
    assert result.returncode == 1
    assert result.stdout.splitlines() == [
        f"{good}: {len(GAMES)} games, {sum(len(game.moves) for game in GAMES)} plies, no fault",
        f"{bad}: offset {second}: the checksum of the block is wrong",
        f"{strange}: not a file of games",
    ]


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (PackedGame(2, Reason.UNKNOWN, pack(["h2e2", "h2e2"])), "ply 2: h2e2 is not legal in "),
        (PackedGame(2, Reason.MATE, pack(["h2e2"])), "ended by mate, but there are moves"),
        (PackedGame(1, Reason.RULES, pack(["h2e2"])), "ended by the rules: drawn, but they do not say so"),
        (PackedGame(0, Reason.MATE, (), None, "3k4R/R8/9/9/9/9/9/9/9/5K3 b"), "ended by mate, but black won"),
    ],
)
def test_check_replays_the_games(tmp_path, game, message):
    path = write(tmp_path / "a", [GAMES[0], game])
    raises(GameFileError, f"{re.escape(path)}: offset [0-9]+: game 1: {message}", gametools.check, path)


def test_check_accepts_ends_by_the_rules(tmp_path):
    loop = ["h2e2", "h7e7", "e2h2", "e7h7"] * 2
    mated = PackedGame(2, Reason.MATE, (), None, "3k4R/R8/9/9/9/9/9/9/9/5K3 b - - 0 1")
    path = write(tmp_path / "a", [PackedGame(1, Reason.RULES, pack(loop)), mated])
    assert gametools.check(path).games == 2


def test_the_header_is_not_from_the_future(tmp_path):
    path = tmp_path / "a"
    write(path, [])
    content = bytearray(path.read_bytes())
    content[8] = 9
    path.write_bytes(content)
    raises(GameFileError, "version 9 of the format, but none above 2 is known", list, read_games(str(path)))


# Appending


@pytest.mark.parametrize("step", ["write", "flush", "fsync"])
def test_ctrl_c_while_a_block_is_written_loses_and_doubles_nothing(tmp_path, monkeypatch, step):
    """What is caught outside closes the file, which writes the games that wait."""
    path = str(tmp_path / "a.games")
    with pytest.raises(KeyboardInterrupt), Writer(path, {"made by": "test"}) as writer:
        for game in GAMES[:3]:
            writer.append(game)
        writer.flush()

        def interrupted(*args):
            monkeypatch.undo()
            if step != "fsync":
                getattr(file, step)(*args)
            raise KeyboardInterrupt

        file = writer._file
        if step == "fsync":
            monkeypatch.setattr(os, step, interrupted)
        else:
            wrapped = Wrapped(file)
            setattr(wrapped, step, interrupted)
            monkeypatch.setattr(writer, "_file", wrapped)
        writer.append(GAMES[3])
        writer.flush()
    assert list(gamefile.read_games(path)) == GAMES[:4]


@given(OFFSETS)
@examples(25)
def test_whatever_the_kill_left_can_be_gone_on_with(whole, scratch, where):
    """Cut anywhere: the games of whole blocks stay, the others are written again."""
    with open(scratch, "wb") as file:
        file.write(whole[: where % (len(whole) + 1)])
    with Writer(scratch, {"made by": "test"}, append=True) as writer:
        for game in GAMES[writer.games :]:
            writer.append(game)
    with open(scratch, "rb") as file:
        assert file.read() == whole


def test_damage_before_the_end_is_not_cut_off(tmp_path, whole, starts):
    path = tmp_path / "a"
    _, second, _ = starts
    damaged = whole[:second] + b"?" + whole[second + 1 :]
    path.write_bytes(damaged)
    with pytest.raises(GameFileError, match=f"offset {second}: no block begins here"):
        Writer(str(path), {"made by": "test"}, append=True)
    assert path.read_bytes() == damaged


@given(OFFSETS, st.integers(0, 7))
@examples(30)
def test_a_flipped_bit_never_costs_a_good_block(whole, scratch, where, bit):
    """Lengths included: nothing is cut off but a block that the file ends in, and nothing is read wrong."""
    damaged = bytearray(whole)
    damaged[where % len(whole)] ^= 1 << bit
    with open(scratch, "wb") as file:
        file.write(damaged)
    raises((GameFileError, ValueError), "", Writer, scratch, {"made by": "test"}, append=True)
    with open(scratch, "rb") as file:
        assert file.read() == damaged


def test_a_missing_and_a_doubled_block_are_noticed(tmp_path, whole, starts):
    _, second, third = starts
    path = tmp_path / "a"
    for content, there in (
        (whole[:second] + whole[third:], "block 2 stands where 1 should"),
        (whole[:third] + whole[second:], "block 1 stands where 2 should"),
    ):
        path.write_bytes(content)
        raises(GameFileError, there, list, read_games(str(path)))


def test_files_of_version_1_are_read_but_not_gone_on_with(tmp_path):
    path = tmp_path / "old"
    header = gamefile.HEADER.pack(gamefile.MAGIC, 1, 2) + b"{}"
    content = header + gamefile.CHECKSUM.pack(zlib.crc32(header))
    data = zlib.compress(b"".join(map(encode, GAMES)))
    head = struct.pack("<4sIII", b"BLCK", len(data), len(GAMES), sum(len(game.moves) for game in GAMES))
    path.write_bytes(content + head + struct.pack("<I", zlib.crc32(head + data)) + data)
    assert list(read_games(str(path))) == GAMES
    with pytest.raises(GameFileError, match="version 1 of the format can be read, but not gone on with"):
        Writer(str(path), {}, append=True)


def test_other_games_are_not_appended_to(tmp_path):
    path = write(tmp_path / "a", GAMES[:3])
    with pytest.raises(GameFileError, match="made with seed None, which cannot go on with 5"):
        Writer(path, {"made by": "test", "seed": 5}, append=True)
    raises(FileExistsError, "", Writer, path, {"made by": "test"})
    assert list(read_games(path)) == GAMES[:3]


@pytest.mark.skipif(os.name == "nt", reason="no such locks")
def test_one_writer_at_a_time(tmp_path):
    path = str(tmp_path / "a")
    with (
        Writer(path, {}),
        pytest.raises(GameFileError, match="another process is writing it"),
    ):
        Writer(path, {}, append=True)


# Tools


def test_merge_keeps_all_and_the_order(tmp_path):
    a, b = write(tmp_path / "a", GAMES[:80]), write(tmp_path / "b", GAMES[80:])
    assert data("merge", a, b, tmp_path / "c").stdout == f"{len(GAMES)} games\n"
    assert list(read_games(str(tmp_path / "c"))) == GAMES
    header = gamefile.read_header(str(tmp_path / "c"))
    assert [of["file"] for of in header["of"]] == ["a", "b"]


def test_merge_unique_leaves_out_what_is_there(tmp_path):
    a = write(tmp_path / "a", GAMES)
    courses = {(game.moves, game.start) for game in GAMES}
    found = list(gametools.merged([a, a], unique=True))
    assert {(game.moves, game.start) for game in found} == courses and len(found) == len(courses)


def test_shuffle_is_a_permutation_that_depends_on_the_seed(tmp_path):
    path = write(tmp_path / "a", GAMES)
    orders = [list(gametools.shuffled(path, seed, pile_bytes=4000)) for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2] != GAMES
    assert all(Counter(order) == Counter(GAMES) for order in orders)


def test_shuffle_makes_all_orders_alike(tmp_path):
    """Each of the 24 orders of four games, over two piles, comes up about as often."""
    few = [PackedGame(i % 3, Reason.UNKNOWN, (i,)) for i in range(4)]
    path = write(tmp_path / "a", few)
    runs = 2400
    pile = os.path.getsize(path) * 3
    found = Counter(
        tuple(game.moves[0] for game in gametools.shuffled(path, seed, pile_bytes=pile))
        for seed in range(runs)
    )
    assert len(found) == 24
    # Chi square with 23 degrees of freedom is beyond 55 once in 5000; the seeds are fixed.
    assert sum((n - runs / 24) ** 2 / (runs / 24) for n in found.values()) < 55


def test_filter_keeps_what_was_asked_for(tmp_path):
    path, out = write(tmp_path / "a", GAMES), tmp_path / "b"
    result = data("filter", path, out, "--result", "red", "--min-plies", 10, "--max-plies", 30, "--skip", 2)
    wanted = [game for game in GAMES if game.result == 2 and 10 <= len(game.moves) <= 30][2:]
    assert result.returncode == 0 and list(read_games(str(out))) == wanted != []
    out.unlink()
    data("filter", path, out, "--limit", 7, "--reason", "unknown")
    assert list(read_games(str(out))) == GAMES[:7]


def test_show_tells_the_sums(tmp_path):
    path = write(tmp_path / "a", GAMES)
    found = json.loads(data("show", path, "--json").stdout)
    assert found["games"] == len(GAMES) and found["plies"] == sum(len(game.moves) for game in GAMES)
    assert found["results"]["red won"] == sum(game.result == 2 for game in GAMES)
    scores = list(itertools.chain.from_iterable(game.scores or () for game in GAMES))
    assert found["scored"] == sum(score != NO_SCORE for score in scores)
    assert f"{len(GAMES)} games, " in data("show", path).stdout


def test_show_one_game(tmp_path):
    path = write(tmp_path / "a", GAMES)
    game = GAMES[7]
    found = json.loads(data("show", path, "--game", 7, "--json").stdout)
    assert pack(found["moves"]) == game.moves
    assert [NO_SCORE if s is None else s for s in found["scores"]] == list(game.scores or ())
    assert data("show", path, "--game", 7).stdout.startswith(f"{len(game.moves)} plies, ")
    assert "no game 150" in data("show", path, "--game", 150).stderr


def test_import_keeps_the_scores_of_a_match(tmp_path):
    """Its PGN and its journal say the same: a score for each move that was searched."""
    journal, pgn = tmp_path / "match.jsonl", tmp_path / "match.pgn"
    words = ["-e", "name=a", "-e", "name=b", "--nodes", "60", "--pairs", "2", "--max-plies", "30"]
    words += ["--openings", CHECKOUT / "positions" / "openings.epd"]
    assert call("match", *words, "--journal", journal, "--pgn", pgn).returncode == 0
    played = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
    for source in (journal, pgn):
        out = tmp_path / f"{source.name}.games"
        assert call("data", "import", source, out).stdout == "4 games\n"
        found = [game.scores for game in read_games(str(out))]
        wanted = [(NO_SCORE,) * game["book"] + tuple(note[0] for note in game["notes"]) for game in played]
        assert sorted(found) == sorted(wanted), source
    ends = {"max_plies": Reason.LENGTH, "checkmate": Reason.MATE, "repetition": Reason.RULES}
    kept = [game.reason for game in read_games(str(tmp_path / "match.jsonl.games"))]
    assert sorted(kept) == sorted(ends[game["reason"]] for game in played)
    assert call("data", "check", tmp_path / "match.jsonl.games").returncode == 0


def test_import_takes_games_that_an_illegal_move_has_lost(tmp_path):
    """From the journal of a match as from its PGN; not those that a crash has lost."""
    plan = MatchPlan((EngineSpec("a"), EngineSpec("b")), limit=Limit(nodes=1))
    moves, path = tuple(map(Move.from_iccs, ("h2e2", "h9g7", "h0g2"))), tmp_path / "m.jsonl"
    with MatchJournal(path, plan) as journal:
        for number, reason in enumerate(("illegal_move", "crash")):
            played = PlayedGame("a", "b", STARTING_FEN, moves, len(moves), "1-0", reason)
            journal.append([(number, played)])
    result = data("import", path, tmp_path / "out")
    assert (result.returncode, result.stdout) == (1, "1 games\n")
    assert result.stderr.startswith(f"{path}:2: the game was lost by crash\n")
    [game] = read_games(str(tmp_path / "out"))
    assert (game.result, game.reason, game.moves) == (gamefile.RED_WON, Reason.UNKNOWN, pack(moves))


def test_import_leaves_out_records_of_games_that_no_move_has_lost(tmp_path):
    """By the names of ours and of other programs."""
    path = tmp_path / "m.pgn"
    ends = [
        "time_forfeit",
        "time forfeit",
        "Time forfeit",
        "abandoned",
        "normal",
        "illegal move",
        "no_answer",
    ]
    path.write_text("".join(f'[Termination "{end}"]\n\n1. h2e2 h9g7 1-0\n\n' for end in ends))
    result = data("import", path, tmp_path / "out")
    assert (result.returncode, result.stdout) == (1, "2 games\n")
    assert "the game was lost by time_forfeit" in result.stderr


@pytest.mark.parametrize("pack_text", [bytes, lzma.compress, gzip.compress])
def test_import_reads_packed_text(tmp_path, pack_text):
    """Whatever its name is; a CHE file, which begins alike, is none."""
    text = tmp_path / "games"
    text.write_bytes(pack_text(b"# comment\n1 h2e2 h9g7\n"))
    assert data("import", text, tmp_path / "a").stdout == "1 games\n"
    (tmp_path / "b.che").write_bytes(pack_text(b"1 0"))
    assert not gametools.is_text(str(tmp_path / "b.che"))


def test_import_reads_results_and_moves(tmp_path):
    text = tmp_path / "games.txt"
    text.write_text(
        "# comment\n1 h2e2 h9g7\n= h2e2\n\n0 b2e2 h2h9\n0 h0g2 h9g7 i0h0\n1 h2e2 0000\n", encoding="utf-8"
    )
    result = data("import", text, tmp_path / "a", "--source", "somebody")
    assert result.returncode == 1 and result.stdout == "3 games\n"
    assert result.stderr.startswith(f"{text}:5: illegal move h2h9 in ") and "\n2 games" in result.stderr
    assert [(game.result, len(game.moves)) for game in read_games(str(tmp_path / "a"))] == [
        (2, 2),
        (1, 1),
        (0, 3),
    ]
    assert gamefile.read_header(str(tmp_path / "a"))["source"] == "somebody"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("show", "nowhere"), f"nowhere: {MISSING_FILE}"),
        (("show", "text"), "text: not a file of games"),
        (("merge", "a", "a"), "a: is read, too"),
        (("shuffle", "text", "b"), "text: not a file of games"),
        (("import", "nowhere", "b"), f"nowhere: {MISSING_FILE}"),
        (("import", "cut.xz", "b"), "cut.xz: the packed file is damaged"),
        (("import", "empty", "b"), "eleengine: empty: line 1: no move of a game is in this text"),
        (("import", "empty.pgn", "b"), "empty.pgn: no games that can be used"),
        (("import", "unknown.pgn", "b"), "unknown.pgn: no games that can be used"),
        (("filter", "a", "b", "--min-plies", "999"), "no games that can be used: b is not written"),
        (("filter", "a"), "required: OUT"),
        (("filter", "a", "b", "--limit", "x"), "must be a whole number"),
        ((), "required: JOB"),
    ],
)
def test_bad_input_is_named(tmp_path, args, message):
    write(tmp_path / "a", GAMES[:2])
    (tmp_path / "text").write_text("no games", encoding="utf-8")
    (tmp_path / "cut.xz").write_bytes(lzma.compress(b"1 h2e2 h9g7\n")[:40])
    (tmp_path / "unknown.pgn").write_text('[Red "a"]\n\n1. C2.5 *\n', encoding="utf-8")
    for name in ("empty", "empty.pgn"):
        (tmp_path / name).touch()
    result = data(*args, cwd=tmp_path)
    assert result.returncode == 2 and message in result.stderr
    assert not (tmp_path / "b").exists() and not list(tmp_path.glob("*.part"))
