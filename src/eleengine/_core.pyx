# cython: auto_pickle=False, autotestdict=False, binding=False, embedsignature=True, embedsignature.format=clinic
"""The engine's core: board, moves, evaluation and search as C data and free functions.

One translation unit out of the include files in core/, in dependency order: each uses only those above it.
"""

from cpython.buffer cimport (
    PyBUF_CONTIG, PyBUF_CONTIG_RO, PyBUF_FORMAT, PyBuffer_Release, PyObject_GetBuffer
)
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from cpython.number cimport PyIndex_Check
from cpython.pythread cimport PyThread_get_thread_ident
from cpython.unicode cimport Py_UNICODE_ISSPACE
from cython.parallel cimport prange
from libc.stdint cimport INT64_MAX, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.math cimport exp, log, log1p
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memmove, memset
from libc.time cimport CLOCKS_PER_SEC, clock, clock_t

from _thread import allocate_lock, interrupt_main

from ._internal.copying import give_state, refuse_copy
from ._internal.message import Message

include "core/base/platform.pxi"          # what compilers and systems do differently
include "core/base/atomic.pxi"            # flags and words that threads share, a spin lock
include "core/base/openmp.pxi"            # OpenMP or its absence, teams of threads
include "core/base/bits.pxi"              # sets of squares
include "core/base/types.pxi"             # limits, piece codes, Move, State, Position
include "core/base/tables.pxi"            # Zobrist keys, steps, lines
include "core/board/position.pxi"         # put, remove, do_move, undo_move, attackers, checks
include "core/board/validity.pxi"         # what makes a position valid
include "core/board/fen.pxi"              # text to Position and back
include "core/board/movegen.pxi"          # captures, quiets, evasions, legal
include "core/board/perft.pxi"            # leaf counts, on several threads
include "core/board/see.pxi"              # static exchange evaluation
include "core/board/threats.pxi"          # can a side attack, is it about to be mated
include "core/rules/chases.pxi"           # what moves attack, in the sense of each rule set
include "core/rules/material.pxi"         # draws by material
include "core/rules/repetition.pxi"       # repetition, perpetual check and chase; the search's verdict
include "core/tables/index.pxi"           # which entry of an endgame table a position is
include "core/tables/probe.pxi"           # the values of positions, from tables in memory
include "core/tables/solve.pxi"           # endgame tables by retrograde analysis
include "core/tables/perpetual.pxi"       # draws that rest on checks, chases or threats without end
include "core/eval/classic/weights.pxi"   # what pieces and squares are worth
include "core/eval/classic/shipped.pxi"   # the weights to begin with; made of shipped.json
include "core/eval/scale.pxi"             # scaling by material, fading without captures, limits
include "core/eval/classic/evaluate.pxi"  # classical evaluation with a trace
include "core/eval/network/kernels.pxi"   # its arithmetic: vectors of 16-bit integers
include "core/eval/network/hanging.pxi"   # which pieces hang
include "core/eval/network/features.pxi"  # what a network sees of a board
include "core/eval/network/network.pxi"   # a network in memory, and what it says of a position
include "core/eval/evaluate.pxi"          # a model, and what a worker keeps of the evaluation
include "core/search/parameters.pxi"      # numbers of the search that can be tuned; made of parameters.txt
include "core/search/context.pxi"         # the numbers that a search goes by
include "core/search/score.pxi"           # mates, bans and draws as scores
include "core/search/constants.pxi"       # numbers of the search that stay
include "core/search/table.pxi"           # transposition table
include "core/search/busy.pxi"            # moves being searched by others
include "core/search/worker.pxi"          # what a searching thread owns, what all threads share
include "core/search/virtual_time.pxi"    # many workers on few processors, to measure them
include "core/search/team.pxi"            # the workers as a team, in real or virtual time
include "core/search/timeman.pxi"         # limits of time and nodes
include "core/search/history.pxi"         # what a worker learns about moves and evaluations
include "core/search/movepick.pxi"        # the moves of a node in stages
include "core/search/node.pxi"            # moves on the path, verdicts, the table
include "core/search/quiescence.pxi"      # captures and checks at the leaves
include "core/search/root.pxi"            # the root moves
include "core/search/pruning.pxi"         # a node, and what is left out there
include "core/search/negamax.pxi"         # principal-variation search
include "core/search/aspiration.pxi"      # one iteration at the root
include "core/search/mate.pxi"            # the true length of an announced mate
include "core/search/proof.pxi"           # mates by proof numbers, where one is asked for
include "core/search/parallel.pxi"        # one search by several workers
include "core/search/iterative_deepening.pxi"          # iterative deepening
include "core/data/selfplay.pxi"          # games of the engine against itself
include "core/data/traces.pxi"            # positions of games for tuning, and the loss of weights on them
include "core/data/samples.pxi"           # positions of games for the training of networks
include "core/data/positions.pxi"         # positions and moves as arrays for machine learning
include "core/data/training.pxi"          # a network in floating point, fitted to them
include "core/papers/table.pxi"           # the papers' transposition table
include "core/papers/evaluate.pxi"        # the papers' evaluation
include "core/papers/worker.pxi"          # what a thread of the papers' searches owns, what all share
include "core/papers/search.pxi"          # the papers' search algorithms
include "core/papers/share.pxi"           # a node that several threads search
include "core/papers/tasks.pxi"           # its moves as tasks of OpenMP
include "core/papers/split.pxi"           # the same on several threads: PV-split
include "core/api/process.pxi"            # what the build can do, locks, signals
include "core/api/move.pxi"               # Move, Piece
include "core/api/perft.pxi"              # counts of leaves
include "core/api/repetition.pxi"         # the moves of a repetition, for explanations
include "core/api/board.pxi"              # BaseBoard
include "core/api/notation.pxi"           # plain moves in text
include "core/api/certain_draws.pxi"      # which tables have only draws that no rule of repetition changes
include "core/api/tables.pxi"             # EndgameTable, EndgameTables
include "core/api/network.pxi"            # Network
include "core/api/context.pxi"            # Context
include "core/api/search.pxi"             # Searcher
include "core/api/evaluation.pxi"         # the trace of the evaluation
include "core/api/selfplay.pxi"           # SelfPlay
include "core/api/traces.pxi"             # Traces
include "core/api/training.pxi"           # Samples, Trainer
include "core/api/positions.pxi"          # PositionArray
include "core/api/boards.pxi"             # BoardBatch
include "core/api/papers.pxi"             # ThesisSearch, ThesisTable

globals()["MATE"] = MATE     # the C constants hide Python names of their own
globals()["NO_SCORE"] = NO_SCORE
fill_reductions()
fill_tables()
fill_table_places()
fill_features()
fill_policy()
