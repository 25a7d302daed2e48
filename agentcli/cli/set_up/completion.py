"""`agentcli completion`: what a shell needs so that Tab completes commands, options and names."""

from collections.abc import Callable, Mapping
from typing import Annotated, Final

import typer

from agentcli.cli.apps import App
from agentcli.cli.set_up.completing import Candidate, candidates, words_of
from agentcli.cli.writing import output
from agentcli.visible import valid_unicode, visible_line

# The program is looked up on the PATH, not as it was typed: Tab must not run a file of the current directory.
SCRIPTS: Final[Mapping[str, str]] = {
    "bash": r"""# Tab completes agentcli in bash.
_agentcli() {
    local line="${COMP_LINE:0:COMP_POINT}" word begun colons
    begun="${line##*[[:space:]]}"
    # Bash has split the word at its last colon, and replaces what stands behind it.
    colons="${begun%"${begun##*[:=]}"}"
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("${word#"$colons"}")
    done < <(agentcli completion bash -- "$line" 2>/dev/null)
}
complete -o default -F _agentcli agentcli
""",
    "zsh": r"""#compdef agentcli
# Tab completes agentcli in zsh.
_agentcli() {
    local -a found
    found=("${(@f)$(agentcli completion zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    if [[ -n "$found" ]]; then
        _describe -V agentcli found
    else
        compset -P '-*='
        _files
    fi
}
if [[ "$zsh_eval_context[-1]" == loadautofunc ]]; then
    _agentcli "$@"
else
    compdef _agentcli agentcli
fi
""",
    "fish": r"""# Tab completes agentcli in fish.
function __agentcli_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l begun (commandline -ct | string unescape)
    set -l found (agentcli completion fish -- $words "$begun" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        set -l option (string match -r -- '^-[^=]*=' $begun)
        for path in (__fish_complete_path (string replace -r -- '^-[^=]*=' '' $begun))
            printf '%s\n' "$option$path"
        end
    end
end
complete -c agentcli -f -a '(__agentcli_complete)'
""",
}

WORDS: Final = "what was typed, in bash the whole line; then it is told what the last word can become"

BACKSLASH: Final = "\\"

app = App()


def shell_named(text: str) -> str:
    """Return the shell that the text names.

    Raises:
        ValueError: It names none.
    """
    if text not in SCRIPTS:
        raise ValueError(f"{text!r} is not one of {', '.join(SCRIPTS)}")
    return text


@app.command(
    epilog="""\b
Examples:
  # bash; without the package bash-completion, source the file in ~/.bashrc
  mkdir -p ~/.local/share/bash-completion/completions
  agentcli completion bash > \\
    ~/.local/share/bash-completion/completions/agentcli
  # zsh, with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc
  mkdir -p ~/.zfunc
  agentcli completion zsh > ~/.zfunc/_agentcli
  # fish
  mkdir -p ~/.config/fish/completions
  agentcli completion fish > ~/.config/fish/completions/agentcli.fish"""
)
def completion(
    ctx: typer.Context,
    shell: Annotated[str, typer.Argument(metavar="|".join(SCRIPTS), parser=shell_named, help="which shell")],
    words: Annotated[list[str] | None, typer.Argument(metavar="WORD", parser=valid_unicode, help=WORDS)] = None,
) -> None:
    """Print what makes Tab complete agentcli in a shell: commands, options, agents, models, tools, session ids.

    Nothing is installed, and no file is changed.
    """
    if not words:
        output.write(SCRIPTS[shell])
        return
    from agentcli.cli.set_up.completable import values_at  # noqa: PLC0415  # the script is printed without any of it

    # Bash hands on words as they were typed, quotes and all, and split at colons too.
    typed = words_of(" ".join(words)) if shell == "bash" else words
    found = candidates(ctx.find_root().command, typed, values_at)
    output.write("".join(_WRITERS[shell](one) + "\n" for one in found))


def _described(one: Candidate) -> str:
    return visible_line(" ".join(one.about.split()))


def _for_zsh(one: Candidate) -> str:
    word = one.word.replace(":", "\\:")
    # What it says of a word is read with backslashes too.
    return f"{word}:{_described(one).replace(BACKSLASH, 2 * BACKSLASH)}" if one.about else word


def _for_fish(one: Candidate) -> str:
    return f"{one.word}\t{_described(one)}" if one.about else one.word


_WRITERS: Final[Mapping[str, Callable[[Candidate], str]]] = {
    "bash": lambda one: one.word,
    "zsh": _for_zsh,
    "fish": _for_fish,
}
