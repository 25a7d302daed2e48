"""The entry point of `agentcli` and `python -m agentcli`."""

import os
import sys


def main() -> None:
    """Run the command line of this process."""
    _open_missing_streams()
    try:
        from agentcli.cli.app import run  # noqa: PLC0415  # by now nothing is imported from the current directory

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    _leave(code)


def _open_missing_streams() -> None:
    """Take the numbers of streams that were closed, or the store would get them and be written to as stderr."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _leave(code: int) -> None:
    """End the process; threads that are still at work are not waited for."""
    import threading  # noqa: PLC0415  # not before the end

    if threading.active_count() > 1:
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    if not sys.flags.safe_path:
        # `python -m` looks for modules in the current directory before all others.
        del sys.path[0]
    main()
