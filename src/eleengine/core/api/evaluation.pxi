# api/evaluation.pxi - the trace of the evaluation as Python data, and how its weights are arranged.
#
# Uses: eval/classic/evaluate, api/context.

# Every term of eval/classic/weights.pxi once: name, first index, and the sizes of its table, row by row.
_EVAL_TERMS = (
    ("tempo", T_TEMPO, ()),
    ("rook mobility", T_ROOK_MOBILITY, (18,)),
    ("knight mobility", T_KNIGHT_MOBILITY, (9,)),
    ("cannon mobility", T_CANNON_MOBILITY, (18,)),
    ("pressure", T_PRESSURE, (3, 16)),
    ("cannon on file", T_CANNON_ON_FILE, (2, 4)),
    ("cannon on rank", T_CANNON_ON_RANK, (2, 4)),
    ("rook check", T_ROOK_CHECK, ()),
    ("knight check", T_KNIGHT_CHECK, ()),
    ("hanging", T_HANGING, (8,)),
    ("threat by light piece", T_THREAT_BY_LIGHT, (8,)),
    ("threat by minor piece", T_THREAT_BY_MINOR, ()),
    ("protected", T_PROTECTED, (8,)),
    ("pinned", T_PINNED, (8,)),
    ("advisors against rooks", T_ADVISORS_ROOKS, (3, 3)),
    ("advisors against cannons", T_ADVISORS_CANNONS, (3, 3)),
    ("advisors against knights", T_ADVISORS_KNIGHTS, (3, 3)),
    ("bishops against cannons", T_BISHOPS_CANNONS, (3, 3)),
    ("bishops against pawns", T_BISHOPS_PAWNS, (3, 4)),
    ("crossed pawns", T_CROSSED_PAWNS, (6,)),
    ("crossed pair", T_CROSSED_PAIR, ()),
    ("rook on open file", T_ROOK_OPEN_FILE, ()),
    ("army and pawns", T_ARMY_PAWNS, (3, 3, 3, 6)),
    ("army against pawns", T_ARMY_ENEMY_PAWNS, (3, 3, 3, 6)),
    ("army against army", T_ARMIES, (3, 3, 3, 3, 3, 3)),
    ("pawns against guards", T_PAWNS_GUARDS, (6, 5)),
    ("cannon by screens", T_CANNON_SCREENS, (9,)),
)


def eval_trace(BaseBoard board not None, *, Context context=None):
    """How the static evaluation comes about: a dict.

    counts: a list of (term, index, red count, black count, middlegame weight, endgame weight) of
    everything that occurs; index is () or a place in the term's table. The terms "material" (index:
    piece type) and "square" (index: piece type and square, seen from its side) come first.
    mg, eg: the sums of (red - black) * weight. phase (0..max_phase), scale (of 64): what becomes of
    them. score: the result, in centipawns for the side to move. context: the default one by default.
    """
    cdef Trace trace
    cdef int side, kind, s, i, term, first
    cdef Context used = chosen_context(context)
    cdef const Classic* classic = &used.numbers.model.classic
    cdef const Weights* mg = &classic.weights[MG]
    cdef const Weights* eg = &classic.weights[EG]
    board.need_playable()
    classic_evaluate(classic, &board.pos, sum_squares(classic, &board.pos), &trace)
    material = {}
    squares = {}
    for s in range(SQUARES):
        if board.pos.board[s] != EMPTY:
            side = side_of(board.pos.board[s])
            kind = type_of(board.pos.board[s])
            i = s if side == RED else 9 * (9 - rank_of(s)) + file_of(s)
            if kind != KING:
                material.setdefault((kind,), [0, 0])[side] += 1
            squares.setdefault((kind, i), [0, 0])[side] += 1
    counts = [("material", index, n[RED], n[BLACK], mg.value[index[0]], eg.value[index[0]])
              for index, n in sorted(material.items())]
    counts += [("square", index, n[RED], n[BLACK], mg.square[index[0]][half_board_index(index[1])],
                eg.square[index[0]][half_board_index(index[1])]) for index, n in sorted(squares.items())]
    for name, first, sizes in _EVAL_TERMS:
        for i, index in enumerate(_table_indices(sizes)):
            term = first + i
            if trace.counts[RED][term] or trace.counts[BLACK][term]:
                counts.append((name, index, trace.counts[RED][term], trace.counts[BLACK][term],
                               mg.term[term], eg.term[term]))
    return {"counts": counts, "mg": trace.mg, "eg": trace.eg, "phase": trace.phase, "max_phase": MAX_PHASE,
            "scale": trace.scale, "score": trace.score}


# The tables of weights in the order of the numbers of one phase: name, sizes.
WEIGHT_TABLES = (("material", (8,)), ("square", (8, PLACES)), *[(name, sizes) for name, _, sizes in _EVAL_TERMS])


def _table_indices(sizes):
    """All places of a table, row by row."""
    indices = [()]
    for size in sizes:
        indices = [index + (i,) for index in indices for i in range(size)]
    return indices
