# api/tables.pxi - EndgameTable and EndgameTables: exact values of endings.
#
# Uses: tables/solve, tables/perpetual, api/board, api/certain_draws.

TABLE_LETTERS = "RNCPAB"         # of the names, in their order
SHIPPED_TABLES_MIB = 96          # of values; those of all are 93, and a third of that takes up memory
_TABLE_KINDS = {"R": ROOK, "N": KNIGHT, "C": CANNON, "P": PAWN, "A": ADVISOR, "B": BISHOP}


@cython.final
cdef class EndgameTable:
    """The values of all positions with the same pieces.

    name: red pieces without the king, a hyphen, black ones, such as "RN-AABB"; letters in the order RNCPAB, the side
    that has more to attack with first. ValueError for another name. It holds nothing until solve() or keep().
    Layers: 0 results, 1 distances to mate, 2 distances to conversion, which is mate or a capture.
    """
    cdef MaterialTable table
    cdef bint solving
    cdef dict held               # bytes by (layer, side, block)
    cdef readonly str name       #: as normal_table_name gives it

    def __cinit__(self, str name not None):
        cdef int side, layer
        if normal_table_name(name) != name:
            raise ValueError(f"the table {name} is called {normal_table_name(name)}")
        self.name = name
        self.held = {}
        for side, letters in enumerate(name.split("-")):
            for letter in letters:
                self.table.counts[side][<int>_TABLE_KINDS[letter]] += 1
        if not lay_out_table(&self.table):
            raise ValueError(f"no table has so many pieces: {name}")
        self.table.draws_certain = draws_are_certain(name)
        self.table.blocks = (self.table.rows + PACKED_ROWS - 1) // PACKED_ROWS
        for layer in range(LAYERS):
            self.table.missing[layer] = 2 * self.table.blocks
            self.table.longest[layer] = TABLE_PLIES
            for side in range(2):
                self.table.block[layer][side] = <const uint8_t**>need(
                    calloc(self.table.blocks, sizeof(void*)), f"the table {name}")

    def __dealloc__(self):
        cdef int holder, side, layer
        for side in range(2):
            for layer in range(LAYERS):
                free(self.table.block[layer][side])
            for holder in range(2):
                free(self.table.perpetual[holder][side])

    def __reduce__(self):
        refuse_copy(self, "block() and keep() its values")

    def __repr__(self):
        return f"EndgameTable({self.name!r})"

    @property
    def entries(self):
        """How many values there are for each side to move."""
        return self.table.rows * SQUARES

    @property
    def blocks(self):
        """How many blocks a layer has for each side to move."""
        return self.table.blocks

    @property
    def filled(self):
        """Whether all results are in memory. Once they are, they stay."""
        return not self.table.missing[LAYER_WDL]

    @property
    def bounds(self):
        """Most plies to mate, and to a conversion; after one to the end if captures hurry, and to the next."""
        cdef MaterialTable* t = &self.table
        return t.longest[LAYER_DTM], t.longest[LAYER_DTC], t.after, t.hardest

    @bounds.setter
    def bounds(self, value):
        cdef MaterialTable* t = &self.table
        numbers = [within("bounds", int(number), 0, TABLE_INVALID) for number in value]
        t.longest[LAYER_DTM], t.longest[LAYER_DTC], t.after, t.hardest = numbers

    cdef tuple place(self, int layer, int side, int64_t block):
        if self.solving or not 0 <= layer < LAYERS or not 0 <= side <= 1 or not 0 <= block < self.table.blocks:
            raise ValueError(f"no such block in the table {self.name}")
        return layer, side, block

    def block(self, int layer, int side, int64_t block):
        """A block of a layer for a side to move (0: red) as files have it; None if it is not in memory."""
        return self.held.get(self.place(layer, side, block))

    def keep(self, int layer, int side, int64_t block, bytes packed not None):
        """Take a block into memory; ValueError if it is damaged."""
        key = self.place(layer, side, block)
        if not is_block(<const uint8_t*>PyBytes_AS_STRING(packed), len(packed), layer_bytes(layer)):
            raise ValueError(f"block {block} of the table {self.name} is damaged")
        if key in self.held:
            raise ValueError(f"block {block} of the table {self.name} is there already")
        self.held[key] = packed
        pointer_set(&self.table.block[layer][side][block], <const uint8_t*>PyBytes_AS_STRING(packed))
        self.table.missing[layer] -= 1

    cdef int drop(self, int layer, int side, int64_t block) except -1:
        """Forget a block of distances that no search is using."""
        pointer_set(&self.table.block[layer][side][block], NULL)
        self.table.missing[layer] += 1
        del self.held[layer, side, block]
        return 0

    def value(self, int64_t index, bytes results not None, bytes distances=None):
        """The value of an entry by the blocks that it is in; without distances that of a mate, or a mate in one.

        ValueError for blocks that are damaged.
        """
        cdef const uint8_t* block = <const uint8_t*>PyBytes_AS_STRING(results)
        cdef int64_t row = index // SQUARES
        cdef int result, s = <int>(index % SQUARES)
        if (not 0 <= row < self.table.rows or not is_block(block, len(results), RESULT_BYTES)
                or distances is not None and not is_block(<const uint8_t*>PyBytes_AS_STRING(distances), len(distances),
                                                          SQUARES)):
            raise ValueError(f"a block of the table {self.name} is damaged")
        result = block_result(block, row, s)
        if distances is None:
            return value_of(result, 0)
        return value_of(result, block_byte(<const uint8_t*>PyBytes_AS_STRING(distances), SQUARES, row, s))

    def solve(self, EndgameTables smaller not None, *, threads=1, progress=None):
        """Find all values. smaller: what captures lead to, with distances to mate.

        progress(plies, found) is called after each ply. ValueError for a missing table, or if this one is filled or
        being solved; OverflowError if a win takes more than 507 plies; MemoryError. An exception of progress ends the
        work.
        """
        cdef TableSolver w
        cdef MaterialTable* t = &self.table
        cdef EndgameTable one
        cdef int winner, side
        missing = [name for name in smaller_tables(self.name) if name not in smaller]
        if missing:
            raise ValueError(f"the table {self.name} needs {', '.join(missing)}")
        cdef int team = within("threads", threads, 1, 256)
        if self.held or self.solving:
            raise ValueError(f"the table {self.name} is {'filled' if self.filled else 'being solved'} already")
        if not has_room(t.rows * (4 * SQUARES + 8 * sizeof(SquareBits) + 4), 0):
            raise MemoryError(f"no memory for solving the table {self.name}")
        memset(&w, 0, sizeof(w))
        w.table = t
        w.smaller = smaller.tables
        t.after = t.hardest = 0
        for name in smaller_tables(self.name):
            one = smaller.by_name[name]
            if one.table.missing[LAYER_DTM]:
                raise ValueError(f"the table {self.name} needs distances of {name}")
            t.after = max(t.after, one.table.after + (one.table.longest[LAYER_DTC] + 1) // 2 * 2)
            t.hardest = max(t.hardest, one.table.hardest, one.table.longest[LAYER_DTC])
        self.solving = True
        smaller.users += 1
        found = {}
        try:
            purpose = f"solving the table {self.name}"
            w.unwon = <SquareBits*>need(table_alloc(8 * t.rows * sizeof(SquareBits), 0), purpose)
            w.won_in = <uint8_t*>need(malloc(t.rows * (4 * SQUARES + 4)), purpose)
            w.unlost = w.unwon + t.rows
            w.lost_now = w.unlost + t.rows
            w.escapes = w.lost_now + t.rows
            w.lost_in = w.won_in + t.rows * SQUARES
            for side in range(2):
                w.results[RESULT_WON][side] = w.escapes + (1 + 2 * side) * t.rows
                w.results[RESULT_LOST][side] = w.escapes + (2 + 2 * side) * t.rows
                w.moves[side] = w.lost_in + (1 + side) * t.rows * SQUARES
            w.won_bound = w.moves[BLACK] + t.rows * SQUARES
            w.lost_bound = w.won_bound + t.rows
            w.win_due = w.lost_bound + t.rows
            w.lose_due = w.win_due + t.rows
            for layer in range(LAYER_DTM, LAYERS):
                w.layer = layer
                t.longest[layer] = 0
                for winner in range(2):
                    w.winner = winner
                    self.solve_for(&w, team, progress)
                if layer == LAYER_DTM:
                    self.pack(&w, LAYER_WDL, found)
                self.pack(&w, layer, found)
        finally:
            self.solving = False
            smaller.users -= 1
            table_free(w.unwon)
            free(w.won_in)
        for (layer, side, block), packed in found.items():
            self.keep(layer, side, block, packed)

    cdef int pack(self, TableSolver* w, int layer, dict found) except -1:
        """Add the blocks of a layer to what was found."""
        cdef int64_t block, size
        cdef int side
        cdef uint8_t[PACKED_BYTES] packed
        for side in range(2):
            for block in range(self.table.blocks):
                with nogil:
                    size = pack_block(w, layer, side, block, packed)
                found[layer, side, block] = PyBytes_FromStringAndSize(<const char*>packed, size)
        return 0

    cdef int solve_for(self, TableSolver* w, int threads, progress) except -1:
        cdef int64_t found = 0, now
        cdef int idle = 0
        w.depth = 0
        with nogil:
            for_all_rows(w, TABLE_PREPARE, threads)
        while idle < 2 or w.depth <= last_bound(w):
            if w.depth > TABLE_PLIES + 1:
                raise OverflowError(f"a win of the table {self.name} takes more than {TABLE_PLIES} plies")
            with nogil:
                now = for_all_rows(w, TABLE_WIN if w.depth & 1 else TABLE_LOSE, threads)
            found += now
            idle = 0 if now else idle + 1
            if now:
                self.table.longest[w.layer] = max(self.table.longest[w.layer], w.depth)
            w.depth += 1
            PyErr_CheckSignals()
            if progress is not None:
                progress(w.depth, found)
        with nogil:
            for_all_rows(w, TABLE_FINISH, threads)
        return 0

    def count(self):
        """For each side to move, {value: (positions, FEN of one)}; mirror images are counted, too."""
        cdef TableCounts counts
        cdef int side, value
        if not self.filled:
            raise ValueError(f"the table {self.name} is empty")
        if self.table.missing[LAYER_DTM]:
            raise ValueError(f"the table {self.name} has no distances")
        memset(&counts, 0, sizeof(counts))
        with nogil:
            count_rows(&self.table, 0, self.table.rows, &counts)
        return tuple(
            {value: (counts.positions[side][value], self.fen(side, counts.example[side][value]))
             for value in range(TABLE_INVALID) if counts.positions[side][value]}
            for side in range(2))

    def fen(self, int side, int64_t index):
        """The position of an entry."""
        cdef Position pos
        cdef State st
        if not 0 <= side <= 1 or not 0 <= index < self.entries:
            raise ValueError(f"no such entry in the table {self.name}")
        memset(&st, 0, sizeof(State))
        pos.st = &st
        if not place_row(&self.table, index // SQUARES, &pos) or pos.board[index % SQUARES] != EMPTY:
            raise ValueError("the entry has no position")
        table_put(&pos, self.table.free_kind, index % SQUARES)
        pos.side = <uint8_t>side
        return fen_text(&pos, 1)

    def index(self, BaseBoard board not None):
        """Side to move and index of the position's entry; ValueError if it is none of the table's."""
        cdef int64_t index
        cdef int swap = position_material(&board.pos, BLACK) > position_material(&board.pos, RED)
        board.need_playable()
        if table_name(board) != self.name:
            raise ValueError(f"the position belongs to the table {table_name(board)}, not {self.name}")
        index = table_index(&self.table, &board.pos, swap)
        if index < 0:
            raise ValueError("a piece stands where it never can")
        return board.pos.side ^ swap, index

    def verify(self, EndgameTables tables not None, int64_t first_row, int64_t last_row):
        """Compare the values of these rows with what all moves lead to: (positions checked, FEN of a wrong one or "").

        tables: with this one and what captures lead to.
        """
        cdef int64_t wrong = -1, checked
        cdef int64_t rows = self.table.rows
        if not 0 <= first_row <= last_row <= rows or self.name not in tables:
            raise ValueError(f"no such rows in the table {self.name}")
        if any(self.table.missing):
            raise ValueError(f"the table {self.name} has no distances")
        tables.users += 1
        with nogil:
            checked = first_wrong(&self.table, tables.tables, first_row, last_row, &wrong)
        tables.users -= 1
        return checked, self.fen(0, wrong) if wrong >= 0 else ""

    def find_perpetual(self, EndgameTables tables not None, *, threads=1, progress=None):
        """Draws that a side holds only by checks, attacks or mate threats without end, if at all.

        Returns for red and for black (number of positions, FEN of one or ""). Other draws are draws under every rule
        of repetition. tables: with this one and what captures lead to; call it for these first. progress(side, found)
        is called after each round. ValueError if one of these is missing, or this one is empty; MemoryError.
        """
        cdef PerpetualSolver d
        cdef MaterialTable* t = &self.table
        cdef int side, holder
        cdef int64_t now, found, example = 0
        cdef EndgameTable smaller
        if not self.filled:
            raise ValueError(f"the table {self.name} is empty")
        missing = [name for name in smaller_tables(self.name) if name not in tables]
        if missing or self.name not in tables:
            raise ValueError(f"the table {self.name} needs {', '.join(missing or [self.name])}")
        if t.missing[LAYER_DTM]:
            raise ValueError(f"the table {self.name} has no distances")
        cdef int team = within("threads", threads, 1, 256)
        if not has_room(t.rows * (2 + 6 * sizeof(SquareBits)), 0):
            raise MemoryError(f"no memory for the table {self.name}")
        memset(&d, 0, sizeof(d))
        d.table = t
        d.tables = tables.tables
        for name in smaller_tables(self.name):
            smaller = tables.by_name[name]
            d.below = d.below or smaller.table.has_perpetual
        result = []
        tables.users += 1
        try:
            d.due[RED] = <uint8_t*>need(malloc(2 * t.rows), f"the table {self.name}")
            d.stuck[RED] = <SquareBits*>need(malloc(2 * t.rows * sizeof(SquareBits)), f"the table {self.name}")
            d.due[BLACK] = d.due[RED] + t.rows
            d.stuck[BLACK] = d.stuck[RED] + t.rows
            for holder in range(2):
                d.holder = holder
                for side in range(2):
                    if t.perpetual[holder][side] == NULL:
                        t.perpetual[holder][side] = <SquareBits*>need(
                            malloc(t.rows * sizeof(SquareBits)), f"the table {self.name}")
                    d.held[side] = t.perpetual[holder][side]
                with nogil:
                    for_all_perpetual_rows(&d, PERPETUAL_START, team)
                found = 0
                now = 1
                while now:
                    with nogil:
                        now = find_perpetual_round(&d, team)
                    found += now
                    PyErr_CheckSignals()
                    if progress is not None:
                        progress(holder, found)
                found = 0
                fen = ""
                for side in range(2):
                    with nogil:
                        now = keep_perpetual(&d, side, &example)
                    found += now
                    if now:
                        fen = self.fen(side, example)
                result.append((found, fen))
                t.has_perpetual = t.has_perpetual or found > 0
        finally:
            tables.users -= 1
            free(d.due[RED])
            free(d.stuck[RED])
        return tuple(result)


@cython.final
cdef class EndgameTables:
    """Tables in memory, looked up by the material of a position.

    source: returns a block that is not in memory for (name, layer, side, block), or None; each search asks it for the
    distances of its position and of the next ones.
    """
    cdef TableSet* tables
    cdef dict by_name
    cdef list fetched                # (table, layer, side, block)
    cdef object source
    cdef int users                   # without the GIL

    def __cinit__(self, source=None):
        self.source = source
        self.fetched = []
        self.tables = <TableSet*>need(calloc(1, sizeof(TableSet)), "a set of tables")
        self.by_name = {}

    def __dealloc__(self):
        free(self.tables)

    def __reduce__(self):
        refuse_copy(self, "each process opens the tables itself")

    def __len__(self):
        return len(self.by_name)

    def __contains__(self, key):
        return key in self.by_name

    def __iter__(self):
        return iter(self.by_name)

    def __getitem__(self, key):
        return self.by_name[key]

    def add(self, EndgameTable table not None):
        """Add a table that is filled; ValueError if it is empty, or while a search uses these tables."""
        if not table.filled:
            raise ValueError(f"the table {table.name} is empty")
        if self.users:
            raise ValueError("these tables are in use")
        if len(self.by_name) >= TABLE_SLOTS // 2:
            raise ValueError(f"at most {TABLE_SLOTS // 2} tables can be in memory")
        self.by_name[table.name] = table
        add_table(self.tables, &table.table)

    cdef int fetch(self, BaseBoard board) except -1:
        """Bring the distances of a position and of the next ones into memory in place of those fetched before."""
        cdef EndgameTable table
        cdef int layer, side
        cdef int64_t index, block
        if self.source is None or set_count(occupied(&board.pos)) > self.tables.most_pieces + 1:
            return 0
        if self.users == 1:                      # the search that asks is the only one
            for table, layer, side, block in self.fetched:
                table.drop(layer, side, block)
            self.fetched.clear()
        each = board.copy(stack=False)
        for move in [None, *board.legal_moves]:
            if move is not None:
                each.push(move)
            table = self.by_name.get(table_name(each))
            if table is not None and any(table.table.missing):
                side, index = table.index(each)
                block = index // (SQUARES * PACKED_ROWS)
                for layer in range(LAYER_DTM, LAYERS):
                    if (layer, side, block) not in table.held:
                        packed = self.source(table.name, layer, side, block)
                        if packed is not None and (layer, side, block) not in table.held:    # by another thread now
                            table.keep(layer, side, block, packed)
                            self.fetched.append((table, layer, side, block))
            if move is not None:
                each.pop()
        return 0

    def probe(self, BaseBoard board not None):
        """The result of a position for the side to move: 1 won, 0 drawn, -1 lost; None without a table."""
        cdef int result
        board.need_playable()
        result = probe_result(self.tables, &board.pos)
        return None if result < 0 else -1 if result == RESULT_LOST else result


cdef EndgameTables _shipped_tables = None


def shipped_tables():
    """The tables that the engine comes with, the smaller ones up to 96 MiB; read when they are asked for first.

    All searches and evaluations of the process share them, so that none can be added. OSError; TableError for a
    damaged file.
    """
    global _shipped_tables, SHIPPED_TABLES
    if _shipped_tables is None:
        from eleengine.tables.folder import load_shipped
        loaded = load_shipped(SHIPPED_TABLES_MIB)
        if _shipped_tables is None:              # no other thread was faster
            _shipped_tables = loaded
            _shipped_tables.users = 1            # from now on, and of all threads
            SHIPPED_TABLES = _shipped_tables.tables
    return _shipped_tables


def table_name(BaseBoard board not None):
    """The name of the table that a position belongs to; "-" without attackers."""
    cdef uint64_t red = position_material(&board.pos, RED), black = position_material(&board.pos, BLACK)
    sides = ["".join(letter * set_count(pieces(&board.pos, side, <int>_TABLE_KINDS[letter]))
                     for letter in TABLE_LETTERS) for side in ((BLACK, RED) if black > red else (RED, BLACK))]
    return "-".join(sides)


def normal_table_name(str name not None):
    """The name with letters and sides in their order; ValueError for what is none."""
    cdef int[2][8] counts
    cdef int side
    sides = name.upper().split("-")
    if len(sides) != 2 or any(letter not in _TABLE_KINDS for letter in sides[0] + sides[1]):
        raise ValueError(f"a table is called like RN-AABB (pieces of both sides out of {TABLE_LETTERS}), not {name!r}")
    memset(counts, 0, sizeof(counts))
    for side in range(2):
        for letter in sides[side]:
            counts[side][<int>_TABLE_KINDS[letter]] += 1
        for letter, kind in _TABLE_KINDS.items():
            if counts[side][<int>kind] > _KIND_LIMITS[<int>kind]:
                raise ValueError(f"a side has at most {_KIND_LIMITS[<int>kind]} {letter}, not as in {name!r}")
    sides = ["".join(sorted(letters, key=TABLE_LETTERS.index)) for letters in sides]
    if side_material(counts[BLACK]) > side_material(counts[RED]):
        sides.reverse()
    return "-".join(sides)


def smaller_tables(str name not None):
    """Names of the tables that captures lead to, without those that have no attackers."""
    red, black = name.split("-")
    found = {}
    for letters, other in ((red, black), (black, red)):
        for i in range(len(letters)):
            smaller = normal_table_name(f"{letters[:i]}{letters[i + 1:]}-{other}")
            if smaller.strip("AB-"):
                found[smaller] = None
    return list(found)
