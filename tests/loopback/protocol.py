"""The rules of the Messages API that a client can break, checked as the service does.

A conversation that has only grown is read from where it stood, so that a check costs the same at any length.
"""

import json
import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

MESSAGES: Final = b'"messages":['
REMEMBERED: Final = 16

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_ID = re.compile(r"[a-zA-Z0-9_-]+")


class Violation(Exception):
    """What the service would answer with 400 `invalid_request_error`."""


@dataclass(frozen=True)
class History:
    """A conversation as far as the rules, and the brain, need to know it."""

    count: int = 0
    last_role: str | None = None
    open_calls: tuple[str, ...] = ()
    used_ids: frozenset[str] = frozenset()
    last_words: tuple[str, ...] = ()
    last_results: tuple[str, ...] = ()


@dataclass(frozen=True)
class Checked:
    """A request that keeps the rules: its body without the messages, and what they amount to."""

    head: dict[str, Any]
    history: History

    @property
    def may_call(self) -> bool:
        choice = self.head.get("tool_choice") or {"type": "auto"}
        return bool(self.head.get("tools")) and choice["type"] != "none"


class Checker:
    """Checks requests; `paused` is whether the reply before had the stop reason `pause_turn`."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, History] = OrderedDict()

    def check(self, body: bytes, *, paused: bool = False) -> Checked:
        """Return what the request says.

        Raises:
            Violation: It breaks a rule; the message is the service's.
        """
        head, history = self._read(body)
        _check_head(head, history)
        if history.last_role != "user" and not paused:
            raise Violation("messages: the last message must have the role user")
        if history.open_calls:
            raise Violation(
                f"`tool_use` ids were found without `tool_result` blocks: {', '.join(history.open_calls)}"
            )
        return Checked(head, history)

    def _read(self, body: bytes) -> tuple[dict[str, Any], History]:
        start = body.find(MESSAGES) + len(MESSAGES)
        if start < len(MESSAGES) or not body.endswith(b"]}"):
            whole = _json(body)
            messages = whole.get("messages")
            if not isinstance(messages, list):
                raise Violation("messages: Field required")
            return whole, _fold(History(), messages)
        head = _json(body[:start] + b"]}")
        return head, self._grown(body[start:-2])

    def _grown(self, messages: bytes) -> History:
        for known in reversed(self._known):
            if messages.startswith(known) and messages[len(known) : len(known) + 1] in (b"", b","):
                history = _fold(self._known.pop(known), _json_list(messages[len(known) + 1 :]))
                break
        else:
            history = _fold(History(), _json_list(messages))
        self._known[messages] = history
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return history


def _fold(history: History, messages: Sequence[Any]) -> History:
    for message in messages:
        history = _extended(history, message)
    return history


def _extended(history: History, message: Any) -> History:
    where = f"messages.{history.count}"
    role, content = message.get("role"), message.get("content")
    if role not in ("user", "assistant"):
        raise Violation(f"{where}.role: must be user or assistant")
    if role == history.last_role or (history.count == 0 and role != "user"):
        raise Violation(f"{where}: roles must alternate and begin with user")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if not isinstance(blocks, list) or not blocks:
        raise Violation(f"{where}: all messages must have non-empty content")
    for index, block in enumerate(blocks):
        if block["type"] == "text" and not block["text"].strip():
            raise Violation(f"{where}.content.{index}: text content blocks must contain non-whitespace text")
    history = replace(history, count=history.count + 1, last_role=role)
    return _with_calls(history, blocks, where) if role == "assistant" else _with_answers(history, blocks, where)


def _with_calls(history: History, blocks: Sequence[Any], where: str) -> History:
    calls = [block for block in blocks if block["type"] == "tool_use"]
    for call in calls:
        if not _ID.fullmatch(call["id"]) or not _NAME.fullmatch(call["name"]):
            raise Violation(f"{where}: a tool_use id or name does not match its pattern")
        if not isinstance(call["input"], dict):
            raise Violation(f"{where}: tool_use.input: Input should be a valid dictionary")
    ids = tuple(call["id"] for call in calls)
    if len(set(ids)) < len(ids) or history.used_ids & set(ids):
        raise Violation(f"{where}: `tool_use` ids must be unique")
    return replace(history, open_calls=ids, used_ids=history.used_ids | set(ids), last_words=(), last_results=())


def _with_answers(history: History, blocks: Sequence[Any], where: str) -> History:
    kinds = [block["type"] for block in blocks]
    answers = [block for block in blocks if block["type"] == "tool_result"]
    if kinds[: len(answers)] != ["tool_result"] * len(answers):
        raise Violation(f"{where}: `tool_result` blocks must come before any text")
    answered = [answer["tool_use_id"] for answer in answers]
    missing = [call for call in history.open_calls if call not in answered]
    if missing:
        raise Violation(
            f"{where}: `tool_use` ids were found without `tool_result` blocks immediately after: {', '.join(missing)}"
        )
    if len(answered) != len(history.open_calls):
        raise Violation(f"{where}: unexpected `tool_use_id` found in `tool_result` blocks")
    return replace(
        history,
        open_calls=(),
        last_words=tuple(block["text"] for block in blocks if block["type"] == "text"),
        last_results=tuple(_as_text(answer["content"]) for answer in answers),
    )


def _check_head(head: dict[str, Any], history: History) -> None:
    if not isinstance(head.get("model"), str) or not head["model"]:
        raise Violation("model: Field required")
    if not isinstance(head.get("max_tokens"), int) or head["max_tokens"] < 1:
        raise Violation("max_tokens: must be at least 1")
    tools = head.get("tools") or []
    names = [tool["name"] for tool in tools]
    if len(set(names)) < len(names):
        raise Violation("tools: Tool names must be unique.")
    for index, tool in enumerate(tools):
        if not _NAME.fullmatch(tool["name"]) or tool["input_schema"].get("type") != "object":
            raise Violation(f"tools.{index}: a name or an input_schema is not valid")
    if history.used_ids and not tools:
        raise Violation("Requests which include `tool_use` or `tool_result` blocks must define tools")
    if head.get("tool_choice") and not tools:
        raise Violation("tool_choice may only be specified while providing tools")


def _as_text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _json(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
        # Valid JSON may still hold half a surrogate pair; the service refuses that too.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise Violation("The request body is not valid JSON") from error
    if not isinstance(value, dict):
        raise Violation("The request body is not an object")
    return value


def _json_list(messages: bytes) -> list[Any]:
    found: list[Any] = _json(b'{"messages":[' + messages + b"]}")["messages"]
    return found
