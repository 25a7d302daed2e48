"""What is left out of a check says why: a line of code, and a kind of line that coverage leaves out."""

import re
from pathlib import Path

import pytest

from tests.test_house import MODULES, ROOT, name_of

EXCUSED = re.compile(
    r"# (noqa(?:: [A-Z]+[0-9]+(?:, ?[A-Z]+[0-9]+)*)?|pragma: no (?:cover|branch)|type: ignore(?:\[[\w,-]+\])?)(?!\w)"
)


def unreasoned(source: str) -> list[str]:
    """Return the excused lines without a reason: beside them, above them, or at the first of several alike."""
    found: list[str] = []
    above, reasoned = "", frozenset[str]()
    for line in source.splitlines():
        if not line.strip():
            continue
        excuses = frozenset(EXCUSED.findall(line))
        says_why = EXCUSED.sub("", line).partition("#")[2].strip("# -") != "" or above.startswith("#")
        reasoned = excuses if says_why else excuses & reasoned
        found += [line.strip()] if excuses - reasoned else []
        above = line.strip()
    return found


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_line_that_a_check_leaves_out_says_why(path: Path) -> None:
    """Nothing is switched off in silence."""
    assert unreasoned(path.read_text()) == []


def test_a_kind_of_line_that_coverage_leaves_out_says_why() -> None:
    """Those that are left out everywhere have a reason each."""
    settings = (ROOT.parent / "pyproject.toml").read_text()
    kinds = re.search(r"^exclude_also = \[\n(.*?)^\]$", settings, re.DOTALL | re.MULTILINE)
    assert kinds is not None
    assert [line for line in kinds[1].splitlines() if not re.fullmatch(r' +".+", +# .+', line)] == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("import a  # noqa: F401  # its side effect\n", [], id="beside-it"),
        pytest.param("# Slow.\nimport a  # noqa: F401\n", [], id="above-it"),
        pytest.param(
            "import a  # noqa: F401  # slow\n\nimport b  # noqa: F401\n", [], id="at-the-first-of-several"
        ),
        pytest.param("import a  # noqa: F401\n", ["import a  # noqa: F401"], id="none"),
        pytest.param("import a  # noqa\n", ["import a  # noqa"], id="none-and-no-code"),
        pytest.param("x()  # pragma: no cover\n", ["x()  # pragma: no cover"], id="none-for-coverage"),
        pytest.param("x()  # type: ignore[misc]\n", ["x()  # type: ignore[misc]"], id="none-for-types"),
        pytest.param(
            "import a  # noqa: F401  # slow\nb()\nimport c  # noqa: F401\n",
            ["import c  # noqa: F401"],
            id="a-line-between",
        ),
        pytest.param(
            "import a  # noqa: F401  # slow\nimport b  # noqa: E402\n",
            ["import b  # noqa: E402"],
            id="another-kind",
        ),
    ],
)
def test_silence_is_noticed(source: str, expected: list[str]) -> None:
    """A reason stands beside a line, above it, or at the first of several lines alike."""
    assert unreasoned(source) == expected
