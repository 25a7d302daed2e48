"""Which agent a session is with, for who asks what the gate would say in it."""

import pytest

from agentcli.agents import shipped
from agentcli.store.register import NoSuch
from agentcli.store.sqlite import SqliteStore
from agentcli.wiring.agents import AgentIsFixed
from agentcli.wiring.explaining import agent_of
from agentcli.wiring.session import Session


def test_a_session_is_with_one_agent() -> None:
    """It can be named again, and no other can."""
    with SqliteStore.in_memory() as store:
        session = Session.open(shipped("support"), store, model="offline")
        assert [agent_of(store, session.id, wanted) for wanted in (None, "support")] == ["support"] * 2
        with pytest.raises(AgentIsFixed, match="is with the agent 'support'"):
            agent_of(store, session.id, "expenses")
        session.close()


def test_a_session_that_is_gone_is_with_none() -> None:
    """Somebody may have deleted it meanwhile."""
    with SqliteStore.in_memory() as store, pytest.raises(NoSuch, match="no session 'gone'"):
        agent_of(store, "gone", None)
