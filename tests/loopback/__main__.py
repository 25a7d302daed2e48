"""`python -m tests.loopback`: the loopback service as a process of its own; prints its base URL."""

import argparse
import asyncio
import sys
from contextlib import suppress

from tests.loopback.brain import Brain
from tests.loopback.server import Loopback


async def serve(port: int, pause_s: float) -> None:
    # One request is kept, so that the memory of a long benchmark does not grow with the square of its length.
    async with Loopback(Brain(pause_s=pause_s), keep=1, port=port) as server:
        sys.stdout.write(server.base_url + "\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.loopback", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0: a free one")
    parser.add_argument("--pause-ms", type=float, default=0.0, help="before each event of a reply")
    given = parser.parse_args()
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(given.port, given.pause_ms / 1000))


if __name__ == "__main__":
    main()
