"""The drafts as a person wants to see them: what each is, and how long."""

from datetime import date
from decimal import Decimal

from agentcli.agents.briefs.book import Drafts
from agentcli.agents.view import Bar, Chart, Column, Kind, Table, View
from agentcli.tools.tool import Tables


def view(tables: Tables, today: date) -> View:
    """Return the drafts as they stand."""
    drafts = Drafts(tables).all()
    columns = (
        *(Column("brief"), Column("title", Kind.TEXT), Column("seconds", Kind.NUMBER)),
        *(Column("captions"), Column("revision", Kind.NUMBER, may_go=True)),
    )
    rows = (
        (brief.id, brief.title, str(brief.seconds), "on" if brief.captions else "off", str(brief.revision))
        for brief in drafts
    )
    bars = (Bar(f"{brief.id} {brief.title}", Decimal(brief.seconds), str(brief.seconds)) for brief in drafts)
    return View(
        tables=(Table("briefs", columns, tuple(rows)),),
        charts=(Chart("length, seconds", tuple(bars)),) if drafts else (),
    )
