"""All figures, as a table for README: `python benchmarks/all.py`."""

import os
import platform
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import keeping
import starting
import steps
from measuring import HEADER


def main() -> None:
    begin = time.perf_counter()
    print(HEADER)
    for topic in (starting, steps, keeping):
        for figure in topic.figures():
            print(figure.row, flush=True)
    kind = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"\n{datetime.now(UTC):%Y-%m-%d}, {kind}, in {time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
