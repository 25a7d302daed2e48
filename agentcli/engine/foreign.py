"""Exceptions of code that is not ours: tools, previews and hooks."""

import asyncio


def is_foreign(error: BaseException) -> bool:
    """Tell whether such code raised it, rather than somebody who ends the program or cancels the task."""
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is not None and task.cancelling() == 0
    # What a library of theirs makes a `BaseException`, to pass every `except Exception`, ends no program either.
    return not isinstance(error, KeyboardInterrupt | GeneratorExit)
