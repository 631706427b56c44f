"""The table of names in docs/python-chess.md: python-chess's, ours, and what differs.

    python tools/python_chess_names.py > docs/python-chess.md

Needs python-chess (pip install chess), of which only the names are read.
"""

import inspect

import chess
import chess.engine
import chess.pgn
import chess.polyglot
import chess.svg

import eleengine
import eleengine.book
import eleengine.engines
import eleengine.records
import eleengine.score
import eleengine.svg

HEAD = """# Names of python-chess

What a program for [python-chess](https://python-chess.readthedocs.io) has to change. Names not listed
are the same here, or have no counterpart: castling, en passant, promotion, chess variants, and what only
python-chess itself calls. White is Red in all names. A test compares the table with both libraries. Begin
with the [guide](library.md#coming-from-python-chess).
"""

#: Theirs: where ours are. Methods of theirs are looked for under the same name.
PLACES = {
    "chess": "eleengine",
    "chess.Board": "eleengine.Board",
    "chess.Move": "eleengine.Move",
    "chess.Piece": "eleengine.Piece",
    "chess.SquareSet": "eleengine.SquareSet",
    "chess.Outcome": "eleengine.Outcome",
    "chess.pgn": "eleengine.records",
    "chess.pgn.GameNode": "eleengine.records.GameNode",
    "chess.pgn.Game": "eleengine.records.Game",
    "chess.engine": "eleengine.engines",
    "chess.engine.SimpleEngine": "eleengine.engines.ExternalEngine",
    "chess.engine.SimpleAnalysisResult": "eleengine.engines.ExternalAnalysis",
    "chess.engine.Score": "eleengine.score.Score",
    "chess.engine.PovScore": "eleengine.score.PovScore",
    "chess.engine.Wdl": "eleengine.score.Wdl",
    "chess.engine.PovWdl": "eleengine.score.PovWdl",
    "chess.svg": "eleengine.svg",
    "chess.polyglot": "eleengine.book",
    "chess.polyglot.MemoryMappedReader": "eleengine.book.Book",
}

NO_CASTLING = "no castling, promotion or en passant"
NO_VARIANT = "one game"
INTERNAL = "an inner matter"
LEFT_OUT = (NO_CASTLING, NO_VARIANT, INTERNAL)  # of the page
#: Theirs: ours ("" for none) and what differs.
DIFFERENT = {
    "WHITE": ("RED", ""),
    "KING": ("KING", "other numbers: KING 1 to PAWN 7"),
    "PAWN": ("PAWN", "see KING"),
    "QUEEN": ("", "no queen; ADVISOR and CANNON are new"),
    "STARTING_BOARD_FEN": ("STARTING_FEN", "all six fields"),
    "UNICODE_PIECE_SYMBOLS": ("Piece.chinese", "a method"),
    "Color": ("Color", ""),
    "between": ("SquareSet.between", ""),
    "ray": ("SquareSet.ray", ""),
    "flip_vertical": ("SquareSet.mirror", ""),
    "flip_horizontal": ("SquareSet.mirror_files", ""),
    "scan_forward": ("SquareSet", "iterate it"),
    "scan_reversed": ("SquareSet", "reversed(squares)"),
    "lsb": ("SquareSet", "min(squares)"),
    "msb": ("SquareSet", "max(squares)"),
    "square_manhattan_distance": ("square_distance", "only that"),
    "square_knight_distance": ("square_distance", "only that"),
    "LegalMoveGenerator": ("Board.legal_moves", "its type has no public name"),
    "PseudoLegalMoveGenerator": ("Board.pseudo_legal_moves", "see above"),
    "BaseBoard": ("BaseBoard", "has the moves, too"),
    "Board.ply": ("Board.ply", "a property: half-moves played on this board"),
    "Board.outcome": ("Board.outcome", "claim_draw= is True if left out; rule_set= is new"),
    "Board.result": ("Board.result", "as outcome"),
    "Board.is_game_over": ("Board.is_game_over", "as outcome"),
    "Board.push": ("Board.push", "checks the move"),
    "Board.turn": ("Board.turn", "the other side is set before the first move only"),
    "Board.unicode": ("Board.unicode", "no invert_color=, borders=; Board.text has more"),
    "Board.san": ("Board.san", "WXF, as C2.5"),
    "Board.parse_san": ("Board.parse_san", "any notation"),
    "Board.push_san": ("Board.push_san", "any notation"),
    "Board.can_claim_draw": ("Board.can_claim_draw", "at the no-capture limit"),
    "Board.can_claim_fifty_moves": ("Board.can_claim_draw", "after 120 plies"),
    "Board.is_fifty_moves": ("Board.no_capture_plies", "120 plies draw, see outcome"),
    "Board.can_claim_threefold_repetition": ("Board.repetition", "a verdict, without a claim"),
    "Board.is_seventyfive_moves": ("Board.no_capture_plies", "120 plies draw, see outcome"),
    "Board.is_zeroing": ("Board.is_zeroing", "captures only"),
    "Board.pin": ("Board.blockers", "a set of pieces, not a line"),
    "Board.pin_mask": ("Board.blockers_mask", "see pin"),
    "Board.transform": ("Board.transform", "a function of squares, not of masks"),
    "Board.apply_transform": ("Board.apply_transform", "a function of squares"),
    "Board.queens": ("", "no queen"),
    "Board.occupied": ("Board.occupied", "a method; a SquareSet"),
    "Board.set_piece_at": ("Board.set_piece_at", "no promoted="),
    "Board.status": ("Board.status", "other flags"),
    "Status": ("Status", "other flags"),
    "Termination": ("Termination", "other members"),
    "Board.starting_fen": ("STARTING_FEN", ""),
    "Board.halfmove_clock": ("Board.halfmove_clock", "set before the first move only"),
    "Move.xboard": ("Move.uci", ""),
    "Piece.unicode_symbol": ("Piece.chinese", ""),
    "GameNode.eval": ("GameNode.eval", "an attribute"),
    "GameNode.clock": ("GameNode.clock", "an attribute"),
    "GameNode.add_variation": ("GameNode.add_variation", "as add; play checks the move and reads text"),
    "GameNode.arrows": ("GameNode.arrows", "an attribute"),
    "GameNode.accept": ("GameNode.walk", "see BaseVisitor"),
    "GameNode.accept_subgame": ("GameNode.walk", "see BaseVisitor"),
    "GameNode.mainline_moves": ("GameNode.mainline_moves", "Chinese as text; variation_san() of them is WXF"),
    "GameNode.ply": ("GameNode.ply", "a property"),
    "GameNode.turn": ("GameNode.turn", "a property"),
    "Game.builder": ("read_game", "see BaseVisitor"),
    "read_game": ("read_game", "None at the end of an open file; a RecordError for a path without a game"),
    "Headers": ("Game.headers", "a dict; the roster reads as unknown where it is missing"),
    "StringExporter": ("encode_game", "or str(game)"),
    "FileExporter": ("write_games", ""),
    "ChildNode": ("GameNode", ""),
    "GameBuilder": ("read_game", ""),
    "BaseVisitor": (
        "GameNode.walk",
        "a loop over nodes and positions; starts_variation() and is_end() say where lines begin and end",
    ),
    "GameModelCreator": ("read_game", ""),
    "LOGGER": ("Game.warnings", ""),
    "BoardBuilder": ("read_game", ""),
    "HeadersBuilder": ("scan_games", ""),
    "SkipVisitor": ("scan_games", ""),
    "StringExporterMixin": ("encode_game", ""),
    "SimpleEngine": ("ExternalEngine", "Engine is in this process"),
    "SimpleAnalysisResult": ("ExternalAnalysis", ""),
    "SimpleEngine.popen": ("ExternalEngine", "ExternalEngine(command)"),
    "SimpleEngine.popen_xboard": ("ExternalEngine.popen_ucci", "UCCI instead"),
    "popen_xboard": ("popen_ucci", "UCCI instead"),
    "SimpleEngine.play": ("ExternalEngine.play", "no draw_offered=, opponent="),
    "SimpleEngine.communicate": ("ExternalEngine", ""),
    "SimpleAnalysisResult.next": ("ExternalAnalysis.get", ""),
    "SimpleAnalysisResult.get": ("ExternalAnalysis.get", "None at the end"),
    "SimpleAnalysisResult.would_block": ("ExternalAnalysis.empty", ""),
    "AnalysisResult": ("AsyncAnalysis", ""),
    "UciProtocol": ("AsyncEngine", ""),
    "Protocol": ("AsyncEngine", ""),
    "BestMove": ("PlayResult", ""),
    "Score.wdl": ("Score.wdl", "one model, no ply="),
    "PovScore.wdl": ("PovScore.wdl", "as Score.wdl"),
    "Limit": ("Limit", "red_clock, black_clock, ..."),
    "AnalysisComplete": ("ExternalAnalysis.get", "returns None"),
    "InfoDict": ("InfoDict", "no currline, refutation, ebf, cpuload"),
    "board": ("board", "other keys in colors="),
    "DEFAULT_COLORS": ("COLORS", "other keys"),
    "SvgWrapper": ("board", "its text shows itself in notebooks"),
    "MemoryMappedReader": ("Book", ""),
    "MemoryMappedReader.find_all": ("Book.find_all", "a list"),
    "MemoryMappedReader.weighted_choice": ("Book.weighted_choice", "None instead of an error"),
    "ZobristHasher": ("Board.key", "another key"),
    "Entry": ("Entry", "other fields"),
}

DIFFERENT |= {f"SimpleEngine.{name}": (f"ExternalEngine.{name}", "") for name in ("id", "options")} | {
    name: (name.replace("WHITE", "RED"), "") for name in vars(chess.pgn) if name.startswith("NAG_WHITE")
}

#: Beginnings of names that have no counterpart, and why.
NOTHING = {
    "BB_": "SquareSet instead of masks",
    "STATUS_": "Status instead",
    "shift_": "SquareSet << and >>",
    "CASTL": NO_CASTLING,
    "Board.castling": NO_CASTLING,
    "Board.ep_square": NO_CASTLING,
    "Board.chess960": NO_CASTLING,
    "Board.promoted": NO_CASTLING,
    "Board.has_castling": NO_CASTLING,
    "Board.has_chess960": NO_CASTLING,
    "Board.has_kingside": NO_CASTLING,
    "Board.has_queenside": NO_CASTLING,
    "Board.has_legal_en_passant": NO_CASTLING,
    "Board.has_pseudo_legal_en_passant": NO_CASTLING,
    "Board.is_castling": NO_CASTLING,
    "Board.is_en_passant": NO_CASTLING,
    "Board.clean_castling": NO_CASTLING,
    "Board.is_kingside": NO_CASTLING,
    "Board.is_queenside": NO_CASTLING,
    "Board.set_castling": NO_CASTLING,
    "Board.chess960_pos": NO_CASTLING,
    "Board.generate_castling": NO_CASTLING,
    "Board.generate_legal_ep": NO_CASTLING,
    "Board.generate_pseudo_legal_ep": NO_CASTLING,
    "Board.from_chess960": NO_CASTLING,
    "Board.set_chess960": NO_CASTLING,
    "Board.is_variant": NO_VARIANT,
    "Board.uci_variant": NO_VARIANT,
    "Board.xboard_variant": NO_VARIANT,
    "Board.aliases": NO_VARIANT,
    "Board.connected_kings": NO_VARIANT,
    "Board.one_king": NO_VARIANT,
    "Board.captures_compulsory": NO_VARIANT,
    "Board.tbw_": INTERNAL,
    "Board.tbz_": INTERNAL,
    "Board.pawnless_": INTERNAL,
    "Move.promotion": NO_CASTLING,
    "Move.drop": NO_CASTLING,
    "FEN_CASTLING": NO_CASTLING,
    "SAN_REGEX": INTERNAL,
    "SQUARES_180": "SquareSet.mirror",
    "flip_": "the board is no square",
    "Board.shredder_fen": NO_CASTLING,
    "TAG_ROSTER": "the headers know it",
    "SKIP": "no visitors: mainline() passes over variations",
    "SkipType": INTERNAL,
    "BaseCommand": INTERNAL,
    "CommandState": INTERNAL,
    "MANAGED_OPTIONS": "none: configure sets MultiPV, too",
    "MateGivenType": INTERNAL,
    "MockTransport": INTERNAL,
    "Opponent": "engines do not learn of it",
    "SimpleEngine.send_opponent_information": "engines do not learn of it",
    "UciOptionMap": "a dict, with names in any letters",
    "XBoardProtocol": "UCCI instead",
    "run_in_background": INTERNAL,
    "CHECK_GRADIENT": INTERNAL,
    "COORDS": INTERNAL,
    "MARGIN": INTERNAL,
    "PIECES": "outlines in eleengine.glyphs",
    "SQUARE_SIZE": INTERNAL,
    "XX": INTERNAL,
    "ENTRY_STRUCT": INTERNAL,
    "POLYGLOT_RANDOM_ARRAY": "keys in eleengine.book",
    "MemoryMappedReader.bisect_key_left": INTERNAL,
}

KEPT = {"PAWN", "KNIGHT"}
#: Instances, for the attributes that are set and not declared.
MADE = {"chess.Board": chess.Board()}
SQUARES = {f"{file}{rank}" for file in "ABCDEFGH" for rank in range(1, 9)}


def lookup(path):
    """What a dotted name is; AttributeError."""
    found = eleengine
    for part in path.split(".")[1:]:
        found = getattr(found, part)
    return found


def public(thing):
    """Names that the module or class defines itself."""
    for name in sorted(vars(thing)):
        value = vars(thing)[name]
        if (
            name.startswith("_")
            or name in ("F", "T", "annotations", "override")
            or (name.endswith(("T", "_REGEX")) and name not in KEPT)
        ):
            continue
        if inspect.ismodule(value) or getattr(value, "__module__", "").startswith(
            ("typing", "collections", "asyncio", "concurrent")
        ):
            continue
        if (
            inspect.ismodule(thing)
            and not name.isupper()
            and (inspect.isclass(value) or callable(value))
            and getattr(value, "__module__", thing.__name__) != thing.__name__
        ):
            continue  # imported from elsewhere
        yield name


def attributes(theirs, thing):
    """Names of what instances of the class have: what the class declares, and what its methods set."""
    declared = {
        name
        for parent in thing.__mro__
        for name in inspect.get_annotations(parent)
        if parent.__module__.startswith("chess")
    }
    made = vars(MADE[theirs]).keys() if theirs in MADE else set()
    return {name for name in declared | made if not name.startswith("_")}


def rows(theirs):
    """(name, ours, difference) for each public name; ours is "" if there is none."""
    thing = chess
    for part in theirs.split(".")[1:]:
        thing = getattr(thing, part)
    parents = thing.__mro__ if inspect.isclass(thing) else (thing,)
    names = (
        {name for parent in parents if parent.__module__.startswith("chess") for name in public(parent)}
        if inspect.isclass(thing)
        else set(public(thing))
    )
    if inspect.isclass(thing):
        names |= attributes(theirs, thing)
    if theirs == "chess":
        names -= SQUARES
    if theirs == "chess.pgn.Game":
        names -= {name for name, _, _ in rows("chess.pgn.GameNode")}
    prefix = f"{theirs.rpartition('.')[2]}." if inspect.isclass(thing) else ""
    for name in sorted(names):
        if prefix + name in DIFFERENT:
            ours, note = DIFFERENT[prefix + name]
        elif start := next((start for start in NOTHING if (prefix + name).startswith(start)), None):
            ours, note = "", NOTHING[start]
        else:
            ours, note = prefix + name, "the same"
            try:
                lookup(f"{PLACES[theirs]}.{name}")
            except AttributeError:
                ours, note = "", ""
        yield name, ours, note


def family(name):
    """BB_* for BB_A1, and others that have no counterpart for one reason; the name itself if it is alone."""
    starts = (start.removeprefix("Board.") for start in NOTHING if start.endswith("_"))
    start = next((start for start in starts if name.startswith(start)), None)
    return f"{start}*" if start else name


def is_shown(name, mine, note):
    """Has a porter to know it?"""
    if mine and not note:
        last = mine.rpartition(".")[2]
        return last not in (name, name.replace("WHITE", "RED").replace("white", "red"))
    return bool(mine and note != "the same") or (not mine and note not in LEFT_OUT)


def page():
    parts = [HEAD]
    for theirs, ours in PLACES.items():
        different = [row for row in rows(theirs) if is_shown(*row)]
        if different:
            parts.append(f"## {theirs}: {ours}\n\n| python-chess | eleengine | Difference |\n|---|---|---|")
            shown = dict.fromkeys(
                (name if mine else family(name), mine, note) for name, mine, note in different
            )
            parts += [f"| `{name}` | {f'`{mine}`' if mine else '-'} | {note} |" for name, mine, note in shown]
            parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    print(page(), end="")
