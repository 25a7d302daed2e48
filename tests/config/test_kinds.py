"""Amounts are decimal text, read to the last digit."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.config.kinds import absolute, exact


@pytest.mark.parametrize(
    "text", ["0", "1.00", "007", "999999999999999", "0.000000000000001", "999999999999999.999999999999999"]
)
def test_an_amount_is_digits_with_at_most_one_point(text: str) -> None:
    """Up to 15 digits before and after the point are kept as they stand."""
    assert str(exact(text)) == str(Decimal(text))


@pytest.mark.parametrize(
    "value",
    [
        *(
            "",
            " ",
            "1 ",
            " 1",
            "1\n",
            "+1",
            "-1",
            "-0",
            ".5",
            "1.",
            "1.2.3",
            "1,00",
            "1_000",
            "1e3",
            "1E+20000000",
        ),
        *("NaN", "sNaN", "inf", "Infinity", "0x1", "١", "１", "$1", "1 USD"),
        *("1000000000000000", "0.0000000000000001"),
        *(1, 1.0, True, None, Decimal(1), b"1", ["1"]),
    ],
)
def test_what_is_not_exactly_that_is_no_amount(value: object) -> None:
    """A sign, an exponent, other scripts' digits, separators, too many digits, and numbers are refused."""
    with pytest.raises(ValueError):  # noqa: PT011  # the reader words the message
        exact(value)


@given(st.text())
def test_an_amount_is_finite_and_not_negative(text: str) -> None:
    """No text at all becomes an amount that is not a number, endless, or below 0."""
    try:
        amount = exact(text)
    except ValueError:
        return
    assert amount.is_finite()
    assert amount >= 0


def test_an_empty_path_stays_empty() -> None:
    """An empty path stands for a default and is not changed."""
    assert absolute("") == ""


@pytest.mark.parametrize("path", ["x", "./x", "../x", "~nobody-of-this-name/x", "x/~/y"])
def test_a_path_does_not_depend_on_the_current_folder(path: str) -> None:
    """A path that means something else in another folder is refused."""
    with pytest.raises(ValueError):  # noqa: PT011  # the reader words the message
        absolute(path)
