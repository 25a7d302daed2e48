"""One call, from the reply that proposed it to the result the model gets."""

import hashlib
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from agentcli.gate.verdicts import Decision, RuleName, Verdict
from agentcli.session.entries import Answered, Asked, Decided, Finished, Reconciled, Started, Supplied, Suspended
from agentcli.tools.outcome import input_as_json
from agentcli.tools.risk import Risk


class Call(Struct):
    """What the journal says about one call so far.

    `resumed` is all that persons have filled in for it. `fresh` is whether its decision still holds: made by
    this process, and nothing it rests on has changed. `decided_before` is what the same process, that of
    `decided_epoch`, had decided about this input before. `asked_before` is the question about this input that no
    longer held. `edited` is a person's change of the input, which closed the question that was open then.
    `reconciled` is what a person said of its latest start, until something else is asked about it.
    """

    call_id: str
    tool: str
    input: str
    position: int
    of: int
    by: str | None = None
    undoes: "Call | None" = None
    undone: bool = False
    decided: Decided | None = None
    decided_epoch: int = 0
    decided_before: Decided | None = None
    fresh: bool = False
    asked: Asked | None = None
    asked_seq: int = 0
    asked_at: datetime | None = None
    asked_before: Asked | None = None
    question_code: str = ""
    answered: Answered | None = None
    edited: Answered | None = None
    started: Started | None = None
    started_seq: int = 0
    started_at: datetime | None = None
    started_epoch: int = 0
    overdue: bool = False
    reconciled: Reconciled | None = None
    suspended: Suspended | None = None
    suspended_seq: int = 0
    suspended_at: datetime | None = None
    form_code: str = ""
    supplied: Supplied | None = None
    resumed: dict[str, Any] | None = None
    finished: Finished | None = None
    output: bytes | None = None
    is_error: bool = False

    @property
    def title(self) -> str:
        """Its name in lists and messages: its tool, or that it undoes a call of that tool."""
        return self.tool if self.undoes is None else f"undo of {self.tool}"

    @property
    def settled(self) -> bool:
        """Whether it has the one result that the model gets."""
        return self.output is not None

    @property
    def as_sent(self) -> str:
        """The input as it is shown everywhere: what the model sent, or a hook or a person made of it."""
        return self.input if self.decided is None else self.decided.as_sent

    @property
    def told(self) -> bytes:
        """What the model gets: the result, and where a person changed the input, who did and what counts now."""
        assert self.output is not None
        return self.output if self.edited is None else _with_edit(self.output, self.edited.by, self.decided)

    @property
    def happened(self) -> bool:
        """Whether a person said that it took effect."""
        return self.reconciled is not None and self.reconciled.outcome == "happened"

    @property
    def can_be_undone(self) -> bool:
        """Whether it took effect, its tool left what reversing needs, and nobody has reversed it."""
        finished = self.finished
        return finished is not None and finished.undo is not None and not finished.is_error and not self.undone

    @property
    def repeatable(self) -> bool:
        """Whether running it a second time does no harm: a read, or the same idempotency key."""
        return self.decided is not None and (
            self.decided.risk is Risk.READ or (self.started is not None and self.started.key is not None)
        )

    @property
    def waits_for_answer(self) -> bool:
        """Whether its question is open."""
        return self.asked is not None and self.answered is None and not self.settled

    @property
    def waits_for_form(self) -> bool:
        """Whether it has stopped to ask for something that nobody has filled in yet, nor declined to."""
        is_open = self.suspended is not None and self.supplied is None and not self.settled
        return is_open and not self.form_declined

    @property
    def form_declined(self) -> bool:
        """Whether somebody has said no to what it has stopped to ask for."""
        return (
            self.suspended is not None and self.answered is not None and self.answered.asked == self.suspended_seq
        )

    @property
    def may_be_edited(self) -> bool:
        """Whether a person may change its input: it is the model's, and no earlier process may have run it."""
        return self.by is None and self.started is None

    def has_expired(self, now: datetime) -> bool:
        """Whether its question has waited longer than questions do."""
        return self.asked is not None and self.asked.expires_at is not None and self.asked.expires_at <= now

    def outcome_unknown(self, epoch: int) -> bool:
        """Whether it had started in the world outside, never reported back, and nobody has settled it."""
        return (
            self.started is not None
            and not self.settled
            and self.finished is None
            and self.reconciled is None
            and (self.overdue or (self.started_epoch < epoch and not self.repeatable))
        )


def _with_edit(output: bytes, by: str, decided: Decided | None) -> bytes:
    """Return a result with the edit told first, where no length limit cuts it off."""
    try:
        result = msgspec.json.decode(output, type=dict[str, msgspec.Raw])
    except msgspec.ValidationError:
        # A hook may have made anything of it.
        result = {"output": msgspec.Raw(output)}
    edited = {
        "by": by,
        "input": None if decided is None else input_as_json(decided.as_sent),
        "message": "the user changed the input of this call; this is the one that counts",
    }
    return msgspec.json.encode({"edited": edited} | result)


def asking(verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
    """Return the reasons a person is shown: the verdicts that ask, and that a hook made the input what it is."""
    return tuple(one for one in verdicts if one.decision is Decision.ASK or one.rule == RuleName.HOOK_REWRITE)


def question_changed(decided: Decided, asked: Asked) -> bool:
    """Tell whether a new decision would show a person something else than the open question did."""
    return (decided.digest, decided.preview, asking(decided.verdicts)) != (
        asked.digest,
        asked.preview,
        asked.verdicts,
    )


def digest_of(tool: str, input_text: str) -> str:
    """Return the SHA-256 over a tool's name and an input's text that binds question, answer and permit."""
    return hashlib.sha256(f"{len(tool)}:{tool}{input_text}".encode()).hexdigest()
