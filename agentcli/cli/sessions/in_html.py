"""A session as one HTML page that loads nothing: all text escaped, legible in light and in dark mode."""

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from agentcli.cli.sessions.in_markdown import local_time
from agentcli.cli.sessions.passages import Passage
from agentcli.cli.sessions.summaries import Summary
from agentcli.visible import visible, visible_line

_HEAD: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>
:root {{ --ground: #fff; --words: #1a1a1a; --faint: #595959; --line: #d0d0d0; --said: #0b57a4; --care: #8a4b00; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ground: #16181c; --words: #e6e6e6; --faint: #a6a6a6; --line: #3d4148;
    --said: #8ab8f0; --care: #f0b070; }}
}}
body {{ max-width: 50rem; margin: 2rem auto; padding: 0 1rem; background: var(--ground); color: var(--words);
  font: 1rem/1.5 system-ui, sans-serif; }}
h1 {{ font-size: 1.4rem; overflow-wrap: anywhere; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; color: var(--faint); }}
dd {{ margin: 0; overflow-wrap: anywhere; }}
section {{ border-left: 3px solid var(--line); margin: 1rem 0; padding: 0 0 0 1rem; }}
h2 {{ font-size: 1rem; margin: 0; overflow-wrap: anywhere; }}
time {{ color: var(--faint); font-size: .85rem; }}
pre {{ margin: .3rem 0; white-space: pre-wrap; overflow-wrap: anywhere;
  font: .9rem/1.45 ui-monospace, monospace; }}
.said, .reply {{ border-color: var(--said); }}
.said h2 {{ color: var(--said); }}
.said pre, .reply pre {{ font: inherit; }}
.question, .decision, .answer {{ border-color: var(--care); }}
.question h2, .decision h2, .answer h2 {{ color: var(--care); }}
.note h2 {{ font-weight: normal; color: var(--faint); }}
</style>
</head>
<body>"""


def html_lines(summary: Summary, passages: Iterable[Passage]) -> Iterator[str]:
    """Yield the lines of the page."""
    title = _escaped(summary.title or summary.id)
    yield _HEAD.format(title=title)
    yield f'<header>\n<h1 dir="auto">{title}</h1>\n<dl>'
    for name, value in (
        ("session", summary.id),
        ("agent", summary.agent),
        ("model", summary.model),
        ("level", str(summary.level)),
        ("from", local_time(summary.started_at)),
        ("to", local_time(summary.last_at)),
        ("now", summary.state),
    ):
        yield f"<dt>{name}</dt><dd>{_escaped(value)}</dd>"
    yield "</dl>\n</header>\n<main>"
    for passage in passages:
        yield f'<section class="{passage.kind}">'
        yield f'<h2 dir="auto">{_escaped(passage.heading)}</h2>'
        yield f'<time datetime="{passage.at.isoformat()}">{local_time(passage.at)}</time>'
        if passage.text:
            yield f'<pre dir="auto">{escape(visible(passage.text))}</pre>'
        yield "</section>"
    yield "</main>\n</body>\n</html>"


def _escaped(text: str) -> str:
    return escape(visible_line(text))
