"""Nothing of a record is changed in silence: a warning or a loss names each difference."""

import re
import unicodedata
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from records_support import through, trees

from eleengine import STARTING_FEN, notation
from eleengine.records import FORMATS, Game, RecordError, WriteOptions, encode_game, read_game, read_games
from eleengine.records.encoding import decode
from eleengine.records.fidelity import differences
from eleengine.records.words import read_result

WRITTEN = [name for name, format in FORMATS.items() if format.encode]
ODD = [
    "杀!", "胜", "a\r\nb", "{", "}\\", "\\}", "<br>", "||", "&lt;", "1-0", "a\u200bb", "e\u0301", "炮二平五",
    "1.h2e2", "(x)", ";", "%", "[", "]", "/*", "\0", "\\u0041", " x ", "[%clk 0:01:00]", "a\n\nb",
    "[DhtmlXQ_red]",
]  # fmt: skip
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(ODD)
HEADERS = st.dictionaries(ANY_TEXT | st.sampled_from(["Red", "FEN", "Title", "red"]), ANY_TEXT, max_size=2)
MANY = settings(
    max_examples=100_000 if settings.default.max_examples > 500 else settings.default.max_examples
)
BOARD = STARTING_FEN.split()[0]


def read(text):
    """The start's side, the moves and the warnings of a text."""
    game = read_game(text)
    moves = " ".join(move.iccs() for move in game.mainline_moves())
    return game.start.split()[1], moves, [warning.message for warning in game.warnings]


def pgn(moves, headers='[Event "x"]'):
    return f"{headers}\n\n{moves} *\n"


# Whose move it is

BLACK_FIRST = "h9g7 h0g2 i9h9 i0h0"


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("黑先\n1. 马8进7 马二进三\n2. 车9平8 车一平二\n", BLACK_FIRST),
        ("黑先\n1. h9g7 h0g2\n2. i9h9 i0h0\n", BLACK_FIRST),
        (pgn("1. 马8进7 马二进三 2. 车9平8 车一平二", f'[FEN "{STARTING_FEN}"]'), BLACK_FIRST),
        (pgn("1... 马8进7 2. 马二进三 车9平8 3. 车一平二", f'[FEN "{BOARD}"]'), BLACK_FIRST),
        (pgn("1... h9g7 2. h0g2 i9h9 3. i0h0"), BLACK_FIRST),
        (f"初始局面：{BOARD}\n1... 马8进7\n2. 马二进三 车9平8\n3. 车一平二\n", BLACK_FIRST),
        ("1. h8+7 H2+3 2. r9=8 R1=2\n", BLACK_FIRST),
        ("START{\n 1. h8+7 H2+3 2. r9=8 R1=2 }END\n", BLACK_FIRST),
        ("1. 马８进７ 马二进三 2. 车９平８ 车一平二\n", BLACK_FIRST),
        (f"{STARTING_FEN} 马8进7 马二进三 车9平8 车一平二\n", BLACK_FIRST),
        ("1. 卒7进1 兵三进一\n", "g6g5 g3g4"),
        ("1. 卒7进1 兵3进1\n", "g6g5 g3g4"),
        (pgn("1. 车5进3 车五进三", '[FEN "3k5/4r4/9/9/9/9/9/9/4R4/5K3 w"]'), "e8e5 e1e4"),
    ],
)
def test_who_moves_first_is_read_from_the_forms_of_the_moves(text, moves):
    side, played, told = read(text)
    assert (side, played) == ("b", moves)
    assert any("Black moves first" in message for message in told)


@pytest.mark.parametrize(
    "moves",
    [
        "1. 炮二平五 马8进7 2. 马二进三", "1. 炮2平5 马8进7 2. 马2进3", "1. 炮二平五 马八进七 2. 马二进三",
        "1. C2=5 H8+7 2. H2+3", "1. c2=5 h8+7 2. h2+3", "1. C2=5 h8+7 2. H2+3",
    ],
)  # fmt: skip
def test_texts_that_heed_no_forms_are_read(moves):
    for text in (f"{moves}\n", pgn(moves)):
        assert read(text) == ("w", "h2e2 h9g7 h0g2", [])


def test_a_move_that_names_the_other_side_is_not_played():
    for text in ("1. 炮二平五 马8进7 2. 车9平8 马二进三\n", pgn("1. C2.5 h8+7 2. r9.8 H2+3")):
        side, moves, told = read(text)
        assert (side, moves) == ("w", "h2e2 h9g7") and "written as a move of Black's" in told[0]


# Encodings


@pytest.mark.parametrize("word", ["杀!", "应", "实战", "胜", "围", "谢", "没", "路", "师"])
def test_short_chinese_texts_are_no_other_script(word):
    game = Game(headers={"Event": word, "Red": word, "Result": "*"})
    game.play("h2e2", comment=word)
    data = encode_game(game, "xqf")
    assert read_game(data).equals(game) and read_game(data).warnings == []
    for name in ("pgn", "dhtmlxq"):
        for encoding in ("gb18030", "utf-8"):
            again = read_game(encode_game(game, name, WriteOptions("iccs", encoding)))
            assert again.equals(game)
            assert encoding == "utf-8" or "the encoding of the texts is a guess" in str(again.warnings[0])


@pytest.mark.parametrize("word", ["José Müller", "Нет", "Ελλάς", "Nguyễn", "à la fin", "é", "½", "ʤ"])
def test_what_we_write_in_utf_8_is_read_as_it(word):
    game = Game(headers={"Red": word, "Result": "*"}, comment=word)
    for name in ("pgn", "dhtmlxq"):
        assert read_game(encode_game(game, name)).equals(game)
    assert read_game(f'[Red "{word}"]\n\n*\n').headers["Red"] == word
    assert decode(b"\xef\xbb\xbf" + word.encode()) == word


# Comments and variations


def test_a_comment_that_begins_a_variation_stays_with_it():
    text = "1. h2e2 h9g7 2. h0g2 c6c5 {bad} ({better was} 2... i9h9 {so} 3. i0h0) 3. i0h0"
    for source in (pgn(text), f"{text}\n"):
        game = read_game(source)
        main, side = game.end().parent.parent.children
        assert (main.comment, side.starting_comment, side.comment) == ("bad", "better was", "so")
        assert game.warnings == [] and read_game(encode_game(game, "pgn")).equals(game)
        assert game.equals(Game.from_dict(game.to_dict())) and game.equals(game.copy())
    for name in ("xqf", "cbr", "dhtmlxq"):
        again, losses = through(name, game)
        assert again.end().parent.parent.children[1].comment == "better was\nso" and len(losses) == 1


def test_a_variation_whose_first_move_is_illegal_is_told():
    for bad in ("2... h7f7 3. i0h0", "{c} 2... 车一平三", "C2.9"):
        game = read_game(pgn(f"1. h2e2 h9g7 2. h0g2 i9h9 ({bad}) 3. i0h0"))
        assert "cannot be played" in game.warnings[0].message and game.plies() == 5
        assert game.end().parent.comment.replace("{c} ", "") == bad.replace("{c} ", "")
    assert read_game(pgn("1. h2e2 (a remark) h9g7")).warnings == []


# What stands in and behind moves


def test_invisible_characters_are_those_of_unicode():
    cf = {code for code in range(0x20000) if unicodedata.category(chr(code)) == "Cf"}
    assert cf <= notation.INVISIBLE.keys() and not any(map(str.isalnum, map(chr, notation.INVISIBLE)))


@pytest.mark.parametrize("char", "\u200b\ufeff\u200e\u2060\u200d\u00ad\u202c\ufe0f")
@pytest.mark.parametrize(
    "moves", ["1. 炮二平五{0} 马8{0}进7 2. {0}马二进三", "1. h2e2{0} h9{0}g7 2. {0}H2+3"]
)
def test_invisible_characters_are_passed_over(char, moves):
    for text in (pgn(moves.format(char)), moves.format(char) + "\n"):
        assert read(text) == ("w", "h2e2 h9g7 h0g2", [])


@pytest.mark.parametrize("sign", ["+", "#", "++", "＋", "†", "+!", "，将军", "，士去"])
@pytest.mark.parametrize("move", ["i8i9", "I8-I9", "车一进一", "R1+1", "Ri9"])
def test_signs_behind_moves_are_read(move, sign):
    game = read_game(pgn(f"1. {move}{sign}", '[FEN "3k5/4R3R/9/9/9/9/9/9/9/4K4 w - - 0 1"]'))
    assert ([str(move) for move in game.mainline_moves()], game.warnings) == (["i8i9"], [])
    assert game.next().comment == sign.strip("，+#＋†!") and game.next().nags == (
        {1} if "!" in sign else set()
    )


def test_what_follows_a_remark_with_a_semicolon_is_read():
    game = read_game(pgn("1. h2e2 (one; two) h9g7 (a;b) xx h0g2"))
    assert game.plies() == 2 and "xx" in game.warnings[0].message


def test_escaped_braces_and_line_breaks_of_pages():
    assert read_game(pgn(r"1. h2e2 {close \} x} h9g7 {a\} h0g2")).next().comment == "close } x"
    text = (
        "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][DhtmlXQ_comment1]a<br>b<br/>c &amp; d[/DhtmlXQ_comment1]"
    )
    assert read_game(text.encode()).next().comment == "a\nb\nc & d"
    assert read_game("<p>1. 炮二平五 马8进7<br/>2. 马二进三 车9平8</p>".encode()).plies() == 4


# Zeros and ends of lines


@pytest.mark.parametrize("name", ["xqf", "cbr"])
def test_ends_of_lines_become_one_kind(name):
    game, losses = through(name, Game(comment="a\r\nb\rc\nd"))
    assert game.comment == "a\nb\nc\nd" and len(losses) == 1


def test_zeros_of_xqf_are_told():
    game = Game(headers={"Red": "Hu"}, comment="abc")
    data = bytearray(encode_game(game, "xqf"))
    assert read_game(bytes(data)).warnings == []
    data[0x130:0x135] = b"\x04H\0ux"
    data[-7:] = b"\x05\0\0\0abc\0\0"
    found = read_game(bytes(data))
    assert (found.headers["Red"], found.comment) == ("H", "abc")
    told = [warning.message for warning in found.warnings]
    assert len(told) == 2 and "header Red" in told[0] and "ends of comments" in told[1]


@pytest.mark.parametrize(("name", "place"), [("xqf", 0x33), ("cbr", 2076)])
def test_an_unknown_result_is_told(name, place):
    data = bytearray(encode_game(Game(), name))
    data[place] = 9
    found = read_game(bytes(data))
    assert found.result == "*" and [w.message for w in found.warnings] == ["unknown result 9"]


@pytest.mark.parametrize("name", ["xqf", "cbr", "dhtmlxq", "pgn", "text", "wxf"])
def test_the_lines_of_a_header_are_joined_aloud(name):
    again, losses = through(name, Game(headers={"Red": "Hu\nXu"}).play("h2e2").game())
    assert again.headers["Red"] == "Hu Xu" and len(losses) == 1 and "header Red" in losses[0]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_result_that_a_format_cannot_hold_is_told(name):
    game = Game(headers={"Result": "adjourned"}).play("h2e2").game()
    again, losses = through(name, game)
    assert differences(game, again) == losses


def test_a_loss_hides_none_of_a_header_whose_name_is_in_it():
    game = Game(headers={"Red": "Hu\nXu", "RedElo": "1", "e": "x\ny", "X:Y": "1"}).play("h2e2").game()
    _, losses = through("xqf", game)
    assert [loss.split(" is ")[0] for loss in losses] == [
        "XQF has no header RedElo", "XQF has no header e", "XQF has no header X:Y", "the header Red",
    ]  # fmt: skip
    _, losses = through("dhtmlxq", game)
    assert [loss.split(" is ")[0] for loss in losses] == [
        "DhtmlXQ cannot hold a header named 'X:Y'", "the header Red", "the header e",
    ]  # fmt: skip


START, OTHER = (f"4k4/9/9/9/9/9/9/{rows}/3K5 w - - 0 1" for rows in ("9/4P4", "4P4/9"))
XML = '<ChineseChessRecord Version="1"><Head><Name>one</Name><Name>two</Name></Head></ChineseChessRecord>'


@pytest.mark.parametrize(
    "text, name",
    [
        ("FORMAT WXF\nRED Hu ;;;\nRED Xu ;;;\nSTART{\n 1. C2.5 }END\n", "Red"),
        ("FORMAT WXF\nEVENT one\nEVENT two\nSTART{\n 1. C2.5 }END\n", "Event"),
        ("FORMAT WXF\nRESULT 1-0\nRESULT 0-1\nSTART{\n 1. C2.5 }END\n", "Result"),
        ("[DhtmlXQ]\n[DhtmlXQ_red]Hu[/DhtmlXQ_red]\n[DhtmlXQ_red]Xu[/DhtmlXQ_red]\n[/DhtmlXQ]\n", "red"),
        ("[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[DhtmlXQ_comment1]a[/DhtmlXQ_comment1]\n"
         "[DhtmlXQ_comment1]b[/DhtmlXQ_comment1]\n", "comment1"),
        ("标题: one\n标题: two\n1. h2e2 h9g7\n", "Title"),
        (f"FORMAT WXF\nFEN {START}\nFEN {OTHER}\nSTART{{\n }}END\n", "FEN"),
        (XML.replace("Name", "FEN").replace("one", START).replace("two", OTHER), "FEN"),
        (XML, "Title"),
        ('<n version="2" title="one" Title="two"/>', "Title"),
    ],
)  # fmt: skip
def test_a_header_that_stands_there_twice_is_told(text, name):
    [told] = read_game(text.encode()).warnings
    assert told.message == f"another header {name}: the last one is kept"
    same = text.replace("Xu", "Hu").replace("two", "one").replace("]b[", "]a[").replace("0-1", "1-0")
    assert read_game(same.replace(OTHER, START).encode()).warnings == []


@pytest.mark.parametrize(("name", "one", "two"), [("FEN", START, OTHER), ("Result", "1-0", "0-1")])
def test_of_a_start_and_a_result_of_pgn_the_first_one_is_kept(name, one, two):
    text = f'[Red "Hu"]\n[{name} "{one}"]\n[{name} "{two}"]\n\n*\n'
    game = read_game(text.encode())
    assert [told.message for told in game.warnings] == [f"a second header {name}: the first one is kept"]
    assert one in (game.start, game.result)
    assert read_game(text.replace(two, one).encode()).warnings == []


def test_a_second_start_of_dhtmlxq_is_told():
    one, two = (encode_game(Game(fen), "dhtmlxq").decode() for fen in (START, OTHER))
    squares = re.search("binit][0-9]+", two)[0]
    game = read_game(re.sub("binit][0-9]+", squares, one).encode())
    assert [told.message for told in game.warnings] == ["a position behind the start of the game is not used"]
    assert game.start == START


def test_players_of_mxq_without_a_result_are_kept(tmp_path):
    """They were read as nothing."""
    texts = ["site", "2001", "甲-乙", *["1"] * 7, "", "Moves", "7C-4C", "Ends"]
    path = tmp_path / "a.mxq"
    path.write_bytes(
        b"".join(bytes([len(data)]) + data for data in (text.encode("gb18030") for text in texts))
    )
    assert read_game(path).headers["Title"] == "甲-乙"


@pytest.mark.parametrize("name", ["cbf", "ccm", "xqf"])
def test_a_move_that_stays_where_it_is_is_no_pass(name):
    """The square a0 is number 0, and a move from 0 to 0 a pass."""
    xqf = bytearray(encode_game(Game().play("a0a1").game(), "xqf"))
    xqf[-7] = xqf[-8] + 8  # the goal is the origin
    moves = '<Move value="00-00"/><Move value="09-09"/>'
    cbf = f"<ChineseChessRecord><MoveList>{moves}</MoveList></ChineseChessRecord>"
    data = {"cbf": cbf.encode(), "ccm": bytes([1, 0, 0, 0, 0, 9, 9]), "xqf": bytes(xqf)}[name]
    game = read_game(data, format=name)
    assert not game.children and [told.message[:10] for told in game.warnings] == ["a pass in "]


def test_dots_before_the_first_move_of_wxf_give_it_to_black():
    game = read_game("FORMAT WXF\nSTART{\n 1. ... C8.5  2. C2.5 }END\n")
    assert [move.iccs() for move in game.mainline_moves()] == ["h7e7", "h2e2"]
    assert [told.message.rpartition(": ")[2] for told in game.warnings] == ["Black moves first"]


def test_a_fourth_part_of_a_player_is_told():
    game = read_game("FORMAT WXF\nRED Hu ; 1200 ; team ; more\nSTART{\n 1. C2.5 }END\n")
    assert [told.message for told in game.warnings] == ["text of RED is not read: 'more'"]


# The rule


@MANY
@given(trees(texts=ANY_TEXT), st.sampled_from(WRITTEN), HEADERS, st.data())
def test_what_was_written_is_read_or_told(game, name, headers, data):
    game.headers = {"Result": "*", **headers}
    for node in game.nodes():
        if node.starts_variation() and data.draw(st.booleans()):
            node.starting_comment = data.draw(ANY_TEXT)
    losses = []
    try:
        written = encode_game(game, name, losses=losses)
    except RecordError:  # such as one of a pass
        return
    assert losses or not differences(game, read_game(written, format=name))


MOVES = ["h2e2", "马8进7", "炮二平五", "C2.5"]
TOKENS = st.sampled_from([*MOVES, "1.", "xx", "{a}", "(b)", "$3", "!", "1-0", "将军", "卒", "?!", ")", "}"])


@MANY
@given(st.lists(TOKENS, max_size=8))
def test_every_word_of_a_game_is_read_or_told(words):
    """If nothing is told, each word is a move, a comment, a glyph, a number or the result."""
    game = read_game(pgn(" ".join(words)))
    if not game.warnings:
        nodes = list(game.nodes())
        said = "".join(node.full_comment() for node in nodes) + game.result
        moves = [word for word in words if word in MOVES]
        assert len(moves) == len(nodes) - 1 or "(" in said
        assert all(word in said for word in words if word in ("xx", "卒", "将军"))


PLACES = {  # where a text may stand in a record of each format of text
    "pgn": [
        '[Event "{}"]\n\n1. h2e2 *\n', '[Event "x"]\n\n{} *\n', '[Event "x"]\n\n1. h2e2 {} h9g7 *\n',
        '[Event "x"]\n{}\n\n1. h2e2 *\n', '[Event "x"]\n\n1. h2e2 * {}\n', '[FEN "9/9 w"]\n\n1. h2e2 {} *\n',
        '[Event "x"]\n\n1. h2e2 h9g7 ({} 1... b9c7) *\n', '[Event "x"]\n\n1. h2e2 h9g7 (1... b9c7 {}) *\n',
    ],
    "text": [
        "{}\n1. h2e2 h9g7\n2. h0g2 i9h9\n", "1. h2e2 {} h9g7\n2. h0g2\n", "1. h2e2 h9g7\n{}\n2. h0g2 i9h9\n",
        "1. h2e2 h9g7\n2. h0g2 i9h9\n{}\n", "标题: {}\n1. h2e2 h9g7\n", "FEN: 9/9 w\n1. h2e2 {}\n",
        "1. h2e2 h9g7 (1... {} b9c7)\n2. h0g2\n", "1. h2e2 h9g7\n2. h0g2 i9h9 {}\n",
        "结果: {}\n1. h2e2 h9g7\n",
    ],
    "wxf": [
        "FORMAT\tWXF\nEVENT\t{}\nSTART{{\n1. C2.5\n}}END\n", "START{{\n1. C2.5 {}\n}}END\n",
        "FORMAT\tWXF\nRED\t{}\nSTART{{\n1. C2.5\n}}END\n", "{}\nSTART{{\n1. C2.5\n}}END\n",
        "START{{\n1. C2.5\n}}END\n{}\n", "FORMAT\t{}\nSTART{{\n1. C2.5\n}}END\n",
        "RESULT\t{}\nSTART{{\n1. C2.5\n}}END\n", "START{{\n1. C2.5 /* {} */ h8+7\n}}END\n",
    ],
    "fen": [
        f"{STARTING_FEN} moves h2e2 {{}}\n", f"{STARTING_FEN} {{}}\n", "{}\n", f'{STARTING_FEN} id "{{}}";\n',
    ],
    "dhtmlxq": [
        f"[DhtmlXQ][DhtmlXQ_{name}]{{}}[/DhtmlXQ_{name}]"
        "[DhtmlXQ_move_0_1_0]7747[/DhtmlXQ_move_0_1_0][/DhtmlXQ]"
        for name in (
            "title", "unknown", "result", "binit", "fen", "movelist", "comment0", "comment1", "comment9",
            "comment1_1", "commentx", "move_0_1_1", "move_5_1_6", "movex", "init", "type",
        )
    ],
    "cbf": [
        f"<ChineseChessRecord>{text}</ChineseChessRecord>"
        for text in (
            "<Head><Name>{}</Name></Head><MoveList/>", "<Head><FEN>{}</FEN></Head><MoveList/>",
            "<Head><RecordResult>{}</RecordResult></Head><MoveList/>",
            "<Head><RecordKind>{}</RecordKind></Head>",
            "<Head/><MoveList><Move value='77-47'>{}</Move></MoveList>", "<Head><x y={}/></Head>",
            "<Head/><MoveList><Move value={}>a</Move></MoveList>", "<Head/><MoveList>{}</MoveList>",
            "<Head/><MoveList><Move value='77-47' end='1'/><Move value='77-47'>{}</Move></MoveList>",
            "<x>{}</x>",
        )
    ],
    "pfc": [
        "<n version='1' m='' event={}><n m='h2e2'/></n>", "<n version='1' m='' c={}><n m='h2e2'/></n>",
        "<n version='1' win={}><n m='h2e2'/></n>", "<n version='1' m=''><n m='h2e2' c={}/></n>",
        "<n version='1' m=''><n m={}/></n>", "<n version='1' m={}><n m='h2e2'/></n>", "<n version='1'>{}</n>",
        "<n version='1' m=''><n m='a0a9' c={}/></n>", "<n version='1' m=''><n m='h2e2' x={}/></n>",
    ],
}  # fmt: skip
PHRASES = st.lists(
    st.text(st.characters(categories=["L"]), min_size=2, max_size=6)
    | st.sampled_from(
        ["{ab}", "(ab)", "[ab]", "ab,cd", "(ab", "ab)", "}ab", "ab!", "+ab", "ab;cd", "$ab", "1.ab"]
    )
    | st.sampled_from(["Ход", "nước", "שלום", "ทดสอบ", "将军", "卒子", "杀棋", "||ab", "/*ab*/", "ab\n"]),
    min_size=1,
    max_size=5,
).map(" ".join)


def said_in(games):
    """All words of games: headers, positions, comments, warnings."""
    for game in games:
        yield from (*game.headers, *game.headers.values(), game.start)
        yield from (warning.message for warning in game.warnings)
        for node in game.nodes():
            yield from (node.full_comment(), node.starting_comment)


@MANY
@example(("wxf", "{}\nSTART{{\n1. C2.5\n}}END\n"), "Aµ Aࠀ", "utf-8", False)
@given(
    st.sampled_from([(name, place) for name, places in PLACES.items() for place in places]),
    PHRASES,
    st.sampled_from(["utf-8", "utf-16", "gb18030", "big5", "cp1251", "cp1258", "shift-jis"]),
    st.booleans(),
)
def test_every_word_of_a_text_is_read_or_told(record, text, encoding, told):
    """In every place of every format of text, any language and encoding; a warning covers what follows."""
    name, place = record
    is_xml = name in ("cbf", "pfc")
    if is_xml:
        attribute = quoteattr(text)
        place = f"<?xml version='1.0' encoding='{encoding}'?>{place}"
        written = place.format(attribute if "={}" in place else re.sub("[<>&]", " ", text))
        told = False
    else:
        written = place.format(text)
    try:
        data = written.encode(encoding)
        games = list(read_games(data, format=name, encoding=encoding if told else None))
    except (UnicodeEncodeError, RecordError):
        return
    if not any(game.warnings for game in games):
        said = unicodedata.normalize("NFC", " ".join(said_in(games))).lower()
        for word in re.findall(r"[^\W\d_]{2,}", unicodedata.normalize("NFC", text)):
            assert word.lower() in said or read_result(word) or is_utf_8_elsewhere(data, encoding, told)


def is_utf_8_elsewhere(data, encoding, told):
    """Nobody can tell some texts of other encodings from UTF-8, where nothing says which it is."""
    return (
        not told and encoding not in ("utf-8", "utf-16") and decode(data) == data.decode("utf-8", "replace")
    )
