"""What a word that is begun in the line could become: commands, and what they take. Pure."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from agentcli.gate.autonomy import Level
from agentcli.terminal.slash.command_table import BY_NAME
from agentcli.terminal.surroundings import Vocabulary


class Completion(Struct, frozen=True):
    """What the word before the cursor can become: `words` in full, of which it has `begun`.

    `labels` say more of words that tell nothing by themselves, such as ids.
    """

    begun: str
    words: tuple[str, ...]
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def common(self) -> str:
        """The beginning that all of them share; with a blank after it where there is one alone."""
        return self.words[0] + " " if len(self.words) == 1 else _beginning(self.words)


def _beginning(words: Sequence[str]) -> str:
    """Return what all words begin with."""
    first, last = min(words), max(words)
    return first[: next((at for at, char in enumerate(first) if char != last[at]), len(first))]


Words = Callable[[Vocabulary], Collection[str]]

_LEVELS: Final = tuple(str(int(level)) for level in Level)
_TAKES: Final[Mapping[str, tuple[Words, ...]]] = {
    # command     its first word                                      its second
    "help":      (lambda _: tuple(BY_NAME),),
    "level":     (lambda known: (*known.tools, *_LEVELS),             lambda _: (*_LEVELS, "default")),
    "queue":     (lambda _: ("edit", "drop"),),
    "book":      (lambda _: ("csv",),),
    "sessions":  (lambda known: known.sessions(),),
    "new":       (lambda known: known.agents,),
}  # fmt: skip


def complete(before: str, known: Vocabulary) -> Completion:
    """Return what the word that stands before the cursor can become.

    Args:
        before: The line up to the cursor.
    """
    *earlier, begun = before.split(" ")
    said = [word for word in earlier if word]
    if not before.startswith("/"):
        # In a message only the names of tools are ours; nothing begun is no reason to offer them all.
        words: Collection[str] = known.tools if begun else ()
        words = words if before else [f"/{name}" for name in BY_NAME]
    elif not said:
        words = [f"/{name}" for name in BY_NAME]
    else:
        taken = _TAKES.get(said[0].removeprefix("/").lower(), ())
        words = taken[len(said) - 1](known) if len(said) <= len(taken) else ()
    labels = words if isinstance(words, Mapping) else {}
    return Completion(begun, tuple(word for word in words if word.startswith(begun)), labels)


def complete_choice(before: str, choices: Sequence[str]) -> Completion:
    """Return which of some choices, of a word or several, the line before the cursor can become."""
    begun = before.lstrip()
    return Completion(begun, tuple(choice for choice in choices if choice.startswith(begun)))
