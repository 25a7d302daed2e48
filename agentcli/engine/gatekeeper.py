"""Gathers what a decision rests on, lets the gate decide, and draws what a person will be shown."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agentcli.engine.executor import Executor, suspended
from agentcli.engine.looking import only_looking
from agentcli.gate.autonomy import Level, effective_level
from agentcli.gate.decide import RULES, Rule, Situation, decide
from agentcli.gate.verdicts import Decision, RuleName, Ruling, Verdict
from agentcli.session.call import Call, digest_of
from agentcli.session.entries import Decided, Suspended
from agentcli.session.ports import Clock, StoreFailure, Transaction
from agentcli.session.state import State
from agentcli.tools.json_text import JsonFault, compact, read_json
from agentcli.tools.outcome import ON_EVERY_RESULT, Category
from agentcli.tools.risk import Risk
from agentcli.tools.schema import Frozen, Misfit
from agentcli.tools.suspension import Suspend, noticing_suspensions
from agentcli.tools.tool import Place, Tables, Tool

log = logging.getLogger(__name__)

MOST_KEPT: Final = 500
"""Characters of what a call kept for its undo that a person is shown; an import may have kept a whole table."""


class Wording(Struct, frozen=True):
    """The text of an input; `sent` is the same without the defaults, where some are filled in by now."""

    text: str
    sent: str | None = None


class Gatekeeper:
    """Decides calls of one session by its state, its tools and their tables."""

    def __init__(
        self,
        catalog: Mapping[str, Tool],
        executor: Executor,
        clock: Clock,
        new_reference: Callable[[], str],
    ) -> None:
        self._catalog = catalog
        self._executor = executor
        self._clock = clock
        self._new_reference = new_reference

    def decide(
        self,
        state: State,
        call: Call,
        transaction: Transaction,
        *,
        wording: Wording | None = None,
        hook_verdicts: tuple[Verdict, ...] = (),
    ) -> Decided | Suspended:
        """Return the entry that says what code decided about a call, and what it rests on.

        Where its preview stops to ask a person for something, that is the entry.

        Args:
            wording: The input that a hook made of the call's own, or that hooks were asked about.
        """
        tool = self._catalog.get(call.tool)
        wording = wording or _wording_of(call)
        with only_looking(transaction) as tables:
            place = self._executor.place(tables)
            reading, faults = self._read(tool, wording.text, place)
            situation = replace(self._situation(state, call, tool, reading), hook_verdicts=hook_verdicts)
            verdicts = (*decide(situation).verdicts, *faults)
            preview: tuple[str, ...] = ()
            if Ruling(verdicts).decision is Decision.ASK and tool is not None and isinstance(reading, Frozen):
                drawn = self._preview(tool, call, place, reading)
                if isinstance(drawn, Suspend):
                    return suspended(call, drawn, reading.text)
                preview, refusal = drawn
                verdicts += refusal
        return Decided(
            call_id=call.call_id,
            tool=call.tool,
            input=reading.text,
            digest=digest_of(call.tool, reading.text),
            risk=Risk.IRREVERSIBLE if tool is None else tool.risk,
            level=effective_level(state.level, state.tool_levels.get(call.tool)),
            decision=Ruling(verdicts).decision,
            verdicts=verdicts,
            preview=preview,
            sent=wording.sent or (reading.sent if isinstance(reading, Frozen) else None),
        )

    def problem_with(self, tool: str, input_text: str, transaction: Transaction) -> str:
        """Return why a tool would not take an input, by its schema or its own check; empty where it would.

        Where its code fails over it, that is told when the call is decided.
        """
        with only_looking(transaction) as tables:
            reading, _ = self._read(self._catalog.get(tool), input_text, self._executor.place(tables))
        return reading.problem if isinstance(reading, Misfit) else ""

    def explain(
        self, state: State, call: Call, tables: Tables, rules: Iterable[Rule] = RULES
    ) -> Mapping[Level, Ruling]:
        """Return what the rules say about a call at every level; no hook is asked and nothing is drawn."""
        tool = self._catalog.get(call.tool)
        reading, faults = self._read(tool, call.input, self._executor.place(tables))
        situation = self._situation(state, call, tool, reading)
        at_levels = {level: replace(situation, session_level=level, tool_level=None) for level in Level}
        return {level: Ruling((*decide(one, rules).verdicts, *faults)) for level, one in at_levels.items()}

    def decide_undo(self, state: State, call: Call, transaction: Transaction) -> Decided:
        """Return the entry about a person's undo: no level is asked, but the tool's own rules are."""
        assert call.undoes is not None
        tool = self._catalog.get(call.tool)
        verdict = Verdict(RuleName.UNDO, Decision.ASK, f"{call.by} takes back {call.tool}")
        refusal = self._executor.try_undo(call, transaction) if tool is not None else "its tool is gone"
        if refusal is not None:
            verdict = Verdict(RuleName.UNDO, Decision.DENY, refusal, Category.BUSINESS)
        # Told as the model had sent it, whose call it is.
        return Decided(
            call_id=call.call_id,
            tool=call.tool,
            input=call.input,
            digest=digest_of(call.tool, call.input),
            risk=Risk.WRITE,
            level=Level(state.level),
            decision=verdict.decision,
            verdicts=(verdict,),
            preview=tuple(_undo_lines(call.undoes)),
            sent=None if call.undoes.decided is None else call.undoes.decided.sent,
        )

    def _situation(self, state: State, call: Call, tool: Tool | None, reading: Frozen | Misfit) -> Situation:
        return Situation(
            name=call.tool,
            tool=tool,
            reading=reading,
            session_level=Level(state.level),
            tool_level=state.tool_levels.get(call.tool),
            require_approval=state.require_approval,
            declined_before=state.run is not None and state.run.was_declined(call.tool, reading.text),
            facts=state.facts,
            catalog=self._catalog,
            options=self._executor.options,
            now=self._clock.now(),
        )

    def _read(self, tool: Tool | None, text: str, place: Place) -> tuple[Frozen | Misfit, tuple[Verdict, ...]]:
        """Read the input; where code of the tool fails over it, what can't be checked is denied."""
        if tool is None:
            return _unknown(text), ()
        try:
            return tool.read_input(text, place), ()
        except (StoreFailure, KeyboardInterrupt):
            raise
        except BaseException:  # noqa: BLE001  # whatever a tool raises
            return tool.schema.read(text), (self._fault(tool, "the input can't be checked"),)

    def _preview(
        self, tool: Tool, call: Call, place: Place, reading: Frozen
    ) -> tuple[tuple[str, ...], tuple[Verdict, ...]] | Suspend:
        """Draw what the call would do; a person is never asked about an effect that can't be shown."""
        if tool.preview is None:
            return (), ()
        with noticing_suspensions() as made:
            try:
                drawn = tool.preview(place, reading.values, call.resumed)
                # A text is a sequence too, of its letters.
                lines = tuple(map(str, (drawn,) if isinstance(drawn, str) else drawn))
                msgspec.json.encode(lines)
                made.raise_first()
            except (StoreFailure, KeyboardInterrupt):
                raise
            except BaseException as error:  # noqa: BLE001  # whatever a tool raises
                asked = made.counting(error)
                if asked is not None:
                    return asked
                return (), (self._fault(tool, "what the call would do can't be shown"),)
        return lines, ()

    def _fault(self, tool: Tool, problem: str) -> Verdict:
        reference = self._new_reference()
        log.exception("fault %s in tool %r: %s", reference, tool.name, problem)
        reason = f"{problem} (reference {reference}); the detail is in the log, which the user can read"
        return Verdict(RuleName.TOOL, Decision.DENY, reason, Category.TRANSIENT, retryable=True, status="fault")


def _undo_lines(call: Call) -> Iterator[str]:
    """Yield what a person is shown of a call that is to be undone: what it was, what it gave, what it kept."""
    yield f"will undo: {call.tool} {call.as_sent}"
    if call.finished is None:
        return
    yield f"which gave: {_data_in(call.finished.result)}"
    kept = call.finished.undo or "null"
    if kept != "null":
        yield f"kept for its undo: {kept if len(kept) <= MOST_KEPT else f'{len(kept):,} characters of JSON'}"


def _data_in(result: msgspec.Raw) -> str:
    """Return what a result says beside what all results say."""
    members = msgspec.json.decode(result, type=dict[str, msgspec.Raw])
    own = {name: value for name, value in members.items() if name not in ON_EVERY_RESULT}
    return msgspec.json.encode(own).decode()


def _unknown(text: str) -> Misfit:
    try:
        return Misfit(compact(read_json(text)), "no such tool")
    except JsonFault as fault:
        return Misfit(text, str(fault))


def _wording_of(call: Call) -> Wording:
    """Return the call's own input; defaults are filled in once, so what was decided is judged as it was then."""
    return Wording(call.input) if call.decided is None else Wording(call.decided.input, call.decided.sent)
