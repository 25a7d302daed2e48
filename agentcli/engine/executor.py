"""The only place where a tool is run."""

import asyncio
import inspect
import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct

from agentcli.engine.foreign import is_foreign
from agentcli.engine.invocation import (
    NOTHING_PREPARED,
    Prepared,
    ToolOutcome,
    UndeclaredOutcome,
    invocation_of,
    outcome_of,
    outcome_of_failure,
    values_of,
)
from agentcli.engine.looking import only_looking
from agentcli.engine.permits import NotPermitted, Permit
from agentcli.engine.results import digest_result, encode_result
from agentcli.engine.threads import in_thread
from agentcli.gate.facts import observed
from agentcli.session.call import Call, digest_of
from agentcli.session.entries import Finished, Suspended
from agentcli.session.ports import Clock, StoreFailure, Transaction
from agentcli.tools.outcome import Category, ToolFailure, failure
from agentcli.tools.risk import Risk
from agentcli.tools.schema import Frozen
from agentcli.tools.suspension import Made, Suspend, noticing_suspensions
from agentcli.tools.tool import Acts, Place, Tables, Tool

log = logging.getLogger(__name__)

_TAKEN_BACK: Final = {"isError": True}
"""As a result, this shows that nothing holds any more that the call had shown."""


class LeftBehind(Struct, frozen=True):
    """A call that is later than its tool's timeout, and still at work."""

    work: asyncio.Future[Finished | Suspended]


class _Unsuccessful(Exception):
    """Rolls back what a tool did in the store before it said that it failed."""


class NoTables:
    """What a tool that acts outside the store gets for tables: none."""

    def execute(self, sql: str, parameters: object = ()) -> list[tuple[Any, ...]]:
        """Refuse."""
        raise NotPermitted("a tool that acts outside the store has no tables")


class Executor:
    """Runs tools against one-shot permits, and turns whatever they do into data."""

    def __init__(
        self,
        catalog: Mapping[str, Tool],
        options: Mapping[str, Any],
        clock: Clock,
        new_reference: Callable[[], str],
        holds: Callable[[str], bool] = lambda tool: False,
    ) -> None:
        self._catalog = catalog
        self.options = options
        self._clock = clock
        self._new_reference = new_reference
        self._holds = holds

    def place(self, tables: Tables) -> Place:
        """Return the place where a call of today runs."""
        return Place(self._clock.today(), self.options, tables)

    def idempotency_key(self, call: Call) -> str | None:
        """Return the value of the input that makes a repeat of this call safe, if its tool names one.

        What the tool promises of a repeat, it does not promise of its undo.
        """
        field = self._catalog[call.tool].idempotency
        if field is None or call.decided is None or call.undoes is not None:
            return None
        key = values_of(self._catalog[call.tool], call).get(field)
        return None if key is None else str(key)

    def run_in_store(self, permit: Permit, call: Call, transaction: Transaction) -> Finished | Suspended:
        """Run a tool of the store inside the open transaction; what a failed one did there is rolled back."""
        began = self._clock.now()
        return self._timed(self._run_in_store(permit, call, transaction), began)

    def _run_in_store(self, permit: Permit, call: Call, transaction: Transaction) -> Finished | Suspended:
        tool = self._catalog[call.tool]
        with noticing_suspensions() as made:
            try:
                with transaction.attempt() as tables:
                    place = self.place(tables)
                    values = self._admit(permit, call, tool)
                    outcome = outcome_of(tool, call, invocation_of(tool, call, place, values)())
                    made.raise_first()
                    finished = self._finished(tool, call, outcome, values)
                    if finished.is_error:
                        raise _Unsuccessful
                    return finished
            except _Unsuccessful:
                return finished
            except (NotPermitted, StoreFailure):
                raise
            except BaseException as error:  # noqa: BLE001  # whatever a tool raises becomes data
                return self._ended_early(tool, call, error, made, may_have_happened=False)

    def prepare(self, call: Call, transaction: Transaction) -> Prepared | Finished | Suspended:
        """Let a tool that acts outside the store read what it takes along, or end the call before it starts."""
        tool = self._catalog[call.tool]
        if tool.prepare is None or call.undoes is not None:
            return NOTHING_PREPARED
        with noticing_suspensions() as made:
            try:
                with transaction.attempt() as tables:
                    value = tool.prepare(self.place(tables), values_of(tool, call))
                    made.raise_first()
                    return Prepared(value)
            except StoreFailure:
                raise
            except BaseException as error:  # noqa: BLE001  # whatever a tool raises becomes data
                return self._ended_early(tool, call, error, made, may_have_happened=False)

    async def run_elsewhere(
        self, permit: Permit, call: Call, prepared: Prepared = NOTHING_PREPARED
    ) -> Finished | Suspended | LeftBehind:
        """Run a tool that acts outside the store; at its timeout it is left behind, never cut in half."""
        tool = self._catalog[call.tool]
        place = self.place(NoTables())
        invocation = invocation_of(tool, call, place, self._admit(permit, call, tool), prepared)
        work = asyncio.ensure_future(self._run_outside(tool, call, place, invocation))
        done, _ = await asyncio.wait({work}, timeout=tool.timeout_s)
        if done:
            return work.result()
        if tool.risk is not Risk.READ or call.undoes is not None:
            return LeftBehind(work)
        work.cancel()
        message = f"the tool did not answer within {tool.timeout_s:g} s"
        return _fault_result(call, tool, message, retryable=True)

    async def _run_outside(
        self, tool: Tool, call: Call, place: Place, invocation: Callable[[], Any]
    ) -> Finished | Suspended:
        values, began = values_of(tool, call), self._clock.now()
        with noticing_suspensions() as made:
            try:
                returned = await _start(invocation)
                made.raise_first()
                ended: Finished | Suspended = self._finished(tool, call, outcome_of(tool, call, returned), values)
            except BaseException as error:  # noqa: BLE001  # whatever a tool raises becomes data
                ended = self._ended_early(tool, call, error, made, may_have_happened=True)
        return self._timed(ended, began)

    def _timed(self, ended: Finished | Suspended, began: datetime) -> Finished | Suspended:
        """Return a result with the seconds that the tool took, to the millisecond."""
        if isinstance(ended, Suspended):
            return ended
        seconds = round((self._clock.now() - began).total_seconds(), 3)
        return msgspec.structs.replace(ended, seconds=seconds)

    def try_undo(self, call: Call, transaction: Transaction) -> str | None:
        """Return why a call can't be taken back, found out by doing it and rolling it back; None where it can.

        What acts outside the store can't be tried.
        """
        tool = self._catalog[call.tool]
        if tool.undo is None:
            return f"{tool.name} has no undo"
        if tool.acts is Acts.ELSEWHERE:
            return None
        try:
            with only_looking(transaction) as tables, noticing_suspensions() as made:
                invocation_of(tool, call, self.place(tables), values_of(tool, call))()
                made.raise_first()
        except (StoreFailure, KeyboardInterrupt):
            raise
        except ToolFailure as failed:
            return failed.message
        except BaseException:  # whatever a tool raises becomes data
            reference = self._new_reference()
            log.exception("fault %s in the undo of %r", reference, tool.name)
            return f"its undo failed (reference {reference})"
        return None

    def _ended_early(
        self, tool: Tool, call: Call, error: BaseException, made: Made, *, may_have_happened: bool
    ) -> Finished | Suspended:
        """Return the entry that an exception ends a call with: a suspension, a declared failure, or a fault."""
        asked = made.counting(error)
        # An undo has no form: what a person would fill in could not reach it.
        if asked is not None and call.undoes is None:
            return suspended(call, asked)
        if asked is None and not is_foreign(error):
            raise error
        if not isinstance(error, ToolFailure):
            return self._fault(call, tool, may_have_happened=may_have_happened)
        try:
            return self._finished(tool, call, outcome_of_failure(tool, call, error), values_of(tool, call))
        except (UndeclaredOutcome, TypeError, ValueError):
            return self._fault(call, tool, may_have_happened=may_have_happened)

    def _admit(self, permit: Permit, call: Call, tool: Tool) -> Mapping[str, Any]:
        """Spend the permit on exactly the input that was decided, and return its values.

        The domain's own check had its say when the call was decided; here it is only held to that input.
        """
        assert call.decided is not None
        reading = tool.schema.read(call.decided.input)
        if not isinstance(reading, Frozen) or permit.tool != tool.name or permit.call_id != call.call_id:
            raise NotPermitted(f"the permit for {permit.call_id!r} does not fit {call.call_id!r}")
        permit.spend(digest_of(tool.name, reading.text))
        return reading.values

    def _finished(self, tool: Tool, call: Call, outcome: ToolOutcome, values: Mapping[str, Any]) -> Finished:
        raw = encode_result(outcome.result)
        undo = bytes(encode_result(outcome.before)).decode() if outcome.undoable else None
        at = self._clock.now()
        shown = outcome.result if call.undoes is None else _TAKEN_BACK
        facts = observed(
            tool.establishes,
            values,
            shown,
            call_id=call.call_id,
            at=at,
            on_broken=lambda rule: log.exception("the condition of fact %r of %r failed", rule.name, tool.name),
        )
        return Finished(
            call_id=call.call_id,
            origin="tool",
            status=str(outcome.result["status"]),
            result=raw,
            is_error=bool(outcome.result["isError"]),
            digest=digest_result(raw),
            facts=facts,
            undo=undo,
            held=self._holds(tool.name),
        )

    def _fault(self, call: Call, tool: Tool, *, may_have_happened: bool) -> Finished:
        """Return a tool's bug as data, with a reference; the detail goes to the log alone."""
        reference = self._new_reference()
        log.exception("fault %s in tool %r, call %r", reference, tool.name, call.call_id)
        retryable = tool.risk is Risk.READ or not may_have_happened
        message = f"the tool failed (reference {reference}); the detail is in the log, which the user can read"
        return _fault_result(call, tool, message, retryable=retryable)


def _fault_result(call: Call, tool: Tool, message: str, *, retryable: bool) -> Finished:
    raw = encode_result(failure("fault", Category.TRANSIENT, message, retryable=retryable, outcomes=tool.outcomes))
    return Finished(call.call_id, "tool", "fault", raw, is_error=True, digest=digest_result(raw))


def suspended(call: Call, suspend: Suspend, undecided: str | None = None) -> Suspended:
    """Return the entry that says what a person has to fill in before the call can go on.

    Args:
        undecided: The input with its defaults, where no decision holds it yet.
    """
    schema = msgspec.Raw(msgspec.json.encode(suspend.schema))
    return Suspended(call.call_id, suspend.question, schema, suspend.shown, undecided)


async def _start(invocation: Callable[[], Any]) -> Any:
    """Run a coroutine here and a plain function in a thread of its own, so that the keyboard is never held."""
    if isinstance(invocation, partial) and inspect.iscoroutinefunction(invocation.func):
        return await invocation()
    returned = await in_thread(invocation)
    # What is wrapped, as an own `undo` is, doesn't look like the coroutine that it makes.
    return await returned if inspect.isawaitable(returned) else returned
