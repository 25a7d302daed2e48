"""What the briefs agent understands without a model, and what it says: rules from words to calls and back."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from agentcli.agents.offline.agenda import follow
from agentcli.agents.offline.clauses import Grammar, always, sentences
from agentcli.agents.offline.ids import Ids
from agentcli.agents.offline.proposals import Members, Told, propose, row, rows
from agentcli.agents.offline.reckless import push_through
from agentcli.agents.offline.telling import Vocabulary
from agentcli.agents.offline.wishes import Puzzle, Remark, Step, Stop, Todo
from agentcli.tools.json_text import Number
from agentcli.tools.offline import Exchange, OfflineReply
from agentcli.tools.proposal import Proposal

_EXAMPLES: Final = "“list”, “fix V-2 to 90 seconds” or “submit V-1”"
_WHICH: Final = Remark(f"Which brief? Say for example {_EXAMPLES}.")

_IDS: Final = Ids({"V": "brief"}, by_number=frozenset("V"))

_SECONDS: Final = re.compile(r"(?<![\w.,-])([0-9]{1,9})\s?(?:s|secs?|seconds?)\b", re.I | re.A)
_MINUTES: Final = re.compile(r"(?<![\w.,-])([0-9]{1,7}|an?|one)\s?(?:m|mins?|minutes?)\b", re.I | re.A)
_CAPTIONS: Final = re.compile(r"\bcaptions?\b", re.I)
_OFF: Final = re.compile(r"\b(?:off|no|without|remove|drop|disable|false)\b", re.I)
_TITLE: Final = re.compile(r"(?:\b(?:to|as|into)\b|[:=])\s*(.*[^\s\"'“”].*)\Z", re.I)


def reply(exchange: Exchange) -> OfflineReply:
    """Return the next proposals, or else the answer."""
    return follow(exchange, GRAMMAR.understand, lambda todo: [todo], VOCABULARY)


def read_look(clause: str, today: date) -> Sequence[Todo]:
    """Read `list`, `show V-2`, `what is in V-1 and V-3`."""
    named = _IDS.named("V", clause)
    return [Step(propose("get_brief", brief_id=brief)) for brief in named] or [Step(propose("list_briefs"))]


def read_submit(clause: str, today: date) -> Sequence[Todo]:
    """Read `submit V-1`, `send V-1 and V-2 to the API`."""
    return [Step(_submission(brief)) for brief in _IDS.named("V", clause)] or [_WHICH]


def read_edit(clause: str, today: date) -> Sequence[Todo]:
    """Read `fix V-2 to 90 seconds`, `make V-2 two minutes long`, `turn the captions of V-4 on`."""
    briefs, rest = _IDS.named("V", clause), _IDS.without(clause)
    if len(briefs) != 1:
        return [_WHICH]
    seconds, captions = _seconds(rest), None
    if _CAPTIONS.search(rest):
        captions = _OFF.search(rest) is None
    if seconds is None and captions is None:
        return [Remark(f"What is to be different about {briefs[0]}? Say for example “{briefs[0]} to 90 seconds”.")]
    return [Step(propose("edit_brief", brief_id=briefs[0], seconds=seconds, captions=captions))]


def read_title(clause: str, today: date) -> Sequence[Todo]:
    """Read `rename V-1 to “Welcome”`, `set the title of V-1 to Welcome`."""
    title = _TITLE.search(clause)
    briefs = _IDS.named("V", clause[: title.start()] if title else clause)
    if len(briefs) != 1 or title is None:
        return [Remark("Which title for which brief? Say for example “rename V-1 to Welcome”.")]
    return [Step(propose("edit_brief", brief_id=briefs[0], title=title[1].strip(" \"'“”")))]


def _seconds(text: str) -> Number | None:
    """Return the length that a text names, in seconds."""
    minutes = _MINUTES.search(text)
    seconds = _SECONDS.search(text)
    if minutes is None:
        return None if seconds is None else Number(int(seconds[1]))
    whole = int(minutes[1]) if minutes[1].isdecimal() else 1
    return Number(60 * whole + (int(seconds[1]) if seconds else 0))


def _submission(brief_id: str) -> Proposal:
    return propose("submit_brief", brief_id=brief_id)


def _read_bare(clause: str, today: date) -> Sequence[Todo]:
    """Read a brief with a length as a change, and ids that stand alone as a look."""
    if _IDS.is_all(clause):
        return read_look(clause, today)
    return read_edit(clause, today) if _IDS.named("V", clause) and _seconds(clause) else [Puzzle(clause)]


GRAMMAR: Final[Grammar[Todo]] = Grammar(
    verbatim=(
        re.compile(r"(?:rename|retitle)\b|(?:change|set|fix|edit) (?:the )?(?:title|name)\b", re.I),
        read_title,
    ),
    sentences=sentences(
        (r"(?:but )?(?:do not|don't|dont|never|not)\b", always(Stop())),
        (r"(?:submit|send|post|deliver|hand in|publish)\b", read_submit),
        (
            r"(?:list|show|look|see|get|read|open|what|which|how|is|are|does|tell|(?:all |the |my )*briefs\b)",
            read_look,
        ),
        (
            r"(?:fix|edit|change|set|make|shorten|cut|trim|lengthen|extend|update|correct|turn|switch|add|remove"
            r"|enable|disable|give|captions?)\b",
            read_edit,
        ),
    ),
    greeting=Remark(f"I look after video briefs. Offline I am rules, not intelligence: say {_EXAMPLES}."),
    otherwise=_read_bare,
)


def _line(brief: Members) -> str:
    captions = "captions" if brief.get("captions") else "no captions"
    return f"{{brief_id}} “{{title}}”: {{seconds}} s, {captions}, revision {{revision}}".format_map(Told(brief))


def _listed(asked: Members, result: Members) -> str:
    lines = [f"- {_line(brief)}" for brief in rows(result, "briefs")]
    return "\n".join(["The briefs:", *lines]) if lines else "There are no briefs."


def _shown(asked: Members, result: Members) -> str:
    return f"{_line(row(result, 'brief'))}."


def _edited(asked: Members, result: Members) -> str:
    return f"Changed: {_line(row(result, 'brief'))}."


def _accepted(asked: Members, result: Members) -> str:
    return "The API accepted {brief_id} in revision {revision}.".format_map(Told(row(result, "brief")))


VOCABULARY: Final = Vocabulary(
    phrases={
        "list_briefs": "list the briefs",
        "get_brief": "show {brief_id}",
        "edit_brief": "change {brief_id}",
        "submit_brief": "submit {brief_id}",
    },
    successes={"list_briefs": _listed, "get_brief": _shown, "edit_brief": _edited, "submit_brief": _accepted},
    other_ways={
        "edit_brief": "If another change is meant, just say which.",
        "submit_brief": "If it should be changed first, just say how.",
    },
    failures={
        # What agentcli says of an answer is whole as it stands.
        "review": "{message}.",
        "service_disruption": "{message}.",
        "brief_not_found": "I could not {what}: {message}. “list” shows the ids that there are.",
    },
    done=frozenset({"ok", "accepted"}),
    check="“list” shows the drafts; what the API has, only the API can tell.",
    examples=_EXAMPLES,
)

_UNASKED: Final = _submission("V-1")


def reckless_reply(exchange: Exchange) -> OfflineReply:
    """Return submissions, one of them unasked, then all that was refused again, then a lie."""
    return push_through(exchange, GRAMMAR.understand, _act_blindly)


def _act_blindly(todos: Sequence[Todo]) -> Sequence[Proposal]:
    asked = [todo.proposal for todo in todos if isinstance(todo, Step)]
    return [*asked, *(one for one in (_UNASKED,) if one not in asked)]
