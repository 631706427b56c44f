"""Squares, their names and sets of them."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import raises

import eleengine
from eleengine import (
    A0,
    A9,
    C4,
    E0,
    E2,
    E4,
    G4,
    I0,
    I9,
    SQUARE_NAMES,
    SQUARES,
    SquareSet,
    parse_square,
    square,
    square_file,
    square_mirror,
    square_mirror_files,
    square_name,
    square_rank,
)

ALL = (1 << 90) - 1
squares = st.sets(st.sampled_from(SQUARES))


def test_the_package_exports_all_of_squares():
    assert set(eleengine.squares.__all__) < set(eleengine.__all__)
    assert len(set(eleengine.__all__)) == len(eleengine.__all__)


def test_constants_names_and_numbers_agree():
    for number, name in enumerate(SQUARE_NAMES):
        assert getattr(eleengine, name.upper()) == number == parse_square(name)
        assert square_name(number) == name
        assert square(square_file(number), square_rank(number)) == number
    assert (A0, I0, A9, I9) == (0, 8, 81, 89)


@pytest.mark.parametrize("name", ["", "a", "a10", "j0", "A0", "a:", "aa", "é0", "0a"])
def test_parse_square_refuses_other_text(name):
    raises(ValueError, "not a square", parse_square, name)


@pytest.mark.parametrize("number", [-1, 90, 10**30])
def test_numbers_off_the_board_are_refused(number):
    for call in (square_name, SquareSet().add, SquareSet().discard, SquareSet.from_square):
        raises(ValueError, r"0\.\.89", call, number)
    assert number not in SquareSet(ALL)


@pytest.mark.parametrize(("file", "rank"), [(9, 0), (-1, 0), (0, 10), (0, -1)])
def test_square_refuses_files_and_ranks_off_the_board(file, rank):
    raises(ValueError, "no square", square, file, rank)


def test_mirror_exchanges_ranks_and_mirror_files_exchanges_files():
    assert square_mirror_files(A0) == I0 and square_mirror(A0) == A9
    for number in SQUARES:
        assert square_rank(square_mirror_files(number)) == square_rank(number)
        assert square_file(square_mirror(number)) == square_file(number)
        for mirror in (square_mirror, square_mirror_files):
            assert mirror(mirror(number)) == number


@given(squares, squares)
def test_square_set_behaves_like_a_set(a, b):
    x, y = SquareSet(a), SquareSet(b)
    assert list(x) == sorted(a) and list(reversed(x)) == sorted(a, reverse=True)
    assert len(x) == len(a) and bool(x) == bool(a) and x == a and int(x) == sum(1 << s for s in a)
    for mine, theirs in (
        (x | y, a | b), (x & y, a & b), (x - y, a - b), (x ^ y, a ^ b), (~x, set(SQUARES) - a),
        (x.union(y), a | b), (x.intersection(b), a & b), (x.difference(y), a - b),
        (x.symmetric_difference(b), a ^ b), (a | y, a | b), (a & y, a & b), (a - y, a - b), (a ^ y, a ^ b),
    ):  # fmt: skip
        assert isinstance(mine, SquareSet)
        assert set(mine) == theirs
    assert x.isdisjoint(y) == a.isdisjoint(b)
    assert (x <= y, x < y, x >= y, x > y) == (a <= b, a < b, a >= b, a > b)
    assert x.issubset(b) == a.issubset(b) and x.issuperset(b) == a.issuperset(b)


@given(squares, squares)
def test_square_set_changes_in_place_like_a_set(a, b):
    for mine, theirs in (
        ("update", set.update), ("intersection_update", set.intersection_update),
        ("difference_update", set.difference_update),
        ("symmetric_difference_update", set.symmetric_difference_update),
        ("__ior__", set.__ior__), ("__iand__", set.__iand__), ("__isub__", set.__isub__),
        ("__ixor__", set.__ixor__),
    ):  # fmt: skip
        x, expected = SquareSet(a), set(a)
        getattr(x, mine)(SquareSet(b))
        theirs(expected, b)
        assert set(x) == expected


def test_single_squares_are_added_and_taken_out():
    x = SquareSet([C4, E2])
    x.add(G4)
    x.discard(C4)
    x.discard(C4)
    assert x == {E2, G4} and E2 in x and C4 not in x
    raises(KeyError, "", x.remove, C4)
    assert x.pop() == E2
    x.remove(G4)
    raises(KeyError, "", x.pop)
    x.update([C4], [E2])
    x.clear()
    assert not x


@given(squares, st.integers(0, 100) | st.just(10**30))
def test_shifts_drop_what_leaves_the_board(a, n):
    x = SquareSet(a)
    assert set(x << n) == {s + n for s in a if s + n < 90}
    assert set(x >> n) == {s - n for s in a if s >= n}
    y = SquareSet(a)
    y <<= n
    x >>= n
    assert y == SquareSet(a) << n and x == SquareSet(a) >> n


@given(squares)
def test_copies_repr_and_pickle_give_an_equal_set(a):
    x = SquareSet(a)
    assert eval(repr(x)) == x == pickle.loads(pickle.dumps(x)) == x.copy() == SquareSet(int(x))
    assert x.mirror().mirror() == x == x.mirror_files().mirror_files()
    assert x.tolist() == [s in a for s in SQUARES]
    assert str(x).count("1") == len(a)


def test_between_is_a_line_or_nothing():
    assert SquareSet.between(E0, E4) == SquareSet.between(E4, E0) == {13, 22, 31}
    assert SquareSet.between(A0, I0) == set(range(1, 8))
    assert not SquareSet.between(A0, E4) and not SquareSet.between(E4, E4)


def test_carry_rippler_visits_every_subset():
    x = SquareSet([A0, E4, I9])
    subsets = [SquareSet(mask) for mask in x.carry_rippler()]
    assert len(subsets) == 8 and all(subset <= x for subset in subsets) and not subsets[0]


@pytest.mark.parametrize("mask", [-1, 1 << 90])
def test_masks_have_ninety_bits(mask):
    raises(ValueError, "bits 0 to 89", SquareSet, mask)
    squares = SquareSet([A0])
    with pytest.raises(ValueError, match="bits 0 to 89"):
        squares.mask = mask
    assert list(squares) == [A0]


def test_a_mask_is_set_as_an_int():
    squares = SquareSet()
    squares.mask = 1 << 89 | 1
    assert list(squares) == [A0, I9]
    with pytest.raises(TypeError):
        squares.mask = [A0]


def test_a_set_equals_sets_only_and_is_no_key():
    assert SquareSet([A0]) != "a0" and SquareSet() != None and SquareSet() != {90}  # noqa: E711
    with pytest.raises(TypeError):
        hash(SquareSet())
