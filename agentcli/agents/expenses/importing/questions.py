"""What only a person knows about a file, as a form. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct


class Question(Struct, frozen=True):
    """Something to choose; `name` is the field of the form, and `shown` are lines that help to answer."""

    name: str
    title: str
    choices: tuple[str, ...]
    shown: tuple[str, ...] = ()


def form_schema(questions: Sequence[Question], content: str) -> Mapping[str, Any]:
    """Return the form in which the questions about a content are asked, as JSON Schema.

    Args:
        content: What names the content; it comes back beside each answer.
    """
    properties: dict[str, Any] = {}
    for question in questions:
        properties[question.name] = {"type": "string", "title": question.title, "enum": list(question.choices)}
        properties[_about(question.name)] = {"const": content}
    return {"type": "object", "properties": properties, "required": [question.name for question in questions]}


def answers_about(content: str, filled_in: Mapping[str, Any]) -> Mapping[str, str]:
    """Return what a person has said about this content; what was said about another counts for nothing."""
    return {name: said for name, said in filled_in.items() if filled_in.get(_about(name)) == content}


def _about(name: str) -> str:
    return f"{name}_of"
