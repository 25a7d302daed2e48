"""What a person, or the system, did at the terminal: records for the conversation to act on."""

from dataclasses import dataclass

from agentcli.terminal.answer import Approve, ApproveAndRaise, Decline
from agentcli.terminal.arming import Standing
from agentcli.terminal.keys import Effect


@dataclass(frozen=True, slots=True)
class Edited:
    """The input as the person changed it, as JSON text that nothing has checked."""

    input: str


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The question was dropped by a key; the run is to stop after this step."""


Said = Approve | ApproveAndRaise | Decline | Edited | Cancelled


@dataclass(frozen=True, slots=True)
class AnswerGiven:
    """The question about a call was answered, so many seconds after it was painted."""

    call_id: str
    code: str
    said: Said
    seconds: float


@dataclass(frozen=True, slots=True)
class PromptAnswered:
    """A line for what was asked besides questions about calls; blanks around it are gone."""

    text: str


@dataclass(frozen=True, slots=True)
class CommandEntered:
    """A line that begins with `/`."""

    text: str


@dataclass(frozen=True, slots=True)
class WordsEntered:
    """A message; `standing` says why it was no answer, if a question was open and it could have been one."""

    text: str
    standing: Standing = Standing.ANSWER


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key that stops or leaves; what it does has been looked up."""

    effect: Effect


@dataclass(frozen=True, slots=True)
class Signalled:
    """The process was asked to end; also when the terminal is gone, as SIGHUP."""

    number: int


@dataclass(frozen=True, slots=True)
class Picked:
    """What was picked from a list."""

    value: str


@dataclass(frozen=True, slots=True)
class InputEnded:
    """There are no more lines."""


Happened = (
    AnswerGiven | PromptAnswered | CommandEntered | WordsEntered | KeyPressed | Signalled | Picked | InputEnded
)
