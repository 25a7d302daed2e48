"""What is wrong with an amount that came, in words for who has to write it anew."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.tools.amount import AMOUNT, amount_fault


@pytest.mark.parametrize(
    "value",
    ["0", "12.50", "999999999999999", "0.0000001", 0, 12, Decimal("12.50"), Decimal("999999999999999.99")],
)
def test_an_amount_has_no_fault(value: object) -> None:
    """Digits, and a point before decimals; whether it is above 0 is for the domain to say."""
    assert amount_fault(value) is None


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (-3,                       "-3 has a sign; an amount is above 0 and has none"),
        (Decimal("-0.0"),          "-0.0 has a sign; an amount is above 0 and has none"),
        ("-12,50",                 "'-12,50' has a sign; an amount is above 0 and has none"),
        ("+1",                     "'+1' has a sign; an amount is above 0 and has none"),
        (10**15,                   "1000000000000000 has 16 digits before the point; 15 are the most"),
        (Decimal(f"{10**15}.5"),   "1000000000000000.5 has 16 digits before the point; 15 are the most"),
        ("12345678901234567",      "'12345678901234567' has 17 digits before the point; 15 are the most"),
        (1e5,                      "it has an exponent; write all of its digits instead"),
        ("1e5",                    "'1e5': it has an exponent; write all of its digits instead"),
        ("12,50",                  "'12,50' has a comma; write a point before decimals, and nothing else"),
        ("1.000,50",               "'1.000,50' has a comma; write a point before decimals, and nothing else"),
        (" 5",                     "' 5' has blanks around it"),
        ("5\n",                    r"'5\n' has blanks around it"),
        ("5.",                     "'5.' is no number such as 12.50"),
        (".5",                     "'.5' is no number such as 12.50"),
        ("-",                      "'-' is no number such as 12.50"),
        ("NaN",                    "'NaN' is no number such as 12.50"),
        ("three\nhundred",         r"'three\nhundred' is no number such as 12.50"),
        ("１２",                   "'１２' is no number such as 12.50"),
        ("x" * 40,                 f"'{'x' * 29}… is no number such as 12.50"),
        (True,                     "got true or false"),
        (None,                     "got null"),
        ([1],                      "got a list"),
        ({},                       "got an object"),
    ],
)  # fmt: skip
def test_a_fault_names_what_is_wrong(value: object, fault: str) -> None:
    """It says what came and what to write instead, not only that an amount was expected."""
    assert amount_fault(value) == fault


@given(st.text())
def test_every_other_text_has_a_fault(text: str) -> None:
    """A text is an amount, or something is said about it."""
    assert (amount_fault(text) is None) == bool(AMOUNT.fullmatch(text))
