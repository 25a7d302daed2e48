"""A model that says anything at all, drawn at random; once the world calms down it only ends its turns."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from agentcli.session.allowance import Usage
from agentcli.session.ports import (
    BlockClosed,
    FailureKind,
    InputDelta,
    InputReady,
    InputStarted,
    ModelEvent,
    ReplyFailed,
    ReplyFinished,
    Request,
    TextDelta,
)
from tests.simulation.themes import Theme, one_of
from tests.simulation.tools import IN_STORE, MOODLESS

WHOM: Final = ("ann", "ann", "bob")
BAD_INPUTS: Final = ('{"what":""}', '{"what":7}', "{}", '{"what":"x","more":1}', "[]", '{"what":"x\\u0007"}')


@dataclass(slots=True)
class Talker:
    """Says what the dice say. `is_calm` makes it end its turns; `meanwhile` lets others act while it speaks."""

    dice: Random
    theme: Theme
    is_calm: Callable[[], bool]
    meanwhile: Callable[[], Awaitable[None]]
    hears: Callable[[Request], None]
    name: str = "talker"
    said: int = 0
    proposed: list[tuple[str, str]] = field(default_factory=list)
    used_ids: list[str] = field(default_factory=list)

    async def reply(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        self.hears(request)
        await self.meanwhile()
        for event in self._draw():
            yield event
            if isinstance(event, BlockClosed | TextDelta):
                await self.meanwhile()

    def _draw(self) -> Iterator[ModelEvent]:
        kind = "words" if self.is_calm() else one_of(self.dice, self.theme.kinds)
        match kind:
            case "calls":
                yield from self._blocks([*self._prose(), *self._calls()])
                yield self._end("tool_use")
            case "words":
                yield from self._blocks([*self._prose(), self._text()])
                yield self._end(self.dice.choice(("end_turn", "end_turn", "stop_sequence")))
            case "paused":
                yield from self._blocks(
                    self.dice.choice(([self._text()], [_text("  ")], [self._text(), _text("")]))
                )
                yield self._end("pause_turn")
            case "cut":
                yield from self._blocks([*self._prose(), *self._calls()])
                yield self._end(self.dice.choice(("max_tokens", "model_context_window_exceeded")))
            case "refused":
                yield from self._blocks(self._prose())
                yield self._end("refusal")
            case "unknown":
                yield from self._blocks([*self._prose(), *self._calls()])
                yield self._end(self.dice.choice((None, "something_new", "end_turn")))
            case "empty":
                yield from self._blocks(self.dice.choice(([], [_text(" \n")])))
                yield self._end("end_turn")
            case "malformed":
                yield from self._blocks([*self._prose(), *self._malformed()])
                yield self._end("tool_use")
            case "fails":
                yield from self._blocks(self.dice.choice(([], self._prose())))
                failure = self.dice.choice(list(FailureKind))
                later = self.dice.choice((None, None, 0.0, 5.0, 60.0))
                yield ReplyFailed(failure, f"failed as {failure}", retry_after_s=later)
            case _:
                yield from self._blocks(self._prose())

    def _blocks(self, blocks: Sequence[dict[str, Any]]) -> Iterator[ModelEvent]:
        for block in blocks:
            match block.get("type"):
                case "text":
                    yield TextDelta(str(block["text"]))
                case "tool_use" if self.dice.random() < 0.2:
                    text = json.dumps(block["input"])
                    yield InputStarted(block["id"], block["name"])
                    yield InputDelta(block["id"], text)
                    yield InputReady(block["id"], block["name"], text)
                case _:
                    pass
            yield BlockClosed(json.dumps(block).encode())

    def _end(self, stop_reason: str | None) -> ReplyFinished:
        usage = Usage(input_tokens=self.dice.randint(5, 30), output_tokens=self.dice.randint(5, 20))
        return ReplyFinished(stop_reason, usage)

    def _prose(self) -> list[dict[str, Any]]:
        prose: list[dict[str, Any]] = []
        if self.dice.random() < 0.1:
            prose.append({"type": "thinking", "thinking": "hm", "signature": "s"})
        if self.dice.random() < 0.4:
            prose.append(self._text())
        if self.dice.random() < 0.1:
            prose.append(_text(" "))
        return prose

    def _text(self) -> dict[str, Any]:
        self.said += 1
        return _text(f"reply {self.said}")

    def _calls(self) -> list[dict[str, Any]]:
        # Reads elsewhere often come together: they are what runs at the same time.
        if "peek" in self.theme.tools and self.dice.random() < 0.2:
            return [self._use(self._new_id(), "peek") for _ in range(self.dice.randint(2, 3))]
        return [self._use(self._new_id()) for _ in range(self.dice.choice((1, 1, 1, 2, 2, 3)))]

    def _use(self, call_id: str, tool: str = "") -> dict[str, Any]:
        if not tool and self.proposed and self.dice.random() < self.theme.reuse:
            tool, text = self.dice.choice(self.proposed)
        else:
            tool = tool or self.dice.choice(self.theme.tools)
            text = self._input(tool)
            self.proposed.append((tool, text))
        return {"type": "tool_use", "id": call_id, "name": tool, "input": json.loads(text)}

    def _input(self, tool: str) -> str:
        if self.dice.random() < 0.05:
            return self.dice.choice(BAD_INPUTS)
        if tool in ("check", "pay"):
            return json.dumps({"what": self.dice.choice(WHOM)})
        self.said += 1
        mood = one_of(self.dice, self.theme.moods)
        if tool in MOODLESS or (tool in IN_STORE and mood in ("late", "never")):
            mood = "fine"
        asked = {"what": f"thing {self.said}"} | ({} if mood == "fine" else {"mood": mood})
        return json.dumps(asked)

    def _new_id(self) -> str:
        self.used_ids.append(f"call_{len(self.used_ids) + 1}")
        return self.used_ids[-1]

    def _malformed(self) -> list[dict[str, Any]]:
        fresh = self._new_id()
        match self.dice.randrange(4):
            case 0:
                return [self._use(fresh), self._use(fresh)]
            case 1:
                return [self._use(fresh), self._use(self.dice.choice(self.used_ids))]
            case 2:
                return [self._use("not an id")]
            case _:
                return [self._use(fresh), {"type": "text", "text": None}]


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
