"""Renderers with a weakness each, against which attacks have to achieve something."""

import asyncio
import json
import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Self

from msgspec.structs import replace
from prompt_toolkit.input import Input

from agentcli.lab.selftest.renderer import Asker, RealRenderer
from agentcli.terminal import happened as h
from agentcli.terminal.faces.output import SteadyOutput
from agentcli.terminal.faces.screen import Screen
from agentcli.terminal.question.answer import Approve
from agentcli.terminal.question.asking import View
from agentcli.terminal.question.frame import QuestionView

LOOK_ALIKES = str.maketrans("\u0430\u043e\u0441\u03bf\u0661", "aoco1")


def without_what_hides(text: str) -> str:
    """The text as cleaners leave it: what hides is gone, blanks are collapsed, look-alikes are made alike."""
    text = unicodedata.normalize("NFKC", re.sub(r"\[/?[a-z]+\]", "", text)).translate(LOOK_ALIKES)
    kept = "".join(
        char
        for char in text
        if unicodedata.category(char) in ("Zs", "Lu", "Ll", "Lo", "Nd") or " " < char < "\x7f"
    )
    return re.sub(r"[\s\u115f\u1160\u2800\u3164]+", " ", kept).strip()


def cut(text: str) -> str:
    """The text with an end that nobody sees."""
    return text[:40]


class AlteringScreen(Screen):
    """The real screen, which is told something else than what will run."""

    alter: Callable[[str], str]

    def ask(self, view: View) -> None:
        assert isinstance(view, QuestionView)
        alter = self.alter
        super().ask(
            replace(
                view,
                tool=alter(view.tool),
                input=altered(view.input, alter),
                sent=altered(view.sent, alter),
                preview=tuple(map(alter, view.preview[:2])),
                reasons=tuple(map(alter, view.reasons)),
                earlier=None if view.earlier is None else tuple(map(alter, view.earlier)),
            )
        )


def altered(text: str, alter: Callable[[str], str]) -> str:
    """The input with each text of it altered, which the model has no say in."""
    try:
        members = json.loads(text, strict=False)
    except json.JSONDecodeError:
        return alter(text)
    return json.dumps({alter(name): alter(str(member)) for name, member in members.items()}, ensure_ascii=False)


class Altering(RealRenderer):
    """Draws by the real screen, but not what will run."""

    def __init__(self, alter: Callable[[str], str]) -> None:
        self._alter = alter

    def open(self, input: Input, output: SteadyOutput) -> Screen:
        screen = AlteringScreen(input, output, colour=True, bell=False, clock=asyncio.get_running_loop().time)
        screen.alter = self._alter
        return screen


class RawScreen:
    """Prints whatever comes as it is, at once, and takes any key for a yes."""

    width = 80

    def __init__(self, input: Input, output: SteadyOutput) -> None:
        self._input, self._output = input, output
        self._asked: list[QuestionView] = []
        self._keys = 0
        self._answers: asyncio.Queue[h.Happened] = asyncio.Queue()

    def write(self, text: str) -> None:
        self._output.write_raw(text.replace("\n", "\r\n") + "\r\n")
        self._output.flush()

    def tail(self, text: str) -> None:
        self.write(text)

    def ask(self, view: View) -> None:
        assert isinstance(view, QuestionView)
        self._asked.append(view)
        self.write(
            "\n".join(
                [view.tool, view.input, *view.preview, *view.reasons, f"Allow {view.tool} {view.sent}? (y/n)"]
            )
        )
        self._answer()

    def close_question(self) -> None:
        """It stays where it is."""

    async def next(self) -> h.Happened:
        return await self._answers.get()

    async def __aenter__(self) -> Self:
        asyncio.get_running_loop().add_reader(self._input.fileno(), self._read)
        return self

    async def __aexit__(self, *_: object) -> None:
        asyncio.get_running_loop().remove_reader(self._input.fileno())

    def _read(self) -> None:
        self._keys += len(os.read(self._input.fileno(), 1000))
        self._answer()

    def _answer(self) -> None:
        if self._keys and self._asked:
            view = self._asked.pop()
            self._answers.put_nowait(h.AnswerGiven(view.call_id, view.code, Approve(), 0.0))


class Raw:
    """Draws nothing safely."""

    def open(self, input: Input, output: SteadyOutput) -> RawScreen:
        return RawScreen(input, output)

    def decision(self, asker: Asker, tool: str, sent: str, reason: str) -> None:
        asker.write(f"[ask] {tool} {sent} {reason}")

    def result(self, asker: Asker, tool: str, result: Mapping[str, Any]) -> None:
        asker.write(" ".join([tool, *map(str, result.values())]))

    def reply(self, asker: Asker, text: str) -> None:
        asker.write(re.sub(r"\[(.*)\]\(.*\)", r"\1", text))


class DeafScreen(Screen):
    """The real screen, on which nothing is ever an answer."""

    async def next(self) -> h.Happened:
        while isinstance(await super().next(), h.AnswerGiven):
            pass
        return h.InputEnded()


class Deaf(RealRenderer):
    """Beats every attack by never listening."""

    def open(self, input: Input, output: SteadyOutput) -> Screen:
        return DeafScreen(input, output, colour=True, bell=False, clock=asyncio.get_running_loop().time)
