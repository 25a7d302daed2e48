"""Asks the hooks about a call before it runs, and shows them a result before the model sees it."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final, Protocol

from msgspec import Struct, structs

from agentcli.engine.foreign import is_foreign
from agentcli.engine.threads import in_thread
from agentcli.gate.hooks import HookFault, HookOutput, judge_hook, judge_rewrite, read_returned, wants_once_more
from agentcli.gate.verdicts import Decision, Verdict
from agentcli.tools.json_text import read_json

log = logging.getLogger(__name__)

DEFAULT_TIMEOUT_S: Final = 5.0


class HookInput(Struct, frozen=True):
    """A call as a hook is told of it; `output` is the result's JSON text, once there is one."""

    session: str
    call_id: str
    tool: str
    input: str
    output: str | None = None


class Hook(Protocol):
    """Something that has a say about calls of some tools; `tools` empty means of all."""

    @property
    def name(self) -> str:
        """What it is called in verdicts and in the record."""
        ...

    @property
    def tools(self) -> Sequence[str]:
        """The tools whose calls it is asked about."""
        ...

    async def ask(self, hook_input: HookInput) -> HookOutput:
        """Return what it says.

        Raises:
            HookFault: It did not do what hooks do.
        """
        ...


class PythonHook(Struct, frozen=True):
    """A function that gets a `HookInput` and returns None, or what a hook command would print, as a dict."""

    name: str
    function: Callable[[HookInput], Any | Awaitable[Any]]
    tools: Sequence[str] = ()
    timeout_s: float = DEFAULT_TIMEOUT_S

    async def ask(self, hook_input: HookInput) -> HookOutput:
        """Call the function, in a thread of its own unless it is a coroutine."""
        try:
            returned = await asyncio.wait_for(self._call(hook_input), self.timeout_s)
        except TimeoutError as error:
            raise HookFault(f"it took longer than {self.timeout_s:g} s") from error
        return HookOutput() if returned is None else read_returned(returned)

    async def _call(self, hook_input: HookInput) -> Any:
        try:
            if inspect.iscoroutinefunction(self.function):
                return await self.function(hook_input)
            returned = await in_thread(partial(self.function, hook_input))
            # What is wrapped doesn't look like the coroutine that it makes.
            return await returned if inspect.isawaitable(returned) else returned
        except BaseException as error:
            if not is_foreign(error):
                raise
            log.exception("the hook %s failed on call %r", self.name, hook_input.call_id)
            raise HookFault("it failed; the detail is in the log") from error


class Rewrite(Struct, frozen=True):
    """The input that a hook made of another, and the verdict that stays with it whatever is said of it later."""

    input: str
    verdict: Verdict


class Opinion(Struct, frozen=True):
    """What all pre-tool hooks together said about one input; `rewrite` is what one of them makes of it."""

    verdicts: tuple[Verdict, ...]
    rewrite: Rewrite | None = None


class Released(Struct, frozen=True):
    """What the model may see of a result, as JSON text, and the hooks that saw it first.

    Without an output the result is withheld; `reason` is that of the hook which wants it so, if it gave one, or
    what is wrong with the hooks.
    """

    output: str | None
    hooks: tuple[str, ...]
    reason: str = ""


HOOKS_GONE: Final = "none that looks at this tool's results is configured any more"


class Hooks(Struct, frozen=True):
    """The hooks of a session, in config order."""

    pre_tool: Sequence[Hook] = ()
    post_tool: Sequence[Hook] = ()

    def gates(self, tool: str) -> bool:
        """Tell whether calls of this tool are asked about."""
        return any(_concerns(hook, tool) for hook in self.pre_tool)

    def holds(self, tool: str) -> bool:
        """Tell whether results of this tool are held until hooks have seen them."""
        return any(_concerns(hook, tool) for hook in self.post_tool)

    async def before(self, hook_input: HookInput, *, may_rewrite: bool, as_sent: str | None = None) -> Opinion:
        """Ask the pre-tool hooks about an input, until one denies.

        The first rewrite ends the round, since every hook has to judge the new input; where a rewrite is no
        longer allowed, wanting one counts as asking.

        Args:
            as_sent: The input without the defaults that were filled in, where there are any.
        """
        verdicts: list[Verdict] = []
        sent = as_sent or hook_input.input
        for hook in self.pre_tool:
            if not _concerns(hook, hook_input.tool):
                continue
            try:
                says = await hook.ask(hook_input)
                rewritten = _changed(says.input, hook_input.input, sent)
            except HookFault as fault:
                verdicts.append(judge_hook(hook.name, HookOutput(Decision.DENY, str(fault))))
                break
            verdicts.append(judge_hook(hook.name, says))
            if says.decision is Decision.DENY:
                break
            if rewritten is None:
                continue
            if may_rewrite:
                return Opinion(tuple(verdicts), Rewrite(rewritten, judge_rewrite(hook.name, says, sent)))
            verdicts.append(wants_once_more(hook.name))
        return Opinion(tuple(verdicts))

    async def after(self, hook_input: HookInput) -> Released:
        """Show a result to the post-tool hooks, each what the one before made of it.

        It is withheld where a hook fails or blocks it, and where those that held it are gone.
        """
        output, seen = hook_input.output, []
        for hook in self.post_tool:
            if not _concerns(hook, hook_input.tool):
                continue
            seen.append(hook.name)
            shown = structs.replace(hook_input, output=output)
            try:
                says = await hook.ask(shown)
            except HookFault as fault:
                log.warning("the hook %s withholds the result of %r: %s", hook.name, hook_input.call_id, fault)
                return Released(None, tuple(seen), f"{hook.name} failed: {fault}")
            if says.decision is not Decision.ALLOW:
                return Released(None, tuple(seen), says.reason)
            output = says.output or output
        return Released(output, tuple(seen)) if seen else Released(None, (), HOOKS_GONE)


def _concerns(hook: Hook, tool: str) -> bool:
    return not hook.tools or tool in hook.tools


def _changed(rewritten: str | None, *before: str) -> str | None:
    """Return a rewritten input only where it says something else than the input did, with defaults or without."""
    if rewritten is None or read_json(rewritten) in map(read_json, before):
        return None
    return rewritten
