"""The table of commands; the module of one is imported when that one is asked for."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Listed:
    """A command as the root's help lists it; its module holds it as `app`."""

    name: str
    group: str
    summary: str
    module: str


COMMANDS: Final = (
    #      name         group     summary                                                module
    Listed("chat",      "Talk",   "talk to an agent; it asks before gated calls",        "agentcli.cli.chat"),
    Listed("run",       "Talk",   "one run, then exit (scripts, CI)",                    "agentcli.cli.run"),
    Listed("resume",    "Talk",   "go on where a session stopped",                       "agentcli.cli.resume"),
    Listed("say",       "Talk",   "speak to a session that is running elsewhere",        "agentcli.cli.say"),
    Listed("stop",      "Talk",   "ask a running session to stop at a safe point",       "agentcli.cli.stop"),
    Listed("approvals", "Decide", "see what waits for a person, and answer it",          "agentcli.cli.approvals"),
    Listed("undo",      "Decide", "reverse the last write",                              "agentcli.cli.undo"),
    Listed("sessions",  "Look",   "list, show, export what was said and done",           "agentcli.cli.sessions"),
    Listed("audit",     "Look",   "the record: show, verify, export, learn from it",     "agentcli.cli.audit"),
    Listed("tools",     "Look",   "what an agent can do, and what each level says",      "agentcli.cli.tools"),
    Listed("compare",   "Look",   "the same message at several levels, side by side",    "agentcli.cli.compare"),
    Listed("demo",      "Look",   "play a scripted demo, or check it",                   "agentcli.cli.demo"),
    Listed("config",    "Set up", "what holds and where it came from",                   "agentcli.cli.config"),
    Listed("doctor",    "Set up", "check key, terminal, store and config",               "agentcli.cli.doctor"),
    Listed("selftest",  "Set up", "try the question against known attacks",              "agentcli.cli.selftest"),
    Listed("completion", "Set up", "let Tab complete agentcli in bash, zsh and fish",   "agentcli.cli.completion"),
    Listed("drain",     "Set up", "let starting runs wait, in the whole store",          "agentcli.cli.drain"),
    Listed("classify",  "Other",  "put an HTTP problem response into a review category", "agentcli.cli.classify"),
)  # fmt: skip

BY_NAME: Final = {listed.name: listed for listed in COMMANDS}
