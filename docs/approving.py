"""A program of one's own at the other end: it reads the events, shows each call that waits, and answers it.

python docs/approving.py "Add 300 for groceries, then delete expense 1."
python docs/approving.py --decline "Add 300 for groceries, then delete expense 1."
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from agentcli import Session, open_store
from agentcli.agents import shipped
from agentcli.session.events import Decided, RunFinished, ToolFinished
from agentcli.visible import visible, visible_line


async def main(message: str, *, approve: bool) -> None:
    """Say the message, and answer every question the same way."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(Path(folder) / "example.db") as store:
            session = Session.open(shipped("expenses"), store, model="offline", level=2)
            events = session.run(message)
            while True:
                async for event in events:
                    match event:
                        case Decided(decision=decision, tool=tool):
                            print(f"{decision}: {tool}")
                        case ToolFinished(tool=tool, is_error=is_error):
                            print(f"{'not done' if is_error else 'done'}: {tool}")
                        case RunFinished(outcome=outcome, text=text):
                            print(f"{outcome}: {visible(text)}")
                if not session.waiting:
                    return
                for call in session.waiting:
                    print(f"question {call.code}: {call.tool} {visible_line(call.input)}")
                    await session.answer(call.call_id, approve=approve, by="a program", code=call.code)
                events = session.go_on()


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--decline"]
    if not words:
        sys.exit(__doc__)
    asyncio.run(main(" ".join(words), approve="--decline" not in sys.argv))
