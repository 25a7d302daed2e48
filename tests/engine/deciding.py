"""One tool of the store, and what is decided about a call of it."""

from typing import Any

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session import entries as e
from agentcli.session.call import Call
from agentcli.tools.tool import Acts, Place
from agentcli.tools.toolset import Toolset
from tests.engine.bench import Bench

SECRET = "the password is swordfish"
INPUT = '{"text":"tea"}'


def a_bench(
    declared: dict[str, Any] | None = None, *, level: Level = Level.PROPOSE, options: dict[str, Any] | None = None
) -> Bench:
    """A session with one write tool of the store."""
    tools = Toolset("notes", acts=Acts.IN_STORE)

    def note(place: Place, text: str, price: int = 1) -> dict[str, Any]:
        return {}

    options_of_tool: dict[str, Any] = {"undo": lambda values, result: None} | (declared or {})
    tools.write(**options_of_tool)(note)
    return Bench(toolset=tools, level=level, options=options or {})


def decide(bench: Bench, text: str = INPUT, *, tool: str = "note", call: Call | None = None, **more: Any) -> e.Decided | e.Suspended:  # fmt: skip
    one = call or Call("t1", tool, text, 1, 1)
    return bench.journal.write_once(
        lambda writer: bench.gatekeeper.decide(writer.state, one, writer.transaction, **more)
    )


def decided(bench: Bench, text: str = INPUT, **more: Any) -> e.Decided:
    entry = decide(bench, text, **more)
    assert isinstance(entry, e.Decided), entry
    return entry


def denial(entry: e.Decided) -> Verdict:
    (verdict,) = [one for one in entry.verdicts if one.decision is Decision.DENY]
    return verdict
