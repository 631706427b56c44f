# ruff: noqa: E501 - an item is a line
"""Write the page of all items of the five source texts, and where each of them is.

    python tools/papers_items.py > docs/papers-items.md

An item is a line of ITEMS: section, what it is, and the proof: `test_file::test_name`, a command of eleengine, or a
reason why it is not here.
"""

HEAD = """# The five texts, item by item

Every algorithm, table, figure and wish of the five texts that [the papers' page](papers.md) names, and where it is:
a test that checks it, a command that shows it, or the reason why it is not here. Written by `tools/papers_items.py`.
"""

ITEMS = {
    "Zou's thesis": """
1.1, table 1.1 | complexity of chess and of Xiangqi | reason: numbers of other texts about the games, not of a program
1.2 | window splitting | papers splits --only 'window splitting'
1.2 | SSS*, ER and PRBFM | reason: mentioned in the survey only; the thesis neither describes nor measures them
1.2 | search over a network (PVM) | reason: a reference of the survey; games, not searches, run on a cluster here
2.2.1 | minimax and negamax | test_thesis_search::test_the_score_is_that_of_minimax
2.2.2 | alpha-beta, fail-soft | papers strategies --only alpha-beta
2.2.3, formula 2.1 | minimal tree | test_papers::test_first_cuts_and_the_minimal_tree
2.2.3 | PV, cut and all nodes | test_thesis_search::test_cuts_are_counted
2.2.4 | Zobrist keys, changed move by move | test_properties::test_the_key_depends_on_pieces_and_side_only
2.2.4 | index of 32 bits and check of 64 | reason: one key of 64 bits gives index and check; the XOR entry checks all of it
2.2.4 | table with bounds, depth and move | test_thesis_search::test_an_entry_is_read_back
2.2.4 | doubling the table gives 7 % more hits | papers sizes --depth 8
2.2.4 | table in two layers | papers entries
2.2.4, 4.1.2 | leaves in the table or not | papers entries
2.2.5.1 | captures by victim and attacker | test_thesis_search::test_sound_switches_change_no_score
2.2.5.2 | moves below alpha kept or not, low and high bound correction | test_thesis_search::test_a_deeper_result_of_the_position_stays_any_other_goes
2.2.5.3 | history heuristic | papers elo --program thesis
2.2.5.4 | killer moves | papers elo --program thesis
2.2.5.5 | orders of the heuristics compared | papers ordering
2.2.6, 4.1.1 | a nearer mate counts more | test_thesis_search::test_a_mate_is_found_and_counted_from_the_root
2.2.6 | PVS | papers strategies --only PVS
2.2.7 | null move, fixed and adaptive | papers elo --program thesis
2.2.8 | MTD(f) | papers strategies --only 'MTD(f)'
2.3.1 | tree splitting | papers splits --only 'tree splitting'
2.3.2 | PV-split | papers speedup --split pv
2.3.3 | dynamic tree splitting | papers splits --only 'dynamic tree splitting'
3.1, 3.2 | OpenMP, fork and join | test_thesis_search::test_all_threads_count
3.1 | the same program without OpenMP | test_build::test_build
3.2.3 | OMP_NUM_THREADS | test_busy_machine::test_default_threads_are_those_that_can_run
3.2.3 | OMP_SCHEDULE, OMP_NESTED, OMP_DYNAMIC | reason: the schedule is an option, loops are never nested, and a limit on threads is an error
3.3.2 | as many threads as processors | test_busy_machine::test_default_threads_are_those_that_can_run
3.3.3 | data races and locks | test_parallel::test_no_data_races
3.3.4 | static, dynamic and guided schedules | test_papers::test_ways_to_share_the_tree_are_options
3.3.4 | runtime schedule | reason: the option --schedule says at run time which one, without a variable of the environment
3.3.5, 4.2.5 | false sharing | reason: what threads write lies on cache lines of its own (core/papers/search.pxi); no effect could be measured on two cores
3.4 | speed-up, efficiency | papers speedup
3.4.3 | scalability | papers splits
4.1.1, figure 4.1 | the hybrid PVS | match -e name=thesis -e name=engine-thesis --nodes 1000
4.1.2 | replacement in the table | test_thesis_search::test_a_deeper_result_of_the_position_stays_any_other_goes
4.1.3 | null move: reduction, conditions | test_thesis_search::test_sides_with_fewer_than_three_attackers_do_not_pass
4.1.3 | nothing is kept below a null move | test_thesis_search::test_the_leaves_are_those_on_record
4.1.4 | the order of moves | test_thesis_search::test_each_helper_saves_leaves
4.1.4 | best moves below alpha are killers | papers elo --program thesis
4.2.1 | moves generated and sorted by several threads | reason: a position has some 40 moves, found in a microsecond; starting threads takes longer
4.1.4 | moves generated with rooks, knights and cannons first, the king last | test_thesis_search::test_the_leaves_are_those_on_record
4.2.2 | no nested parallelism | test_thesis_search::test_threads_find_the_same_scores
4.2.3 | a table, history and killers for each thread: read all, write own | test_thesis_search::test_threads_find_the_same_scores
4.2.4 | static schedule of chunks of one, first free move | papers speedup --schedule static
4.2.6 | a cutoff ends the other threads | test_thesis_search::test_threads_find_the_same_scores
4.2.6 | a raised alpha narrows searches that run | reason: read when a thread takes its next move; a running null-window search has nothing to narrow
tables 4.1, 4.2 | nine algorithms | papers strategies
table 4.3, figures 4.5 to 4.7 | times, speed-up, efficiency | papers speedup --plot speedup.png
table 4.4, figures 4.8, 4.9 | leaves and hits | papers speedup --plot speedup.png
4.3.3 | the null move saves 70 % | papers strategies
4.3.3 | PVS before MTD(f) from depth 6 | papers strategies
4.3.3 | four threads play other moves of the same value | test_papers::test_moves_of_several_threads_are_compared
5.1 | board of 256 squares, pieces by number | reason: a board of 90 squares with sets of 128 bits serves the same purpose, faster
5.1 | classes for moves, table, search, evaluation | reason: the core is plain data and functions; ThesisSearch exchanges algorithms by options
5.2 | move generation | test_movegen::test_moves_and_checks_are_those_of_the_slow_rules
5.2 | whether a person's move is legal | test_board::test_push_iccs_refuses_what_is_no_move
5.3.2 | extensions for checks and exchanges | test_thesis_search::test_extensions_are_for_checks_and_exchanges
tables 5.2, 5.3 | material and mobility | test_thesis_search::test_evaluation_is_the_sum_of_the_thesis_terms
figures 5.3 to 5.5 | squares of knight, pawn and rook | test_thesis_search::test_evaluation_is_the_sum_of_the_thesis_terms
5.4.1 (4), (5) | threats and protection | test_thesis_search::test_evaluation_is_the_sum_of_the_thesis_terms
5.4.2 | selection in two phases | test_genetic::test_groups_are_dealt_by_rank
5.4.2 | crossover and mutation | test_genetic::test_crossover_cuts_each_gene_once_by_itself
formulas 5.14, 5.15 | chances that adapt | test_genetic::test_chances_fall_from_the_mean_to_the_best
5.4.3 | the genetic algorithm in parallel | test_cluster::test_games_are_the_same_here_and_there
table 5.4, figure 5.7 | points by generation, on the thesis's own search | papers genetic --search thesis --plot points.png
table 5.5 | the values found | papers genetic --search thesis
5.4.2 | Wang Xiaochun's program as a partner | reason: no copy of it is at hand; --sparring cmd= takes any program
5.5, figure 5.8 | a board for people, with a depth | papers play
conclusion (1) | time control | test_ucci_clock::test_budgets
conclusion (1) | opening book | test_ucci_book::test_searches_for_a_move_ask_it
conclusion (2) | a better way to share the tree | papers splits
conclusion (3) | one table for all threads without locks | test_thesis_search::test_half_an_entry_of_another_position_is_rejected
conclusion (4) | tactics and pairs of pieces | reason: the network sees them; the classical terms have guards, screens and armies, no named pairs
conclusion (4) | tuning of more than the material | test_tuning::test_known_weights_are_found_again
""",
    "Zou's article": """
2.2, figure 3 | PV-split with two procedures | test_thesis_search::test_threads_find_the_same_scores
2.4 | one killer a thread, the two with most history | test_thesis_search::test_threads_find_the_same_scores
2.5 | a static schedule of one turn | papers speedup --schedule static
2.5 | brothers of serial searches as OpenMP tasks | papers splits --only tasks
3.1 | openings of a book | test_papers::test_the_openings_are_different_and_quiet
table 1, figures 4 to 6 | leaves, hits, times, speed-up, efficiency | papers speedup
3.2 | unexpected moves of four threads | test_papers::test_moves_of_several_threads_are_compared
4 | memory of many tables | test_thesis_search::test_threads_find_the_same_scores
references | alpha-beta on graphics processors, distributed search | reason: titles in the list of references; the text itself has neither
""",
    "ElephantEye's article": """
6.2 | entry with a lock by Exchange | papers entries
6.2 | Crafty's XOR entry | test_thesis_search::test_half_an_entry_of_another_position_is_rejected
6.2 | entry with two checksums | test_thesis_search::test_half_an_entry_of_the_same_position
6.3 | PV, cut and all nodes as Fruit predicts them | reason: the engine predicts them so (search/negamax); the papers' search needs no prediction
6.3 | PV and all nodes are split, cut nodes are not | reason: dts splits after the first move, which most cut nodes do not survive; nothing is predicted
6.3 | the first move cuts 80 % of cut nodes | test_papers::test_first_cuts_and_the_minimal_tree
6.3 | no forward pruning at PV nodes | reason: the engine prunes late moves there, which games favoured; the papers' search passes at null windows and PV nodes as Zou's does
6.3 | dynamic tree splitting | papers splits --only 'dynamic tree splitting'
6.3 | aspiration window at the root | papers speedup --split window
6.3 | MTD(f) splits better | papers splits --only 'MTD(f), PV-split' PV-split
""",
    "The engine thesis": """
2.2.1 | board of 256 squares, 32 piece numbers | reason: a board of 90 squares with sets of 128 bits serves the same purpose, faster
2.2.2 | bit ranks and bit files | test_perft::test_perft
2.2.2 | captures, quiet moves and checks apart | test_movegen::test_moves_give_the_checks_of_the_slow_rules
2.2 | moves taken back by a list of what they changed | test_properties::test_pop_restores_everything
2.2.3 | two keys of 64 bits | reason: one key; the entry checks all 64 bits of it
2.2.3 | a table of 256 MB | papers engine --hash 256
2.2.3 | an entry is replaced by a deeper one, or a better one of the same depth | reason: as in Zou's thesis, at least as deep; a higher score is no better knowledge
2.4.5 | repetitions found | test_programs::test_a_move_that_loses_by_repetition_is_not_played
figure 2-3 | evaluation between middlegame and endgame | test_thesis_search::test_evaluation_is_that_of_the_engine_thesis
tables 2-4, 2-5 | the knight's squares | test_thesis_search::test_evaluation_is_that_of_the_engine_thesis
2.3.2 | squares of the other pieces | reason: not printed; a quarter of Zou's numbers stands for them
2.3.3 | shapes of advisors, pins | reason: no number is printed for them
2.3.3 | pieces that shield their own king | test_evaluation::test_each_term_counts_what_it_is_named_after
2.3.3 | a lone advisor fears two rooks | test_evaluation::test_each_term_counts_what_it_is_named_after
2.3.4 | freedom of rooks, shut-in knights | test_thesis_search::test_evaluation_is_that_of_the_engine_thesis
2.3.1 | dynamic game tree by evaluation | reason: announced in one sentence, described nowhere
2.4.2 | the table's move first | papers elo --program engine-thesis
2.4.3 | exchange values | test_thesis_search::test_quiescence_is_of_captures_that_win
2.4.4 | history by the square of the depth | papers elo --program engine-thesis
2.4.4 | the killer with the most cutoffs | reason: the last two of a ply, as in Zou's thesis; the text gives no counter
2.4.5 | order: table move, captures that lose nothing, killers, the rest by history | test_thesis_search::test_each_helper_saves_leaves
table 2-5 | order by piece against the whole order | papers ordering
table 2-6 | killers before or behind captures | papers ordering
3.2.1, 3.2.2 | alpha-beta and PVS | test_thesis_search::test_algorithms_agree_under
3.2.3 | null move above 200, verified | papers elo --program engine-thesis
3.2.4 | iterative deepening | test_thesis_search::test_counts_add_up_over_iterations
3.2.4 | internal deepening | papers elo --program engine-thesis
3.3.1 | quiescence of good captures | test_thesis_search::test_quiescence_is_of_captures_that_win
3.3.2 | extensions in check and for an only move | test_thesis_search::test_forced_extensions_see_a_long_mate_by_checks
table 3-1 | ten middlegames in 20 seconds | papers middlegames
tables 4-1, 4-2 | twenty endings against ElephantEye | papers endings
table 4-3 | games against ElephantEye by depth | papers games --opponent cmd=eleeye
1, 5.2 | opening book | test_ucci_book::test_searches_for_a_move_ask_it
1 | endgame tables | test_tables_engine::test_mates_that_the_engine_proves_have_the_length_of_the_table
5.2 | learning by games | test_tuning::test_known_weights_are_found_again
""",
    "Li's article": """
1 | alpha-beta and negamax | test_thesis_search::test_the_score_is_that_of_minimax
2, 3 | transposition table by hashing | test_thesis_search::test_an_entry_is_read_back
4 | evaluation by material, mobility, threats, protection, squares | test_thesis_search::test_evaluation_is_the_sum_of_the_thesis_terms
4 | fewer leaves from depth 3 on | papers table
4 | slower at depth 3 | papers table
4 | hits grow with the depth | papers table
4 | twice as fast at depth 5 | papers table
""",
    "What the project set out with": """
plan | handshake, options and moves by UCCI, silence after `bye` | test_ucci_handshake::test_002_handshake_ends_with_ucciok
plan | XQWizard and other GUIs | reason: they run on Windows; gui.md says how they are set up, and tests speak to the engine as they do
plan | siblings searched by a parallel loop of Cython without the interpreter's lock | test_thesis_search::test_threads_find_the_same_scores
plan | a number of threads, of which all work | test_thesis_search::test_all_threads_count
plan | perft and its tables | test_perft::test_perft
plan | positions by name | judge --suite repetition
plan | properties of move generation, the rules alone | test_movegen::test_moves_and_checks_are_those_of_the_slow_rules
plan | repetition, perpetual check and chase | judge --suite repetition
plan | the texts' own programs as opponents | papers play --program engine-thesis
plan | today's order of moves: continuation histories, exchanges counted out | bench
""",
}


def rows(text: str) -> list[tuple[str, str, str]]:
    """Section, item and proof of each line."""
    found = []
    for line in text.strip().splitlines():
        section, item, proof = (part.strip() for part in line.split(" | "))
        found.append((section, item, proof))
    return found


def shown(proof: str) -> str:
    """The proof as the page has it."""
    if proof.startswith("reason: "):
        return f"not here: {proof.removeprefix('reason: ')}"
    if "::" in proof:
        file, _, name = proof.partition("::")
        return f"`tests/{file}.py`: `{name}`"
    return f"`eleengine {proof}`"


def page() -> str:
    """The whole page."""
    lines = [HEAD]
    for source, text in ITEMS.items():
        lines += [f"## {source}", "", "| Section | Item | Where |", "|---|---|---|"]
        lines += [f"| {section} | {item} | {shown(proof)} |" for section, item, proof in rows(text)]
        lines.append("")
    every = [proof for text in ITEMS.values() for _, _, proof in rows(text)]
    tests = sum("::" in proof for proof in every)
    reasons = sum(proof.startswith("reason: ") for proof in every)
    lines.append(
        f"{len(every)} items: {tests} tests, {len(every) - tests - reasons} commands, {reasons} reasons."
    )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
