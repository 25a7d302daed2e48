"""The table of steps as examples: under each row the entries that lead to it, and the step that follows."""

from typing import Final

from agentcli.gate.autonomy import Level
from agentcli.gate.verdicts import Decision
from agentcli.session import entries as e
from agentcli.session.steps import (
    Ask,
    AwaitAnswer,
    AwaitReconcile,
    AwaitSupply,
    CallModel,
    Decide,
    End,
    Execute,
    Filter,
    Idle,
    InFlight,
    Settle,
    StartRun,
    Step,
)
from tests.session.telling import (
    BEGUN,
    Told,
    answered,
    asked,
    at,
    attached,
    decided,
    finished,
    level_set,
    opened,
    proposed,
    reconciled,
    replied,
    said,
    started,
    started_run,
    supplied,
    suspended,
    text,
    use,
)

ASK, DENY = Decision.ASK, Decision.DENY
PROPOSED = (*BEGUN, replied(use()))
DECIDED = (*PROPOSED, decided())
AT_WORK = (*DECIDED, started())
QUESTION = (*PROPOSED, decided("c1", ASK), asked())
FORM = (*DECIDED, suspended())
DIED = attached(2)
STOP = e.StopAsked("ana")
LIMIT = e.RunEnded("limit", "", "asks")
FAILED = e.RequestFailed(1, 1, "overloaded", "busy", retry_at=at(8))
GAVE_UP = e.RequestFailed(1, 1, "unauthorized", "no key")
ALL_WORDS = (opened(), attached(), said())


ROWS: Final[dict[str, list[tuple[str, tuple[Told, ...], Step]]]] = {
    "1 a held result is shown to the hooks": [
        ("of the store", (*DECIDED, finished(held=True)), Filter("c1")),
        ("from elsewhere", (*AT_WORK, finished(held=True)), Filter("c1")),
        ("of a process that died", (*AT_WORK, finished(held=True), DIED), Filter("c1")),
        ("in spite of a stop", (*AT_WORK, STOP, finished(held=True)), Filter("c1")),
    ],
    "2 a call at work is waited for": [
        ("started in this process", AT_WORK, InFlight("c1")),
        ("in spite of a stop", (*AT_WORK, STOP), InFlight("c1")),
        ("started again", (*AT_WORK, DIED, reconciled(9, "retry"), decided(), started()), InFlight("c1")),
    ],
    "3 what can be repeated counts as not started": [
        ("a read", (*BEGUN, replied(use("c1", "look")), decided(tool="look"), started(), DIED), Decide("c1")),
        ("under the same key", (*DECIDED, started(key="k"), DIED), Decide("c1")),
        ("and can be stopped", (*DECIDED, started(key="k"), DIED, STOP), Settle("c1", "cancelled")),
    ],
    "4 a settled outcome is told to the model": [
        ("happened", (*AT_WORK, DIED, reconciled(9, "happened")), Settle("c1", "happened")),
        ("not", (*AT_WORK, DIED, reconciled(9, "not")), Settle("c1", "not")),
        ("left behind", (*AT_WORK, e.Overdue("c1", 9), reconciled(9, "not")), Settle("c1", "not")),
        ("after a stop", (*AT_WORK, DIED, STOP, reconciled(9, "happened")), Settle("c1", "happened")),
    ],
    "5 an unknown outcome is a person's to settle": [
        ("its process died", (*AT_WORK, DIED), AwaitReconcile("c1")),
        ("it was left behind", (*AT_WORK, e.Overdue("c1", 9)), AwaitReconcile("c1")),
        ("left behind with a key", (*DECIDED, started(key="k"), e.Overdue("c1", 9)), AwaitReconcile("c1")),
        ("in spite of a stop", (*AT_WORK, DIED, STOP), AwaitReconcile("c1")),
        ("tried again", (*AT_WORK, DIED, reconciled(9, "retry")), Decide("c1")),
    ],
    "6 a stop cancels what has not begun": [
        ("not decided", (*PROPOSED, STOP), Settle("c1", "cancelled")),
        ("decided", (*DECIDED, STOP), Settle("c1", "cancelled")),
        ("asked about", (*QUESTION, STOP), Settle("c1", "cancelled")),
        ("approved", (*QUESTION, answered(9), STOP), Settle("c1", "cancelled")),
        ("waiting for a form", (*FORM, STOP), Settle("c1", "cancelled")),
        ("denied", (*PROPOSED, decided("c1", DENY), STOP), Settle("c1", "cancelled")),
    ],
    "7 an open form is waited for": [
        ("decided", FORM, AwaitSupply("c1")),
        ("not decided yet", (*PROPOSED, suspended()), AwaitSupply("c1")),
        ("after a yes", (*QUESTION, answered(9), decided("c1", ASK), suspended()), AwaitSupply("c1")),
        ("in another process", (*FORM, DIED), AwaitSupply("c1")),
        ("filled in", (*FORM, supplied(9)), Decide("c1")),
        ("declined", (*FORM, answered(9, "declined")), Settle("c1", "declined")),
        ("declined, not decided yet", (*PROPOSED, suspended(), answered(8, "declined")), Settle("c1", "declined")),
        (
            "declined after a yes",
            (*QUESTION, answered(9), decided("c1", ASK), suspended(), answered(12, "declined")),
            Settle("c1", "declined"),
        ),
    ],
    "8 what a limit left over goes on, or is blocked by other words": [
        ("nothing was said", (*PROPOSED, LIMIT), StartRun()),
        ("something was said since", (*PROPOSED, LIMIT, said(2)), Settle("c1", "blocked")),
        ("it was said before", (*PROPOSED, said(2), LIMIT), StartRun()),
        ("it was taken back", (*PROPOSED, LIMIT, said(2), e.Unsaid(2)), StartRun()),
        ("in another process", (*PROPOSED, LIMIT, DIED), StartRun()),
        ("decided, and not asked about", (*PROPOSED, decided("c1", ASK), LIMIT), StartRun()),
        ("not asked about, and something was said", (*PROPOSED, decided("c1", ASK), LIMIT, said(2)), Settle("c1", "blocked")),
        ("not asked about anew", (*QUESTION, answered(9), decided("c1", ASK, preview=("new",)), LIMIT), StartRun()),
        ("not anew, and something was said", (*QUESTION, answered(9), decided("c1", ASK, preview=("new",)), LIMIT, said(2)), Settle("c1", "blocked")),
        ("the first one has run", (*BEGUN, replied(use(), use("c2")), decided(), finished(), LIMIT), StartRun()),
    ],
    "10 a call is decided": [
        ("in a run", PROPOSED, Decide("c1")),
        ("of an unknown tool", (*BEGUN, replied(use("c1", "conjure"))), Decide("c1")),
        ("in another process", (*PROPOSED, DIED), Decide("c1")),
        ("a person's, without a run", (*DECIDED, finished(undo="1"), e.RunEnded("completed"), proposed()), Decide("undo")),
    ],
    "11 a denied call is settled": [
        ("at once", (*PROPOSED, decided("c1", DENY)), Settle("c1", "denied")),
        ("after a yes", (*QUESTION, answered(9), decided("c1", DENY)), Settle("c1", "denied")),
        ("by another process", (*PROPOSED, decided("c1", DENY), DIED), Settle("c1", "denied")),
    ],
    "12 a no is told to the model": [
        ("declined", (*QUESTION, answered(9, "declined")), Settle("c1", "declined")),
        ("cancelled", (*QUESTION, answered(9, "cancelled")), Settle("c1", "cancelled")),
        ("expired", (*QUESTION, answered(9, "expired")), Settle("c1", "expired")),
        ("in another process", (*QUESTION, answered(9, "declined"), DIED), Settle("c1", "declined")),
        ("at a level that would allow it", (*QUESTION, answered(9, "declined"), level_set(Level.ALONE)), Settle("c1", "declined")),
    ],
    "13 what asks is asked about": [
        ("decided", (*PROPOSED, decided("c1", ASK)), Ask("c1", again=False)),
        ("in the next run", (*PROPOSED, decided("c1", ASK), LIMIT, started_run(2)), Decide("c1")),
        ("in another process", (*PROPOSED, decided("c1", ASK), DIED), Decide("c1")),
        ("at another level", (*PROPOSED, decided("c1", ASK), LIMIT, level_set(Level.LOOK), started_run(2)), Decide("c1")),
    ],
    "14 an open question waits for an answer": [
        ("asked", QUESTION, AwaitAnswer("c1")),
        ("in another process", (*QUESTION, DIED), AwaitAnswer("c1")),
        ("at a level that would allow it", (*QUESTION, level_set(Level.ALONE)), AwaitAnswer("c1")),
        ("at a level that would deny it", (*QUESTION, level_set(Level.LOOK)), AwaitAnswer("c1")),
        ("words are no answer", (*QUESTION, said(2, "yes")), AwaitAnswer("c1")),
    ],
    "15 a decision that no longer holds is made again": [
        ("after a yes", (*QUESTION, answered(9)), Decide("c1")),
        ("in another process", (*DECIDED, DIED), Decide("c1")),
        ("at another level", (*DECIDED, level_set(Level.LOOK)), Decide("c1")),
    ],
    "16 what would be shown otherwise is asked about again": [
        ("another preview", (*QUESTION, answered(9), decided("c1", ASK, preview=("new",))), Ask("c1", again=True)),
        ("another reason", (*QUESTION, answered(9), decided("c1", ASK, reason="new")), Ask("c1", again=True)),
        ("another input", (*QUESTION, answered(9), decided("c1", ASK, input_text='{"a":1}')), Ask("c1", again=True)),
    ],
    "17 what may run runs": [
        ("allowed", DECIDED, Execute("c1")),
        ("approved, and looked at once more", (*QUESTION, answered(9), decided("c1", ASK)), Execute("c1")),
        ("asked about, and allowed by now", (*QUESTION, answered(9), decided()), Execute("c1")),
        ("filled in, and looked at once more", (*FORM, supplied(9), decided()), Execute("c1")),
    ],
    "18 a run begins when there is something to say": [
        ("nothing yet", (opened(), attached()), Idle()),
        ("words", ALL_WORDS, StartRun()),
        ("words that were taken back", (*ALL_WORDS, e.Unsaid(1)), Idle()),
        ("all is said", (*BEGUN, replied(text("a")), e.RunEnded("completed")), Idle()),
        ("words since", (*BEGUN, replied(text("a")), e.RunEnded("completed"), said(2)), StartRun()),
        ("a reply is owed", (*BEGUN, GAVE_UP, e.RunEnded("failed")), StartRun()),
        ("results are owed", (*DECIDED, finished(), e.RunEnded("limit", "", "steps")), StartRun()),
        ("a stop without a run", (opened(), attached(), STOP), Idle()),
    ],
    "19 a stop ends the run": [
        ("before a request", (*ALL_WORDS, started_run(), STOP), End("stopped")),
        ("after the calls are cancelled", (*PROPOSED, STOP, finished(origin="core")), End("stopped")),
        ("after an interrupted reply", (*BEGUN, STOP, replied(stop_reason="interrupted")), End("stopped")),
        ("in spite of words", (*BEGUN, STOP, replied(text("a")), said(2)), End("stopped")),
    ],
    "20 an unusable reply ends the run": [
        ("refused", (*BEGUN, replied(stop_reason="refusal")), End("refused")),
        ("cut", (*BEGUN, replied(text("a"), stop_reason="max_tokens")), End("failed")),
        ("too long", (*BEGUN, replied(use(), stop_reason="model_context_window_exceeded")), End("failed")),
        ("ended with calls", (*BEGUN, replied(text("a"), use(), stop_reason="end_turn")), End("failed")),
        ("for an unknown reason", (*BEGUN, replied(text("a"), stop_reason="something_new")), End("failed")),
        ("for no reason", (*BEGUN, replied(text("a"), stop_reason=None)), End("failed")),
        ("in spite of words", (*BEGUN, replied(stop_reason="refusal"), said(2)), End("refused")),
    ],
    "21 patience is bounded": [
        ("it can't work", (*BEGUN, GAVE_UP), End("failed")),
        ("in spite of words", (*BEGUN, GAVE_UP, said(2)), End("failed")),
    ],
    "22 the model is asked": [
        ("for the first time", (*ALL_WORDS, started_run()), CallModel((1,), 1)),
        ("with all words since", (*BEGUN, replied(text("a")), said(2), said(3)), CallModel((2, 3), 1)),
        ("with results", (*DECIDED, finished()), CallModel((), 1)),
        ("with results and words", (*DECIDED, said(2), finished()), CallModel((2,), 1)),
        ("again, after a crash", (*BEGUN, DIED), CallModel((), 2)),
        ("again, with words since", (*BEGUN, FAILED, (8, said(2))), CallModel((2,), 2, at(8))),
        ("again, after nonsense", (*BEGUN, replied(fault="a call id is malformed")), CallModel((), 1)),
        ("on with a paused reply, words wait", (*BEGUN, replied(text("a"), stop_reason="pause_turn"), said(2)), CallModel((), 1)),
    ],
    "23 all is done": [
        ("the turn has ended", (*BEGUN, replied(text("a"))), End("completed")),
        ("at a stop sequence", (*BEGUN, replied(text("a"), stop_reason="stop_sequence")), End("completed")),
        ("with nothing to say", (*BEGUN, replied()), End("completed")),
        ("with calls that are none", (*BEGUN, replied(text("a"), stop_reason="tool_use")), End("completed")),
    ],
}  # fmt: skip
