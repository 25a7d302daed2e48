"""The rules of the briefs agent: briefs, what is new about one, and what a person is told about an answer."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from agentcli.agents.failures import refused
from agentcli.problems import Review
from agentcli.tools.outcome import ToolFailure

LONGEST_WAIT_S: Final = 60
"""The most that `timeout_s` may be."""

EMBEDDED: Final = "the API inside agentcli"


class Brief(msgspec.Struct, frozen=True):
    """The draft of a video: how long it is to be, in seconds, and whether it has captions."""

    id: str
    title: str
    seconds: int
    captions: bool
    revision: int

    def __str__(self) -> str:
        captions = _switch(self.captions)
        return f"{self.id} “{self.title}”, {self.seconds} s, captions {captions}, revision {self.revision}"

    def as_result(self) -> dict[str, Any]:
        """Return the brief as tools hand it out, and as it is sent."""
        return {
            "brief_id": self.id,
            "title": self.title,
            "seconds": self.seconds,
            "captions": self.captions,
            "revision": self.revision,
        }

    @classmethod
    def from_result(cls, result: Mapping[str, Any]) -> "Brief":
        """Return the brief that a tool handed out."""
        return cls(result["brief_id"], result["title"], result["seconds"], result["captions"], result["revision"])


def edited(brief: Brief, *, title: str | None, seconds: int | None, captions: bool | None) -> Brief:
    """Return the next revision of a brief; what is None stays as it is."""
    return Brief(
        id=brief.id,
        title=brief.title if title is None else title.strip(),
        seconds=brief.seconds if seconds is None else seconds,
        captions=brief.captions if captions is None else captions,
        revision=brief.revision + 1,
    )


def differences(before: Brief, after: Brief) -> list[str]:
    """Return a line for each thing that is different about two states of a brief."""
    shown = (
        ("title", f"“{before.title}”", f"“{after.title}”"),
        ("seconds", str(before.seconds), str(after.seconds)),
        ("captions", _switch(before.captions), _switch(after.captions)),
        ("revision", str(before.revision), str(after.revision)),
    )
    return [f"{name} {one} → {other}" for name, one, other in shown if one != other]


def no_such_brief(brief_id: str) -> ToolFailure:
    """Return the failure of a call about a brief that does not exist."""
    return refused(
        "brief_not_found", f"There is no brief {brief_id}. Use list_briefs to see the ids that there are."
    )


HINTS: Final[Mapping[str, str]] = {
    "REVIEW_INPUT":
        "The API takes this brief for invalid: compare its title, seconds and captions with the rules of the API.",
    "REVIEW_REVISION":
        "The API holds a newer revision than this draft: look at that one before this one goes over it.",
    "REVIEW_GENERIC":
        "The answer is none that agentcli knows: look for the brief in the API itself, or ask those who run it.",
}  # fmt: skip
"""What a person is told about an answer, by its category; never in the API's words, which may be anybody's."""


def review_message(brief_id: str, review: Review) -> str:
    """Return the outcome of a submission that was not accepted, in words of our own."""
    status = "no valid HTTP status" if review["http_status"] is None else f"HTTP {review['http_status']}"
    return (
        f"The API answered {brief_id} without accepting it: {review['decision']} ({review['reason']}, {status}). "
        f"{HINTS[review['decision']]} What to do next is for a person to say."
    )


def disruption_message(brief_id: str, *, sent: bool, reference: str) -> str:
    """Return what is known where no answer came; `sent` says whether the API may have got the brief."""
    if not sent:
        return f"The API was not reached, so {brief_id} was not submitted (reference {reference} in the log)."
    return (
        f"No answer came from the API (reference {reference} in the log), so nobody knows whether it has "
        f"{brief_id}: look there before it is submitted again."
    )


def address(api_url: str) -> str:
    """Return where briefs are posted to."""
    return f"{api_url.rstrip('/')}/briefs"


def option_problem(options: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the name of an option that can't be used and what is wrong with it, or None."""
    if options["api_url"] and not _has_host_and_port(options["api_url"]):
        return "api_url", f"{options['api_url']!r} names no host, or no port that there is"
    if options["timeout_s"] > LONGEST_WAIT_S:
        return "timeout_s", f"{options['timeout_s']:g} is above {LONGEST_WAIT_S}"
    return None


def _has_host_and_port(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _switch(on: bool) -> str:
    return "on" if on else "off"
