"""Money that is exact to the last decimal: amounts in `Decimal`, currencies of ISO 4217."""

from collections.abc import Iterable, Mapping
from decimal import Context, Decimal, Inexact, InvalidOperation, Overflow
from typing import Final

import msgspec

from agentcli.counted import counted

_CODES: Final[Mapping[int, str]] = {
    # decimals  codes
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    2: """
       AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
       CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL
       HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU
       MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR
       SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED
       VES WST XAD XCD XCG YER ZAR ZMW ZWG
       """,
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}  # fmt: skip

DECIMALS: Final[Mapping[str, int]] = {
    code: decimals for decimals, codes in _CODES.items() for code in codes.split()
}
"""How many decimals each currency in use has (metals and units of account, which have none set, are left out).

Source: ISO 4217, list one, of 2026.
"""

# Wide enough for any sum of amounts of 15 digits; what would round raises instead.
_EXACT: Final = Context(prec=60, traps=[Inexact, InvalidOperation, Overflow])


class Money(msgspec.Struct, frozen=True):
    """An amount in one currency of ISO 4217."""

    amount: Decimal
    currency: str

    @property
    def text(self) -> str:
        """The amount with all the decimals of its currency, such as `340.00`."""
        return f"{_EXACT.quantize(self.amount, Decimal(1).scaleb(-DECIMALS[self.currency])):f}"

    def __neg__(self) -> "Money":
        return Money(-self.amount, self.currency)

    def __str__(self) -> str:
        return f"{self.text} {self.currency}"


def nothing(currency: str) -> Money:
    """Return no money at all."""
    return Money(Decimal(0), currency)


def currency_problem(currency: str) -> str | None:
    """Return why this is no currency we know, or None."""
    if currency in DECIMALS:
        return None
    return f"{currency!r} is not a currency: write a code of ISO 4217 in capitals, such as USD or EUR"


def money_problem(amount: Decimal, currency: str) -> str | None:
    """Return why nobody can have spent this amount in this currency, or None.

    Decimals count as they are written: `3.000` has three, though its value needs none.
    """
    problem = currency_problem(currency)
    if problem is not None:
        return problem
    if not amount.is_finite() or amount <= 0:
        return f"the amount {amount} is not above 0"
    allowed = DECIMALS[currency]
    exponent = amount.as_tuple().exponent
    if isinstance(exponent, int) and -exponent > allowed:
        return f"the amount {amount} has {counted(-exponent, 'decimal')}; {currency} has {allowed or 'none'}"
    return None


def shortest(amount: Decimal) -> Decimal:
    """Return the same amount without trailing zeros, which another currency may not have room for."""
    text = f"{amount:f}"
    return Decimal(text.rstrip("0").rstrip(".")) if "." in text else amount


def totals(amounts: Iterable[Money]) -> dict[str, Money]:
    """Return the exact sum of each currency that occurs, in the order of their codes."""
    sums: dict[str, Decimal] = {}
    for money in amounts:
        sums[money.currency] = _EXACT.add(sums.get(money.currency, Decimal(0)), money.amount)
    return {currency: Money(sums[currency], currency) for currency in sorted(sums)}
