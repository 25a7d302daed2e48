"""The results of calls, in words for a person; each agent brings its vocabulary."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct, field

from agentcli.agents.offline.proposals import Members, Told, members
from agentcli.tools.offline import Settled
from agentcli.tools.outcome import DECLINED_IN_ADVANCE
from agentcli.tools.proposal import Proposal


class Vocabulary(Struct, frozen=True, kw_only=True):
    """How an agent speaks of its tools.

    Attributes:
        phrases: What a call would do, with members of its input, as it stands after `I could not`.
        successes: Tells the result of a call, from the members of its input and its result.
        other_ways: What could be done instead of a call that a person or the domain said no to.
        offers: What to say, with members of the input, where a result names this tool as the next one.
        failures: What to say of a status, where that is not what every agent says.
        done: The statuses that say that a call was done.
        check: How a person sees what stands in the books.
        examples: Three sentences that are understood.
    """

    phrases: Mapping[str, str]
    successes: Mapping[str, Callable[[Members, Members], str]]
    other_ways: Mapping[str, str] = field(default_factory=dict)
    offers: Mapping[str, str] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)
    done: frozenset[str] = frozenset({"ok"})
    check: str
    examples: str


FAILURES: Final[Mapping[str, str]] = {
    # status               what to say
    "declined":           "You said no, so I did not {what}. {other}",
    "cancelled":          "It was stopped, so I did not {what}. Say it again whenever you want it.",
    "expired":            "Nobody answered in time, so I did not {what}. Say it again and you will be asked anew.",
    "blocked":            "I could not {what}: {message}. I can still look things up for you, if that helps.",
    "invalid":            "I could not {what}: {message}. Please say it once more, put right.",
    "withheld":           "I did {what}, but what came of it is kept from me. {check}",
    "unknown_outcome":    "Nobody knows whether I did {what}. {check}",
    "fault":              "I could not {what}, because of a fault: {message}. Please try again later.",
    "service_disruption": "I could not {what}: {message}. Please try again later.",
}  # fmt: skip

# Advice is for a model, in names of tools, which mean nothing to a person.
_ADVICE: Final = re.compile(r"\. (?:Use|Ask|Offer|Look|Check|Try)\b.*", re.S)

_NOBODY_WAS_ASKED: Final = "Nobody is there to be asked, so I did not {what}. {other}"
_OTHER_FAILURE: Final = "I could not {what}: {message}. {other}"
_ANOTHER_WAY: Final = "Tell me if I can help in another way."


def phrase(vocabulary: Vocabulary, proposal: Proposal) -> str:
    """Return what a call would do, as it stands after `I could not`."""
    return _filled(vocabulary.phrases.get(proposal.tool), proposal) or f"use {proposal.tool}"


def describe(vocabulary: Vocabulary, settled: Settled) -> str:
    """Return the result of a call, in words."""
    tool, result = settled.proposal.tool, settled.result
    if is_failure(result):
        return _describe_failure(vocabulary, settled.proposal, result)
    if result.get("status") == "simulated":
        return f"This is a trial: outside of it I would {phrase(vocabulary, settled.proposal)}."
    if str(result.get("status")) not in vocabulary.done or tool not in vocabulary.successes:
        return f"Something came back from {tool} that I can't read, so I can't tell you more."
    return vocabulary.successes[tool](members(settled.proposal), result)


def is_failure(result: Members) -> bool:
    """Whether a result says that something was not done."""
    return bool(result.get("isError")) or str(result.get("status")) in FAILURES


def _describe_failure(vocabulary: Vocabulary, proposal: Proposal, result: Members) -> str:
    status = str(result.get("status"))
    message = _ADVICE.sub("", str(result.get("message") or status)).rstrip(".")
    other = _filled(vocabulary.other_ways.get(proposal.tool), proposal) or _ANOTHER_WAY
    words = vocabulary.failures.get(status) or FAILURES.get(status, _OTHER_FAILURE)
    if message.startswith(DECLINED_IN_ADVANCE):
        words = _NOBODY_WAS_ASKED
    if offer := _offer(vocabulary, result):
        words, other = _OTHER_FAILURE, offer.format_map(Told(members(proposal)))
    return words.format(
        what=phrase(vocabulary, proposal),
        message=message,
        other=other,
        check=vocabulary.check,
    )


def _filled(words: str | None, proposal: Proposal) -> str | None:
    """Return words with members of the input; None where one that they need is missing or is no plain value."""
    plain = {name: value for name, value in members(proposal).items() if isinstance(value, str | int)}
    try:
        return None if words is None else words.format_map(plain)
    except KeyError:
        return None


def _offer(vocabulary: Vocabulary, result: Members) -> str | None:
    tools = result.get("next")
    found = tools if isinstance(tools, list | tuple) else []
    return next((vocabulary.offers[tool] for tool in found if tool in vocabulary.offers), None)
