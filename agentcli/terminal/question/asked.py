"""The open question of a call, as it is shown. Pure."""

from collections.abc import Iterable

from agentcli.gate.autonomy import Level, verdict_at
from agentcli.gate.verdicts import Decision, RuleName
from agentcli.session.call import Call
from agentcli.terminal.question.arming import quick_yeses
from agentcli.terminal.question.frame import QuestionView
from agentcli.tools.risk import Risk


def view_of(call: Call, *, may_raise: bool = False, quick_yeses: int = 0) -> QuestionView:
    """Return what a person is shown of a call whose question is open.

    Args:
        may_raise: Whether `a` is offered: yes, and from now on without asking.
        quick_yeses: How many of the last answers in a row were quick yeses.
    """
    assert call.decided is not None
    assert call.asked is not None
    return QuestionView(
        call_id=call.call_id,
        tool=call.tool,
        sent=call.decided.as_sent,
        input=call.decided.input,
        risk=call.decided.risk,
        position=call.position,
        of=call.of,
        code=call.question_code,
        preview=call.asked.preview,
        is_undoable=call.decided.risk is Risk.WRITE and call.undoes is None,
        reasons=tuple(verdict.reason for verdict in call.asked.verdicts),
        may_raise=may_raise,
        may_edit=call.may_be_edited,
        earlier=None if call.asked_before is None else call.asked_before.preview,
        is_undo=call.undoes is not None,
        quick_yeses=quick_yeses,
    )


def quick_yeses_of(calls: Iterable[Call], channel: str) -> int:
    """Return how many of the last answers in a row that came by a channel were quick yeses."""
    answers = (call.answered for call in calls if call.answered is not None and call.answered.channel == channel)
    return quick_yeses((answered.answer == "approved", answered.seconds) for answered in answers)


def would_raise(call: Call) -> bool:
    """Tell whether level 3 would stop the asking, so that a yes from now on makes sense."""
    assert call.asked is not None
    assert call.decided is not None
    only_level = all(one.rule == RuleName.LEVEL for one in call.asked.verdicts if one.decision is Decision.ASK)
    return only_level and verdict_at(Level.BOUNDED, call.decided.risk) is Decision.ALLOW
