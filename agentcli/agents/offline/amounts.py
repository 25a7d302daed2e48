"""Amounts as people write them: `300`, `12,50 €`, `$1,250.00`, `300 rupees`."""

import re
from typing import Final

from msgspec import Struct

from agentcli.agents.money import DECIMALS
from agentcli.tools.json_text import Number

_SIGNS: Final = {
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₫": "VND",
    "₴": "UAH", "₪": "ILS", "₦": "NGN", "₱": "PHP", "฿": "THB",
}  # fmt: skip

_WORDS: Final = {
    "dollar": "USD", "dollars": "USD", "bucks": "USD", "euro": "EUR", "euros": "EUR", "pound": "GBP",
    "pounds": "GBP", "quid": "GBP", "yen": "JPY", "rupee": "INR", "rupees": "INR", "yuan": "CNY", "rmb": "CNY",
    "franc": "CHF", "francs": "CHF", "zloty": "PLN", "zł": "PLN", "rand": "ZAR", "baht": "THB", "ruble": "RUB",
    "rubles": "RUB", "lira": "TRY", "reais": "BRL", "shekels": "ILS", "hryvnia": "UAH",
}  # fmt: skip

# Other codes count in capitals only: `5 gel pens` and `20 all in` name no currency.
_COMMON_CODES: Final = """
    usd eur gbp jpy inr chf cny cad aud nzd sek nok dkk pln czk huf ron brl mxn zar krw sgd hkd thb ils aed
"""
_LOWER_CODES: Final = frozenset(_COMMON_CODES.split())

# Not `#5`, `-5`, `5%`, `2026-11-02`, `1'000` or `1 250`, which could all be read in another way.
_NUMBER: Final = re.compile(r"(?<![\w.,#%'-])(?<![0-9]\s)[0-9]+(?:[.,][0-9]+)*(?![.,'\s]?[0-9]|[.,]?[#%-])")
_LEFT: Final = re.compile(r"(?:(?<!\w)([A-Za-z]{3})\s?|(?:(?<!\w)US|(?<!\w))([$€£¥₹₩₽₺₫₴₪₦₱฿])\s?)\Z")
_RIGHT: Final = re.compile(r"\s?([$€£¥₹₩₽₺₫₴₪₦₱฿]|[A-Za-zł]+)")
_THOUSANDS: Final = re.compile(r"[0-9]{1,3}([.,])[0-9]{3}(?:\1[0-9]{3})*")
_BEFORE_ITEM: Final = re.compile(r"\s+(?:for|on|in|at|to|of)\b", re.I)
_AFTER_ITEM: Final = re.compile(r"(?:\b(?:for|at|of|was|is|cost|costs|paid|spent|to)|[:=])\s*\Z", re.I)


class Spoken(Struct, frozen=True):
    """An amount found in a text, its currency if one was named, and the text around it."""

    amount: Number
    currency: str | None
    before: str
    after: str

    @property
    def rest(self) -> str:
        """The text without the amount."""
        return f"{self.before} {self.after}".strip()


def find_amount(text: str) -> Spoken | None:
    """Return the amount that a text speaks of; of several, the one that most looks like money."""
    found = [spoken for match in _NUMBER.finditer(text) if (spoken := _spoken(text, match)) is not None]
    return max(found, key=_looks_like_money, default=None)


def only_amount(text: str) -> Spoken | None:
    """Return the amount that a text consists of."""
    spoken = find_amount(text)
    return spoken if spoken is not None and not spoken.rest else None


def currency_named(word: str) -> str | None:
    """Return the currency that a word or sign stands for, if any."""
    if word in _SIGNS:
        return _SIGNS[word]
    if word in DECIMALS or word.lower() in _LOWER_CODES:
        return word.upper()
    return _WORDS.get(word.lower())


def _spoken(text: str, match: re.Match[str]) -> Spoken | None:
    amount = _exact(match[0])
    if amount is None:
        return None
    before, after = text[: match.start()], text[match.end() :]
    left, right = _LEFT.search(before[-8:]), _RIGHT.match(after)
    if left is not None and (currency := currency_named(left[1] or left[2])) is not None:
        return Spoken(amount, currency, before[: len(before) - len(left[0])], after)
    if right is not None and (currency := currency_named(right[1])) is not None:
        return Spoken(amount, currency, before, after[right.end() :])
    # `12k`, `3rd`, `50 cents`, `A$ 5`: the number alone would be another amount.
    other = after[:1].isalpha() or before.rstrip()[-1:] in _SIGNS
    cents = right is not None and right[1].lower() in ("cent", "cents", "pence")
    return None if other or cents else Spoken(amount, None, before, after)


def _exact(number: str) -> Number | None:
    """Return the number with a point before its decimals and nothing between its thousands, if that is clear."""
    decimal_at = max(number.rfind("."), number.rfind(","))
    if _THOUSANDS.fullmatch(number) and ("," in number or number.count(".") > 1):
        decimal_at = -1
    elif number.count(".") + number.count(",") > 1:
        whole = number[:decimal_at]
        if number[decimal_at] in whole or not _THOUSANDS.fullmatch(whole):
            return None
    whole, decimals = (number, "") if decimal_at < 0 else (number[:decimal_at], number[decimal_at + 1 :])
    digits = whole.replace(",", "").replace(".", "").lstrip("0") or "0"
    return Number(f"{digits}.{decimals}" if decimals else digits)


def _looks_like_money(spoken: Spoken) -> tuple[bool, bool, bool, int]:
    """Return what is compared: a currency, then its place in the sentence; of equals the first wins."""
    return (
        spoken.currency is not None,
        _BEFORE_ITEM.match(spoken.after) is not None or not spoken.before.strip(),
        _AFTER_ITEM.search(spoken.before) is not None,
        -len(spoken.before),
    )
