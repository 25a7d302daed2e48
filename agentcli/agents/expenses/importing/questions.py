"""What only a person knows about a file, as a form. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Question:
    """Something to choose; `name` is the field of the form, and `shown` are lines that help to answer."""

    name: str
    title: str
    choices: tuple[str, ...]
    shown: tuple[str, ...] = ()


def form_schema(questions: Sequence[Question]) -> Mapping[str, Any]:
    """Return the form in which the questions are asked, as JSON Schema."""
    return {
        "type": "object",
        "properties": {
            question.name: {"type": "string", "title": question.title, "enum": list(question.choices)}
            for question in questions
        },
        "required": [question.name for question in questions],
    }
