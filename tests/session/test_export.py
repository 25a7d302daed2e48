"""A decision as a line: one line of printable ASCII, whatever anybody put into it."""

import json
import random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.gate.decide import Situation, decide
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.call import digest_of
from agentcli.session.decisions import read_decisions
from agentcli.session.export import export_line
from agentcli.tools.schema import Frozen, Misfit
from agentcli.tools.toolset import Toolset
from agentcli.visible import valid_unicode
from tests.session import telling as t

ASK: Final = Decision.ASK
STRINGS: Final = 10_000

tools = Toolset("shop")


@tools.tool
def note(text: str) -> dict[str, Any]:
    """Write something down."""
    return {"text": text}


def lines_of(*told: t.Told) -> list[bytes]:
    return [export_line(record) for record in read_decisions(t.records_of(*told))]


def is_one_printable_line(line: bytes) -> bool:
    return line.endswith(b"\n") and all(0x20 <= byte <= 0x7E for byte in line[:-1])


def test_line_holds_what_programs_are_promised() -> None:
    """The fields come in their order, and there are no others."""
    records = t.records_of(
        t.decided(decision=ASK, reason="why"), t.asked(reason="why"), t.answered(2), t.finished()
    )
    (record,) = read_decisions(records)
    assert json.loads(export_line(record)) == {
        "session": "s",
        "seq": 1,
        "at": "2026-11-02T09:00:00Z",
        "tool": "note",
        "call_id": "c1",
        "risk": "write",
        "level": 2,
        "decision": "ask",
        "rules": [{"rule": "level", "decision": "ask", "reason": "why"}],
        "digest": digest_of("note", "{}"),
        "answer": "approved",
        "by": "ana",
        "seconds": 1.0,
        "code": records[1].code,
        "outcome": "ok",
        "result_digest": "",
    }
    assert list(json.loads(export_line(record)))[:10] == [
        *("session", "seq", "at", "tool", "call_id", "risk", "level", "decision", "rules", "digest"),
    ]


def test_what_does_not_exist_is_left_out() -> None:
    """A call that nobody asked about and that has not ended has no answer and no outcome."""
    (line,) = lines_of(t.decided())
    assert set(json.loads(line)) == {
        *("session", "seq", "at", "tool", "call_id", "risk", "level", "decision", "rules", "digest"),
    }


def test_to_change_an_input_is_to_fill_it_in() -> None:
    """The words for answers are those of the events."""
    (line,) = lines_of(t.decided(decision=ASK), t.asked(), t.answered(2, "edited", input="{}"))
    assert json.loads(line)["answer"] == "filled"


@given(st.text(), st.text(min_size=1), st.text())
def test_any_text_makes_one_printable_line_and_comes_back(reason: str, tool: str, by: str) -> None:
    """Nothing is lost by being spelled out, not even what is outside the first plane."""
    answered = e.Answered("c1", 2, "declined", by, "terminal", 1.0, reason)
    (line,) = lines_of(t.decided(decision=ASK, tool=tool, reason=reason), t.asked(), answered)
    assert is_one_printable_line(line)
    read = json.loads(line)
    assert (read["tool"], read["by"], read["rules"][0]["reason"]) == (tool, by, reason)


def random_texts(count: int) -> list[str]:
    """Texts of characters that matter to terminals and to JSON, and of any others."""
    spice = "\n\r\t\x00\x1b[31m\x7f\x85\xa0\u2028\u2029\u202e\u200b\ufeff\\\"'{}[],:\ud800\udfff\U0001f600é"
    dice = random.Random(8)
    return [
        valid_unicode(
            "".join(
                dice.choice(spice) if dice.random() < 0.5 else chr(dice.randrange(0x110000))
                for _ in range(dice.randrange(1, 30))
            )
        )
        for _ in range(count)
    ]


def judged(text: str) -> tuple[str, e.Decided]:
    """What the gate decides about a call with such an input: unknown tool, misfit or fit."""
    tool, input_text = tools["note"], json.dumps({"text": text}, ensure_ascii=False)
    reading = tool.schema.read(input_text)
    assert isinstance(reading, Frozen | Misfit)
    situation = Situation(
        name=text, tool=None if len(text) % 3 else tool, reading=reading, session_level=t.opened().level, now=t.START
    )  # fmt: skip
    ruling = decide(situation)
    digest = digest_of(text, reading.text)
    return text, e.Decided(
        *("c1", text, reading.text, digest, tool.risk, situation.level, ruling.decision, ruling.verdicts)
    )


def test_ten_thousand_random_strings_make_one_line_each() -> None:
    """Whatever a model puts into an input, or calls a tool by, nobody can forge a line of the record."""
    lines = [line for text in random_texts(STRINGS) for line in lines_of(judged(text)[1])]
    assert len(lines) == STRINGS
    assert b"".join(lines).count(b"\n") == STRINGS
    assert all(map(is_one_printable_line, lines))


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("é", rb"\u00e9"),
        ("\x7f", rb"\u007f"),
        ("\u2028", rb"\u2028"),
        ("\U0001f600", rb"\ud83d\ude00"),
        ("\n", rb"\n"),
        ("\x1b", rb"\u001b"),
        ("~", b"~"),
    ],
    ids=repr,
)
def test_characters_are_spelled_as_json_spells_them(text: str, spelled: bytes) -> None:
    """What is not printable ASCII becomes an escape that every JSON parser reads."""
    (line,) = lines_of(t.decided(reason=text))
    assert b'"reason":"%b"' % spelled in line
