"""Permits that overlook one thing, each beside the mistake in the table that it is there to catch."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec.structs import replace

from agentcli.engine.permits import Permit, permit
from agentcli.gate.verdicts import Decision
from agentcli.session.call import Call, asking


@dataclass(frozen=True, slots=True)
class Oversight:
    """What a permit overlooks, and the mutant that then lets something run."""

    mutant: str
    permit: Callable[[Call], Permit]


def _fresh(call: Call) -> Permit:
    return permit(replace(call, fresh=True))


def _allowed(call: Call) -> Permit:
    assert call.decided is not None
    decided = call.decided
    if decided.decision is Decision.DENY:
        decided = msgspec.structs.replace(decided, decision=Decision.ALLOW)
        return permit(replace(call, decided=decided, answered=None))
    return permit(call)


def _unanswered(call: Call) -> Permit:
    assert call.decided is not None
    if call.answered is None:
        return permit(replace(call, decided=msgspec.structs.replace(call.decided, decision=Decision.ALLOW)))
    return permit(call)


def _refused(call: Call) -> Permit:
    if call.answered is not None:
        return permit(replace(call, answered=msgspec.structs.replace(call.answered, answer="approved")))
    return permit(call)


def _of_another_question(call: Call) -> Permit:
    if call.answered is not None:
        return permit(replace(call, answered=msgspec.structs.replace(call.answered, asked=call.asked_seq)))
    return permit(call)


def _shown_otherwise(call: Call) -> Permit:
    if call.asked is None or call.decided is None:
        return permit(call)
    decided = call.decided
    shown = msgspec.structs.replace(
        call.asked, digest=decided.digest, preview=decided.preview, verdicts=asking(decided.verdicts)
    )
    return permit(replace(call, asked=shown))


OVERSIGHTS: Final = {
    "that a decision no longer holds": Oversight("without stale_decision", _fresh),
    "that it was denied": Oversight("without denied", _allowed),
    "that nobody was asked": Oversight("without not_asked", _unanswered),
    "that nobody has answered": Oversight("without unanswered", _unanswered),
    "that the answer was no": Oversight("without answered_no", _refused),
    "that the answer was to another question": Oversight("Asked keeps the answer", _of_another_question),
    "that something else was shown": Oversight("without asked_otherwise", _shown_otherwise),
}
