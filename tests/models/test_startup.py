"""What the models cost before the first request: nothing."""

import subprocess
import sys

import pytest

HEAVY = ["anthropic", "httpx2", "pydantic", "opentelemetry"]


@pytest.mark.parametrize("module", ["anthropic", "offline", "scripted", "prices", "connection"])
def test_no_model_loads_the_sdk(module: str) -> None:
    """The SDK takes a second: it is loaded for the first request or in the background, not with our modules."""
    code = f"import sys, agentcli.models.{module}; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


PRELOAD = """
import gc, sys
from agentcli.models.anthropic import AnthropicModel
from agentcli.models.connection import Connection
gc.{before}()
AnthropicModel("claude", Connection(api_key="sk")).preload()
print(gc.isenabled(), "anthropic" in sys.modules, gc.get_freeze_count() > 0)
"""


@pytest.mark.parametrize(("before", "after"), [("enable", "True True True"), ("disable", "False True False")])
def test_preloading_leaves_the_collector_as_it_was(before: str, after: str) -> None:
    """The import in the background is not interrupted by collections, and what was off stays off."""
    code = PRELOAD.format(before=before)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == after
