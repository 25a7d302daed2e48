"""What of a demo can't be or can never come true, and why. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct, field

from agentcli.agents import SHIPPED, shipped
from agentcli.config.errors import Key, did_you_mean
from agentcli.gate.autonomy import Level, verdict_at
from agentcli.gate.verdicts import Decision
from agentcli.lab.sandbox import sandboxed
from agentcli.lab.script import AnswerLine, Effect, Expected, PlannedCall, Script, Turn, is_command
from agentcli.terminal.question import answer as a
from agentcli.terminal.slash import wishes as w
from agentcli.terminal.slash.line import read_command
from agentcli.tools.outcome import ON_EVERY_RESULT
from agentcli.tools.risk import Risk
from agentcli.tools.schema import Misfit
from agentcli.tools.tool import Tool

Problems = Iterator[tuple[Key, str]]
"""Where in the script something is wrong, and what."""

PLAYABLE: Final = (
    *(w.Help, w.ShowLevels, w.SetLevel, w.ShowTools, w.ShowFacts, w.ShowQueue, w.Reword, w.Undo),
    *(w.ShowAudit, w.ShowBook),
)
"""Commands that are the same on every machine, and leave neither the demo nor the sandbox."""

NEVER: Final = {
    "cancelled": "no key is pressed in a demo",
    "expired": "questions in a demo do not expire",
}


class _Levels(Struct):
    """The levels at one point of a demo that began at one of its levels."""

    session: Level
    tools: dict[str, Level] = field(default_factory=dict)

    def of(self, tool: str) -> Level:
        return Level.TALK if self.session is Level.TALK else self.tools.get(tool, self.session)

    def set(self, wish: w.SetLevel) -> None:
        if wish.tool is None:
            self.session = self.session if wish.level is None else wish.level
        elif wish.level is None:
            self.tools.pop(wish.tool, None)
        else:
            self.tools[wish.tool] = wish.level


def problems(script: Script) -> Problems:
    """Yield what is wrong with a script that has the form of one, the first first."""
    if script.agent not in SHIPPED:
        yield ("agent",), f"no agent {script.agent!r} ships{did_you_mean(script.agent, SHIPPED)}"
        return
    if any(level not in tuple(Level) for level in script.levels) or len(set(script.levels)) < len(script.levels):
        yield ("levels",), f"{list(script.levels)} are not different levels from 0 to 4"
        return
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
            return
    for number, call in enumerate(script.data):
        yield from _input_problems(("data", number), call, tools[call.tool])
    for number, effect in enumerate(script.effect):
        yield from _effect_problems(("effect", number), effect, tools[effect.tool])
    levels = [_Levels(Level(level)) for level in script.levels]
    for number, turn in enumerate(script.turn):
        yield from _turn_problems(("turn", number), turn, tools, levels)


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


def _input_problems(at: Key, call: PlannedCall | Effect, tool: Tool) -> Problems:
    reading = tool.schema.read(msgspec.json.encode(call.input).decode())
    if isinstance(reading, Misfit):
        yield (*at, "input"), f"{tool.name} can't take it: {reading.problem}"


def _effect_problems(at: Key, effect: Effect, tool: Tool) -> Problems:
    if tool.risk is not Risk.READ:
        yield (*at, "tool"), f"{tool.name!r} is no read: an effect is looked at, not made"
    yield from _input_problems(at, effect, tool)
    known = {*ON_EVERY_RESULT, *tool.outcomes.fields}
    for name in effect.result:
        if name not in known:
            yield (*at, "result", name), f"no result of {tool.name} has {name!r}{did_you_mean(name, known)}"


def _turn_problems(at: Key, turn: Turn, tools: Mapping[str, Tool], levels: Sequence[_Levels]) -> Problems:
    if is_command(turn.say):
        yield from _command_problems(at, turn, tools, levels)
    for number, words in enumerate(turn.meanwhile):
        if is_command(words.say):
            yield (*at, "meanwhile", number, "say"), f"{words.say!r} is a command, which takes a turn of its own"
    before = ""
    for number, answer in enumerate(turn.answers):
        problem = _answer_problem(answer, tools[answer.tool], follows_edit=_kind_of(before) == "edit")
        if problem:
            yield (*at, "answers", number, "line"), problem
        before = answer.line
    raised = {answer.tool for answer in turn.answers if _kind_of(answer.line) == "raised"}
    for number, expected in enumerate(turn.expect or ()):
        key = (*at, "expect", number)
        if not is_command(turn.say):
            yield from _decision_problems(key, expected, tools.get(expected.tool), levels, raised)
        yield from _answer_expected_problems(key, expected, turn, tools.get(expected.tool))
    for one in levels:
        one.tools |= dict.fromkeys(raised, Level.BOUNDED)


def _command_problems(at: Key, turn: Turn, tools: Mapping[str, Tool], levels: Sequence[_Levels]) -> Problems:
    wish = read_command(turn.say, tools)
    if not isinstance(wish, (*PLAYABLE, w.Trouble)):
        yield (
            (*at, "say"),
            f"{turn.say!r} leaves the demo or the sandbox, or is another on each machine: it can't be played",
        )
    if turn.meanwhile:
        yield (*at, "meanwhile"), "a command begins no run, so there is no step to speak at"
    if turn.expect and not isinstance(wish, w.Undo):
        yield (*at, "expect"), f"nothing is decided by {turn.say!r}"
    if isinstance(wish, w.SetLevel):
        for one in levels:
            one.set(wish)


def _answer_problem(answer: AnswerLine, tool: Tool, *, follows_edit: bool) -> str | None:
    """Return why a line is no answer, if it is none; after an `e` it is the input, in a form its data."""
    if follows_edit or tool.takes_resumed:
        return None
    match _kind_of(answer.line):
        case "message":
            return f"{answer.line!r} is no answer but a message: y, n, v, e or a"
        case "command":
            return f"{answer.line!r} is a command, which takes a turn of its own"
        case "raised" if verdict_at(Level.BOUNDED, tool.risk) is not Decision.ALLOW:
            return f"'a' is not offered for {tool.name}: level 3 would ask too"
        case _:
            return None


def _decision_problems(
    at: Key, expected: Expected, tool: Tool | None, levels: Sequence[_Levels], raised: Collection[str]
) -> Problems:
    decision = Decision[expected.decision.upper()]
    for one in levels:
        level = one.of(expected.tool)
        if expected.tool in raised and level is not Level.TALK:
            level = max(level, Level.BOUNDED)
        least = Decision.DENY if tool is None else verdict_at(level, tool.risk)
        if decision < least:
            why = f"level {int(level)} alone says {least}, and nothing can loosen that"
            yield (*at, "decision"), f"{expected.tool} can't get {expected.decision!r}: {why}"


def _answer_expected_problems(at: Key, expected: Expected, turn: Turn, tool: Tool | None) -> Problems:
    if expected.answer is None:
        return
    if expected.answer in NEVER:
        yield (*at, "answer"), f"nothing comes to {expected.answer!r}: {NEVER[expected.answer]}"
        return
    said = {_kind_of(one.line) for one in turn.answers if one.tool == expected.tool}
    if expected.answer == "filled":
        is_possible = "edit" in said or (tool is not None and tool.takes_resumed)
        if not is_possible:
            yield (
                (*at, "answer"),
                f"{expected.tool} asks for nothing to be filled in, and no line changes its input",
            )
        return
    if expected.decision != "ask":
        yield (*at, "answer"), f"nobody is asked where the decision is {expected.decision!r}"
    wanted = {"approved", "raised"} if expected.answer == "approved" else {"declined"}
    if not said & wanted:
        yield (*at, "answer"), f"no line of answers for {expected.tool} comes to {expected.answer!r}"


def _kind_of(line: str) -> str:
    """Return what a line comes to at a question: approved, raised, declined, edit, command, message or other."""
    match a.read_answer(line, may_raise=True):
        case a.Approve():
            return "approved"
        case a.ApproveAndRaise():
            return "raised"
        case a.Decline():
            return "declined"
        case a.Edit():
            return "edit"
        case a.Command():
            return "command"
        case a.Words():
            return "message"
        case _:
            return "other"
