"""Each attack achieves nothing against the real screen, and something against a weak one."""

import asyncio
from collections.abc import Sequence

import pytest

from agentcli.lab.selftest.attack import SIZES, Attack, Kind, Resize
from agentcli.lab.selftest.attacks import ATTACKS
from agentcli.lab.selftest.judging import findings
from agentcli.lab.selftest.renderer import RealRenderer, Renderer
from agentcli.lab.selftest.trying import try_all, try_one
from tests.lab.selftest import weak
from tests.lab.selftest.real_terminal import play_at_pty

STRIPPING = weak.Altering(weak.without_what_hides)
CUTTING = weak.Altering(weak.cut)

# fmt: off
WEAK: dict[Kind, tuple[Renderer, ...]] = {
    Kind.SEQUENCES:   (STRIPPING,),
    Kind.FRAMES:      (weak.Raw(), STRIPPING, CUTTING),
    Kind.PADDING:     (STRIPPING, CUTTING),
    Kind.UNSEEN:      (STRIPPING,),
    Kind.LOOK_ALIKES: (STRIPPING,),
    Kind.REPAINTING:  (weak.Raw(),),
    Kind.LINES:       (weak.Raw(),),
    Kind.KEYS:        (weak.Raw(),),
    Kind.REPLIES:     (weak.Raw(),),
    Kind.HONEST:      (weak.Deaf(),),
}
# fmt: on

UNFRAMED = "no question with a frame and a line that asks"


def of(kind: Kind) -> list[Attack]:
    return [attack for attack in ATTACKS if attack.kind is kind]


def size_for(attack: Attack) -> tuple[int, int]:
    """One of the attack's sizes, another for each attack in turn."""
    return attack.sizes[ATTACKS.index(attack) % len(attack.sizes)]


def test_there_are_many_attacks_of_every_kind() -> None:
    """At least sixty, each with a name of its own."""
    assert len(ATTACKS) >= 60
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)
    assert {attack.kind for attack in ATTACKS} == set(Kind)


@pytest.mark.parametrize("kind", Kind)
def test_the_real_screen_beats_every_attack(kind: Kind) -> None:
    """On a virtual terminal, the sizes taking turns."""
    achieved = {
        attack.name: list(findings(attack, try_one(attack, RealRenderer(), *size_for(attack))))
        for attack in of(kind)
    }
    assert {name: found for name, found in achieved.items() if found} == {}


@pytest.mark.slow
@pytest.mark.parametrize("kind", Kind)
def test_the_real_screen_beats_every_attack_on_every_size(kind: Kind) -> None:
    """As `agentcli selftest approvals` plays them."""
    tried = list(try_all(of(kind)))
    assert len(tried) == len(of(kind))
    assert [(one.attack.name, one.found) for one in tried if not one.is_beaten] == []


def achieved_against_weak(attack: Attack) -> bool:
    """Whether an attack achieves something against one of the renderers that are weak where it strikes."""
    return any(
        found != UNFRAMED
        for renderer in WEAK[attack.kind]
        for found in findings(attack, try_one(attack, renderer, *SIZES[0]))
    )


@pytest.mark.parametrize("kind", Kind)
def test_every_attack_can_achieve_something(kind: Kind) -> None:
    """Against a screen that strips, cuts, prints what it gets, takes any key, or never listens."""
    assert [attack.name for attack in of(kind) if not achieved_against_weak(attack)] == []


async def at_pty(attacks: Sequence[Attack]) -> dict[str, list[str]]:
    """What attacks achieve at real terminals, several at a time."""
    places = asyncio.Semaphore(4)

    async def one(attack: Attack) -> tuple[str, list[str]]:
        async with places:
            return attack.name, list(findings(attack, await play_at_pty(attack, *size_for(attack))))

    return {name: found for name, found in await asyncio.gather(*map(one, attacks)) if found}


@pytest.mark.slow
@pytest.mark.parametrize("kind", Kind)
async def test_the_real_screen_beats_every_attack_at_a_real_terminal(kind: Kind) -> None:
    """With the time and the terminal that a person has."""
    attacks = [attack for attack in of(kind) if not attack.is_exact]
    # A process has one signal for a changed size: those attacks are played one by one.
    alone = [attack for attack in attacks if any(isinstance(act, Resize) for act in attack.acts)]
    assert await at_pty([attack for attack in attacks if attack not in alone]) == {}
    for attack in alone:
        assert await at_pty([attack]) == {}
