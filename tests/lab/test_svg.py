"""Pictures: self-contained, well-formed whatever they show, legible on light and on dark."""

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from agentcli.lab.svg import CELL, MARGIN, picture
from agentcli.terminal.drawing.styled import Span, Style

SVG = "{http://www.w3.org/2000/svg}"
anything = st.text(st.characters(exclude_categories=[]), max_size=80)


@given(text=anything, title=anything, style=st.sampled_from(Style))
def test_a_picture_is_well_formed_whatever_it_shows(text: str, title: str, style: Style) -> None:
    """Control characters, markup and half characters never break the file."""
    drawn = picture([(Span(text, style), Span("]]>&<"))], columns=80, title=title)
    root = ElementTree.fromstring(drawn.encode("utf-8"))
    assert "".join(root.itertext()).rstrip().endswith("]]>&<")


def test_a_picture_asks_for_nothing_from_elsewhere() -> None:
    """No font, image, script or link: it shows offline what it shows online."""
    drawn = picture([(Span('<image href="https://example.test/x"/>'),)], columns=80, title="x")
    root = ElementTree.fromstring(drawn)
    assert {one.tag.removeprefix(SVG) for one in root.iter()} == {"svg", "title", "style", "rect", "text"}
    assert not re.search(r"@import|@font-face|url\(", drawn)
    assert all(not name.endswith(("href", "src")) for one in root.iter() for name in one.attrib)


def luminance(colour: str) -> float:
    """The relative luminance of a colour. Source: WCAG 2.2, relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_colour_can_be_read_on_its_ground() -> None:
    """On light as on dark, text stands out from the ground by at least 4.5 to 1. Source: WCAG 2.2, 1.4.3."""
    drawn = picture([()], columns=80, title="x")
    light, dark = drawn.split("@media (prefers-color-scheme:dark)")
    for sheet in (light, dark):
        fills = re.findall(r"([.\w]+)\{fill:(#[0-9a-f]{6})", sheet)
        [ground] = [colour for name, colour in fills if name == ".ground"]
        inks = [colour for name, colour in fills if name != ".ground"]
        assert len(inks) == 5
        for ink in inks:
            low, high = sorted([luminance(ink), luminance(ground)])
            assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, ground)


def test_each_piece_stands_in_its_cells() -> None:
    """Columns stay columns whatever font the reader has: wide characters count as two cells."""
    drawn = picture([(Span("  茶 "), Span("ok", Style.GOOD))], columns=10, title="x")
    tea, ok = ElementTree.fromstring(drawn).findall(f"{SVG}text")
    assert (tea.get("x"), tea.get("textLength")) == (f"{MARGIN + 2 * CELL:.1f}", f"{2 * CELL:.1f}")
    assert (ok.get("x"), ok.get("class")) == (f"{MARGIN + 5 * CELL:.1f}", "good")


def test_the_picture_is_as_wide_as_its_longest_line() -> None:
    """Nothing is cut off at the edge."""
    narrow = ElementTree.fromstring(picture([(Span("x"),)], columns=10, title="x"))
    wide = ElementTree.fromstring(picture([(Span("x" * 30),)], columns=10, title="x"))
    assert int(wide.get("width", "0")) - int(narrow.get("width", "0")) == round(20 * CELL)
