"""Permission to run one call once, made from stored entries and bound to what was decided and shown."""

from msgspec import Struct

from agentcli.gate.verdicts import Decision
from agentcli.session.call import Call, question_changed


class NotPermitted(Exception):
    """The entries do not say that this call may run; that a caller got this far is a bug."""


class Permit(Struct):
    """One run of one call, with exactly the input that the digest names."""

    call_id: str
    tool: str
    digest: str
    _spent: bool = False

    def spend(self, digest: str) -> None:
        """Use the permit up.

        Raises:
            NotPermitted: It was used before, or is for another tool or input.
        """
        if self._spent:
            raise NotPermitted(f"the permit for {self.call_id!r} has been used")
        if digest != self.digest:
            raise NotPermitted(f"the permit for {self.call_id!r} is for another input")
        self._spent = True


def permit(call: Call) -> Permit:
    """Return the permit that the call's stored decision and answer amount to.

    Raises:
        NotPermitted: It was denied, not decided in its present form, not approved by a person, or has run.
    """
    decided = call.decided
    if decided is None or not call.fresh or call.waits_for_form:
        raise NotPermitted(f"nothing that holds was decided about {call.call_id!r}")
    if _has_run(call):
        raise NotPermitted(f"{call.call_id!r} has run, or nobody knows whether it has")
    if (decided.decision is Decision.ALLOW and not _refused(call)) or _approved(call):
        return Permit(call.call_id, call.tool, decided.digest)
    raise NotPermitted(f"{call.call_id!r} is not allowed to run")


def _has_run(call: Call) -> bool:
    may_have = call.started is not None and (call.overdue or not call.repeatable)
    return call.settled or call.finished is not None or may_have


def _refused(call: Call) -> bool:
    return call.answered is not None and call.answered.answer != "approved"


def _approved(call: Call) -> bool:
    return (
        call.decided is not None
        and call.decided.decision is Decision.ASK
        and call.asked is not None
        and call.answered is not None
        and call.answered.answer == "approved"
        and call.answered.asked == call.asked_seq
        and not question_changed(call.decided, call.asked)
    )
