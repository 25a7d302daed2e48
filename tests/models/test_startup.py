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
