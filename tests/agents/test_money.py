"""Money is exact, in all the decimals that its currency has and no more."""

from decimal import Decimal, Inexact
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.agents.money import DECIMALS, Money, currency_problem, money_problem, nothing, shortest, totals

currencies = st.sampled_from(sorted(DECIMALS))


@st.composite
def monies(draw: st.DrawFn) -> Money:
    currency = draw(currencies)
    units = draw(st.integers(1, 10 ** (15 + DECIMALS[currency]) - 1))
    return Money(Decimal(units).scaleb(-DECIMALS[currency]), currency)


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        ("340", "USD", "340.00 USD"),
        ("0.5", "EUR", "0.50 EUR"),
        ("300", "JPY", "300 JPY"),
        ("1.5", "KWD", "1.500 KWD"),
        ("2", "CLF", "2.0000 CLF"),
        ("999999999999999.99", "INR", "999999999999999.99 INR"),
    ],
)
def test_money_shows_all_decimals_of_its_currency(amount: str, currency: str, text: str) -> None:
    """Two for dollars, none for yen, three for Kuwaiti dinars, four for the Chilean unit of account."""
    assert str(Money(Decimal(amount), currency)) == text


def test_money_is_never_rounded() -> None:
    """An amount that its currency can't show is a bug, not a rounding."""
    with pytest.raises(Inexact):
        str(Money(Decimal("0.005"), "USD"))


@pytest.mark.parametrize("currency", ["usd", "US", "USDT", "", "XXX", "XAU", "DEM", "BGN", "$"])
def test_only_currencies_in_use_are_taken(currency: str) -> None:
    """A code is three capitals of the list; metals, test codes and past currencies are no money to spend."""
    assert "is not a currency" in (currency_problem(currency) or "")


@pytest.mark.parametrize(
    ("decimals", "codes"),
    [
        (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
        (3, "BHD IQD JOD KWD LYD OMR TND"),
        (4, "CLF UYW"),
    ],
)
def test_the_list_says_which_currencies_do_not_have_cents(decimals: int, codes: str) -> None:
    """All others have two decimals."""
    assert sorted(code for code, count in DECIMALS.items() if count == decimals) == codes.split()
    assert set(DECIMALS.values()) == {0, 2, 3, 4}


@pytest.mark.parametrize(
    ("amount", "currency", "problem"),
    [
        ("0.01", "USD", None),
        ("0", "USD", "not above 0"),
        ("0.00", "USD", "not above 0"),
        ("-1", "USD", "not above 0"),
        ("NaN", "USD", "not above 0"),
        ("Infinity", "USD", "not above 0"),
        ("12.34", "USD", None),
        ("12.345", "USD", "has 3 decimals; USD has 2"),
        ("12.340", "USD", "has 3 decimals; USD has 2"),
        ("12", "JPY", None),
        ("12.0", "JPY", "has 1 decimal; JPY has none"),
        ("1.234", "KWD", None),
        ("1.2345", "KWD", "has 4 decimals; KWD has 3"),
        ("1", "ABC", "'ABC' is not a currency"),
    ],
)
def test_nobody_spends_such_an_amount(amount: str, currency: str, problem: str | None) -> None:
    """An amount is above zero and has at most the decimals of its currency, as it was written."""
    found = money_problem(Decimal(amount), currency)
    assert found == problem if problem is None or found is None else problem in found


@pytest.mark.parametrize(
    ("amount", "short"), [("40.00", "40"), ("40.50", "40.5"), ("40", "40"), ("400", "400"), ("0.05", "0.05")]
)
def test_zeros_at_the_end_of_decimals_are_no_part_of_the_amount(amount: str, short: str) -> None:
    """Forty dollars and no cents are forty in any currency."""
    assert str(shortest(Decimal(amount))) == short


@given(st.lists(monies(), max_size=200))
def test_totals_are_exact(spent: list[Money]) -> None:
    """A total is the sum to the last cent, whatever the amounts and however many there are."""
    expected: dict[str, Fraction] = {}
    for money in spent:
        expected[money.currency] = expected.get(money.currency, Fraction(0)) + Fraction(money.amount)
    sums = totals(spent)
    assert {currency: Fraction(total.text) for currency, total in sums.items()} == expected
    assert list(sums) == sorted(sums)


def test_totals_of_thousands_of_amounts_are_exact() -> None:
    """Ten thousand times ten cents are a thousand dollars, and the largest amounts don't swallow a cent."""
    assert totals([Money(Decimal("0.10"), "USD")] * 10_000)["USD"].text == "1000.00"
    largest = [Money(Decimal("999999999999999.99"), "USD")] * 5_000
    assert totals([*largest, Money(Decimal("0.01"), "USD")])["USD"].text == "4999999999999999950.01"


@given(monies())
def test_what_comes_in_and_goes_out_leaves_nothing(money: Money) -> None:
    """Money and the same money taken away are nothing."""
    assert totals([money, -money]) == {money.currency: nothing(money.currency)}
