"""The briefs agent, put together."""

from typing import Final

from agentcli.agents.agent import Agent
from agentcli.agents.briefs.book import MIGRATIONS, TABLES, Drafts
from agentcli.agents.briefs.rules import Brief, option_problem
from agentcli.agents.briefs.tools import tools
from agentcli.agents.loading import prompt_beside, rules_in, view_in
from agentcli.tools.tool import Place

_DRAFTS: Final = (
    #     brief  title                   seconds  captions  revision
    Brief("V-1", "Welcome to the studio",     90,  True,     1),
    Brief("V-2", "The whole tour",           600,  True,     1),
    Brief("V-3", "Lighting in a minute",      60,  True,     3),
    Brief("V-4", "Sound in a minute",         60,  False,    1),
    Brief("V-5", "Questions, answered",      120,  True,     1),
)  # fmt: skip


def put_sample(place: Place) -> None:
    """Write five drafts down, to each of which the API inside agentcli has another answer."""
    drafts = Drafts(place.tables)
    for brief in _DRAFTS:
        drafts.add(brief)


_OFFLINE: Final = "agentcli.agents.briefs.offline"

AGENT: Final = Agent(
    name="briefs",
    toolset=tools,
    load_prompt=prompt_beside(__file__),
    offline=rules_in(_OFFLINE, "reply"),
    reckless=rules_in(_OFFLINE, "reckless_reply"),
    migrations=MIGRATIONS,
    put_sample=put_sample,
    options={"api_url": "", "timeout_s": 10, "proxy": False, "problems": ()},
    sandbox_options={"api_url": ""},
    check_options=option_problem,
    tables=TABLES,
    view=view_in("agentcli.agents.briefs.view"),
)
