"""What a person, or the system, did at the terminal: records for the conversation to act on."""

from msgspec import Struct

from agentcli.terminal.keys import Effect
from agentcli.terminal.question.answer import Approve, ApproveAndRaise, Decline
from agentcli.terminal.question.arming import Standing


class Edited(Struct, frozen=True):
    """The input as the person changed it, as JSON text that nothing has checked."""

    input: str


class Cancelled(Struct, frozen=True):
    """The question was dropped by a key; the run is to stop after this step."""


Said = Approve | ApproveAndRaise | Decline | Edited | Cancelled


class AnswerGiven(Struct, frozen=True):
    """The question about a call was answered, so many seconds after it was painted."""

    call_id: str
    code: str
    said: Said
    seconds: float


class PromptAnswered(Struct, frozen=True):
    """A line for what was asked besides questions about calls, which `about` names; blanks around it are gone."""

    about: str
    text: str


class PromptTakenBack(Struct, frozen=True):
    """What was filled in last of what `about` names is to be asked for once more."""

    about: str


class CommandEntered(Struct, frozen=True):
    """A line that begins with `/`."""

    text: str


class WordsEntered(Struct, frozen=True):
    """A message; `standing` says why it was no answer, if a question was open and it could have been one."""

    text: str
    standing: Standing = Standing.ANSWER


class KeyPressed(Struct, frozen=True):
    """A key that stops or leaves; what it does has been looked up."""

    effect: Effect


class Signalled(Struct, frozen=True):
    """The process was asked to end; also when the terminal is gone, as SIGHUP."""

    number: int


class Picked(Struct, frozen=True):
    """What was picked from a list."""

    value: str


class InputEnded(Struct, frozen=True):
    """There are no more lines."""


Happened = (
    AnswerGiven
    | PromptAnswered
    | PromptTakenBack
    | CommandEntered
    | WordsEntered
    | KeyPressed
    | Signalled
    | Picked
    | InputEnded
)
