"""What a question offers follows from what it was asked for."""

import pytest

from agentcli.gate.autonomy import Level
from agentcli.session.steps import AwaitAnswer
from agentcli.terminal.question.asked import would_raise
from tests.engine.hooked import Says, a_bench, permission, rewriting


@pytest.mark.parametrize(
    ("hook", "is_offered"),
    [
        pytest.param(lambda consulted: None, True, id="only-the-level-asks"),
        pytest.param(rewriting("milk"), True, id="a-hook-changed-the-input-and-asks-nothing"),
        pytest.param(lambda consulted: permission("ask"), False, id="a-hook-asks-too"),
        pytest.param(rewriting("milk", word="ask"), False, id="a-hook-changed-the-input-and-asks"),
    ],
)
async def test_a_yes_from_now_on_is_offered_where_level_3_would_stop_the_asking(
    hook: Says, is_offered: bool
) -> None:
    """What is told beside the level's reason doesn't take it away; what asks by itself does."""
    bench = a_bench(hook, level=Level.PROPOSE)
    assert await bench.run("go") == AwaitAnswer("t1")
    assert would_raise(bench.state.calls["t1"]) is is_offered
