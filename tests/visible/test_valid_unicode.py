"""Text is made valid Unicode where it comes in."""

import re

import pytest
from hypothesis import given

from agentcli.visible import valid_unicode
from tests.visible.examples import hostile_text


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        pytest.param("plain", "plain", id="ascii"),
        pytest.param("Grüße 😀\x00", "Grüße 😀\x00", id="valid"),
        pytest.param("caf\udce9", "caf\ufffd", id="undecodable-byte-of-argv"),
        pytest.param("\ud83d", "\ufffd", id="half-an-emoji"),
        pytest.param("\ude00\ud83d", "\ufffd\ufffd", id="halves-the-wrong-way-round"),
        pytest.param("\ud83d\ude00", "😀", id="two-halves"),
        pytest.param("\ud83dx\ude00", "\ufffdx\ufffd", id="halves-apart"),
        pytest.param("\ufeffa", "\ufeffa", id="byte-order-mark"),
    ],
)
def test_a_lone_surrogate_is_replaced_where_it_can_be_seen(text: str, valid: str) -> None:
    """Text that can't be stored is made storable, and the place of what was lost is shown."""
    assert valid_unicode(text) == valid


@given(hostile_text)
def test_valid_unicode_can_be_stored(text: str) -> None:
    """Whatever comes in can be encoded afterwards, and valid text is not touched."""
    valid = valid_unicode(text)
    assert valid.encode().decode() == valid
    assert valid_unicode(valid) == valid
    if not re.search("[\ud800-\udfff]", text):
        assert valid == text
