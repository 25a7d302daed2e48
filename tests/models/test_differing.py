"""Where a request differs from the one that was recorded."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agentcli.models.differing import Asked, first_difference

texts = st.text(max_size=5)
messages = st.lists(
    st.dictionaries(texts, st.one_of(texts, st.integers(), st.lists(texts, max_size=3)), max_size=3), max_size=3
)


def asked(of: list[dict[str, Any]]) -> Asked:
    return Asked("", (), True, tuple(json.dumps(one) for one in of))


@given(one=messages, other=messages)
def test_there_is_a_difference_exactly_where_requests_differ(one: Any, other: Any) -> None:
    """The same request is never refused, and another one always is."""
    assert (first_difference(asked(one), asked(other)) is None) is (one == other)
