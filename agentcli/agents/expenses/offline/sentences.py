"""What the expense agent understands: which clauses there are, and who reads them."""

import re
from typing import Final

from agentcli.agents.expenses.offline.questions import read_list, read_notes, read_summary, read_total
from agentcli.agents.expenses.offline.requests import (
    read_add,
    read_change,
    read_clean_up,
    read_delete,
    read_import,
    read_keep,
    read_note,
)
from agentcli.agents.expenses.offline.wishes import Wish
from agentcli.agents.offline.clauses import Grammar, sentences
from agentcli.agents.offline.wishes import Remark

EXAMPLES: Final = "“add 12.50 for lunch yesterday”, “how much on food this month” or “delete expense 1”"

_DROP: Final = r"(?:delete|remove|erase|purge|drop|scrap|get rid of|(?:clean|clear|tidy)(?: up| out)?)\b"
_ENTRIES: Final = r"(?:all |of |the |my |everything |expenses? |entr(?:y|ies) |from )*"
_PRICE: Final = r"(?:[$€£¥₹]|[a-z]{3} )? ?[0-9][0-9.,]*"
_NOTE: Final = re.compile(
    r"(?:(?:make|take|save|write|add|leave) )?(?:(?:an?|the|this) )?note\b|remember\b|write down\b", re.I
)

_DAY_FIRST: Final = re.compile(
    r"((?:today|yesterday|(?:on |last )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)),? (.+)", re.I
)
_NUMERO: Final = re.compile(r"\b(?:no|nr)\. ?(?=[0-9])", re.I)


def _with_number_signs(line: str) -> str:
    return _NUMERO.sub("#", line)


def _with_day_last(opening: str) -> str:
    return f"{day[2]} {day[1]}" if (day := _DAY_FIRST.fullmatch(opening)) else opening


GRAMMAR: Final[Grammar[Wish]] = Grammar(
    verbatim=(_NOTE, read_note),
    sentences=sentences(
        (
            r"(?:but )?(?:please )?(?:do not|don't|dont|never|not|keep|leave|spare|except|skip|without)\b",
            read_keep,
        ),
        (
            rf"{_DROP} {_ENTRIES}(?:old|older)(?: (?:expenses?|entries|ones|stuff|things|items))?\W*$",
            read_clean_up,
        ),
        (rf"{_DROP} {_ENTRIES}(?:before|older than)\b", read_clean_up),
        (r"(?:clean|tidy) up(?: (?:the|my) (?:book|list|expenses|entries))?\W*$", read_clean_up),
        (_DROP, read_delete),
        (r"(?:import|(?:read|load) in)\b", read_import),
        (r"(?:change|update|correct|edit|rename|move|set|fix)\b|make (?:expense|entry|#)", read_change),
        (r"(?:add|record|log|enter|register|track|spent|paid)\b", read_add),
        (r"(?:bought|buy|got|had|spend|pay|put|book|save)\b(?=.*[0-9])", read_add),
        (
            r".*\b(?:summar\w+|break ?down|overview|monthly|(?:by|per|each) (?:month|category|item))\b",
            read_summary,
        ),
        (r"how much\b|.*\b(?:total|sum|spending)\b|what (?:did|have|do) (?:i|we) (?:spen|pa[iy])", read_total),
        (r"(?:list |show |read |see |what are |any |all |me |my |the )*notes\b", read_notes),
        (r"(?:list|show|display|view|see|print|find|search|which|what's in|expenses|entries)\b", read_list),
        (r"(?:what |all |are |my |the )+(?:expenses|entries)\b|what do (?:i|we) have\b", read_list),
        (rf"{_PRICE} ?(?:[$€£¥₹]|[a-z]+)? (?:for|on) \w", read_add),
        (rf"\S.{{0,80}}? (?:was|costs?) {_PRICE}", read_add),
    ),
    greeting=Remark(f"I keep your book of expenses. Offline I am rules, not intelligence: say {EXAMPLES}."),
    tidy_line=_with_number_signs,
    tidy_opening=_with_day_last,
)
"""What the expense agent understands."""
