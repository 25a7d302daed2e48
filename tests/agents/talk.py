"""A conversation with offline rules in tests: calls run on a bench, or come back refused."""

from collections.abc import Callable, Mapping
from typing import Any

from agentcli.agents.agent import OfflineRules
from agentcli.tools.offline import Exchange, OfflineReply, Settled
from agentcli.tools.outcome import Category, failure
from agentcli.tools.proposal import Proposal
from agentcli.tools.schema import Misfit
from tests.agents.bench import TODAY, Bench

Refuse = Callable[[Proposal], Mapping[str, Any] | None]

MOST_REPLIES = 12


def refused(status: str, message: str = "not permitted at this autonomy level (1)") -> Mapping[str, Any]:
    """A result that says that nothing was done."""
    return failure(status, Category.PERMISSION, message, retryable=False)


def nothing_refused(proposal: Proposal) -> None:
    """Let every call run."""


class Talk:
    """One agent's rules, from words to the end of the run."""

    def __init__(self, rules: OfflineRules, bench: Bench, *, offered: frozenset[str] | None = None) -> None:
        self.rules = rules
        self.bench = bench
        self.offered = frozenset(bench.agent.toolset.by_name) if offered is None else offered
        self.events: list[str | Settled] = []
        self.replies: list[OfflineReply] = []

    @property
    def proposed(self) -> list[list[tuple[str, str]]]:
        """The calls of each reply."""
        return [
            [(proposal.tool, proposal.input) for proposal in reply.proposals]
            for reply in self.replies
            if reply.proposals
        ]

    def next_reply(self) -> OfflineReply:
        """Ask the rules once."""
        exchange = Exchange(events=tuple(self.events), offered=self.offered, today=TODAY.isoformat())
        self.replies.append(self.rules(exchange))
        assert {proposal.tool for proposal in self.replies[-1].proposals} <= self.offered
        return self.replies[-1]

    def say(self, words: str, *, refuse: Refuse = nothing_refused, meanwhile: tuple[str, ...] = ()) -> str:
        """Say something and settle calls until the run ends; `meanwhile` is said behind the first results."""
        self.events.append(words)
        for _ in range(MOST_REPLIES):
            reply = self.next_reply()
            if not reply.proposals:
                return reply.text
            self.events += [Settled(proposal, self._result(proposal, refuse)) for proposal in reply.proposals]
            self.events += meanwhile
            meanwhile = ()
        raise AssertionError("the run does not end")

    def _result(self, proposal: Proposal, refuse: Refuse) -> Mapping[str, Any]:
        if (refusal := refuse(proposal)) is not None:
            return refusal
        reading = self.bench.agent.toolset[proposal.tool].read_input(proposal.input, self.bench.place)
        if isinstance(reading, Misfit):
            return failure("invalid", Category.VALIDATION, f"invalid input: {reading.problem}", retryable=True)
        return self.bench.perform(proposal.tool, reading.values).result
