# cython: auto_pickle=False, autotestdict=False
"""The engine's core: board, moves, evaluation and search as C data and free functions.

One translation unit out of the rooms in core/, in dependency order: a room uses only rooms above it.
"""

from cpython.exc cimport PyErr_CheckSignals
from cython.parallel cimport prange
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.math cimport log
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from _thread import allocate_lock

include "core/platform.pxi"   # what the compiler gives us: OpenMP or its absence, checks
include "core/bits.pxi"       # sets of squares
include "core/types.pxi"      # limits, piece codes, Move, State, Position
include "core/tables.pxi"     # Zobrist keys, steps, lines
include "core/params.pxi"     # constants of the search that can be tuned
include "core/weights.pxi"    # what pieces and squares are worth
include "core/position.pxi"   # put, remove, do_move, undo_move, attackers, checks
include "core/fen.pxi"        # text to Position and back, and what makes a position valid
include "core/movegen.pxi"    # captures, quiets, evasions, legal
include "core/perft.pxi"      # leaf counts, on several threads
include "core/see.pxi"        # static exchange evaluation
include "core/chases.pxi"     # what moves attack, in the sense of each rule set
include "core/rules.pxi"      # repetition, perpetual check and chase, counted draws
include "core/tt.pxi"         # transposition table
include "core/busy.pxi"       # moves being searched by others
include "core/worker.pxi"     # what a searching thread owns: path, histories, correction
include "core/movepick.pxi"   # the moves of a node in stages
include "core/eval.pxi"       # classical evaluation with a trace
include "core/search.pxi"     # principal-variation search and quiescence
include "core/mate.pxi"       # the true length of an announced mate
include "core/parallel.pxi"   # one search by several workers
include "core/api.pxi"        # Move, Piece and BaseBoard: the only room that knows Python objects
include "core/api_search.pxi" # Searcher
include "core/api_params.pxi" # the tunable constants of the search as a dict
include "core/api_eval.pxi"   # the trace of the evaluation

globals()["MATE"] = MATE     # the C constant hides a Python name of its own
fill_reductions()
fill_tables()
fill_weights()
