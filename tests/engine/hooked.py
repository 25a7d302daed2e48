"""A session in which hooks have a say, and hooks that remember what they were asked."""

from collections.abc import Awaitable, Callable
from typing import Any

from agentcli.engine.hooks import HookInput, Hooks, PythonHook
from agentcli.gate.autonomy import Level
from tests.engine.bench import Bench
from tests.engine.workshop import Workshop, text
from tests.fakes import ScriptedModel, calls, reply, says

Says = Callable[[HookInput], dict[str, Any] | Awaitable[None] | None]


def permission(word: str, **more: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"permissionDecision": word, **more}}


def rewriting(to: str, *, word: str = "allow") -> Says:
    return lambda consulted: permission(word, updatedInput={"text": to})


class Listener:
    """A hook that remembers what it was asked, and says what the function says."""

    def __init__(self, says: Says = lambda consulted: None) -> None:
        self.asked: list[str] = []
        self._says = says

    def __call__(self, consulted: HookInput) -> dict[str, Any] | Awaitable[None] | None:
        self.asked.append(consulted.input if consulted.output is None else consulted.output)
        return self._says(consulted)


def a_bench(*pre: Says, tool: str = "note", post: tuple[Says, ...] = (), level: Level = Level.ALONE, workshop: Workshop | None = None) -> Bench:  # fmt: skip
    hooks = Hooks(
        pre_tool=[PythonHook(f"pre{number}", one) for number, one in enumerate(pre)],
        post_tool=[PythonHook(f"post{number}", one) for number, one in enumerate(post)],
    )
    model = ScriptedModel(reply(calls("t1", tool, text("tea"))), reply(says("done")))
    return Bench(toolset=(workshop or Workshop()).toolset(), model=model, hooks=hooks, level=level)
