"""Programs that were started are ended where nobody waits for them."""

import signal
import subprocess

from agentcli.engine import children


def test_all_programs_are_ended_with_their_children() -> None:
    """Each with whatever it has started itself."""
    running = [
        subprocess.Popen(["sh", "-c", "sleep 60 & sleep 60"], start_new_session=True, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    for program in running:
        children.started(program.pid)
    children.end_all()
    for program in running:
        # The end of the output comes once nobody is left who could write.
        program.communicate(timeout=60)
        assert program.returncode == -signal.SIGKILL


def test_a_program_that_is_gone_is_no_failure() -> None:
    """It ended by itself in the meantime."""
    program = subprocess.Popen(["true"], start_new_session=True)
    children.started(program.pid)
    program.wait(timeout=60)
    children.end(program.pid)
