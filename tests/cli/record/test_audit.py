"""`agentcli audit`: the record answers which rule, who, and whether anybody tampered with it."""

import json
import random
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from agentcli.gate.verdicts import Decision, Verdict
from agentcli.session import entries as e
from agentcli.store.register import create_session
from agentcli.store.sqlite import SqliteStore
from agentcli.tools.risk import Risk
from agentcli.visible import valid_unicode
from tests.cli.process import Home
from tests.cli.waiting import OFFLINE, SEED, ask
from tests.store.samples import OPENED
from tests.store.tampering import change_entry, tamper

FIELDS: Final = ["session", "seq", "at", "tool", "call_id", "risk", "level", "decision", "rules", "digest"]
MAY_BE_THERE: Final = ["answer", "by", "seconds", "code", "outcome", "result_digest"]
STRINGS: Final = 10_000


@pytest.fixture(scope="module")
def told_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of three sessions: declined at level 2, half done at level 3, denied at level 1."""
    home = Home(tmp_path_factory.mktemp("told"))
    home.run("run", *OFFLINE, "--on-ask", "decline", SEED)
    home.run("run", *OFFLINE, "--autonomy", "3", SEED)
    home.run("run", *OFFLINE, "--autonomy", "1", 'call save_note {"text": "one\\ntwo"}')
    return home.store


@pytest.fixture
def told(home: Home, told_once: Path) -> Home:
    """A home with a copy of that store."""
    home.store.parent.mkdir(parents=True)
    shutil.copy(told_once, home.store)
    return home


def exported(home: Home, *arguments: str) -> list[dict[str, Any]]:
    ended = home.run("audit", "export", *arguments)
    assert (ended.code, ended.err) == (0, "")
    return ended.events


def sessions(home: Home) -> list[str]:
    """In the order in which they began."""
    return sorted(one["id"] for one in home.run("sessions", "list", "--json").json)


@pytest.mark.parametrize("command", ["show", "export", "verify", "stats"])
def test_looking_makes_no_file(home: Home, command: str) -> None:
    """Where there is no store yet there is nothing to see, and that is no error."""
    assert home.run("audit", command).code == 0
    assert not home.store.exists()


def test_the_list_has_every_decision_the_newest_last(told: Home) -> None:
    """Automatic ones too; what was answered and what came of it stand on the same line."""
    lines = told.run("audit", "show").out.splitlines()
    assert [line.split("  ", 3)[3] for line in lines] == [
        lines[0].split("  ", 3)[3],
        lines[1].split("  ", 3)[3],
        '[allow] add_expense {"item":"groceries","amount":300} · ok',
        '[ask] delete_expense {"id":1} · not answered',
        '[deny] save_note {"text":"one\\ntwo"} — not permitted at this autonomy level (1)',
    ]
    assert (
        lines[0].split("  ", 3)[3].startswith('[ask] add_expense {"item":"groceries","amount":300} · declined by ')
    )
    assert [line.split("  ")[1] for line in lines] == [one["session"] for one in exported(told)]


def test_the_list_for_programs_is_the_export_as_one_array(told: Home) -> None:
    """The same records, on one line."""
    assert told.run("audit", "show", "--json").json == exported(told)


@pytest.mark.parametrize(
    ("arguments", "tools"),
    [
        (("--tool", "add_expense"), ["add_expense", "add_expense"]),
        (("--tool", "nothing"), []),
        (("--decision", "deny"), ["save_note"]),
        (("--decision", "ask", "--tool", "delete_expense"), ["delete_expense", "delete_expense"]),
        (("--since", "1h"), ["add_expense", "delete_expense", "add_expense", "delete_expense", "save_note"]),
        (("--since", "2999-01-01"), []),
    ],
    ids=" ".join,
)
def test_decisions_are_chosen_by_what_they_are(told: Home, arguments: tuple[str, ...], tools: list[str]) -> None:
    """By tool, decision and time, in the list as in the export."""
    assert [one["tool"] for one in exported(told, *arguments)] == tools
    assert [one["tool"] for one in told.run("audit", "show", *arguments, "--json").json] == tools


@pytest.mark.parametrize("command", ["show", "stats"])
def test_that_nothing_fits_is_told_from_that_there_is_nothing(home: Home, command: str) -> None:
    """A name typed wrong does not look like an empty record."""
    assert home.run("audit", command, "--tool", "add_expens").err == "none of the decisions fits\n"
    assert home.run("audit", command).err == "no decisions yet\n"


@pytest.mark.parametrize("command", ["show", "stats"])
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--tool", "add_expens"), "none of the decisions fits; did you mean 'add_expense'?\n"),
        (("--tool", "add_expense", "--since", "2999-01-01"), "none of the decisions fits\n"),
        (("--tool", "zzz"), "none of the decisions fits\n"),
    ],
    ids=["spelled wrong", "of another time", "like no other"],
)
def test_the_nearest_tool_is_told_where_none_is_called_so(
    told: Home, command: str, arguments: tuple[str, ...], said: str
) -> None:
    """Of those that the record knows."""
    ended = told.run("audit", command, *arguments)
    assert (ended.code, ended.err) == (0, said)


def test_one_session_can_be_looked_at_alone(told: Home) -> None:
    """A prefix that no other has is enough."""
    newest = sessions(told)[-1]
    for command in ("export", "show"):
        ended = told.run("audit", command, "--session", newest)
        assert (ended.out.count("\n"), "save_note" in ended.out) == (1, True)
    assert [one["tool"] for one in told.run("audit", "stats", "--session", newest, "--json").json["tools"]] == [
        "save_note"
    ]
    assert [
        one["session"] for one in told.run("audit", "verify", "--session", newest, "--json").json["heads"]
    ] == [newest]
    assert told.run("audit", "replay", "--autonomy", "2", "--session", newest, "--json").json["judged"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "--decision", "maybe"), "'maybe' is not one of allow, ask, deny"),
        (("show", "--since", "yesterday"), "'yesterday' is not a day as 2026-11-02, a time, or 7d, 12h or 30m"),
        (("export", "--session", "zzz"), "no session 'zzz'"),
        (("show", "call_nowhere"), "no call 'call_nowhere'"),
        (("show", "call_nowhere", "--tool", "add_expense"), "a call's story is told whole"),
        (("show", "call_nowhere", "--decision", "ask"), "a call's story is told whole"),
        (("show", "call_nowhere", "--since", "7d"), "a call's story is told whole"),
        (("verify", "--against", "missing.json"), "missing.json: No such file or directory"),
        (("stats", "--write", "--json"), "--write prints lines for the config file, which are no JSON"),
        (("replay",), "say what is to be different: --with FILE, --autonomy N, or both"),
        (("replay", "--autonomy", "9"), "9"),
        (("replay", "--with", "missing.toml"), "missing.toml: there is no such file, which --with names"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_usage_is_one_line(told: Home, arguments: tuple[str, ...], said: str) -> None:
    """What is wrong, and nothing else."""
    ended = told.run("audit", *arguments)
    assert (ended.code, said in ended.error) == (2, True)


def test_a_calls_story_shows_what_the_person_saw(home: Home) -> None:
    """The question as it was asked, every rule that spoke, who answered and how fast, what ran, and its digest."""
    waits = ask(home, "add 300 for groceries")
    home.run("approvals", "approve", waits["call_id"], "--code", waits["code"])
    home.run("resume", "--on-ask", "wait")
    (record,) = exported(home)
    story = home.run("audit", "show", waits["call_id"]).out
    for told in (
        f"add_expense · {waits['call_id']} · session {waits['session']}",
        "proposed by the model, call 1 of 1",
        "allow  schema  the input fits the schema",
        "ask    level   level 2 asks for write calls",
        f"│ write · add_expense · call 1 of 1 · code {waits['code']}",
        *(f"│ {line}" for line in waits["preview"]),
        "│ asked because: level 2 asks for write calls",
        'Allow add_expense {"item":"groceries","amount":300}? (y/n)',
        f"[approved] add_expense by {record['by']} after {record['seconds']:.1f} s",
        "through approvals · uid ",
        "looked at again, with the same outcome",
        "ended by its tool",
        record["digest"],
        record["result_digest"],
    ):
        assert told in story


def test_a_calls_story_for_programs_is_its_entries(home: Home) -> None:
    """Its decisions as the export has them, and each entry as it is stored, with its hash."""
    waits = ask(home)
    told = home.run("audit", "show", waits["call_id"], "--json").json
    assert told["decisions"] == [one for one in exported(home) if one["call_id"] == waits["call_id"]]
    assert [one["kind"] for one in told["entries"]] == ["decided", "asked"]
    assert told["entries"][1]["hash"].startswith(waits["code"])
    assert told["entries"][1]["entry"]["preview"] == waits["preview"]


def test_an_export_has_the_fields_that_were_promised(told: Home) -> None:
    """In their order; answer and outcome where there are any, and no others."""
    for record in exported(told):
        names = list(record)
        assert names[:10] == FIELDS
        assert names[10:] == [name for name in MAY_BE_THERE if name in record]
    assert [sorted(set(MAY_BE_THERE) - set(one)) for one in exported(told)] == [
        *([], []),
        ["answer", "by", "code", "seconds"],
        ["answer", "by", "outcome", "result_digest", "seconds"],
        ["answer", "by", "code", "seconds"],
    ]


def test_json_makes_no_difference_to_an_export(told: Home) -> None:
    """It is JSON Lines either way."""
    assert told.run("audit", "export", "--json").out == told.run("audit", "export").out


def hostile_texts() -> list[str]:
    spice = "\n\r\t\x00\x1b\x7f\x85\u2028\u2029\u202e\u200b\ufeff\\\"'{}[],\ud800\U0001f600é"
    dice = random.Random(18)
    return [
        valid_unicode(
            "".join(dice.choice(spice) if dice.random() < 0.5 else chr(dice.randrange(0x110000)) for _ in range(9))
        )
        for _ in range(STRINGS)
    ]


def test_ten_thousand_hostile_inputs_make_one_printable_line_each(home: Home) -> None:
    """Whoever runs `cat` on an export sees one line per decision, and no escape code fires."""
    now = datetime.now(UTC)
    with SqliteStore.open(home.store) as store, store.transaction() as transaction:
        session = create_session(transaction, OPENED, now)
        for number, text in enumerate(hostile_texts()):
            reason = Verdict("schema", Decision.DENY, f"invalid input: {text}")
            call = (f"c{number}", text, json.dumps({"text": text}), "d" * 64)
            transaction.append(session, e.Decided(*call, Risk.WRITE, OPENED.level, Decision.DENY, (reason,)), now)
    out = home.run("audit", "export").out
    assert out.count("\n") == STRINGS == len(out.splitlines())
    assert {char for char in out if not " " <= char <= "~"} == {"\n"}
    assert [json.loads(line)["tool"] for line in out.splitlines()] == hostile_texts()
    listed = home.run("audit", "show").out
    assert listed.count("\n") == STRINGS
    assert not {char for char in listed if not char.isprintable()} - {"\n"}


def test_a_record_that_nobody_touched_is_whole(told: Home) -> None:
    """Three sessions and the register."""
    ended = told.run("audit", "verify")
    assert (ended.code, ended.err, ended.out.count("\n")) == (0, "", 1)
    assert ended.out.startswith("whole: 4 chains of ")


def test_a_record_that_has_only_grown_passes_against_its_heads(told: Home) -> None:
    """Also where a session was deleted by agentcli since."""
    heads = told.folder / "heads.json"
    heads.write_text(told.run("audit", "verify", "--json").out)
    told.run("run", *OFFLINE, "--continue", "What's my total?")
    assert told.run("sessions", "delete", sessions(told)[0], "--yes").code == 0
    assert told.run("audit", "verify", "--against", str(heads)).code == 0


def test_a_changed_entry_is_a_finding(told: Home) -> None:
    """The exit code is 1, and it says where; the head of that chain is none to keep."""
    session = sessions(told)[1]
    change_entry(told.store, session, 5)
    ended = told.run("audit", "verify")
    assert (ended.code, ended.out.splitlines()[0]) == (1, f"{session}, entry 5: changed")
    assert ended.out.splitlines()[-1].startswith("BROKEN: 3 chains of ")
    found = told.run("audit", "verify", "--json")
    assert (found.code, found.json["whole"]) == (1, False)
    assert found.json["findings"] == [{"session": session, "damage": "changed", "first": 5, "last": 5}]
    assert session not in [one["session"] for one in found.json["heads"]]


def test_a_session_that_was_lost_is_told_from_one_that_was_deleted(told: Home) -> None:
    """The register knows what there has to be."""
    first, second, _ = sessions(told)
    told.run("sessions", "delete", first, "--yes")
    assert told.run("audit", "verify").code == 0
    tamper(told.store, "DELETE FROM journal WHERE session = ?", (second,))
    ended = told.run("audit", "verify")
    assert (ended.code, ended.out.splitlines()[0]) == (1, f"{second}: missing, and nobody deleted it")


def test_yesterdays_file_is_found_against_heads_kept_elsewhere(told: Home) -> None:
    """By itself it looks whole."""
    yesterday = told.folder / "yesterday.db"
    shutil.copy(told.store, yesterday)
    heads = told.folder / "heads.json"
    told.run("run", *OFFLINE, "--continue", "What's my total?")
    heads.write_text(told.run("audit", "verify", "--json").out)
    shutil.copy(yesterday, told.store)
    assert told.run("audit", "verify").code == 0
    ended = told.run("audit", "verify", "--against", str(heads))
    assert (ended.code, "cut off at the end" in ended.out) == (1, True)


def as_heads(entries: int, digest: str) -> str:
    return json.dumps({"heads": [{"session": "s", "entries": entries, "at": "", "hash": digest}]})


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", as_heads(1, "no hex"), as_heads(1, "00"), as_heads(0, "00" * 32), as_heads(-3, "00" * 32)],
)
def test_a_file_that_holds_no_heads_is_wrong_usage(told: Home, text: str) -> None:
    """Nothing is compared with nonsense."""
    heads = told.folder / "heads.json"
    heads.write_text(text)
    ended = told.run("audit", "verify", "--against", str(heads))
    assert (ended.code, "is not what `agentcli audit verify --json` has written" in ended.error) == (2, True)


def test_what_compares_nothing_says_so(told: Home) -> None:
    """Heads of a record that was empty, or of a store that was not there, vouch for nothing."""
    heads = told.folder / "heads.json"
    written = told.run("--db", "missing.db", "audit", "verify", "--json")
    assert (written.code, written.err) == (0, f"there is no store {told.folder / 'missing.db'}\n")
    heads.write_text(written.out)
    ended = told.run("audit", "verify", "--against", str(heads))
    assert (ended.code, ended.err) == (0, f"{heads} holds no heads, so there is nothing to compare with\n")


def test_a_broken_journal_is_not_read_over(told: Home) -> None:
    """What was removed is missing from an export, so there is nothing of that session behind it."""
    broken = sessions(told)[0]
    tamper(told.store, "DELETE FROM journal WHERE session = ? AND seq = 3", (broken,))
    ended = told.run("audit", "export")
    assert (ended.code, "is missing; see `agentcli audit verify`" in ended.err) == (5, True)
    assert broken not in {line["session"] for line in ended.events}


def test_an_entry_that_can_not_be_read_says_how_to_look(told: Home) -> None:
    """It may have been changed, or be of a newer version."""
    tamper(told.store, "UPDATE journal SET body = '{}' WHERE session = ? AND seq = 5", (sessions(told)[0],))
    ended = told.run("audit", "show")
    assert (ended.code, "`agentcli audit verify` tells whether it was changed" in ended.err) == (5, True)


def approved_before(home: Home, count: int, days: int, tool: str = "add_expense") -> None:
    """Fill the record with calls that a person said yes to, a session a day."""
    with SqliteStore.open(home.store) as store, store.transaction() as transaction:
        for day in range(days):
            at = datetime.now(UTC) - timedelta(days=days - day)
            session = create_session(transaction, OPENED, at)
            for number in range(count):
                call_id = f"c{number}"
                verdicts = (Verdict("level", Decision.ASK, "level 2 asks for write calls"),)
                call = (call_id, tool, "{}", "d" * 64)
                transaction.append(session, e.Decided(*call, Risk.WRITE, OPENED.level, Decision.ASK, verdicts), at)
                asked = transaction.append(session, e.Asked(call_id, "d" * 64, (), verdicts), at)
                transaction.append(session, e.Answered(call_id, asked.seq, "approved", "ana", "terminal", 2.5), at)


MORE: Final = "12 of 12 approved over 4 sessions, none undone; level 3 would not have asked"


def test_stats_say_what_follows(home: Home) -> None:
    """By tool and level, and whether a person would have lost anything by not being asked."""
    approved_before(home, 3, 4)
    assert home.run("audit", "stats").out.splitlines() == [
        "add_expense · write",
        "  level 2  12 proposed, 12 asked, 12 approved, answered after 2.5 s (median), 2.5 s at the fastest",
        f"  → {MORE}",
    ]
    assert home.run("audit", "stats", "--json").json["advice"] == [
        {"tool": "add_expense", "level": 3, "why": MORE}
    ]


def test_what_is_long_ago_can_be_left_out(home: Home) -> None:
    """The evidence of the last two and a half days is too little."""
    approved_before(home, 3, 4)
    (one,) = home.run("audit", "stats", "--since", "60h", "--json").json["advice"]
    assert (one["level"], "6 of 6 approved over 2 sessions" in one["why"]) == (None, True)


def test_what_was_undone_counts_whatever_is_chosen(home: Home) -> None:
    """The undo itself was asked about; it is held against the call that ran by itself."""
    home.run("run", *OFFLINE, "--autonomy", "3", "add 3 for tea")
    assert home.run("undo", "--yes").code == 0
    (tally,) = home.run("audit", "stats", "--decision", "allow", "--json").json["tools"]
    assert (tally["level"], tally["allowed"], tally["undone"]) == (3, 1, 1)


def test_the_lines_for_the_config_are_printed_and_nothing_is_changed(home: Home) -> None:
    """A person puts them where they belong; the config then says so itself."""
    approved_before(home, 3, 4)
    ended = home.run("audit", "stats", "--write")
    assert (ended.code, ended.out) == (0, "[autonomy.tools]\nadd_expense = 3\n")
    assert "these lines go to the end of your config file" in ended.err
    assert not home.config.exists()
    home.configure(ended.out)
    assert "it has level 3 by now" in home.run("audit", "stats").out
    assert home.run("audit", "stats", "--write").err == "nothing follows that the config could say\n"


def test_a_tool_that_no_agent_has_by_now_gets_no_line(home: Home) -> None:
    """With it the config would not load."""
    approved_before(home, 3, 4, tool="scrap_car")
    assert home.run("audit", "stats", "--json").json["advice"][0]["level"] == 3
    ended = home.run("audit", "stats", "--write")
    assert (ended.code, ended.out) == (0, "")
    assert ended.err.splitlines() == [
        "'scrap_car' is left out: no agent of the config has it",
        "nothing follows that the config could say",
    ]


def test_where_the_config_has_the_table_only_the_lines_are_printed(home: Home) -> None:
    """A table may stand in a file but once, so its line is named instead."""
    approved_before(home, 3, 4)
    path = home.configure("[autonomy]\nlevel = 2\n\n[autonomy.tools]\nsave_note = 1\n")
    ended = home.run("audit", "stats", "--write")
    assert ended.out == "add_expense = 3\n"
    assert f"below [autonomy.tools], line 4 of {path}" in ended.err
    home.configure(path.read_text() + ended.out)
    assert home.run("config", "show").code == 0


def test_replay_tells_what_another_level_would_have_decided(told: Home) -> None:
    """Each call that would come out differently, the rules that say so, and the sum of it."""
    lines = told.run("audit", "replay", "--autonomy", "3").out.splitlines()
    assert [line.strip() for line in lines if line.startswith("    ")] == [
        "would be allow: level 3 allows write calls",
        "would be allow: level 3 allows write calls",
    ]
    assert lines[-1] == "5 decisions, 2 would be different: 1 ask → allow, 1 deny → allow"
    assert told.run("audit", "show", "--json").json == exported(told)


def test_replay_with_another_config_is_a_diff_before_a_rule_is_changed(told: Home) -> None:
    """Its level, its tools' levels, its limits; the config that holds stays as it is."""
    other = told.folder / "other.toml"
    other.write_text("[autonomy]\nlevel = 1\n[autonomy.tools]\ndelete_expense = 4\n")
    other.chmod(0o600)
    found = told.run("audit", "replay", "--with", str(other), "--json").json
    assert (found["judged"], [(one["tool"], one["was"], one["would_be"]) for one in found["differences"]]) == (
        5,
        [
            ("add_expense", "ask", "deny"),
            ("delete_expense", "ask", "allow"),
            ("add_expense", "allow", "deny"),
            ("delete_expense", "ask", "allow"),
        ],
    )
    both = told.run(
        "audit", "replay", "--with", str(other), "--autonomy", "2", "--decision", "allow", "--json"
    ).json
    assert [(one["was"], one["would_be"]) for one in both["differences"]] == [("allow", "ask")]
    assert both["differences"][0]["because"] == [
        {"rule": "level", "decision": "ask", "reason": "level 2 asks for write calls"}
    ]


def test_sessions_whose_agent_is_gone_are_left_out_and_named(home: Home) -> None:
    """The rest is judged all the same."""
    with SqliteStore.open(home.store) as store, store.transaction() as transaction:
        session = create_session(
            transaction, e.Opened(1, "gone", "m", OPENED.level, {}, False, "", "", "ana"), datetime.now(UTC)
        )
    home.run("run", *OFFLINE, "What's my total?")
    ended = home.run("audit", "replay", "--autonomy", "0")
    assert f"session {session} is left out: no agent 'gone'" in ended.err
    assert ended.out.splitlines()[-1] == "1 decision, 1 would be different: 1 allow → deny"


def mirror_in(home: Home, name: str = "audit.jsonl") -> Any:
    path = home.folder / name
    home.configure(f'[audit]\nfile = "{path}"\n')
    return path


def test_a_mirror_has_the_lines_of_the_export(home: Home) -> None:
    """Each decision as it is made, what came of it too where that is known at once."""
    mirror = mirror_in(home)
    home.run("run", *OFFLINE, "--autonomy", "4", SEED)
    home.run("run", *OFFLINE, "--autonomy", "1", 'call save_note {"text": "x"}')
    assert mirror.read_text() == home.run("audit", "export").out
    assert mirror.stat().st_mode & 0o777 == 0o600


def test_the_last_line_of_a_number_in_the_mirror_has_the_answer(home: Home) -> None:
    """A question is there when it is asked, and again once its answer is acted on."""
    mirror = mirror_in(home)
    waits = ask(home, "add 300 for groceries")
    home.run("approvals", "approve", waits["call_id"], "--code", waits["code"])
    home.run("resume", "--on-ask", "wait")
    first, last = mirror.read_text().splitlines(keepends=True)
    assert ("answer" in json.loads(first), last) == (False, home.run("audit", "export").out)


@pytest.mark.parametrize(
    ("level", "said"),
    [
        (
            "4",
            "level 4 does not start without a record that works: the mirror of the record (audit.file) can't be",
        ),
        ("3", "the mirror of the record (audit.file) can't be written, so nothing runs"),
    ],
)
def test_without_its_mirror_nothing_runs(home: Home, level: str, said: str) -> None:
    """At level 4 no session even begins."""
    mirror = mirror_in(home, "missing/audit.jsonl")
    ended = home.run("run", *OFFLINE, "--autonomy", level, "add 3 for tea")
    assert (ended.code, ended.out) == (5, "")
    assert f"{said}" in ended.err
    assert str(mirror) in ended.err
    home.config.unlink()
    assert len(home.run("sessions", "list", "--json").json) == (0 if level == "4" else 1)
    assert "#2" not in home.run("run", *OFFLINE, "list").out


BREAKING_THE_MIRROR = """
import os
from agentcli import Toolset

tools = Toolset("odd")


@tools.irreversible
def swap(n: int) -> dict:
    "Put a folder in the mirror's place."
    if n == 2:
        os.rename({mirror!r}, {mirror!r} + ".kept")
        os.mkdir({mirror!r})
    return {{"n": n}}
"""


def test_what_has_happened_is_stored_though_its_mirror_is_gone(home: Home) -> None:
    """Its outcome is known; what would follow is refused, and goes on once the mirror can be written again."""
    tools, mirror = home.folder / "odd.py", home.folder / "audit.jsonl"
    tools.write_text(BREAKING_THE_MIRROR.format(mirror=str(mirror)))
    tools.chmod(0o600)
    home.configure(f'[audit]\nfile = "{mirror}"\n[agents.odd]\ntools = "{tools}"\n')
    calls = " & ".join(f'call swap {{"n": {n}}}' for n in (1, 2, 3))
    ended = home.run("run", *OFFLINE, "--agent", "odd", "--autonomy", "4", calls)
    assert (ended.code, "can't be written, so nothing runs" in ended.err) == (5, True)
    assert [one.get("outcome") for one in exported(home)] == ["ok", "ok"]
    mirror.rmdir()
    mirror.with_name(f"{mirror.name}.kept").rename(mirror)
    assert home.run("resume", "--on-ask", "wait", "--autonomy", "4").code == 0
    assert [one["outcome"] for one in exported(home)] == ["ok", "ok", "ok"]
    numbers = [one["seq"] for one in exported(home)]
    assert [json.loads(line)["seq"] for line in mirror.read_text().splitlines()] == numbers


@pytest.mark.parametrize("command", [("run", *OFFLINE, "list"), ("audit", "verify"), ("config", "show")])
def test_a_store_is_never_its_own_mirror(home: Home, command: tuple[str, ...]) -> None:
    """A config that says so is wrong, and the store is left alone."""
    home.run("run", *OFFLINE, "list")
    before = home.store.read_bytes()
    home.configure(f'[audit]\nfile = "{home.store}"\n')
    ended = home.run(*command)
    assert (ended.code, ended.out) == (2, "")
    assert f"{home.config}:2: audit.file: {str(home.store)!r} is kept for the store" in ended.err
    assert home.store.read_bytes() == before


@pytest.mark.parametrize(
    ("make", "is_fine", "said"),
    [
        (lambda mirror: None, True, "will be made when something is decided"),
        (lambda mirror: mirror.touch(0o600), True, ""),
        (lambda mirror: mirror.touch(0o644), False, "is open to others"),
        (lambda mirror: mirror.mkdir(), False, "Is a directory"),
        (lambda mirror: mirror.parent.rmdir(), False, "there is no folder"),
    ],
    ids=["still to come", "there", "open to others", "a folder", "in no folder"],
)
def test_doctor_looks_at_the_mirror(home: Home, make: Any, is_fine: bool, said: str) -> None:
    """And says what to do, before the first run fails over it."""
    (home.folder / "audit").mkdir()
    make(mirror_in(home, "audit/mirror.jsonl"))
    found = {one["check"]: one for one in home.run("doctor", "--json").json}["mirror"]
    assert (found["ok"], said in found["detail"], bool(found["advice"])) == (is_fine, True, not is_fine)


def test_what_is_left_of_a_lost_session_can_be_asked_for(told: Home) -> None:
    """There is nothing, and nothing fails over it."""
    lost = sessions(told)[0]
    tamper(told.store, "DELETE FROM journal WHERE session = ?", (lost,))
    assert exported(told, "--session", lost) == []
    assert told.run("audit", "replay", "--autonomy", "4", "--session", lost, "--json").json["judged"] == 0
    assert told.run("audit", "verify", "--session", lost).code == 1


def test_level_4_does_not_resume_over_a_broken_chain(home: Home) -> None:
    """It says where to look."""
    ask(home)
    (session,) = sessions(home)
    change_entry(home.store, session, 2)
    ended = home.run("resume", "--autonomy", "4", "--on-ask", "wait")
    assert (ended.code, "entry 2: changed; `agentcli audit verify` says more" in ended.error) == (5, True)


@pytest.mark.parametrize("command", [("run", *OFFLINE, "list"), ("resume", "--on-ask", "wait")])
def test_level_4_does_not_start_over_a_broken_register(home: Home, command: tuple[str, ...]) -> None:
    """It would be entered where nobody could tell any more which sessions there were."""
    ask(home)
    change_entry(home.store, "register", 1)
    ended = home.run(*command, "--autonomy", "4")
    assert (ended.code, "the register, entry 1: changed; `agentcli audit verify` says more" in ended.error) == (
        5,
        True,
    )
    assert home.run("run", *OFFLINE, "--autonomy", "3", "list").code == 0
