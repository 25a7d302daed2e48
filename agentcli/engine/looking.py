"""A look at the agents' tables that leaves no trace in them."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from agentcli.session.ports import Transaction
from agentcli.tools.tool import Tables


class _Looked(Exception):
    pass


@contextmanager
def only_looking(transaction: Transaction) -> Iterator[Tables]:
    """Lend the tables; whatever is done with them is rolled back, however the block is left."""
    with suppress(_Looked), transaction.attempt() as tables:
        yield tables
        raise _Looked
