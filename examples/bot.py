"""A bot that plays Xiangqi with everybody who connects: ``python bot.py``, then ``nc localhost 7777``.

Send a move in any notation (h2e2, C2.5, 炮二平五); the bot answers with its own. ``quit`` or closing the
connection ends the game. All games run in one event loop, and one engine thinks for all of them in turn.
"""

import argparse
import asyncio
import contextlib

from eleengine import Board, Engine, Limit, notation
from eleengine.engines import AsyncEngine


class Bot:
    def __init__(self, engine: AsyncEngine, limit: Limit) -> None:
        self.engine = engine
        self.limit = limit

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One game: the guest is red and moves first."""

        def say(text: str) -> None:
            writer.write(f"{text}\n".encode())

        board = Board()
        say("You are red. Your move?")
        try:
            while line := await reader.readline():
                text = line.decode(errors="replace").strip()
                if text == "quit":
                    break
                try:
                    board.push(notation.parse(board, text))
                except ValueError as error:
                    say(f"{error}")
                    continue
                if not board.is_game_over():
                    move = (await self.engine.play(board, self.limit)).move
                    assert move is not None  # the game is not over
                    say(f"{move} {board.chinese(move)}")
                    board.push(move)
                if outcome := board.outcome():
                    say(f"{outcome.result()} {outcome.termination.name}")
                    break
        except ConnectionError:
            pass  # the guest has gone
        finally:
            writer.close()


async def main(port: int, level: int, time: float) -> None:
    async with AsyncEngine(Engine(skill=level)) as engine:
        server = await asyncio.start_server(Bot(engine, Limit(time=time)).serve, "localhost", port)
        async with server:
            print("listening on port", server.sockets[0].getsockname()[1], flush=True)
            await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=7777)
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--time", type=float, default=1.0, help="seconds for a move")
    args = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(args.port, args.level, args.time))
