"""A pair of type and status is added only when every field of it can be right."""

import msgspec
import pytest

from agentcli.problems import DECISIONS, PAIRS, Pair, with_added

LATE = Pair("https://api.example.test/problems/late", 410, "REVIEW_REVISION", "KNOWN_LATE")


@pytest.mark.parametrize(
    "problem_type",
    [
        "https://api.example.test/problems/late",
        "https://api.example.test:8443/problems/late?v=2#late",
        "https://[::1]/late",
        "HTTP://api.example.test",
        "urn:example:problem:late",
        "tag:example.test,2026:late",
        "about:blank",
        "https://api.example.test/%C3%A9",
    ],
)
def test_an_absolute_uri_is_a_type(problem_type: str) -> None:
    """Any absolute URI, with or without a fragment, can name a problem."""
    assert Pair(problem_type, 410, "REVIEW_INPUT", "KNOWN_LATE").type == problem_type


@pytest.mark.parametrize(
    "problem_type",
    [
        "",
        "late",
        "/problems/late",
        "//api.example.test/problems/late",
        "../late",
        "https:",
        "https:/problems/late",
        "https://",
        "https:///problems/late",
        "HTTPS:late",
        "://late",
        "1a:late",
        "https://api.example.test/problems/la te",
        "https://api.example.test/problems/late\n",
        "https://api.example.test/problems/%zz",
        "https://api.example.test/problems/läte",
        "https://api.example.test/<late>",
        "https://api.example.test/\u202elate",
    ],
)
def test_anything_else_is_no_type(problem_type: str) -> None:
    """A relative or malformed type would never match, so it is refused where it is written."""
    with pytest.raises(ValueError, match="is not an absolute URI such as"):
        Pair(problem_type, 410, "REVIEW_INPUT", "KNOWN_LATE")


@pytest.mark.parametrize("status", [100, 599])
def test_a_status_from_100_to_599_is_taken(status: int) -> None:
    """The ends of the range belong to it."""
    assert Pair(LATE.type, status, "REVIEW_INPUT", "KNOWN_LATE").status == status


@pytest.mark.parametrize("status", [99, 600, 0, -410, True])
def test_any_other_status_is_refused(status: int) -> None:
    """A status that no response can have, or that is no number, is a mistake."""
    with pytest.raises(ValueError, match="is not a whole number from 100 to 599"):
        Pair(LATE.type, status, "REVIEW_INPUT", "KNOWN_LATE")


@pytest.mark.parametrize("decision", DECISIONS)
def test_each_of_the_three_decisions_is_taken(decision: str) -> None:
    """A pair may lead to any of the three decisions."""
    assert Pair(LATE.type, 410, decision, "KNOWN_LATE").decision == decision


@pytest.mark.parametrize("decision", ["", "review_input", "REVIEW_INPUT ", "REVIEW", "RETRY", "allow"])
def test_no_other_decision_exists(decision: str) -> None:
    """A pair can't invent a decision."""
    with pytest.raises(ValueError, match="is not one of REVIEW_INPUT, REVIEW_REVISION, REVIEW_GENERIC"):
        Pair(LATE.type, 410, decision, "KNOWN_LATE")


@pytest.mark.parametrize("reason", ["K", "KNOWN_LATE", "KNOWN_410"])
def test_a_reason_is_written_in_capitals(reason: str) -> None:
    """Capitals, digits and underscores make a reason."""
    assert Pair(LATE.type, 410, "REVIEW_INPUT", reason).reason == reason


@pytest.mark.parametrize(
    "reason", ["", "known_late", "Known", "KNOWN LATE", "_LATE", "4LATE", "KNOWN-LATE", "LATE\n", "SPÄT"]
)
def test_any_other_reason_is_refused(reason: str) -> None:
    """A reason is a code, not prose."""
    with pytest.raises(ValueError, match="is not in capitals such as"):
        Pair(LATE.type, 410, "REVIEW_INPUT", reason)


def test_a_pair_from_a_config_is_held_to_the_same_rules() -> None:
    """Read from outside, a broken pair is refused with the same sentence and the place of it."""
    entry = {"type": "late", "status": 410, "decision": "REVIEW_INPUT", "reason": "KNOWN_LATE"}
    with pytest.raises(msgspec.ValidationError, match=r"type 'late' is not an absolute URI.*\$\[0\]"):
        msgspec.convert([entry], list[Pair])


def test_added_pairs_follow_the_ones_that_ship() -> None:
    """What ships stays known."""
    assert with_added(PAIRS, [LATE]) == (*PAIRS, LATE)


def test_the_same_type_may_be_added_with_another_status() -> None:
    """Type and status count together, so one type can mean two things."""
    other = Pair(LATE.type, 404, "REVIEW_GENERIC", "KNOWN_GONE")
    assert with_added([LATE], [other]) == (LATE, other)


@pytest.mark.parametrize(("pairs", "added"), [((LATE,), (LATE,)), ((), (LATE, LATE)), (PAIRS, PAIRS[:1])])
def test_one_pair_has_one_meaning(pairs: tuple[Pair, ...], added: tuple[Pair, ...]) -> None:
    """A type and status that are already known are not redefined."""
    with pytest.raises(ValueError, match="already has a meaning"):
        with_added(pairs, added)
