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
    that has more to attack with first. ValueError for another name. It holds nothing until load() or solve().
    """
    cdef MaterialTable table
    cdef bint solving
    cdef readonly str name       #: as normal_table_name gives it

    def __cinit__(self, str name not None):
        cdef int side
        if normal_table_name(name) != name:
            raise ValueError(f"the table {name} is called {normal_table_name(name)}")
        self.name = name
        for side, letters in enumerate(name.split("-")):
            for letter in letters:
                self.table.counts[side][<int>_TABLE_KINDS[letter]] += 1
        if not lay_out_table(&self.table):
            raise ValueError(f"no table has so many pieces: {name}")
        self.table.draws_certain = draws_are_certain(name)

    def __dealloc__(self):
        cdef int holder, side
        free(self.table.values[RED])
        free(self.table.values[BLACK])
        for holder in range(2):
            for side in range(2):
                free(self.table.perpetual[holder][side])

    def __reduce__(self):
        refuse_copy(self, "read() and write() its values")

    def __repr__(self):
        return f"EndgameTable({self.name!r})"

    @property
    def entries(self):
        """How many values there are for each side to move."""
        return self.table.rows * SQUARES

    @property
    def blocks(self):
        """How many blocks a file has for each side to move."""
        return (self.table.rows + PACKED_ROWS - 1) // PACKED_ROWS

    @property
    def filled(self):
        """Whether the values are in memory. Once they are, they stay."""
        return self.table.values[RED] != NULL and not self.solving

    cdef int allocate(self) except -1:
        cdef int side
        if self.table.values[RED] == NULL and not has_room(2 * self.table.rows * SQUARES, 0):
            raise MemoryError(f"no memory for the table {self.name}")
        for side in range(2):
            if self.table.values[side] == NULL:
                self.table.values[side] = <uint8_t*>calloc(self.table.rows, SQUARES)
            if self.table.values[side] == NULL:
                self.release()
                raise MemoryError(f"no memory for the table {self.name}")
        return 0

    cdef void release(self) noexcept:
        cdef int side
        for side in range(2):
            free(self.table.values[side])
            self.table.values[side] = NULL

    def read(self, int side, int64_t start, int64_t size):
        """Values of a side to move (0: red) as bytes, at most size of them."""
        if not self.filled or not 0 <= side <= 1 or not 0 <= start <= self.entries or size < 0:
            raise ValueError(f"no such values in the table {self.name}")
        size = min(size, self.entries - start)
        return PyBytes_FromStringAndSize(<const char*>self.table.values[side] + start, size)

    def write(self, int side, int64_t start, bytes values not None):
        """Set values of a side to move."""
        if not 0 <= side <= 1 or not 0 <= start <= self.entries - len(values):
            raise ValueError(f"no such values in the table {self.name}")
        if self.solving:
            raise ValueError(f"the table {self.name} is being solved")
        self.allocate()
        memcpy(self.table.values[side] + start, PyBytes_AS_STRING(values), len(values))

    cdef int rows_of_block(self, int side, int64_t block) except -1:
        if not 0 <= side <= 1 or not 0 <= block < self.blocks:
            raise ValueError(f"no such block in the table {self.name}")
        return <int>min(PACKED_ROWS, self.table.rows - block * PACKED_ROWS)

    def pack(self, int side, int64_t block):
        """A block of values of a side to move as a file has it: of 1,024 rows each of those that differ once."""
        cdef int rows = self.rows_of_block(side, block)
        cdef int64_t size
        cdef uint8_t* packed
        if not self.filled:
            raise ValueError(f"the table {self.name} is empty")
        packed = <uint8_t*>malloc(rows * (SQUARES + 2))
        if packed == NULL:
            raise MemoryError("no memory for a block")
        try:
            with nogil:
                size = pack_block(self.table.values[side] + block * PACKED_ROWS * SQUARES, rows, packed)
            return PyBytes_FromStringAndSize(<const char*>packed, size)
        finally:
            free(packed)

    def unpack(self, int side, int64_t block, bytes packed not None):
        """Set a block of values; ValueError if it is damaged."""
        cdef int rows = self.rows_of_block(side, block)
        if self.solving:
            raise ValueError(f"the table {self.name} is being solved")
        self.allocate()
        if not unpack_block(<const uint8_t*>PyBytes_AS_STRING(packed), len(packed), rows,
                            self.table.values[side] + block * PACKED_ROWS * SQUARES):
            raise ValueError(f"block {block} of the table {self.name} is damaged")

    def solve(self, EndgameTables smaller not None, *, int threads=1, progress=None):
        """Find all values. smaller: what captures lead to. progress(plies, found) is called after each ply.

        ValueError for a missing table, or if this one is filled or being solved; OverflowError if a win takes more
        than 253 plies; MemoryError. An exception of progress ends the work.
        """
        cdef TableSolver w
        cdef MaterialTable* t = &self.table
        cdef int winner
        missing = [name for name in smaller_tables(self.name) if name not in smaller]
        if missing:
            raise ValueError(f"the table {self.name} needs {', '.join(missing)}")
        within("threads", threads, 1, 256)
        if self.filled or self.solving:
            raise ValueError(f"the table {self.name} is {'filled' if self.filled else 'being solved'} already")
        if not has_room(self.table.rows * (2 * SQUARES + 4 * sizeof(SquareBits) + 2 * (SQUARES + 2)), 0):
            raise MemoryError(f"no memory for solving the table {self.name}")
        self.allocate()
        self.solving = True
        smaller.users += 1
        memset(&w, 0, sizeof(w))
        w.table = t
        w.smaller = smaller.tables
        try:
            w.unwon = <SquareBits*>table_alloc(4 * t.rows * sizeof(SquareBits), 0)
            w.won_in = <uint8_t*>malloc(2 * t.rows * (SQUARES + 2))
            if w.unwon == NULL or w.won_in == NULL:
                raise MemoryError(f"no memory for solving the table {self.name}")
            w.unlost = w.unwon + t.rows
            w.lost_now = w.unlost + t.rows
            w.escapes = w.lost_now + t.rows
            w.lost_in = w.won_in + t.rows * SQUARES
            w.won_bound = w.lost_in + t.rows * SQUARES
            w.lost_bound = w.won_bound + t.rows
            w.win_due = w.lost_bound + t.rows
            w.lose_due = w.win_due + t.rows
            for winner in range(2):
                w.winner = winner
                self.solve_for(&w, threads, progress)
            with nogil:
                for_all_rows(&w, TABLE_PACK, threads)
        except BaseException:
            self.release()
            raise
        finally:
            self.solving = False
            smaller.users -= 1
            table_free(w.unwon)
            free(w.won_in)

    cdef int solve_for(self, TableSolver* w, int threads, progress) except -1:
        cdef int64_t found = 0, now
        cdef int idle = 0, last
        w.depth = 0
        with nogil:
            for_all_rows(w, TABLE_PREPARE, threads)
            last = last_bound(w)
        while idle < 2 or w.depth <= last:
            if w.depth > TABLE_PLIES:
                raise OverflowError(f"a win of the table {self.name} takes more than {TABLE_PLIES} plies")
            with nogil:
                now = for_all_rows(w, TABLE_WIN if w.depth & 1 else TABLE_LOSE, threads)
            found += now
            idle = 0 if now else idle + 1
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
        memset(&counts, 0, sizeof(counts))
        with nogil:
            count_rows(&self.table, 0, self.table.rows, &counts)
        return tuple(
            {value: (counts.positions[side][value], self.fen(side, counts.example[side][value]))
             for value in range(256) if counts.positions[side][value]}
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
        if not self.filled or not 0 <= first_row <= last_row <= rows or self.name not in tables:
            raise ValueError(f"no such rows in the table {self.name}")
        tables.users += 1
        with nogil:
            checked = first_wrong(&self.table, tables.tables, first_row, last_row, &wrong)
        tables.users -= 1
        return checked, self.fen(0, wrong) if wrong >= 0 else ""

    def find_perpetual(self, EndgameTables tables not None, *, int threads=1, progress=None):
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
        within("threads", threads, 1, 256)
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
            d.due[RED] = <uint8_t*>malloc(2 * t.rows)
            d.stuck[RED] = <SquareBits*>malloc(2 * t.rows * sizeof(SquareBits))
            if d.due[RED] == NULL or d.stuck[RED] == NULL:
                raise MemoryError(f"no memory for the table {self.name}")
            d.due[BLACK] = d.due[RED] + t.rows
            d.stuck[BLACK] = d.stuck[RED] + t.rows
            for holder in range(2):
                d.holder = holder
                for side in range(2):
                    if t.perpetual[holder][side] == NULL:
                        t.perpetual[holder][side] = <SquareBits*>malloc(t.rows * sizeof(SquareBits))
                    d.held[side] = t.perpetual[holder][side]
                    if d.held[side] == NULL:
                        raise MemoryError(f"no memory for the table {self.name}")
                with nogil:
                    for_all_perpetual_rows(&d, PERPETUAL_START, threads)
                found = 0
                now = 1
                while now:
                    with nogil:
                        now = find_perpetual_round(&d, threads)
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
    """Tables in memory, looked up by the material of a position."""
    cdef TableSet* tables
    cdef dict by_name
    cdef int users                   # without the GIL

    def __cinit__(self):
        self.tables = <TableSet*>calloc(1, sizeof(TableSet))
        if self.tables == NULL:
            raise MemoryError("no memory for a set of tables")
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

    def probe(self, BaseBoard board not None):
        """The value of a position: 0 drawn, else 1 + plies to the end, even if the side to move wins; None without."""
        cdef int value
        board.need_playable()
        value = probe_tables(self.tables, &board.pos)
        return None if value < 0 else value


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
