"""The table of commands; the module of one is imported when that one is asked for."""

from typing import Final

from msgspec import Struct


class Listed(Struct, frozen=True):
    """A command as the root's help lists it; the module of its name, in its room, holds it as `app`."""

    name: str
    group: str
    summary: str
    room: str

    @property
    def module(self) -> str:
        """Where it is imported from."""
        return f"agentcli.cli.{self.room}.{self.name}"


COMMANDS: Final = (
    #      name          group     summary                                                 room
    Listed("chat",       "Talk",   "talk to an agent; it asks before gated calls",         "talk"),
    Listed("run",        "Talk",   "one run, then exit (scripts, CI)",                     "talk"),
    Listed("resume",     "Talk",   "go on where a session stopped",                        "talk"),
    Listed("say",        "Talk",   "speak to a session that is running elsewhere",         "talk"),
    Listed("stop",       "Talk",   "ask a running session to stop at a safe point",        "talk"),
    Listed("approvals",  "Decide", "see what waits for a person, and answer it",           "decide"),
    Listed("undo",       "Decide", "reverse the last write",                               "decide"),
    Listed("sessions",   "Look",   "list, show, export what was said and done",            "sessions"),
    Listed("audit",      "Look",   "the record: show, verify, export, learn from it",      "record"),
    Listed("tools",      "Look",   "what an agent can do, and what each level says",       "look"),
    Listed("compare",    "Look",   "the same message at several levels, side by side",     "look"),
    Listed("demo",       "Look",   "play a scripted demo, or check it",                    "look"),
    Listed("config",     "Set up", "what holds and where it came from",                    "set_up"),
    Listed("doctor",     "Set up", "check key, terminal, store and config",                "set_up"),
    Listed("selftest",   "Set up", "try the question against known attacks",               "set_up"),
    Listed("completion", "Set up", "let Tab complete agentcli in bash, zsh and fish",      "set_up"),
    Listed("drain",      "Set up", "let starting runs wait, in the whole store",           "set_up"),
    Listed("classify",   "Other",  "put an HTTP problem response into a review category",  "look"),
)  # fmt: skip

BY_NAME: Final = {listed.name: listed for listed in COMMANDS}
