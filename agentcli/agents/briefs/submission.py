"""A brief is submitted: what comes back is put into words of our own, and into the log as codes alone."""

import asyncio
import logging
import os
from collections.abc import Mapping
from typing import Any

import msgspec

from agentcli.agents.briefs.adapter import Disruption, Way, post
from agentcli.agents.briefs.api import embedded_api
from agentcli.agents.briefs.rules import Brief, address, disruption_message, review_message
from agentcli.problems import PAIRS, classify, with_added
from agentcli.tools.outcome import Category, ToolFailure

log = logging.getLogger(__name__)


async def submit(brief: Brief, options: Mapping[str, Any]) -> dict[str, Any]:
    """Send a brief once and return the outcome, with nothing of the answer but its status.

    Raises:
        ToolFailure: No answer came; it may be tried again only if the API surely did not get the brief.
    """
    api_url = options["api_url"] or await asyncio.to_thread(embedded_api)
    way = Way(url=address(api_url), timeout_s=options["timeout_s"], proxy=options["proxy"])
    answer = await post(way, msgspec.json.encode(brief.as_result()))
    if isinstance(answer, Disruption):
        raise _disrupted(brief, answer)
    if answer.is_success:
        return {"status": "accepted", "brief": brief.as_result()}
    pairs = with_added(PAIRS, options["problems"])
    review = classify(answer.status, answer.content_type, answer.body, pairs=pairs)
    log.info("review: %s, HTTP status %s", review["reason"], review["http_status"])
    return {"status": "review", "review": review, "message": review_message(brief.id, review)}


def _disrupted(brief: Brief, why: Disruption) -> ToolFailure:
    reference = os.urandom(4).hex()
    log.warning("disruption %s: %s, no HTTP status", reference, why)
    message = disruption_message(brief.id, sent=why.sent, reference=reference)
    return ToolFailure("service_disruption", Category.TRANSIENT, message, retryable=not why.sent)
