"""What a demo says, read strictly: an agent, levels, a model, what is typed, and what has to come of it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from agentcli.agents import SHIPPED, shipped
from agentcli.agents.agent import Agent
from agentcli.config.errors import ConfigError, Key, did_you_mean
from agentcli.config.files import parse_document
from agentcli.config.reading import read_record
from agentcli.gate.autonomy import Level, verdict_at
from agentcli.gate.verdicts import Decision
from agentcli.lab.sandbox import sandboxed
from agentcli.session.entries import RunLimits
from agentcli.terminal import answer as a
from agentcli.tools.risk import Risk
from agentcli.tools.tool import Tool

MOST_BYTES: Final = 1_000_000

_TEXT: Final = r"^(?=[\s\S]*\S)[^\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]*\Z"
Text = Annotated[str, Meta(pattern=_TEXT, description="text that is not blank")]
Line = Annotated[
    str, Meta(pattern=r"^(?=.*\S)[^\x00-\x1f\x7f-\x9f\ud800-\udfff]+\Z", description="one line, not blank")
]
Table = Annotated[dict[str, Any], Meta(description="a table")]
Levels = Annotated[tuple[int, ...], Meta(min_length=1, description="a list of levels from 0 to 4, such as [2, 3]")]
ModelName = Annotated[
    Literal["offline", "offline:reckless", "scripted"],
    Meta(description='"offline", "offline:reckless" or "scripted"'),
]
Time = Annotated[datetime, Meta(tz=True, description="a time with its zone, such as 2026-11-30T09:00:00Z")]
StepNumber = Annotated[
    int, Meta(ge=1, le=RunLimits().steps, description=f"a step from 1 to {RunLimits().steps}, the most a run has")
]
DecisionWord = Annotated[Literal["allow", "ask", "deny"], Meta(description='"allow", "ask" or "deny"')]
AnswerWord = Annotated[
    Literal["approved", "declined", "cancelled", "expired", "filled"],
    Meta(description='"approved", "declined", "cancelled", "expired" or "filled"'),
]


class PlannedCall(Struct, frozen=True):
    """A call with its input."""

    tool: Line
    input: Table = msgspec.field(default_factory=dict)


class Reply(Struct, frozen=True):
    """A reply of the scripted model; without `stop` it ends as its calls say."""

    text: str = ""
    calls: tuple[PlannedCall, ...] = ()
    stop: Line | None = None


class Meanwhile(Struct, frozen=True):
    """Words said while a step is at work."""

    step: StepNumber
    say: Text


class AnswerLine(Struct, frozen=True):
    """What is typed where a tool's call is asked about."""

    tool: Line
    line: Line


class Expected(Struct, frozen=True):
    """What has to be decided about a call, and answered where that matters."""

    tool: Line
    decision: DecisionWord
    answer: AnswerWord | None = None


class Turn(Struct, frozen=True):
    """Something that is said, and all that comes of it; without `expect` any decision will do."""

    say: Text
    meanwhile: tuple[Meanwhile, ...] = ()
    answers: tuple[AnswerLine, ...] = ()
    expect: tuple[Expected, ...] | None = None
    text: str = ""


class Effect(Struct, frozen=True):
    """A read, what it is asked, and members that its result must have."""

    tool: Line
    result: Table
    input: Table = msgspec.field(default_factory=dict)


class Script(Struct, frozen=True):
    """A demo as it is written."""

    title: Line
    agent: Line
    levels: Levels
    model: ModelName
    now: Time = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
    data: tuple[PlannedCall, ...] = ()
    turn: tuple[Turn, ...] = ()
    reply: tuple[Reply, ...] = ()
    effect: tuple[Effect, ...] = ()


def read_script(path: Path) -> Script:
    """Return the demo in a file.

    Raises:
        ConfigError: It can't be read, or something in it can't be or can never come true.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(str(path), "", f"can't be read: {error.strerror}") from error
    if len(content) > MOST_BYTES:
        raise ConfigError(str(path), "", f"is larger than {MOST_BYTES:,} bytes")
    return parse_script(str(path), content)


def parse_script(path: str, content: bytes) -> Script:
    """Return the demo of that content; raises as `read_script` does."""
    file = parse_document(path, content)
    script = read_record(Script, file.document, file.sources.error)
    for key, problem in _problems(script):
        raise file.sources.error(key, problem)
    return script


def _problems(script: Script) -> Iterator[tuple[Key, str]]:
    if script.agent not in SHIPPED:
        yield ("agent",), f"no agent {script.agent!r} ships{did_you_mean(script.agent, SHIPPED)}"
        return
    if any(level not in tuple(Level) for level in script.levels) or len(set(script.levels)) < len(script.levels):
        yield ("levels",), f"{list(script.levels)} are not different levels from 0 to 4"
    if not script.turn:
        yield (), "it says nothing: a demo needs a [[turn]]"
    if script.model == "scripted" and not script.reply:
        yield ("model",), "a scripted model needs a [[reply]] for each thing it says"
    if script.model != "scripted" and script.reply:
        yield ("reply", 0), f"the model {script.model!r} makes its own replies; only a scripted one takes them"
    tools = sandboxed(shipped(script.agent)).toolset.by_name
    for key, tool in _named_tools(script):
        if tool not in tools:
            yield (*key, "tool"), f"{script.agent} has no tool {tool!r}{did_you_mean(tool, tools)}"
    for number, effect in enumerate(script.effect):
        yield from _effect_problems(("effect", number), effect, tools[effect.tool])
    for number, turn in enumerate(script.turn):
        yield from _turn_problems(("turn", number), turn, script, shipped(script.agent))


def _named_tools(script: Script) -> Iterator[tuple[Key, str]]:
    """Yield where a tool is named that has to be there; a scripted model may call what nobody registered."""
    for number, call in enumerate(script.data):
        yield ("data", number), call.tool
    for number, effect in enumerate(script.effect):
        yield ("effect", number), effect.tool
    for at, turn in enumerate(script.turn):
        for number, answer in enumerate(turn.answers):
            yield ("turn", at, "answers", number), answer.tool
        for number, expected in enumerate(turn.expect or ()):
            if not (script.model == "scripted" and expected.decision == "deny"):
                yield ("turn", at, "expect", number), expected.tool


def _effect_problems(at: Key, effect: Effect, tool: Tool) -> Iterator[tuple[Key, str]]:
    if tool.risk is not Risk.READ:
        yield (*at, "tool"), f"{tool.name!r} is no read: an effect is looked at, not made"
    known = {"status", "isError", "errorCategory", "isRetryable", "message", *tool.outcomes.fields}
    for name in effect.result:
        if name not in known:
            yield (*at, "result", name), f"no result of {tool.name} has {name!r}{did_you_mean(name, known)}"


def _turn_problems(at: Key, turn: Turn, script: Script, agent: Agent) -> Iterator[tuple[Key, str]]:
    before = ""
    for number, answer in enumerate(turn.answers):
        is_typed = _kind_of(before) == "edit" or agent.toolset.by_name[answer.tool].takes_resumed
        before = answer.line
        if _kind_of(answer.line) == "message" and not is_typed:
            yield (*at, "answers", number, "line"), f"{answer.line!r} is no answer but a message: y, n, v, e or a"
    for number, expected in enumerate(turn.expect or ()):
        yield from _expectation_problems((*at, "expect", number), expected, turn, script, agent)


def _expectation_problems(
    at: Key, expected: Expected, turn: Turn, script: Script, agent: Agent
) -> Iterator[tuple[Key, str]]:
    decision = Decision[expected.decision.upper()]
    tool = agent.toolset.by_name.get(expected.tool)
    for level in map(Level, script.levels):
        least = Decision.DENY if tool is None else verdict_at(level, tool.risk)
        if decision < least:
            why = f"level {int(level)} alone says {least}, and nothing can loosen that"
            yield (*at, "decision"), f"{expected.tool} can't get {expected.decision!r}: {why}"
    if expected.answer is None:
        return
    if decision is not Decision.ASK:
        yield (*at, "answer"), f"nobody is asked where the decision is {expected.decision!r}"
    said = {_kind_of(one.line) for one in turn.answers if one.tool == expected.tool}
    if expected.answer in ("approved", "declined") and expected.answer not in said:
        yield (*at, "answer"), f"no line of answers for {expected.tool} comes to {expected.answer!r}"


def _kind_of(line: str) -> str:
    """Return what a line comes to at a question: approved, declined, an edit, other, or a message."""
    match a.read_answer(line, may_raise=True):
        case a.Approve() | a.ApproveAndRaise():
            return "approved"
        case a.Decline():
            return "declined"
        case a.Edit():
            return "edit"
        case a.Words():
            return "message"
        case _:
            return "other"
