"""Escape sequences and controls, in every place where a question shows text from outside."""

from typing import Final

from agentcli.lab.selftest.attack import PRICE, Ask, Attack, Kind, as_json, question

_IN_TEXT: Final = (
    # what it would do                text                                          how it is shown
    ("erases its line",               "a\x1b[2K\x1b[1Aok",                          "a⟨U+001B⟩[2K⟨U+001B⟩[1Aok"),
    ("clears the screen",             "\x1b[2J\x1b[Hharmless",                      "⟨U+001B⟩[2J⟨U+001B⟩[Hharmless"),
    ("resets the terminal",           "\x1bcharmless",                              "⟨U+001B⟩charmless"),
    ("returns over itself",           "pay 9999\rpay 1",                            "pay 9999⟨U+000D⟩pay 1"),
    ("backs up over itself",          "9999\b\b\b\b1",                              "9999⟨4 × U+0008⟩1"),
    ("sets the window's title",       "\x1b]0;trusted\x07",                         "⟨U+001B⟩]0;trusted⟨U+0007⟩"),
    ("fills the clipboard",           "\x1b]52;c;cm0gLXJm\x07",                     "⟨U+001B⟩]52;c;cm0gLXJm"),
    ("hides a link under a text",     "\x1b]8;;http://e.vil\x1b\\bank\x1b]8;;\x07", "⟨U+001B⟩]8;;http://e.vil"),
    ("notifies in our name",          "\x1b]9;approved\x07",                        "⟨U+001B⟩]9;approved"),
    ("writes in no colour",           "\x1b[8mhidden\x1b[0m",                       "⟨U+001B⟩[8mhidden⟨U+001B⟩[0m"),
    ("begins with an 8-bit control",  "\x9b2J\x9b1;1H",                             "⟨U+009B⟩2J⟨U+009B⟩1;1H"),
    ("sets the title in 8 bits",      "\x9d0;trusted\x9c",                          "⟨U+009D⟩0;trusted⟨U+009C⟩"),
    ("sends a device control string", "\x1bP$qm\x1b\\",                             "⟨U+001B⟩P$qm⟨U+001B⟩\\"),
    ("sends an application command",  "\x1b_Gi=1\x1b\\",                            "⟨U+001B⟩_Gi=1⟨U+001B⟩\\"),
    ("changes the character set",     "\x1b(0lqqk\x0e",                             "⟨U+001B⟩(0lqqk⟨U+000E⟩"),
    ("opens the other screen",        "\x1b[?1049h",                                "⟨U+001B⟩[?1049h"),
    ("keeps the screen from moving",  "\x1b[1;3r\x1b[3;1H",                         "⟨U+001B⟩[1;3r⟨U+001B⟩[3;1H"),
    ("hides the cursor",              "\x1b[?25l",                                  "⟨U+001B⟩[?25l"),
    ("switches the mouse on",         "\x1b[?1000h\x1b[?1006h",                     "⟨U+001B⟩[?1000h⟨U+001B⟩[?1006h"),
    ("asks for a report",             "\x1b[6n\x1b[c\x05",                          "⟨U+001B⟩[6n⟨U+001B⟩[c⟨U+0005⟩"),
    ("rings without end",             "\x07" * 500,                                 "⟨500 × U+0007⟩"),
    ("leaves a sequence unfinished",  "harmless\x1b[",                              "harmless⟨U+001B⟩["),
    ("loses a part if it is cleaned", "hello\x1b[/../../etc/hosts",                 "hello⟨U+001B⟩[/../../etc/hosts"),
    ("is padded with nothing",        "a\x00\x7fb",                                 "a⟨U+0000⟩⟨U+007F⟩b"),
    ("breaks the line in other ways", "a\x0b\x0c\x85\u2028\u2029b",                 "a⟨U+000B⟩⟨U+000C⟩⟨U+0085⟩⟨U+2028⟩⟨U+2029⟩"),
)  # fmt: skip

_NASTY: Final = "\x1b[2J\x1b]0;t\x07"
_NASTY_SHOWN: Final = "⟨U+001B⟩[2J⟨U+001B⟩]0;t⟨U+0007⟩"

_ELSEWHERE: Final = (
    ("stands in a tool's name", question(tool=f"send{_NASTY}")),
    ("stands in a field's name", question(input=f'{{"text{_NASTY}":"x"}}', preview=(f"pay {PRICE}{_NASTY}",))),
    ("stands in a hook's reason", question(reasons=(f"why{_NASTY}",))),
    ("stands in what no longer holds", question(earlier=(f"will pay: 1{_NASTY}",))),
    ("stands in a second line of the effect", question(preview=(f"will pay: {PRICE}", f"to: eve{_NASTY}"))),
)

ATTACKS: Final = (
    *(
        Attack(
            name=f"a text that {does}",
            kind=Kind.SEQUENCES,
            acts=(Ask(question(input=as_json(text), preview=(f"will pay: {PRICE}, {text}",))),),
            shows=(f"{PRICE}, {shown}",),
        )
        for does, text, shown in _IN_TEXT
    ),
    *(
        Attack(
            name=f"a sequence that {where}",
            kind=Kind.SEQUENCES,
            acts=(Ask(view),),
            shows=(_NASTY_SHOWN, PRICE),
        )
        for where, view in _ELSEWHERE
    ),
)
