"""Input is read as JSON that keeps what the sender wrote, and nothing doubtful gets through."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.tools.json_text import MAX_BYTES, MAX_LEVELS, Json, JsonFault, Number, compact, read_json


def nested(levels: int, opening: str = "[", closing: str = "]") -> str:
    """JSON that has so many levels, the outermost counted."""
    return opening * levels + closing * levels


def in_object(levels: int) -> str:
    """Objects within objects, so many levels."""
    return '{"a":' * (levels - 1) + "{}" + "}" * (levels - 1)


# fmt: off
REFUSED = [
    # what is special              text                               what the sender is told
    ("nothing",                    "",                                "not valid JSON"),
    ("not-json",                   "add 300",                         "not valid JSON"),
    ("two-values",                 "{} {}",                           "not valid JSON"),
    ("cut-short",                  '{"amount": 3',                    "not valid JSON"),
    ("text-cut-short",             '{"item',                          "Unterminated string starting at character 2"),
    ("trailing-comma",             '{"a": 1,}',                       "not valid JSON"),
    ("single-quotes",              "{'a': 1}",                        "not valid JSON"),
    ("a-comment",                  '{"a": 1} // so',                  "not valid JSON"),
    ("byte-order-mark",            "\ufeff{}",                        "not valid JSON"),
    ("leading-zero",               '{"a": 007}',                      "not valid JSON"),
    ("plus-sign",                  '{"a": +1}',                       "not valid JSON"),
    ("other-digits",               '{"a": ١٢}',                       "not valid JSON"),
    ("raw-newline-in-a-text",      '{"a": "x\ny"}',                   "not valid JSON"),
    ("member-twice",               '{"a": 1, "a": 1}',                "the member 'a' stands there twice"),
    ("member-twice-escaped",       '{"a": 1, "\\u0061": 2}',          "the member 'a' stands there twice"),
    ("member-twice-deep",          '{"x": [{"a": 1, "b": 2, "b": 3}]}', "the member 'b' stands there twice"),
    ("nan",                        '{"a": NaN}',                      "NaN is not a JSON number"),
    ("infinity",                   '{"a": Infinity}',                 "Infinity is not a JSON number"),
    ("minus-infinity",             '[-Infinity]',                     "-Infinity is not a JSON number"),
    ("lists-too-deep",             nested(MAX_LEVELS + 1),            "deeper than 64 levels"),
    ("objects-too-deep",           in_object(MAX_LEVELS + 1),         "deeper than 64 levels"),
    ("far-too-deep",               nested(200_000),                   "deeper than 64 levels"),
    ("null-character",             '{"a": "\\u0000"}',                "the control character U+0000"),
    ("escape-character",           '{"a": "x\\u001b[2K"}',            "the control character U+001B"),
    ("carriage-return",            '{"a": "x\\r"}',                   "the control character U+000D"),
    ("last-of-c0",                 '{"a": "\\u001f"}',                "the control character U+001F"),
    ("delete-character",           '{"a": "\\u007f"}',                "the control character U+007F"),
    ("raw-delete-character",       '{"a": "\x7f"}',                   "the control character U+007F"),
    ("first-of-c1",                '{"a": "\\u0080"}',                "the control character U+0080"),
    ("last-of-c1",                 '{"a": "\\u009f"}',                "the control character U+009F"),
    ("control-in-a-member-name",   '{"a\\u0007": 1}',                 "the control character U+0007"),
    ("control-in-a-list",          '["fine", ["\\u0001"]]',           "the control character U+0001"),
    ("high-surrogate-alone",       '{"a": "\\ud83d"}',                "half a surrogate pair"),
    ("low-surrogate-alone",        '{"a": "\\ude00"}',                "half a surrogate pair"),
    ("surrogates-swapped",         '{"a": "\\ude00\\ud83d"}',         "half a surrogate pair"),
    ("raw-surrogate",              '{"a": "\ud800"}',                 "half a surrogate pair"),
    ("surrogate-in-a-member-name", '{"\\udfff": 1}',                  "half a surrogate pair"),
    ("over-1-MB",                  '"' + "x" * (MAX_BYTES - 1) + '"', "larger than 1 MB"),
    ("over-1-MB-in-bytes-only",    '"' + "€" * (MAX_BYTES // 3) + '"', "larger than 1 MB"),
]

KEPT = [
    # what is special        text                                        value
    ("an-empty-object",      "{}",                                       {}),
    ("64-levels",            in_object(MAX_LEVELS),                      None),
    ("64-levels-of-lists",   nested(MAX_LEVELS),                         None),
    ("1-MB",                 '"' + "x" * (MAX_BYTES - 2) + '"',          "x" * (MAX_BYTES - 2)),
    ("newline-and-tab",      '{"a": "x\\n\\ty"}',                        {"a": "x\n\ty"}),
    ("a-space-by-a-newline", '{"a": "x y\\n"}',                          {"a": "x y\n"}),
    ("a-space",              '{"a": " "}',                               {"a": " "}),
    ("no-break-space",       '{"a": "\\u00a0"}',                         {"a": "\u00a0"}),
    ("bidi-mark",            '{"a": "\\u202e"}',                         {"a": "\u202e"}),
    ("a-whole-pair",         '{"a": "\\ud83d\\ude00"}',                  {"a": "😀"}),
    ("below-the-surrogates", '{"a": "\\ud7ff"}',                         {"a": "\ud7ff"}),
    ("above-the-surrogates", '{"a": "\\ue000"}',                         {"a": "\ue000"}),
    ("same-name-elsewhere",  '{"a": {"a": 1}, "b": {"a": 1}}',           {"a": {"a": "1"}, "b": {"a": "1"}}),
    ("names-by-case",        '{"a": 1, "A": 2}',                         {"a": "1", "A": "2"}),
    ("true-false-null",      "[true, false, null]",                      [True, False, None]),
]

NUMBERS = ["0", "-0", "1", "-1", "1.50", "1.0", "-0.00", "300", "3e2", "3E+2", "1e-7", "0.1000000000000000055511151231257827",
           "12345678901234567890123456789", "1e400", "9" * 5_000]
# fmt: on


@pytest.mark.parametrize(("text", "told"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_doubtful_json_is_refused_with_a_reason(text: str, told: str) -> None:
    """What is not plainly JSON is refused, and the sender is told what is wrong."""
    with pytest.raises(JsonFault, match=re.escape(told)):
        read_json(text)


@pytest.mark.parametrize(("text", "value"), [row[1:] for row in KEPT], ids=[row[0] for row in KEPT])
def test_plain_json_is_read(text: str, value: Json) -> None:
    """What stands just inside the bounds is read as it is."""
    assert read_json(text) == (json.loads(text) if value is None else value)


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:20])
def test_a_number_is_kept_digit_by_digit(number: str) -> None:
    """A number stays as it was written, however long, exact or odd."""
    read = read_json(f'{{"n": {number}}}')
    assert read == {"n": number}
    assert isinstance(read, dict)
    assert isinstance(read["n"], Number)
    assert compact(read) == f'{{"n":{number}}}'


def test_a_fault_names_the_place() -> None:
    """Broken JSON is reported with the character at which it broke, counted from one."""
    with pytest.raises(JsonFault, match="at character 7"):
        read_json('{"a": x}')


def test_compact_keeps_the_order_and_drops_the_blanks() -> None:
    """Members stay in the order sent, non-ASCII stays readable, blanks between tokens go."""
    text = '{ "item" : "Käse, 2 kg" , "amount" : 3.50 , "tags" : [ "a" , true , null ] }'
    assert compact(read_json(text)) == '{"item":"Käse, 2 kg","amount":3.50,"tags":["a",true,null]}'


def test_a_text_that_looks_like_a_number_stays_a_text() -> None:
    """`"300"` and `300` are different inputs and are written back differently."""
    assert compact(read_json('["300", 300]')) == '["300",300]'


plain_texts = st.text(st.characters(exclude_categories=("Cc", "Cs")))
numbers = st.one_of(
    st.integers().map(Number),
    st.decimals(allow_nan=False, allow_infinity=False).map(lambda number: Number(str(number))),
)
values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | plain_texts | numbers,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(plain_texts, inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_what_is_written_is_read_back(value: Json) -> None:
    """Writing a value and reading it again gives the same value, digit by digit and in the same order."""
    text = compact(value)
    again = read_json(text)
    assert again == value
    assert compact(again) == text


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text does anything but give a value or a fault; what is read can always be stored as UTF-8."""
    try:
        value = read_json(text)
    except JsonFault:
        return
    compact(value).encode()


@given(plain_texts)
def test_a_quoted_text_agrees_with_json(text: str) -> None:
    """What we write, any JSON reader reads as the same text."""
    assert json.loads(compact([text])) == [text]
