"""What a problem response means: a review category for a person."""

from agentcli.problems.classify import MAX_BODY_BYTES, PROBLEM_MEDIA_TYPE, Review, classify
from agentcli.problems.pairs import DECISIONS, PAIRS, Pair, with_added

__all__ = [
    "DECISIONS",
    "MAX_BODY_BYTES",
    "PAIRS",
    "PROBLEM_MEDIA_TYPE",
    "Pair",
    "Review",
    "classify",
    "with_added",
]
