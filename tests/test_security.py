"""SECURITY.md: every promise has a test."""

import ast
import functools
import re

import pytest
from support import CHECKOUT

if not (CHECKOUT / "SECURITY.md").is_file():
    pytest.skip("not in this distribution", allow_module_level=True)
TEXT = (CHECKOUT / "SECURITY.md").read_text(encoding="utf-8")
#: By a part of the row or sentence that promises something, the tests that would fail without it.
PROMISES = {
    "whoever made a record": """
        test_records_limits.test_inputs_that_fuzzing_has_found_are_read_or_refused
        test_terminal.test_records_are_shown_as_text test_records.test_any_bytes_are_read_or_refused
        test_book.test_arbitrary_bytes_are_refused_or_read test_book.test_virtual_tables_are_refused
        test_games_index.test_an_index_with_anything_else_in_it_is_refused
        test_tables.test_damaged_and_foreign_files_are_refused_with_their_name
        test_network.test_headers_that_cannot_be_are_refused""",
    "a program that speaks to the engine": """
        test_ucci_fuzz.test_110_ten_thousand_lines_of_noise test_ucci_fuzz.test_one_answer_for_each_go
        test_ucci_more.test_a_line_without_end_is_refused_at_once""",
    "an engine that you start": """
        test_external.test_a_hanging_engine_is_ended test_external.test_lines_that_nobody_reads_do_not_pile_up
        test_terminal.test_an_engine_is_shown_as_text""",
    "a web site that you visit": """
        test_webboard.test_foreign_hosts_are_refused
        test_webboard.test_the_token_is_long_and_new_each_time""",
    "another user of the machine": """
        test_webboard_safety.test_the_token_is_not_among_the_arguments_of_the_browser
        test_webboard_safety.test_guests_have_little_time_and_shut_nobody_out
        test_webboard_safety.test_a_guest_cannot_send_much
        test_webboard_safety.test_games_are_for_the_user_alone
        test_cluster.test_nobody_else_can_connect_to_the_embedded_cluster""",
    "whoever is in the local network": """
        test_webboard_safety.test_the_local_network_is_let_in_only_if_that_is_wanted""",
    "whoever has the address for looking on": """
        test_webboard_watch.test_nothing_that_is_said_is_done
        test_webboard_watch.test_who_looks_on_learns_nothing_of_the_owner""",
    "a power cut or a kill": """
        test_kills.test_work_that_is_killed_ends_as_if_it_had_not_been
        test_files.test_what_a_killed_writer_left_is_removed_by_a_later_one
        test_webboard_safety.test_a_killed_server_has_lost_no_more_than_half_a_second""",
    "Python code in the same process": """
        test_core_types.test_what_used_to_crash
        test_core_types.test_threads_fill_and_read_one_collection_of_positions
        test_parallel.test_no_data_races""",
    "A pipe or device": "test_files.test_readers_refuse_a_pipe_and_a_device",
    "an unpacked file": """
        test_records_limits.test_small_packed_files_do_not_fill_the_memory
        test_webboard_safety.test_a_small_file_cannot_fill_the_memory""",
    "the text of one game": """
        test_records_limits.test_a_game_has_so_many_headers test_records_limits.test_a_game_has_so_many_words
        test_records_limits.test_small_packed_files_do_not_fill_the_memory""",
    "a file sent to the board": "test_webboard_safety.test_a_small_file_cannot_fill_the_memory",
    "one value of an SQLite book": "test_book.test_values_and_seconds_of_a_book_are_limited",
    "moves of one position in an SQLite book": """
        test_book.test_a_book_of_one_key_is_refused
        test_book.test_notes_of_a_position_are_limited_together""",
    "moves of one position in an index": "test_games_index.test_moves_of_a_position_are_limited",
    "a look-up in an SQLite book": """
        test_book.test_a_look_up_has_its_time_for_all_rows
        test_book.test_values_and_seconds_of_a_book_are_limited""",
    "memory for a hash table": "test_system.test_memory_that_is_not_free_is_refused_in_words",
    "what an engine has written": """
        test_external.test_lines_that_nobody_reads_do_not_pile_up
        test_external.test_long_lines_that_nobody_reads_are_limited""",
    "a picture as PNG": "test_svg.test_pictures_of_too_many_pixels_are_refused",
    "pages of one board server": """
        test_webboard.test_a_server_has_so_many_pages
        test_webboard_watch.test_a_class_does_not_shut_the_owner_out""",
    "connections to it": """
        test_webboard_safety.test_guests_have_little_time_and_shut_nobody_out
        test_webboard_safety.test_a_guest_cannot_send_much""",
    "Text for people": """
        test_terminal.test_no_command_writes_what_it_was_given_as_it_is
        test_terminal.test_data_that_goes_to_a_terminal_is_shown_as_text""",
    "`eleengine convert --no-limits`": "test_records_limits.test_without_limits_every_format_is_read",
}


def rows():
    """The rows of the two tables, and the sentences with promises behind them."""
    defended, _, limits = TEXT.partition("## What we do not defend")[0].partition("## Limits")
    for part in (defended, limits):
        for row in re.findall(r"^\| (.+?) \|", part, re.MULTILINE):
            if row not in ("Against whom", "What"):
                yield row
    yield from (line for line in limits.splitlines() if line and line[0] not in "|#W")


@functools.cache
def names_in(file):
    tree = ast.parse((CHECKOUT / f"tests/{file}.py").read_text(encoding="utf-8"))
    return {getattr(node, "name", "") for node in tree.body}


@pytest.mark.parametrize("row", list(rows()))
def test_a_promise_has_a_test(row):
    found = [part for part in PROMISES if row.startswith(part)]
    assert len(found) == 1, row
    for name in PROMISES[found[0]].split():
        file, _, test = name.partition(".")
        assert test in names_in(file), name


def test_nothing_is_promised_that_is_not_written():
    assert all(any(row.startswith(part) for row in rows()) for part in PROMISES)
