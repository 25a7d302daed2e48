"""How a run is stopped and a conversation left: by a key, a command or a signal."""

import signal
import time
from collections.abc import Callable
from typing import Final

from agentcli.terminal.conversation.resting import Parting, Resting, parting_on
from agentcli.terminal.keys import AGAIN_S, Effect
from agentcli.wiring.session import Session

GRACE_S: Final = 10.0
"""How long a reply that streams may go on once the process is asked to end."""

STOPPING: Final = "stopping at the next safe point; Ctrl-C again leaves at once"
STILL_STOPPING: Final = "still stopping; Ctrl-C again within two seconds leaves at once"
STOPPED_ELSEWHERE: Final = "asked elsewhere to stop: it does so at the next safe point"
ENDING: Final = "asked to end: what is in hand is finished first"

_HOW_TO_LEAVE: Final = "Ctrl-C again, Ctrl-D or /quit leaves"
_ONLY_SAID: Final = "said to the agent; /quit or Ctrl-D leaves"
_WORDS_THAT_LEAVE_ELSEWHERE: Final = frozenset({":q", "bye", "exit", "logout", "q", "quit"})
_LEAVING: Final = "leaving at the next safe point; Ctrl-C leaves at once"
_SIGNALS: Final = {signal.SIGINT: Parting.INTERRUPTED, signal.SIGTERM: Parting.TERMINATED}


class Leaving:
    """Knows what was asked for; `parting` is how the conversation is left, None while it is not."""

    def __init__(self, session: Session, by: str, tell: Callable[[str], None]) -> None:
        self.parting: Parting | None = None
        self._session, self._by, self._tell = session, by, tell
        self._later: Parting | None = None
        self._is_stopping = False
        self._is_told = False
        self._stopped_at = float("-inf")

    async def press(self, effect: Effect, *, is_at_work: bool, at_rest: Parting) -> None:
        """Do what a key says.

        Args:
            at_rest: How the conversation is left where nothing is at work.
        """
        match effect:
            case Effect.STOP if self._later is not None:
                self.parting = Parting.AT_ONCE
            case Effect.STOP:
                await self._stop()
            case Effect.SAY_HOW:
                self._tell(_HOW_TO_LEAVE)
            case Effect.LEAVE if is_at_work:
                self.parting = Parting.AT_ONCE
            case Effect.LEAVE if time.monotonic() - self._stopped_at <= AGAIN_S:
                self.parting = Parting.INTERRUPTED
            case Effect.LEAVE | Effect.LEAVE_OPEN | Effect.LEAVE_SAFELY:
                self.leave(is_at_work=is_at_work, at_rest=at_rest)
            case _:
                pass

    def said(self, text: str) -> None:
        """Words were said to the agent; tell how to leave where they would do so elsewhere."""
        if text.strip().lower() in _WORDS_THAT_LEAVE_ELSEWHERE:
            self._tell(_ONLY_SAID)

    def cancelled(self) -> None:
        """A key has dropped a question, which stops the run."""
        self._stopped_at, self._is_told = time.monotonic(), True

    def leave(self, *, is_at_work: bool, at_rest: Parting) -> None:
        """Leave: now where nothing is at work, else as soon as what is in hand is done."""
        if not is_at_work:
            self.parting = at_rest
        elif self._later is None:
            self._later = Parting.DONE
            self._session.leave(grace_s=0)
            self._tell(_LEAVING)

    async def signalled(self, number: int, *, is_at_work: bool) -> None:
        """The process is asked to end."""
        parting = _SIGNALS.get(signal.Signals(number), Parting.HUNG_UP)
        if not is_at_work:
            self.parting = parting
        elif number == signal.SIGINT and self._later is Parting.INTERRUPTED:
            self.parting = Parting.AT_ONCE
        elif number == signal.SIGINT:
            self._later, self._is_stopping, self._is_told = parting, True, True
            await self._session.stop(self._by)
        elif self._later is not parting:
            self._later = parting
            self._session.leave(grace_s=GRACE_S)
            self._tell(ENDING)

    async def see_to_stops(self) -> None:
        """Stop a run that was asked to stop before it had begun; tell of a stop that somebody else asked for."""
        state = self._session.state
        if self._is_stopping and state.run is not None and not state.stop_asked:
            await self._session.stop(self._by)
        elif state.stop_asked and not self._is_told:
            self._is_told = True
            self._tell(STOPPED_ELSEWHERE)

    def rested(self, resting: Resting) -> None:
        """What was at work has come to rest: leave if that was waited for."""
        self._is_stopping, self._is_told = False, self._session.state.stop_asked
        if self._later is not None:
            # Who leaves by a key is told by the exit code what was left open; a signal has a code of its own.
            self.parting = parting_on(resting) if self._later is Parting.DONE else self._later

    async def _stop(self) -> None:
        is_late = time.monotonic() - self._stopped_at > AGAIN_S
        self._stopped_at = time.monotonic()
        if not self._is_stopping:
            self._is_stopping = self._is_told = True
            self._tell(STOPPING)
            await self._session.stop(self._by)
        elif is_late:
            self._tell(STILL_STOPPING)
