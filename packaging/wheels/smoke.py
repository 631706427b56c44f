"""What every wheel must do where it was installed: python packaging/wheels/smoke.py

The signature of the search, and a short talk with the engine on pipes.
"""

import subprocess
import sys
from pathlib import Path

TALK = "ucci\nsetoption threads 2\nposition startpos moves h2e2\nisready\ngo depth 6\n"


def main() -> None:
    wanted = (Path(__file__).parents[2] / "tests" / "bench_signature.txt").read_text().strip()
    bench = subprocess.run(
        [sys.executable, "-m", "eleengine", "bench"], capture_output=True, text=True, check=True
    )
    assert bench.stdout.split()[-1] == wanted, f"signature {bench.stdout.split()[-1]}, expected {wanted}"
    engine = subprocess.Popen(
        [sys.executable, "-m", "eleengine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert engine.stdin is not None and engine.stdout is not None
    engine.stdin.write(TALK)
    engine.stdin.flush()
    lines = []
    while not lines or not lines[-1].startswith("bestmove"):
        lines.append(engine.stdout.readline())
        assert lines[-1], "the engine has ended"
    assert "ucciok\n" in lines and "readyok\n" in lines
    out, _ = engine.communicate("quit\n", timeout=20)
    assert (out, engine.returncode) == ("bye\n", 0)
    print("signature and conversation are right")


if __name__ == "__main__":
    main()
