"""The page about the record: its heads are kept and compared, its fields are those of the export."""

import re
import shlex
from pathlib import Path

import msgspec
import pytest

from agentcli.session.export import Exported
from tests.cli.process import Home
from tests.docs.test_pages import DOCS, blocks

PAGE = (DOCS / "the-record.md").read_text(encoding="utf-8")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_its_heads_are_kept_and_compared(home: Home) -> None:
    """The two commands, one after the other; a cut end is then found."""
    found = re.search(r"<!-- heads -->\n```sh\n(.*?)\n(.*?)\n```", PAGE)
    assert found is not None
    keeping, comparing = (shlex.split(line)[1:] for line in found.groups())
    home.run("run", "--model", "offline", "What's my total?")
    assert keeping[-2:] == [">", "heads.json"]
    (home.folder / "heads.json").write_text(home.run(*keeping[:-2]).out)
    assert home.run(*comparing, cwd=home.folder).code == 0
    home.store.unlink()
    assert home.run(*comparing, cwd=home.folder).code == 1


def test_every_field_of_the_export_is_on_the_page() -> None:
    """In the order in which they are written."""
    named = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)))
    assert named == [field.name for field in msgspec.structs.fields(Exported)]


def test_its_config_loads_and_has_the_mirror_written(home: Home) -> None:
    """With a line for each decision."""
    (text,) = [block.text for block in blocks("the-record") if block.language == "toml"]
    home.configure(text.replace("/path/to", str(home.folder)))
    home.run("run", "--model", "offline", "What's my total?")
    assert (home.folder / "audit.jsonl").read_text() == home.run("audit", "export").out
