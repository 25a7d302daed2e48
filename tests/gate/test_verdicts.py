"""Verdicts join to a ruling: the strictest wins, and all of them are kept."""

from itertools import product

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcli.gate.verdicts import Decision, RuleName, Ruling, Verdict, strictest

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY

verdicts = st.builds(Verdict, st.text(max_size=5), st.sampled_from(Decision), st.text(max_size=5))


def ruling(*decisions: Decision) -> Ruling:
    return strictest(Verdict(str(number), decision) for number, decision in enumerate(decisions))


def test_a_denial_is_stricter_than_a_question_and_that_than_leave() -> None:
    """The order in which decisions join."""
    assert sorted(Decision, key=lambda decision: decision.strictness) == [ALLOW, ASK, DENY]


@pytest.mark.parametrize("decisions", list(product(Decision, repeat=3)), ids="-".join)
def test_the_strictest_wins(decisions: tuple[Decision, ...]) -> None:
    """One denial denies, and without one, one question asks, wherever it stands."""
    expected = DENY if DENY in decisions else ASK if ASK in decisions else ALLOW
    assert ruling(*decisions).decision is expected


def test_a_denial_is_final_unless_it_says_otherwise() -> None:
    """Trying again is of no use, nothing is suggested, and the call is blocked."""
    plain = Verdict("level", DENY)
    assert (plain.retryable, plain.next, plain.status) == (False, (), "blocked")


def test_what_rules_are_called_never_changes() -> None:
    """Journals hold these words: another one would make what was written unreadable to what compares it."""
    assert set(RuleName) == {
        *("schema", "level", "earlier decline", "tool approval", "require approval", "prerequisite", "limit"),
        *("hook", "hook rewrite", "tool", "undo", "run limit"),
    }


@pytest.mark.parametrize("rule", RuleName)
def test_a_rule_is_written_as_the_word_it_is_called_by(rule: RuleName) -> None:
    """A verdict of a rule in the table is, byte for byte, the one of the word, and equal to what is read back."""
    written = msgspec.json.encode(Verdict(rule, ASK, "why"))
    assert written == msgspec.json.encode(Verdict(str(rule.value), ASK, "why"))
    assert written == b'{"rule":"%b","decision":"ask","reason":"why"}' % rule.value.encode()
    assert msgspec.json.decode(written, type=Verdict) == Verdict(rule, ASK, "why")


def test_no_verdict_at_all_denies() -> None:
    """Where no rule spoke, nothing runs."""
    assert strictest([]).decision is DENY
    assert strictest([None, None]).decision is DENY


def test_a_rule_without_an_opinion_changes_nothing() -> None:
    """None is no verdict."""
    spoken = Verdict("level", ALLOW)
    assert strictest([None, spoken, None]) == Ruling((spoken,))


def test_all_verdicts_are_kept_in_their_order() -> None:
    """Who asks later which rule decided sees what every rule said."""
    assert [verdict.rule for verdict in ruling(DENY, ALLOW, ASK).verdicts] == ["0", "1", "2"]


def test_of_several_denials_the_first_speaks() -> None:
    """The result's category, message and suggestions are those of the first rule that denied."""
    denial = ruling(ASK, DENY, ALLOW, DENY).denial
    assert denial is not None
    assert denial.rule == "1"


def test_without_a_denial_nobody_speaks_for_one() -> None:
    """An allowed or asked call has no denying verdict."""
    assert ruling(ALLOW, ASK).denial is None


@given(st.lists(verdicts, min_size=1), verdicts)
def test_one_more_verdict_never_loosens(said: list[Verdict], more: Verdict) -> None:
    """Whatever is added, the decision is as strict as before or stricter."""
    assert strictest([*said, more]).decision.strictness >= strictest(said).decision.strictness


@given(st.lists(verdicts, min_size=1), st.randoms())
def test_the_order_of_verdicts_does_not_change_the_decision(said: list[Verdict], random: object) -> None:
    """Rules may speak in any order; only which denial speaks depends on it."""
    assert strictest(said).decision is strictest(reversed(said)).decision
