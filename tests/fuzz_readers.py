"""Inputs for the readers of records and of UCCI commands, made by what they reach in the code.

    python tests/fuzz_readers.py FOLDER -max_len=6000 -timeout=20 -max_total_time=3600

needs atheris, which `pip install atheris` brings; FOLDER keeps inputs that reach something new, and may begin
with tests/records. tests/fuzz_corpus.zip has some of them, which test_records_limits.py reads again.
"""

import sys
from contextlib import suppress


def read(data):
    """Read bytes as a record, or, behind a byte 1, as what follows the name of a command of UCCI."""
    from eleengine.records import RecordError, read_games
    from eleengine.ucci.go import Go
    from eleengine.ucci.options import UcciOptions
    from eleengine.ucci.position import parse_position
    from eleengine.ucci.replies import ProtocolError

    if data[:1] == b"\x01":
        words = data[1:].decode("latin-1").split()
        for command in (parse_position, UcciOptions().read, Go):
            with suppress(ProtocolError):
                command(words)
        return
    with suppress(RecordError):
        for game in read_games(data):
            str(game)


def main():
    import atheris

    with atheris.instrument_imports(include=["eleengine"]):
        read(b"1. h2e2 h9g7 *")
        read(b"\x01startpos moves h2e2")
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
