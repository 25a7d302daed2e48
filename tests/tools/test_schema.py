"""An input is read strictly: what a tool gets is what the model wrote, or nothing."""

from datetime import date
from decimal import Decimal

import pytest

from agentcli.tools.json_text import MAX_BYTES, Json, Number
from agentcli.tools.schema import Frozen, Misfit
from tests.tools.everything import SCHEMA, Colour, read


def problem(text: str) -> str:
    reading = SCHEMA.read(text)
    assert isinstance(reading, Misfit)
    return reading.problem


# fmt: off
FITS = [
    # what is special           member                                  value
    ("whole-zero",              '"whole": 0',                           0),
    ("whole-negative",          '"whole": -7',                          -7),
    ("whole-largest",           '"whole": 9223372036854775807',         2**63 - 1),
    ("whole-least",             '"whole": -9223372036854775808',        -(2**63)),
    ("ratio",                   '"ratio": 1.25',                        1.25),
    ("ratio-whole",             '"ratio": 2',                           2.0),
    ("ratio-exponent",          '"ratio": 1e3',                         1000.0),
    ("ratio-of-400-characters", '"ratio": 0.' + "1" * 398,              0.1111111111111111),
    ("ratio-negative-zero",     '"ratio": -0',                          0.0),
    ("amount-number",           '"amount": 300',                        Decimal("300")),
    ("amount-text",             '"amount": "300"',                      Decimal("300")),
    ("amount-decimals",         '"amount": 12.50',                      Decimal("12.50")),
    ("amount-decimals-text",    '"amount": "12.50"',                    Decimal("12.50")),
    ("amount-zero",             '"amount": 0.00',                       Decimal("0.00")),
    ("amount-small",            '"amount": 0.0000001',                  Decimal("0.0000001")),
    ("amount-exact",            '"amount": 0.1000000000000000055511',   Decimal("0.1000000000000000055511")),
    ("amount-15-digits",        '"amount": 999999999999999.99',         Decimal("999999999999999.99")),
    ("amount-15-digits-text",   '"amount": "999999999999999.99"',       Decimal("999999999999999.99")),
    ("amount-zeros-in-front",   '"amount": "007.5"',                    Decimal("7.5")),
    ("amount-null",             '"amount": null',                       None),
    ("day",                     '"day": "2026-02-28"',                  date(2026, 2, 28)),
    ("day-leap",                '"day": "2028-02-29"',                  date(2028, 2, 29)),
    ("day-null",                '"day": null',                          None),
    ("flag",                    '"flag": true',                         True),
    ("kind",                    '"kind": "coffee"',                     "coffee"),
    ("colour",                  '"colour": "blue"',                     Colour.BLUE),
    ("names",                   '"names": ["a", "b"]',                  ["a", "b"]),
    ("names-empty",             '"names": []',                          []),
    ("prices",                  '"prices": {"tea": "1.50", "x": 2}',    {"tea": Decimal("1.50"), "x": Decimal(2)}),
]

MISFITS = [
    # what is special           member                                  what the model is told
    ("unknown-member",          '"colur": "red"',                       "there is no parameter 'colur'; there are text, "),
    ("member-by-case",          '"Whole": 1',                           "no parameter 'Whole'"),
    ("member-twice",            '"whole": 1, "whole": 1',               "the member 'whole' stands there twice"),
    ("whole-text",              '"whole": "1"',                         "'whole' has to be a whole number, not text"),
    ("whole-fraction",          '"whole": 1.5',                         "not written as a whole one"),
    ("whole-point-zero",        '"whole": 1.0',                         "not written as a whole one"),
    ("whole-exponent",          '"whole": 1e2',                         "not written as a whole one"),
    ("whole-negative-zero",     '"whole": -0',                          "not written as a whole one"),
    ("whole-true",              '"whole": true',                        "a whole number, not true or false"),
    ("whole-null",              '"whole": null',                        "a whole number, not null"),
    ("whole-over-64-bits",      '"whole": 9223372036854775808',         "'whole' is a whole number that does not fit"),
    ("whole-under-64-bits",     '"whole": -9223372036854775809',        "does not fit 64 bits"),
    ("whole-huge",              '"whole": 1' + "0" * 5_000,             "does not fit 64 bits"),
    ("ratio-true",              '"ratio": true',                        "a number, not true or false"),
    ("ratio-text",              '"ratio": "0.5"',                       "a number, not text"),
    ("ratio-too-large",         '"ratio": 1e400',                       "'ratio' is a number too long or too"),
    ("ratio-too-large-plain",   '"ratio": 1' + "0" * 398 + ".0",        "too long or too large"),
    ("ratio-too-long",          '"ratio": 0.' + "1" * 399,              "too long or too large"),
    ("ratio-nan",               '"ratio": NaN',                         "NaN is not a JSON number"),
    ("text-number",             '"kind": 5',                            "'kind' has to be text, not a whole number"),
    ("text-true",               '"names": [true]',                      "'names[0]' has to be text, not true or false"),
    ("amount-true",             '"amount": true',                       "'amount' has to be an amount"),
    ("amount-list",             '"amount": [1]',                        "'amount' has to be an amount"),
    ("amount-object",           '"amount": {}',                         "'amount' has to be an amount"),
    ("amount-words",            '"amount": "three"',                    "'amount' has to be an amount"),
    ("amount-nan",              '"amount": "NaN"',                      "'amount' has to be an amount"),
    ("amount-infinity",         '"amount": "Infinity"',                 "'amount' has to be an amount"),
    ("amount-negative",         '"amount": -1',                         "'amount' has to be an amount"),
    ("amount-negative-text",    '"amount": "-1"',                       "'amount' has to be an amount"),
    ("amount-negative-zero",    '"amount": -0',                         "'amount' has to be an amount"),
    ("amount-negative-0.0",     '"amount": -0.0',                       "'amount' has to be an amount"),
    ("amount-plus",             '"amount": "+1"',                       "'amount' has to be an amount"),
    ("amount-exponent",         '"amount": 1e2',                        "'amount' has to be an amount"),
    ("amount-exponent-text",    '"amount": "1e2"',                      "'amount' has to be an amount"),
    ("amount-plain-exponent",   '"amount": 10e-1',                      "'amount' has to be an amount"),
    ("amount-exponent-zero",    '"amount": 5E0',                        "'amount' has to be an amount"),
    ("amount-underscore",       '"amount": "1_000"',                    "'amount' has to be an amount"),
    ("amount-thousands",        '"amount": "1,000"',                    "'amount' has to be an amount"),
    ("amount-comma",            '"amount": "12,50"',                    "'amount' has to be an amount"),
    ("amount-space",            '"amount": " 5"',                       "'amount' has to be an amount"),
    ("amount-newline",          '"amount": "5\\n"',                     "'amount' has to be an amount"),
    ("amount-no-digits-before", '"amount": ".5"',                       "'amount' has to be an amount"),
    ("amount-no-digits-after",  '"amount": "5."',                       "'amount' has to be an amount"),
    ("amount-two-points",       '"amount": "1.2.3"',                    "'amount' has to be an amount"),
    ("amount-full-width",       '"amount": "１２"',                      "'amount' has to be an amount"),
    ("amount-arabic-digits",    '"amount": "١٢"',                       "'amount' has to be an amount"),
    ("amount-superscript",      '"amount": "5²"',                       "'amount' has to be an amount"),
    ("amount-sign-of-money",    '"amount": "$5"',                       "'amount' has to be an amount"),
    ("amount-16-digits",        '"amount": 1000000000000000',           "'amount' has to be an amount"),
    ("amount-16-digits-text",   '"amount": "1000000000000000"',         "'amount' has to be an amount"),
    ("amount-16-digits-point",  '"amount": 1000000000000000.5',         "'amount' has to be an amount"),
    ("amount-in-a-dict",        '"prices": {"tea": "NaN"}',             "'prices[...]' has to be an amount"),
    ("amount-empty",            '"amount": ""',                         "'amount' is empty or blank"),
    ("kind-unknown",            '"kind": "milk"',                       "'kind' has to be one of coffee, tea"),
    ("colour-unknown",          '"colour": "green"',                    "'colour' has to be one of blue, red"),
    ("flag-one",                '"flag": 1',                            "'flag' has to be true or false, not "),
    ("flag-text",               '"flag": "true"',                       "'flag' has to be true or false, not "),
    ("flag-null",               '"flag": null',                         "'flag' has to be true or false, not "),
    ("names-text",              '"names": "a"',                         "'names' has to be a list or null, not text"),
    ("names-blank",             '"names": ["a", "\\t\\n "]',            "'names[1]' is empty or blank"),
    ("names-no-break-space",    '"names": ["\\u00a0"]',                 "empty or blank"),
    ("names-zero-width",        '"names": ["\\u200b\\u2060"]',          "empty or blank"),
    ("names-hangul-filler",     '"names": ["\\u3164"]',                 "empty or blank"),
    ("names-choseong-filler",   '"names": ["\\u115f \\u1160"]',         "empty or blank"),
    ("names-braille-blank",     '"names": ["\\u2800\\u2800"]',          "empty or blank"),
    ("names-control",           '"names": ["a\\u001b"]',                "the control character U+001B"),
    ("day-impossible",          '"day": "2026-02-30"',                  "'day' has to be a date such as 2026-11-30, one that"),
    ("day-no-leap-year",        '"day": "2026-02-29"',                  "'day' has to be a date such as 2026-11-30, one that"),
    ("day-month-13",            '"day": "2026-13-01"',                  "'day' has to be a date such as 2026-11-30, one that"),
    ("day-short",               '"day": "2026-2-3"',                    "'day' has to be a date such as 2026-11-30, one that"),
    ("day-with-time",           '"day": "2026-02-03T00:00:00"',         "'day' has to be a date such as 2026-11-30, one that"),
    ("day-number",              '"day": 20260203',                      "'day' has to be a date such as 2026-11-30 or null, not a whole"),
    ("day-words",               '"day": "today"',                       "'day' has to be a date such as 2026-11-30, one that"),
    ("day-blank",               '"day": " "',                           "'day' is empty or blank"),
    ("day-other-digits",        '"day": "２０２６-02-03"',                "'day' has to be a date such as 2026-11-30, one that"),
    ("moment-impossible",       '"moment": "2026-02-03T25:00:00"',      "'moment' has to be a date with a time, such as"),
]
# fmt: on


@pytest.mark.parametrize(("member", "value"), [row[1:] for row in FITS], ids=[row[0] for row in FITS])
def test_a_fitting_input_is_read_exactly(member: str, value: object) -> None:
    """What stands in the input is what the tool gets, to the last digit."""
    reading = read(member)
    assert isinstance(reading, Frozen), reading
    name = member.split('"')[1]
    assert reading.values[name] == value
    assert type(reading.values[name]) is type(value) or isinstance(value, Decimal)


@pytest.mark.parametrize(("member", "told"), [row[1:] for row in MISFITS], ids=[row[0] for row in MISFITS])
def test_a_doubtful_input_is_refused_and_the_model_is_told_where(member: str, told: str) -> None:
    """Nothing is guessed, rounded, trimmed or turned into another type."""
    reading = read(member)
    assert isinstance(reading, Misfit)
    assert told in reading.problem


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("{}", "'text' is missing", id="nothing"),
        pytest.param('{"text": ""}', "'text' is empty or blank", id="empty"),
        pytest.param('{"text": " \\n\\t"}', "'text' is empty or blank", id="blank"),
        pytest.param('{"text": null}', "'text' has to be text, not null", id="null"),
        pytest.param("[]", "not a JSON object", id="a-list"),
        pytest.param('"tea"', "not a JSON object", id="a-text"),
        pytest.param("null", "not a JSON object", id="null-itself"),
        pytest.param("5", "not a JSON object", id="a-number"),
        pytest.param("tea", "not valid JSON", id="no-json"),
        pytest.param("", "not valid JSON", id="empty-text"),
        pytest.param('{"text": "tea"} {}', "not valid JSON", id="two-objects"),
    ],
)
def test_a_required_text_is_there_and_says_something(text: str, told: str) -> None:
    """A member without a default has to be sent, within one JSON object, and not blank."""
    assert told in problem(text)


def test_depth_and_size_have_a_limit() -> None:
    """An input of more than 64 levels or 1 MB is not read at all."""
    assert "64 levels" in problem('{"text":' + "[" * 64 + "]" * 64 + "}")
    assert "1 MB" in problem('{"text":"' + "x" * MAX_BYTES + '"}')


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param('{ "text" : 5 }', '{"text":5}', id="readable"),
        pytest.param("[ 1, 2.50 ]", "[1,2.50]", id="no-object"),
        pytest.param('{"text": "a", "text": "b"}', '{"text": "a", "text": "b"}', id="not-readable"),
    ],
)
def test_a_misfit_keeps_what_was_sent(text: str, kept: str) -> None:
    """What was refused is recorded: compact where it could be read, otherwise letter by letter."""
    reading = SCHEMA.read(text)
    assert isinstance(reading, Misfit)
    assert reading.text == kept


def test_the_frozen_text_is_the_input_as_it_will_run() -> None:
    """Members stay in the order sent and numbers as written; defaults follow behind."""
    reading = SCHEMA.read(
        '{"amount": 3.50, "text": "Käse"}', {"day": "2026-11-30", "whole": Number(2), "amount": Number(9)}
    )
    assert isinstance(reading, Frozen)
    assert reading.text == '{"amount":3.50,"text":"Käse","day":"2026-11-30","whole":2}'
    assert reading.values["day"] == date(2026, 11, 30)
    assert reading.values["whole"] == 2


@pytest.mark.parametrize(
    ("text", "defaults", "sent"),
    [
        pytest.param('{"text": "tea"}', {"whole": Number(2)}, '{"text":"tea"}', id="one-added"),
        pytest.param('{"text": "tea", "whole": 1}', {"whole": Number(2)}, None, id="none-to-add"),
        pytest.param('{"text": "tea"}', {}, None, id="no-defaults"),
    ],
)
def test_what_was_sent_is_kept_beside_what_runs(text: str, defaults: dict[str, Json], sent: str | None) -> None:
    """Where defaults were added, the input without them is there too."""
    reading = SCHEMA.read(text, defaults)
    assert isinstance(reading, Frozen)
    assert reading.sent == sent


def test_a_null_that_was_sent_is_no_gap_for_a_default() -> None:
    """Where the model says null, it said something: the default stays out."""
    reading = SCHEMA.read('{"text": "tea", "day": null}', {"day": "2026-11-30"})
    assert isinstance(reading, Frozen)
    assert reading.text == '{"text":"tea","day":null}'
    assert reading.values["day"] is None


def test_a_default_is_judged_like_the_rest() -> None:
    """A default that does not fit makes a misfit, never a call with a bad value."""
    reading = SCHEMA.read('{"text": "tea"}', {"day": "2026-02-30"})
    assert isinstance(reading, Misfit)
    assert reading.text == '{"text":"tea"}'


def test_members_left_out_have_the_value_of_the_signature() -> None:
    """A parameter that was not sent has the default that its author gave it."""
    reading = SCHEMA.read('{"text": "tea"}')
    assert isinstance(reading, Frozen)
    assert reading.values["ratio"] == 0.5
    assert reading.values["amount"] is None
    assert reading.text == '{"text":"tea"}'
