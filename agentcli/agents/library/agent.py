"""The library agent, put together."""

from datetime import timedelta
from decimal import Decimal
from typing import Final

from agentcli.agents.agent import Agent
from agentcli.agents.library.book import MIGRATIONS, TABLES, Catalogue
from agentcli.agents.library.rules import CURRENCY, Member
from agentcli.agents.library.tools import tools
from agentcli.agents.loading import prompt_beside, rules_in, view_in
from agentcli.agents.money import Money
from agentcli.tools.tool import Place

_BOOKS: Final = (
    # book  title         author
    ("B-1", "Dune",       "Frank Herbert"),
    ("B-2", "Emma",       "Jane Austen"),
    ("B-3", "Middlemarch", "George Eliot"),
)  # fmt: skip

_MEMBERS: Final = (
    # member  name             fines
    ("M-1",   "Ines Costa",    "0.00"),
    ("M-2",   "Jonas Lind",    "4.50"),
)  # fmt: skip

_TWO_WEEKS: Final = timedelta(weeks=2)


def put_sample(place: Place) -> None:
    """Write three books and two members down; the second member has fines, and the second book for two weeks."""
    catalogue = Catalogue(place.tables)
    for book_id, title, author in _BOOKS:
        catalogue.add_book(book_id, title, author)
    for member_id, name, fines in _MEMBERS:
        catalogue.add_member(Member(member_id, name, Money(Decimal(fines), CURRENCY)))
    catalogue.lend("B-2", "M-2", place.today - _TWO_WEEKS)


_OFFLINE: Final = "agentcli.agents.library.offline"

AGENT: Final = Agent(
    name="library",
    toolset=tools,
    load_prompt=prompt_beside(__file__),
    offline=rules_in(_OFFLINE, "reply"),
    reckless=rules_in(_OFFLINE, "reckless_reply"),
    migrations=MIGRATIONS,
    put_sample=put_sample,
    tables=TABLES,
    view=view_in("agentcli.agents.library.view"),
)
