"""What is wrong with a command line, told with what the right one could be."""

import pytest

from agentcli.cli.app import run

SEE = "; see `agentcli --help`"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        pytest.param(
            ["run", "Add", "300", "for", "tea"],
            "agentcli run: got more than it takes: 300 for tea; MESSAGE stands in quotes, "
            'as in `agentcli run "MESSAGE"`; see `agentcli run --help`',
            id="message without quotes",
        ),
        pytest.param(
            ["sessions", "rename", "08j3", "Tea", "in", "June"],
            "agentcli sessions rename: got more than it takes: in June; TITLE stands in quotes, "
            'as in `agentcli sessions rename SESSION "TITLE"`; see `agentcli sessions rename --help`',
            id="title without quotes",
        ),
        pytest.param(
            ["approvals", "answer", "call_3f", '{"day":', "1}"],
            "agentcli approvals answer: got more than it takes: 1}; JSON stands in quotes, "
            "as in `agentcli approvals answer CALL 'JSON'`; see `agentcli approvals answer --help`",
            id="JSON without quotes",
        ),
        pytest.param(
            ["doctor", "now"],
            "agentcli doctor: got more than it takes: now; see `agentcli doctor --help`",
            id="nothing that takes words",
        ),
        pytest.param(
            ["resume", "08j3", "08j4"],
            "agentcli resume: got more than it takes: 08j4; see `agentcli resume --help`",
            id="an id is one word",
        ),
        pytest.param(
            ["run", "-5 for tea"],
            "agentcli run: no such option: -5; what begins with - stands after --, "
            'as in `agentcli run -- "MESSAGE"`; see `agentcli run --help`',
            id="message that begins with a dash",
        ),
        pytest.param(
            ["say", "08j3", "-x"],
            "agentcli say: no such option: -x; what begins with - stands after --, "
            'as in `agentcli say SESSION -- "TEXT"`; see `agentcli say --help`',
            id="words that begin with a dash",
        ),
        pytest.param(
            ["run", "--agnt", "support", "hi"],
            "agentcli run: no such option: --agnt; did you mean '--agent'? see `agentcli run --help`",
            id="option spelled wrong",
        ),
        pytest.param(
            ["tools", "list", "--sesion", "x"],
            "agentcli tools list: no such option: --sesion; see `agentcli tools list --help`",
            id="nothing like any option",
        ),
        pytest.param(
            ["run", "-h"],
            "agentcli run: no such option: -h; did you mean '--help'? see `agentcli run --help`",
            id="help as other programs have it",
        ),
        pytest.param(
            ["doctor", "-x"], "agentcli doctor: no such option: -x; see `agentcli doctor --help`", id="no option"
        ),
        pytest.param(
            ["--json", "sessions", "list"],
            f"agentcli: --json stands after the command, as in `agentcli COMMAND --json`{SEE}",
            id="--json before the command",
        ),
        pytest.param(
            ["-a", "support", "chat"],
            f"agentcli: -a stands after the command, as in `agentcli COMMAND -a`{SEE}",
            id="-a before the command",
        ),
        pytest.param(
            ["sessions", "list", "--db", "x.db"],
            "agentcli sessions list: --db stands before the command, as in `agentcli --db FILE sessions list`; "
            "see `agentcli sessions list --help`",
            id="--db after the command",
        ),
        pytest.param(
            ["sessions"],
            "agentcli sessions: say which: list, show, export, rename, delete; see `agentcli sessions --help`",
            id="group alone",
        ),
        pytest.param(
            ["help"], "agentcli: no such command 'help'; did you mean '--help'? see `agentcli --help`", id="help"
        ),
        pytest.param(
            ["audit", "help"],
            "agentcli audit: no such command 'help'; did you mean '--help'? see `agentcli audit --help`",
            id="help of a group",
        ),
        pytest.param(
            ["version"],
            "agentcli: no such command 'version'; did you mean '--version'? see `agentcli --help`",
            id="version",
        ),
        pytest.param(
            ["What is my total?"],
            "agentcli: no such command 'What is my total?'; did you mean 'run MESSAGE' or 'chat MESSAGE'? "
            "see `agentcli --help`",
            id="message without a command",
        ),
        pytest.param(
            ["init"],
            "agentcli: no such command 'init'; did you mean 'config init'? see `agentcli --help`",
            id="command without its group",
        ),
        pytest.param(
            ["chatt"],
            "agentcli: no such command 'chatt'; did you mean 'chat'? see `agentcli --help`",
            id="command",
        ),
        pytest.param(["xyz"], f"agentcli: no such command 'xyz'{SEE}", id="no command"),
        pytest.param(["--db"], f"agentcli: option '--db' requires an argument{SEE}", id="option without a value"),
        pytest.param(
            ["run", "hi", "--agent"],
            "agentcli run: option '--agent' requires an argument; see `agentcli run --help`",
            id="option of a command without a value",
        ),
        pytest.param(
            ["sessions", "--json", "list"],
            "agentcli sessions: --json stands after the command, as in `agentcli sessions COMMAND --json`; "
            "see `agentcli sessions --help`",
            id="option before the command of a group",
        ),
        pytest.param(
            ["resume", "--session", "08j3"],
            "agentcli resume: no such option: --session; it is typed without that, as in "
            "`agentcli resume SESSION`; see `agentcli resume --help`",
            id="argument as an option",
        ),
        pytest.param(
            ["chat", "--json"],
            "agentcli chat: no such option: --json; `agentcli run` has it; see `agentcli chat --help`",
            id="option of another command",
        ),
        pytest.param(
            ["run", "--verify", "hi"],
            "agentcli run: no such option: --verify; what begins with - stands after --, "
            'as in `agentcli run -- "MESSAGE"`; see `agentcli run --help`',
            id="option of no command",
        ),
        pytest.param(
            ["run", "--tool", "get_total", "hi"],
            "agentcli run: no such option: --tool; did you mean '--tool-level'? see `agentcli run --help`",
            id="beginning of an option",
        ),
    ],
)
def test_what_was_meant_is_told(typed: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line on stderr, and the exit code for wrong usage."""
    assert run(typed) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", said + "\n")
