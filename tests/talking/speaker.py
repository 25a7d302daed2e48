"""Says many things to one session, as fast as it can: `python -m tests.talking.speaker STORE SESSION NAME COUNT`."""

import sys
from pathlib import Path

from agentcli.session.persons import Person
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring import outside


def main(path: str, session: str, name: str, count: int) -> None:
    with SqliteStore.open(Path(path)) as store:
        for number in range(count):
            outside.say(store, session, f"{name} {number}", Person(name, "say"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
