"""From messages and results to the next proposals, or to the answer."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Final, TypeVar, assert_never

from agentcli.agents.offline.proposals import is_same
from agentcli.agents.offline.telling import Vocabulary, describe, is_failure, phrase
from agentcli.agents.offline.wishes import Puzzle, Remark, Step, Stop, Todo
from agentcli.tools.offline import Exchange, OfflineReply, Settled
from agentcli.tools.proposal import Proposal

MOST_PUZZLES: Final = 5
"""Of what was not understood so many are named; a big paste holds hundreds."""

Wish = TypeVar("Wish")


def follow(
    exchange: Exchange,
    understand: Callable[[str, date], Sequence[Wish]],
    plan: Callable[[Wish], Sequence[Todo]],
    vocabulary: Vocabulary,
) -> OfflineReply:
    """Return the next proposals, all that are ready at once; with none left, the answer.

    Args:
        understand: Returns what a message wishes for, on a day.
        plan: Returns what is to be done for a wish.
    """
    today = date.fromisoformat(exchange.today)
    agenda = Agenda(vocabulary)
    for event in exchange.events:
        if isinstance(event, Settled):
            agenda.settle(event)
        else:
            agenda.take_up([todo for wish in understand(event, today) for todo in plan(wish)])
    return agenda.next_reply(exchange.offered)


class Agenda:
    """What is to be done, and the results of what was done.

    It is made anew for every reply from everything heard and settled since the agent last finished: a call
    that has a result is not on it any more, whatever was edited about it in between.

    Attributes:
        steps: The calls that are still to be settled.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self.steps: list[Step] = []
        self._answers: list[str] = []
        self._puzzles: list[str] = []

    def take_up(self, todos: Sequence[Todo]) -> None:
        """Put on the agenda what a message, or a result, asks to be done."""
        for todo in todos:
            match todo:
                case Step():
                    self.steps.append(todo)
                case Stop():
                    undone = ", ".join(map(self._aim, self.steps))
                    rest = f"; not done: {undone}" if undone else ""
                    self._answers.append(f"All right, I leave it there{rest}.")
                    self.steps.clear()
                case Remark(answer):
                    self._answers.append(answer)
                case Puzzle(words):
                    self._puzzles.append(words)
                case _:
                    assert_never(todo)

    def drop(self, is_unwanted: Callable[[Step], bool]) -> None:
        """Take steps off the agenda."""
        self.steps = [step for step in self.steps if not is_unwanted(step)]

    def settle(self, settled: Settled) -> None:
        """Take in the result of a call."""
        step = self._step_of(settled.proposal)
        if step is not None:
            self.steps.remove(step)
        if step is None or step.then is None or is_failure(settled.result):
            rest = f" So I did not {step.aim}." if step is not None and step.aim else ""
            self._answers.append(describe(self._vocabulary, settled) + rest)
        else:
            self.take_up(step.then(settled.result))

    def next_reply(self, offered: frozenset[str]) -> OfflineReply:
        """Return every call that is ready and offered, or else the answer."""
        ready = [step for step in self.steps if step.proposal.tool in offered]
        if ready:
            said = dict.fromkeys(step.saying for step in ready if step.saying)
            return OfflineReply(" ".join(said), tuple(step.proposal for step in ready))
        answers = [*self._answers, *self._not_offered(offered)]
        if self._puzzles:
            words = "; ".join(f"“{words}”" for words in self._puzzles[:MOST_PUZZLES])
            more = len(self._puzzles) - MOST_PUZZLES
            words += f" and {more:,} more" if more > 0 else ""
            examples = self._vocabulary.examples
            answers.append(f"I did not understand {words}. I am rules, not intelligence: say {examples}.")
        return OfflineReply(
            _one_after_the_other(answers) or f"I have nothing to do. Say {self._vocabulary.examples}."
        )

    def _step_of(self, proposal: Proposal) -> Step | None:
        """Return the step that a settled call was: the same call, else one of its tool that was edited."""
        same = [step for step in self.steps if is_same(step.proposal, proposal)]
        edited = [step for step in self.steps if step.proposal.tool == proposal.tool]
        return next(iter(same or edited), None)

    def _not_offered(self, offered: frozenset[str]) -> list[str]:
        aims = [self._aim(step) for step in self.steps]
        if not offered:
            hint = f" What I understood: {', '.join(aims)}." if aims else ""
            return [f"I have no tools at this level, so I looked nothing up and changed nothing.{hint}"]
        return [f"I could not {aim}: at this level I am not offered the tool." for aim in aims]

    def _aim(self, step: Step) -> str:
        return step.aim or phrase(self._vocabulary, step.proposal)


def _one_after_the_other(answers: Sequence[str]) -> str:
    """Return the answers a line each; what follows a list must not be read as a part of its last item."""
    ends = ["\n\n" if answer.rpartition("\n")[2].startswith("- ") else "\n" for answer in answers]
    return "".join(answer + end for answer, end in zip(answers, ends, strict=True)).rstrip("\n")
