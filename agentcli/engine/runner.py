"""The loop: read the next step off the state, do it, write down what happened, look again."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import msgspec

from agentcli.engine.asking import request_for
from agentcli.engine.bookkeeping import Bookkeeper, Consult, Consultation, Draining, Left
from agentcli.engine.executor import LeftBehind
from agentcli.engine.hooks import HookInput
from agentcli.engine.journal import Writer
from agentcli.engine.listening import Listening
from agentcli.engine.parts import Parts
from agentcli.engine.results import digest_result, withheld
from agentcli.session import entries as e
from agentcli.session.call import Call
from agentcli.session.ports import StoreFailure, ToolOffer
from agentcli.session.steps import CallModel, Execute, Filter, InFlight, Step

POLL_S: Final = 0.2
"""How soon words, answers and stops from other processes are noticed while something is at work."""


class Runner:
    """Carries one session on until somebody else has to act."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._journal = parts.journal
        self._clock = parts.clock
        self._bookkeeper = Bookkeeper(parts)
        self._offers = [ToolOffer(one.name, one.description, one.schema.json_schema) for one in parts.tools]
        self._reports: list[e.Entry] = []
        self._consulted: Consultation | None = None
        self._working: dict[asyncio.Future[e.Finished | e.Suspended | LeftBehind], Call] = {}
        self._late_reports: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()
        self._leave_at: datetime | None = None

    async def go_on(self, *, only_persons: bool = False) -> Step | Left | Draining:
        """Do one step after another; return the one that needs somebody else.

        Args:
            only_persons: Whether to settle a person's own calls and leave the rest as it is.

        Raises:
            StoreFailure: The journal can't be written; nothing ran that is not in it.
        """
        while True:
            try:
                step = await self._journal.write(partial(self._advance, only_persons))
            except StoreFailure:
                await self._keep_reports()
                raise
            self._reports, self._consulted = [], None
            match step:
                case Consult():
                    await self._consult(step)
                case Filter(call_id):
                    await self._filter(self._journal.state.calls[call_id])
                case CallModel(not_before=None):
                    await self._ask_model()
                case CallModel(not_before=datetime() as moment):
                    await self._wait_until(moment)
                case Execute() | InFlight() if self._working or self._bookkeeper.starting:
                    await self._await_report()
                case _:
                    return step

    async def problem_with(self, tool: str, input_text: str) -> str:
        """Return why a tool would not take an input that nobody has decided about; empty where it would."""
        gatekeeper = self._parts.gatekeeper
        return await self._journal.write(
            lambda writer: gatekeeper.problem_with(tool, input_text, writer.transaction)
        )

    def nudge(self) -> None:
        """Look at the state again; something was added to it while work goes on outside."""
        self._wake.set()

    def leave(self, *, grace_s: float) -> None:
        """Begin nothing new, and cut a reply that still streams after `grace_s` seconds; the first time counts."""
        leave_at = self._clock.now() + timedelta(seconds=grace_s)
        self._leave_at = leave_at if self._leave_at is None else min(self._leave_at, leave_at)
        self._wake.set()

    def _advance(self, only_persons: bool, writer: Writer) -> Step | Left | Draining | Consult:
        """Store what came back from outside, and do all the steps that only write."""
        self._append_reports(writer)
        return self._bookkeeper.write_steps(
            writer, leaving=self._is_leaving(), only_persons=only_persons, consulted=self._consulted
        )

    async def _keep_reports(self) -> None:
        """Store what came back from outside by itself: it has happened, even where nothing may follow from it."""
        if self._reports:
            with suppress(StoreFailure):
                await self._journal.write(self._append_reports)
                self._reports = []

    def _append_reports(self, writer: Writer) -> None:
        for report in self._reports:
            writer.append(report)

    async def _consult(self, step: Consult) -> None:
        """Ask the hooks about an input, outside any transaction."""
        call = self._journal.state.calls[step.call_id]
        hook_input = HookInput(self._journal.session, call.call_id, call.tool, step.wording.text)
        hooks, sent = self._parts.hooks, step.wording.sent
        work = asyncio.ensure_future(hooks.before(hook_input, may_rewrite=step.may_rewrite, as_sent=sent))
        # Nothing has begun yet: neither a stop nor leaving waits for what hooks think.
        await self._watch(work, cut_when=self._is_leaving)
        if not work.cancelled():
            self._consulted = Consultation(step, work.result())

    async def _filter(self, call: Call) -> None:
        """Show a held result to the hooks, and report what the model may see of it."""
        assert call.finished is not None
        assert call.decided is not None
        result = bytes(call.finished.result).decode()
        hook_input = HookInput(self._journal.session, call.call_id, call.tool, call.decided.input, result)
        work = asyncio.ensure_future(self._parts.hooks.after(hook_input))
        await self._watch(work)
        released = work.result()
        is_withheld = released.output is None
        output = withheld(call, released.reason) if is_withheld else msgspec.Raw(str(released.output).encode())
        is_error = call.finished.is_error or is_withheld
        digest = digest_result(output)
        self._reports.append(e.Filtered(call.call_id, output, released.hooks, digest, is_error))

    async def _ask_model(self) -> None:
        state, model = self._journal.state, self._parts.model
        assert state.run is not None
        step, attempt = state.run.steps + 1, state.attempts
        first_at = state.first_attempt_at or self._clock.now()
        request = request_for(state, self._offers, self._parts.settings, self._clock.today())
        listening = Listening(self._journal, self._clock, self._parts.price)
        work = asyncio.ensure_future(listening.listen(model, request))
        await self._watch(work, cut_when=self._grace_is_over)
        if not work.cancelled():
            work.result()
            entry = listening.entry(step=step, attempt=attempt, first_at=first_at, model=model.name)
        elif self._journal.state.stop_asked:
            entry = listening.interrupted(step=step)
        else:
            return
        # Durable on its own, before anything is done because of it.
        await self._journal.write(lambda writer: writer.append(entry))

    async def _wait_until(self, moment: datetime) -> None:
        seconds = max(0.0, (moment - self._clock.now()).total_seconds())
        await self._watch(asyncio.ensure_future(self._clock.sleep(seconds)), cut_when=self._is_leaving)

    async def _await_report(self) -> None:
        """Run what was stored as started, and wait until something of it reports back."""
        for allowed, call, prepared in self._bookkeeper.starting:
            running = self._parts.executor.run_elsewhere(allowed, call, prepared)
            self._working[asyncio.ensure_future(running)] = call
        self._bookkeeper.starting = []
        first = asyncio.ensure_future(asyncio.wait(self._working, return_when=asyncio.FIRST_COMPLETED))
        await self._watch(first)
        for work in [one for one in self._working if one.done()]:
            call, report = self._working.pop(work), work.result()
            if isinstance(report, LeftBehind):
                self._listen_for_late_report(call.call_id, call.started_seq, report)
                self._reports.append(e.Overdue(call.call_id, call.started_seq))
            else:
                self._reports.append(report)

    def _listen_for_late_report(self, call_id: str, started: int, left: LeftBehind) -> None:
        """Take a report that comes after the timeout, unless a person has settled that start by then."""

        def take(writer: Writer) -> None:
            call = writer.state.calls[call_id]
            is_open = call.started is not None and call.reconciled is None and not call.settled
            if is_open and call.started_seq == started:
                writer.append(left.work.result())

        async def report() -> None:
            await asyncio.wait({left.work})
            await self._journal.write(take)

        task = asyncio.ensure_future(report())
        self._late_reports.add(task)
        task.add_done_callback(self._late_reports.discard)

    async def _watch(self, work: "asyncio.Future[Any]", *, cut_when: Callable[[], bool] | None = None) -> None:
        """Wait for work outside, and meanwhile take in what others write.

        Args:
            cut_when: Work that may be cut off says with this when, besides a stop; other work never is.
        """
        woken = asyncio.ensure_future(self._wake.wait())
        try:
            while not work.done():
                await asyncio.wait({work, woken}, timeout=POLL_S, return_when=asyncio.FIRST_COMPLETED)
                if woken.done():
                    self._wake.clear()
                    woken = asyncio.ensure_future(self._wake.wait())
                self._journal.catch_up()
                if cut_when is not None and (self._journal.state.stop_asked or cut_when()):
                    break
        finally:
            woken.cancel()
            # Cut off, or nobody waits for it any more.
            if not work.done():
                work.cancel()
                await asyncio.wait({work})

    def _is_leaving(self) -> bool:
        return self._leave_at is not None

    def _grace_is_over(self) -> bool:
        return self._leave_at is not None and self._clock.now() >= self._leave_at
