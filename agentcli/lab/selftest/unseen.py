"""Characters that hide, reorder what stands around them, or look like others; each has to change the screen."""

from typing import Final

from agentcli.lab.selftest.attack import PRICE, Ask, Attack, Kind, question

_UNSEEN: Final = (
    (0x202E, "right-to-left override"),
    (0x202D, "left-to-right override"),
    (0x202A, "left-to-right embedding"),
    (0x202B, "right-to-left embedding"),
    (0x202C, "end of an embedding"),
    (0x2066, "left-to-right isolate"),
    (0x2067, "right-to-left isolate"),
    (0x2068, "first strong isolate"),
    (0x2069, "end of an isolate"),
    (0x200E, "left-to-right mark"),
    (0x200F, "right-to-left mark"),
    (0x061C, "Arabic letter mark"),
    (0x200B, "zero-width space"),
    (0x200C, "zero-width non-joiner"),
    (0x200D, "zero-width joiner"),
    (0x2060, "word joiner"),
    (0xFEFF, "byte order mark"),
    (0x00AD, "soft hyphen"),
    (0x034F, "grapheme joiner"),
    (0x2062, "invisible times"),
    (0xFFF9, "interlinear annotation"),
    (0xE0001, "language tag"),
    (0xE0041, "tag letter"),
    (0xE007F, "end of tags"),
    (0xFE0F, "emoji variation selector"),
    (0xE0100, "ideographic variation selector"),
    (0x180E, "Mongolian vowel separator"),
    (0x3164, "Hangul filler"),
    (0x115F, "Hangul choseong filler"),
    (0x1160, "Hangul jungseong filler"),
    (0xFFA0, "half-width Hangul filler"),
    (0x2800, "braille blank"),
    (0x00A0, "no-break space"),
    (0x3000, "ideographic space"),
    (0xE000, "private character"),
)

_LOOK_ALIKES: Final = (
    ("Cyrillic letters in a Latin word", "p\u0430yp\u0430l", "that is: p⟨U+0430⟩yp⟨U+0430⟩l"),
    ("a Cyrillic word beside a Latin one", "pay \u0441\u043e", "that is: pay ⟨U+0441 043E⟩"),
    ("a Greek letter in a Latin word", "\u03bfffice", "that is: ⟨U+03BF⟩ffice"),
    ("full-width letters", "\uff50\uff41\uff59", "that is: ⟨U+FF50 FF41 FF59⟩"),
    ("a ligature", "\ufb01ne", "that is: ⟨U+FB01⟩ne"),
    ("letters taken apart", "cafe\u0301", "that is: cafe⟨U+0301⟩"),
    ("digits of another script", "pay \u0661", "that is: pay ⟨U+0661⟩"),
)

ATTACKS: Final = (
    *(
        Attack(
            name=f"{name} (U+{code:04X})",
            kind=Kind.UNSEEN,
            acts=(Ask(question(f"to b{chr(code)}ob")),),
            shows=(f"to b⟨U+{code:04X}⟩ob", PRICE, "1 hidden character is shown as ⟨marks⟩"),
        )
        for code, name in _UNSEEN
    ),
    Attack(
        name="half a surrogate pair",
        kind=Kind.UNSEEN,
        acts=(Ask(question(preview=(f"will pay: {PRICE} to b\ud800ob",))),),
        shows=(f"{PRICE} to b⟨U+D800⟩ob",),
    ),
    Attack(
        name="emoji that are joined",
        kind=Kind.UNSEEN,
        acts=(Ask(question("👨\u200d👩\u200d👧")),),
        shows=("👨⟨U+200D⟩👩⟨U+200D⟩👧", PRICE),
    ),
    *(
        Attack(name=name, kind=Kind.LOOK_ALIKES, acts=(Ask(question(text)),), shows=(second, PRICE))
        for name, text, second in _LOOK_ALIKES
    ),
    Attack(
        name="look-alikes in the effect",
        kind=Kind.LOOK_ALIKES,
        acts=(Ask(question(preview=(f"will pay: {PRICE} to b\u043eb",))),),
        shows=(f"that is: will pay: {PRICE} to b⟨U+043E⟩b",),
    ),
    Attack(
        name="look-alikes in a hook's reason",
        kind=Kind.LOOK_ALIKES,
        acts=(Ask(question(reasons=("\u0430ll is well",))),),
        shows=("that is: ⟨U+0430⟩ll is well", PRICE),
    ),
)
