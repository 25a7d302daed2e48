"""`agentcli approvals`: see what waits for a person, and answer it, whichever process it waits in."""

import sys
from itertools import starmap
from typing import Annotated, Final

import msgspec
import typer

from agentcli.cli.apps import App
from agentcli.cli.decide.called import call_named, store_of
from agentcli.cli.decide.waiting import HEADER, Shown, cells, detail
from agentcli.cli.exits import Exit, Refusal, WrongUsage
from agentcli.cli.looking import exit_after
from agentcli.cli.options import AsJson, text_argument, text_option
from agentcli.cli.setup import command_line
from agentcli.cli.writing import output
from agentcli.session import persons
from agentcli.session.entries import Reconciliation
from agentcli.session.pending import Kind
from agentcli.store.damaged import Damaged
from agentcli.terminal.drawing.columns import whole
from agentcli.terminal.drawing.styled import draw_all
from agentcli.terminal.faces.plain import is_one_terminal
from agentcli.terminal.faces.printed import terminal_size
from agentcli.tools.risk import Risk
from agentcli.wiring import outside

WITHOUT_TERMINAL: Final = {
    "write": frozenset({Risk.READ, Risk.WRITE}),
    "irreversible": frozenset(Risk),
}

app = App()

CallArgument = Annotated[str, text_argument("CALL", "the call's id, or the beginning of it")]


@app.callback()
def approvals() -> None:
    """Show what waits for a person, and answer it.

    An answer is recorded, and nothing is run here: a process that holds the session goes on by itself, else the
    command that goes on is printed.
    """


@app.command(
    "list",
    epilog="""\b
Examples:
  agentcli approvals list
  agentcli approvals list --json | jq -r '.[].call_id'""",
)
def list_(ctx: typer.Context, as_json: AsJson = False) -> Exit:
    """List what waits: calls for a yes or no, forms to be filled in, outcomes that nobody knows."""
    damaged = Damaged()
    with store_of(ctx) as (_, _, store):
        found = [] if store is None else list(outside.all_waiting(store, damaged))
    if as_json:
        output.json_line([waits for waits, _ in found])
    elif found:
        rows = list(starmap(cells, found))
        output.write("\n".join(whole(HEADER, rows, width=terminal_size().columns)) + "\n")
    else:
        output.note("nothing waits for a person")
    return exit_after(damaged)


@app.command(
    epilog="""\b
Examples:
  agentcli approvals show call_3f"""
)
def show(ctx: typer.Context, call: CallArgument, as_json: AsJson = False) -> None:
    """Show a call that waits, with all of its input, what it would do, and how to answer."""
    with call_named(ctx, call) as at:
        seen = at.look()
        if seen.waits is None:
            raise Refusal(f"nothing about {seen.call.tool!r} waits for a person: {seen.obstacle}")
        if as_json:
            form = seen.call.suspended if seen.call.waits_for_form else None
            more = Shown() if form is None else Shown(question=form.question, schema=form.schema)
            output.json_line(msgspec.structs.asdict(seen.waits) | msgspec.structs.asdict(more))
            return
        command = command_line(at.flags, "approvals")
        output.write(draw_all(detail(seen.waits, seen.call, command), colour=output.has_colour(sys.stdout)))


@app.command(
    epilog="""\b
Examples:
  agentcli approvals approve call_3f
  agentcli approvals approve call_3f --code 3fa9c1"""
)
def approve(
    ctx: typer.Context,
    call: CallArgument,
    code: Annotated[
        str | None, text_option("--code", metavar="C", help="the code of the question that was seen")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Say yes to a call: the question is asked at the terminal; without one, --code names the one that was seen.

    Without a terminal only reads and writes are approved, unless the config says otherwise.
    """
    with call_named(ctx, call) as at:
        if is_one_terminal(sys.stdin, sys.stdout):
            from agentcli.cli.decide.approving import approve_here  # noqa: PLC0415  # it loads what draws

            return approve_here(at, code, as_json=as_json)
        if code is None:
            shown = command_line(at.flags, "approvals", "show", at.call_id)
            raise WrongUsage(f"without a terminal an approval needs --code; `{shown}` shows it")
        at.expect(Kind.APPROVAL)
        given = persons.Given("approved", code.strip().lower())
        allowed = WITHOUT_TERMINAL[at.config.approval.without_terminal]
        answered = outside.answer(at.store, at.session, at.call_id, given, at.person, may_approve=allowed)
        at.conclude(answered, as_json=as_json)
        return Exit.DONE


@app.command(
    epilog="""\b
Examples:
  agentcli approvals decline call_3f --reason 'keep that one'"""
)
def decline(
    ctx: typer.Context,
    call: CallArgument,
    reason: Annotated[str, text_option("--reason", metavar="TEXT", help="what the model is told")] = "",
    as_json: AsJson = False,
) -> None:
    """Say no to a call: to its question, or to the form that it asks to be filled in."""
    with call_named(ctx, call) as at:
        if at.look().call.waits_for_form:
            declined = outside.decline_form(at.store, at.session, at.call_id, reason.strip(), at.person)
            at.conclude(declined, as_json=as_json)
            return
        seen = at.expect(Kind.APPROVAL)
        given = persons.Given("declined", seen.call.question_code, reason.strip())
        answered = outside.answer(at.store, at.session, at.call_id, given, at.person)
        at.conclude(answered, as_json=as_json)


@app.command(
    epilog="""\b
Examples:
  agentcli approvals answer call_3f '{"date_order": "day first"}'"""
)
def answer(
    ctx: typer.Context,
    call: CallArgument,
    filled_in: Annotated[str, text_argument("JSON", "the form filled in, as `approvals show` asks for it")],
    code: Annotated[
        str | None, text_option("--code", metavar="C", help="the code of the form that was seen")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fill in the form that a call asks for; with --code, that one and no other."""
    seen = None if code is None else code.strip().lower()
    with call_named(ctx, call) as at:
        at.expect(Kind.INPUT)
        supplied = outside.supply(at.store, at.session, at.call_id, filled_in, at.person, code=seen)
        at.conclude(supplied, as_json=as_json)


@app.command(
    epilog="""\b
Examples:
  agentcli approvals settle call_3f happened
  agentcli approvals settle call_3f retry"""
)
def settle(
    ctx: typer.Context,
    call: CallArgument,
    outcome: Annotated[str, text_argument("happened|not|retry", "what became of it, or to run it once more")],
    as_json: AsJson = False,
) -> None:
    """Say what became of a call that had started and never reported back."""
    said = _outcome(outcome)
    with call_named(ctx, call) as at:
        at.expect(Kind.OUTCOME)
        reconciled = outside.settle(at.store, at.session, at.call_id, said, at.person)
        at.conclude(reconciled, as_json=as_json)


def _outcome(text: str) -> Reconciliation:
    match text:
        case "happened" | "not" | "retry":
            return text
        case _:
            raise WrongUsage(f"{text!r} is none of happened, not and retry")
