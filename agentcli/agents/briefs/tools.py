"""The tools of the briefs agent: drafts are looked at and edited in the store, and submitted to an API outside."""

import asyncio
import importlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta

from agentcli.agents.briefs.book import Drafts
from agentcli.agents.briefs.rules import (
    EMBEDDED,
    LONGEST_WAIT_S,
    Brief,
    address,
    differences,
    edited,
    no_such_brief,
)
from agentcli.agents.failures import changed_since
from agentcli.tools.outcome import Undoable
from agentcli.tools.tool import Acts, Place, Values
from agentcli.tools.toolset import Toolset

# The adapter gives up after twice the longest wait: a call is never left behind with nobody waiting for it.
_TIMEOUT_S: Final = 2 * LONGEST_WAIT_S + 10

tools = Toolset("briefs", acts=Acts.IN_STORE)

BriefId = Annotated[str, Meta(description="id of the brief, such as V-1, as list_briefs shows it")]
Title = Annotated[str, Meta(max_length=200, description="what the video is called")]
Seconds = Annotated[int, Meta(ge=1, le=86_400, description="how long the video is to be, in seconds")]
Captions = Annotated[bool, Meta(description="whether the video has captions")]


@tools.read(fields=("briefs",))
def list_briefs(place: Place) -> dict[str, Any]:
    """List all drafts."""
    return {"status": "ok", "briefs": [brief.as_result() for brief in Drafts(place.tables).all()]}


@tools.read(fields=("brief",), statuses={"brief_not_found": "validation"})
def get_brief(place: Place, brief_id: BriefId) -> dict[str, Any]:
    """Look at one draft."""
    return {"status": "ok", "brief": _existing(place, brief_id).as_result()}


def _check_edit(place: Place, values: Values) -> str | None:
    if all(value is None for name, value in values.items() if name != "brief_id"):
        return "nothing to change: give at least one of title, seconds and captions"
    return None


def _edited(brief: Brief, values: Values) -> Brief:
    return edited(brief, title=values["title"], seconds=values["seconds"], captions=values["captions"])


def _preview_edit(place: Place, values: Values) -> Sequence[str]:
    brief = Drafts(place.tables).find(values["brief_id"])
    if brief is None:
        return [_nothing_there(values["brief_id"])]
    return [f"will change: {brief}", *differences(brief, _edited(brief, values))]


def _undo_edit(place: Place, values: Values, result: Values, before: Values) -> None:
    drafts, left = Drafts(place.tables), Brief.from_result(result["brief"])
    found = drafts.find(left.id)
    if found is None:
        raise changed_since(f"brief {left.id} is gone; there is nothing left to undo")
    if found != left:
        changes = "; ".join(differences(left, found))
        raise changed_since(f"brief {left.id} was changed since: {changes}. Undo that first.")
    drafts.put(Brief.from_result(before))


@tools.write(
    fields=("brief",),
    statuses={"brief_not_found": "validation"},
    check=_check_edit,
    preview=_preview_edit,
    undo=_undo_edit,
)
def edit_brief(
    place: Place,
    *,
    brief_id: BriefId,
    title: Title | None = None,
    seconds: Seconds | None = None,
    captions: Captions | None = None,
) -> Undoable:
    """Change a draft, which raises its revision; what is left out stays as it is."""
    before = _existing(place, brief_id)
    after = _edited(before, {"title": title, "seconds": seconds, "captions": captions})
    Drafts(place.tables).put(after)
    return Undoable({"status": "ok", "brief": after.as_result()}, before=before.as_result())


def _preview_submit(place: Place, values: Values) -> Sequence[str]:
    brief = Drafts(place.tables).find(values["brief_id"])
    if brief is None:
        return [_nothing_there(values["brief_id"])]
    api_url = place.options["api_url"]
    return [f"will send: {brief}", f"to: {address(api_url) if api_url else EMBEDDED}"]


def _draft(place: Place, values: Values) -> Brief:
    return _existing(place, values["brief_id"])


async def _submit_to_embedded(place: Place, brief_id: str, prepared: Brief) -> dict[str, Any]:
    return await _submit(prepared, {**place.options, "api_url": ""})


@tools.irreversible(
    acts=Acts.ELSEWHERE,
    fields=("brief", "review"),
    keeps=("review",),
    statuses={
        "accepted": None,
        "review": "business",
        "service_disruption": "transient",
        "brief_not_found": "validation",
    },
    prepare=_draft,
    preview=_preview_submit,
    simulate=_submit_to_embedded,
    timeout=_TIMEOUT_S,
)
async def submit_brief(place: Place, brief_id: BriefId, prepared: Brief) -> dict[str, Any]:
    """Send a draft to the API as it stands; this can't be undone.

    `accepted` is the only success. A `review` is for a person to look at: tell the user its category and hint.
    """
    return await _submit(prepared, place.options)


async def _submit(brief: Brief, options: Mapping[str, Any]) -> dict[str, Any]:
    # With its HTTP library it takes a moment to load: not before it is needed, and not where the keyboard waits.
    await asyncio.to_thread(importlib.import_module, "agentcli.agents.briefs.submission")
    from agentcli.agents.briefs.submission import submit  # noqa: PLC0415  # as above

    return await submit(brief, options)


def _nothing_there(brief_id: str) -> str:
    return f"there is no brief {brief_id}: nothing will happen"


def _existing(place: Place, brief_id: str) -> Brief:
    brief = Drafts(place.tables).find(brief_id)
    if brief is None:
        raise no_such_brief(brief_id)
    return brief
