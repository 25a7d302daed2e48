"""The steps that only write: done one after another in one transaction, until one needs the world outside."""

from functools import partial

from msgspec import Struct

from agentcli.engine.gatekeeper import Wording
from agentcli.engine.hooks import Opinion, Rewrite
from agentcli.engine.invocation import Prepared
from agentcli.engine.journal import Writer
from agentcli.engine.parts import Parts
from agentcli.engine.permits import Permit
from agentcli.engine.results import settled
from agentcli.gate.hooks import CHANGED_AFTER_ANSWER
from agentcli.gate.verdicts import Decision, RuleName, Verdict
from agentcli.session import entries as e
from agentcli.session.call import Call, asking
from agentcli.session.origin import TIMER
from agentcli.session.reply import failure_text, refusal_text
from agentcli.session.run import limit_before_call, limit_text
from agentcli.session.state import State
from agentcli.session.steps import (
    Ask,
    CallModel,
    Decide,
    End,
    Execute,
    Expire,
    Idle,
    Settle,
    StartRun,
    Step,
)
from agentcli.tools.risk import Risk
from agentcli.tools.tool import Acts


class Left(Struct, frozen=True):
    """The process was asked to leave, and nothing new begins; the run stays open."""


class Draining(Struct, frozen=True):
    """A run would begin, and has to wait since the store is being drained; words are kept."""


class Consult(Struct, frozen=True):
    """The hooks have to be asked about an input of a call before it can be decided; one may have made it."""

    call_id: str
    wording: Wording
    may_rewrite: bool
    rewrite: Rewrite | None = None


class Consultation(Struct, frozen=True):
    """What the hooks were asked about, and what they said."""

    about: Consult
    opinion: Opinion

    @property
    def rewrite(self) -> Rewrite | None:
        """The rewrite that made the input which is to be judged, if there was one."""
        return self.opinion.rewrite or self.about.rewrite

    @property
    def wording(self) -> Wording:
        """The input that is to be judged."""
        return self.about.wording if self.opinion.rewrite is None else Wording(self.opinion.rewrite.input)


class Bookkeeper:
    """Writes down what steps decide, and runs the tools whose effect commits with their entry.

    `starting` holds the calls stored as started in this transaction; they run once it is durable.
    """

    def __init__(self, parts: Parts) -> None:
        self.starting: list[tuple[Permit, Call, Prepared]] = []
        self._tools = parts.tools_by_name
        self._executor = parts.executor
        self._gatekeeper = parts.gatekeeper
        self._clock = parts.clock
        self._settings = parts.settings
        self._hooks = parts.hooks
        self._law = parts.law
        self._is_draining = parts.is_draining

    def write_steps(
        self,
        writer: Writer,
        *,
        leaving: bool,
        only_persons: bool = False,
        consulted: Consultation | None = None,
    ) -> Step | Left | Draining | Consult:
        """Do steps until one is not only a matter of writing, and return that one.

        Args:
            leaving: Whether nothing new may begin.
            only_persons: Whether to settle a person's own calls and leave the rest as it is.
            consulted: What the hooks have just said about a call; a later decision doesn't rest on it.
        """
        self.starting = []
        while True:
            call = writer.state.current_call
            if only_persons and (call is None or call.by is None):
                return Idle()
            step = self._law.next_step(writer.state, self._clock.now())
            if leaving and isinstance(step, CallModel | Execute | StartRun):
                return Left()
            if isinstance(step, StartRun) and self._is_draining():
                return Draining()
            if isinstance(step, Decide):
                decided = self._decide(writer, writer.state.calls[step.call_id], consulted)
                consulted = None
                if isinstance(decided, Consult):
                    return Left() if leaving else decided
                writer.append(decided)
                continue
            self._write(writer, step)
            if not self._goes_on(writer, step):
                return step

    def _goes_on(self, writer: Writer, step: Step) -> bool:
        if isinstance(step, Execute):
            return all(call.call_id != step.call_id for _, call, _ in self.starting)
        return isinstance(step, StartRun | Settle | Ask | Expire)

    def _decide(
        self, writer: Writer, call: Call, consulted: Consultation | None
    ) -> e.Decided | e.Suspended | Consult:
        """Decide about a call; where hooks have a say and have not had it, return what to ask them."""
        if call.undoes is not None:
            return self._gatekeeper.decide_undo(writer.state, call, writer.transaction)
        had = consulted if consulted is not None and consulted.about.call_id == call.call_id else None
        rewrite, wording = (None, None) if had is None else (had.rewrite, had.wording)
        judge = partial(self._gatekeeper.decide, writer.state, call, writer.transaction, wording=wording)
        decided = judge()
        if isinstance(decided, e.Suspended):
            return decided
        if decided.decision is Decision.DENY or not self._hooks.gates(call.tool):
            return decided
        kept = _kept(call, decided)
        # A rewrite ends a round of hooks, also one that leaves out a default and so comes to the same input: they
        # judge what one of them made of it, and may not change it again.
        if had is None or had.opinion.rewrite is not None:
            asked_about = any(verdict.decision is Decision.ASK for verdict in kept)
            filled = Wording(decided.input, decided.sent)
            return Consult(call.call_id, filled, may_rewrite=had is None and not asked_about, rewrite=rewrite)
        verdicts = [*had.opinion.verdicts]
        if rewrite is not None:
            verdicts += [rewrite.verdict] if call.answered is None else [rewrite.verdict, CHANGED_AFTER_ANSWER]
        # Each once: what is kept may have been said again.
        return judge(hook_verdicts=tuple(dict.fromkeys([*verdicts, *kept])))

    def _write(self, writer: Writer, step: Step) -> None:
        state = writer.state
        match step:
            case StartRun():
                cause = "words" if state.unheard else "resumed"
                writer.append(e.RunStarted(state.runs + 1, self._settings.limits, cause))
            case End():
                self._end_run(writer, step)
            case Settle(call_id, cause):
                writer.append(settled(state.calls[call_id], cause))
            case Ask(call_id):
                self._ask(writer, state.calls[call_id])
            case Expire(call_id):
                self._expire(writer, state.calls[call_id])
            case Execute(call_id):
                self._execute(writer, state.calls[call_id])
            case CallModel(heard, attempt, None):
                self._request(writer, heard, attempt)
            case _:
                pass

    def _end_run(self, writer: Writer, step: End) -> None:
        state = writer.state
        text = state.run.text if state.run is not None else ""
        if step.outcome == "failed":
            text = failure_text(state)
        elif step.limit is not None:
            text = limit_text(step.limit)
        elif step.outcome == "refused" and state.reply is not None:
            text = refusal_text(state.reply)
        writer.append(e.RunEnded(step.outcome, text, step.limit, tuple(state.unheard)))

    def _ask(self, writer: Writer, call: Call) -> None:
        assert call.decided is not None
        expires = self._settings.expires_after
        writer.append(
            e.Asked(
                call_id=call.call_id,
                digest=call.decided.digest,
                preview=call.decided.preview,
                verdicts=asking(call.decided.verdicts),
                expires_at=None if expires is None else self._clock.now() + expires,
            )
        )

    def _expire(self, writer: Writer, call: Call) -> None:
        assert call.asked_at is not None
        seconds = (self._clock.now() - call.asked_at).total_seconds()
        writer.append(e.Answered(call.call_id, call.asked_seq, "expired", "the clock", TIMER, seconds))

    def _execute(self, writer: Writer, call: Call) -> None:
        if self._in_store(call):
            writer.append(self._executor.run_in_store(self._law.permit(call), call, writer.transaction))
            return
        self._store_start(writer, call)
        if call.asked is None and self._may_run_beside_others(call):
            self._start_reads_behind(writer, call)

    def _start_reads_behind(self, writer: Writer, call: Call) -> None:
        """Start the reads right behind this one as well, as far as nothing asks about them or holds them up."""
        for other in writer.state.batch[call.position :]:
            if other.decided is not None or not self._may_run_beside_others(other):
                return
            if self._reaches_limit(writer.state, other):
                return
            decided = self._gatekeeper.decide(writer.state, other, writer.transaction)
            if isinstance(decided, e.Suspended) or decided.decision is not Decision.ALLOW:
                return
            writer.append(decided)
            self._store_start(writer, other)

    def _reaches_limit(self, state: State, call: Call) -> bool:
        assert state.run is not None
        return limit_before_call(state.run, self._clock.now(), risk=state.risks.get(call.tool)) is not None

    def _store_start(self, writer: Writer, call: Call) -> None:
        allowed = self._law.permit(call)
        prepared = self._executor.prepare(call, writer.transaction)
        if not isinstance(prepared, Prepared):
            writer.append(prepared)
            return
        writer.append(e.Started(call.call_id, allowed.digest, self._executor.idempotency_key(call)))
        self.starting.append((allowed, call, prepared))

    def _may_run_beside_others(self, call: Call) -> bool:
        tool = self._tools.get(call.tool)
        if tool is None or call.by is not None or self._hooks.gates(call.tool):
            return False
        is_plain = not tool.requires and tool.prepare is None
        return tool.risk is Risk.READ and is_plain and tool.acts is Acts.ELSEWHERE

    def _in_store(self, call: Call) -> bool:
        return self._tools[call.tool].acts is Acts.IN_STORE

    def _request(self, writer: Writer, heard: tuple[int, ...], attempt: int) -> None:
        state = writer.state
        assert state.run is not None
        step = state.run.steps + 1
        if heard:
            writer.append(e.Heard(heard, step))
        writer.append(e.Requested(step, attempt, state.model, state.conversation.digest()))


def _kept(call: Call, decided: e.Decided) -> tuple[Verdict, ...]:
    """Return what was said because a hook made this input, when it was decided before: that does not go away."""
    before = call.decided
    if before is None or before.digest != decided.digest:
        return ()
    return tuple(verdict for verdict in before.verdicts if verdict.rule == RuleName.HOOK_REWRITE)
