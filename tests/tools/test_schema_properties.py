"""What was frozen stays what it is, and an amount is exact however it was written."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from agentcli.tools.amount import Amount
from agentcli.tools.json_text import Json, Number, compact
from agentcli.tools.schema import Frozen
from tests.tools.everything import SCHEMA, read

sent: st.SearchStrategy[Json] = st.dictionaries(
    st.sampled_from(["text", "whole", "ratio", "amount", "day", "flag", "kind", "other"]),
    st.none()
    | st.booleans()
    | st.text(st.characters(exclude_categories=("Cc", "Cs")))
    | st.integers().map(Number)
    | st.decimals(allow_nan=False, allow_infinity=False).map(lambda number: Number(str(number)))
    | st.dates().map(str)
    | st.sampled_from(["1_000", "NaN", "12.50", "１２"]),
)


@given(sent)
def test_what_was_frozen_reads_back_as_itself(members: Json) -> None:
    """A frozen text read again is the same text with the same values: what was shown is what runs."""
    reading = SCHEMA.read(compact(members), {"whole": Number(1)})
    if isinstance(reading, Frozen):
        again = SCHEMA.read(reading.text, {"whole": Number(2)})
        assert isinstance(again, Frozen)
        assert (again.text, again.values) == (reading.text, reading.values)


def test_what_was_sent_is_kept_apart_from_the_defaults() -> None:
    """People are shown what the model sent; what will run has the defaults as well."""
    reading = SCHEMA.read('{"text": "tea"}', {"whole": Number(1)})
    assert isinstance(reading, Frozen)
    assert reading.sent == '{"text":"tea"}'
    assert reading.text == '{"text":"tea","whole":1}'


@given(st.decimals(min_value=0, max_value=Decimal("999999999999999.99"), places=2))
def test_an_amount_is_the_same_as_number_and_as_text(amount: Decimal) -> None:
    """`12.50` and `"12.50"` are the same amount, exactly."""
    number, text = read(f'"amount": {amount:f}'), read(f'"amount": "{amount:f}"')
    assert isinstance(number, Frozen)
    assert isinstance(text, Frozen)
    assert number.values["amount"] == text.values["amount"] == amount
    assert isinstance(number.values["amount"], Amount)
