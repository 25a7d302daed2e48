"""Sessions written down as Markdown and HTML: all of it text, whatever was said."""

from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agentcli.cli.sessions.in_html import html_lines
from agentcli.cli.sessions.in_markdown import markdown_lines
from agentcli.cli.sessions.passages import Kind, Passage
from agentcli.cli.sessions.summaries import Summary
from agentcli.session.findings import Standing
from agentcli.visible import visible, visible_line

AT = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
NAUGHTY = (
    "<script>alert(1)</script>",
    "![x](https://evil.example/?q=1)",
    "[click](https://evil.example)",
    "https://evil.example www.evil.example a@evil.example",
    "</pre></section><h1>forged",
    "```\n# forged\n```",
    "````\n`x`",
    "`x`",
    "\x1b[2J\u202e",
    "# forged\n\n- [ ] x",
    "<!-- x -->&lt;&amp;",
    "a\n\n\n\n\n\nb",
)


def summary(title: str = "hello") -> Summary:
    return Summary("08j3bqvy", title, "expenses", "offline", 2, AT, AT, Standing.IDLE, (), ())


def page(lines: object, heading: str, text: str, title: str) -> str:
    assert lines in (markdown_lines, html_lines)
    write = markdown_lines if lines is markdown_lines else html_lines
    passages = [Passage(Kind.SAID, AT, heading, text), Passage(Kind.NOTE, AT, heading)]
    return "\n".join(write(summary(title), passages)) + "\n"


def check_markdown(heading: str, text: str, title: str) -> None:
    """Every text from outside is code in the page, and nothing of it is anything else."""
    tokens = MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(
        page(markdown_lines, heading, text, title)
    )
    fences = [token.content for token in tokens if token.type == "fence"]
    assert fences == ([visible(text) + "\n"] if text else [])
    assert not [token for token in tokens if token.type == "html_block"]
    children = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in children} <= {"text", "code_inline", "softbreak"}
    code = [child.content for child in children if child.type == "code_inline"]
    if heading and title:
        assert code[0] == visible_line(title)
        assert code[-1] == visible_line(heading)


@pytest.mark.parametrize("words", NAUGHTY)
def test_in_markdown_nothing_is_markup(words: str) -> None:
    """No link, no picture, no HTML, no heading that was not there."""
    check_markdown(words, words, words)


@given(text=st.text(st.characters(codec="utf-8")), heading=st.text(st.characters(codec="utf-8"), min_size=1))
def test_in_markdown_every_text_is_code(text: str, heading: str) -> None:
    """Whatever it is."""
    check_markdown(heading, text, "hello")


class Read(HTMLParser):
    """What a browser would see: elements with their attributes, and text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[str] = []
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.texts.append("")

    def handle_data(self, data: str) -> None:
        self.texts[-1:] = [*self.texts[-1:], data] if not self.texts else [self.texts[-1] + data]


EXPECTED = {"html", "head", "meta", "title", "style", "body", "header", "h1", "dl", "dt", "dd", "main", "section"}
ELEMENTS = EXPECTED | {"h2", "time", "pre"}


def check_html(heading: str, text: str, title: str) -> None:
    read = Read(page(html_lines, heading, text, title))
    assert set(read.elements) <= ELEMENTS
    assert read.elements.count("section") == 2
    assert read.attributes <= {"lang", "charset", "http-equiv", "content", "name", "dir", "class", "datetime"}
    assert visible_line(heading) in read.texts
    assert not text or visible(text) in read.texts
    assert read.texts.count(visible_line(title or "08j3bqvy")) >= 2


@pytest.mark.parametrize("words", NAUGHTY)
def test_in_html_nothing_is_an_element(words: str) -> None:
    """No script, no link, no picture, no forged section."""
    check_html(words, words, words)


@given(text=st.text(st.characters(codec="utf-8")), heading=st.text(st.characters(codec="utf-8"), min_size=1))
def test_in_html_every_text_is_text(text: str, heading: str) -> None:
    """Whatever it is."""
    check_html(heading, text, "hello")


def test_a_page_loads_nothing_and_is_legible_by_day_and_by_night() -> None:
    """No address in it, a policy that forbids loading, and colours for both."""
    written = page(html_lines, "#1", "hello", "hello")
    assert "http:" not in written
    assert "https:" not in written
    assert "url(" not in written
    assert "default-src 'none'; style-src 'unsafe-inline'" in written
    assert "prefers-color-scheme: dark" in written
    assert '<meta name="color-scheme" content="light dark">' in written


def _luminance(colour: str) -> float:
    parts = [int(pair * (2 if len(colour) == 4 else 1), 16) / 255 for pair in _pairs(colour.removeprefix("#"))]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _pairs(digits: str) -> list[str]:
    step = len(digits) // 3
    return [digits[at : at + step] for at in range(0, len(digits), step)]


@pytest.mark.parametrize("scheme", ["day", "night"])
def test_words_stand_out_from_the_ground(scheme: str) -> None:
    """By a contrast of 4.5 to 1 at least, as WCAG 2 wants it for text."""
    written = page(html_lines, "#1", "hello", "hello")
    day, night = written.split("prefers-color-scheme: dark")
    styles = (day if scheme == "day" else night).partition(":root")[2].partition("}")[0]
    colours = {
        name.strip().lstrip("{ "): value.strip()
        for name, _, value in (part.partition(":") for part in styles.split(";") if "--" in part)
    }
    ground = _luminance(colours["--ground"])
    for name in ("--words", "--faint", "--said", "--care"):
        light, dark = sorted((ground, _luminance(colours[name])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, name
