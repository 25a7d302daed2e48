"""Which model a name stands for, and what is said of a name that stands for none."""

import pytest

from agentcli.wiring.models import NoKey, UnknownModel, choose

KEY = {"ANTHROPIC_API_KEY": "k"}


@pytest.mark.parametrize(
    ("named", "environ", "chosen"),
    [
        ("auto", {}, "offline"),
        ("auto", KEY, "claude-sonnet-5"),
        ("offline", KEY, "offline"),
        ("offline:reckless", {}, "offline:reckless"),
        ("some-model", KEY, "some-model"),
        ("offliner", KEY, "offliner"),
    ],
)
def test_a_name_stands_for_a_model(named: str, environ: dict[str, str], chosen: str) -> None:
    """Any name may be one that the service knows, but for those that are ours."""
    assert choose(named, environ).name == chosen


@pytest.mark.parametrize("environ", [{}, KEY], ids=["no key", "key"])
@pytest.mark.parametrize(
    ("named", "near"),
    [
        ("offline:foo", "; did you mean 'offline'?"),
        ("offline:reckles", "; did you mean 'offline:reckless'?"),
        ("Offline", "; did you mean 'offline'?"),
        ("replay", ""),
        ("auto:x", "; did you mean 'auto'?"),
    ],
)
def test_a_name_like_ours_that_is_none_says_which_there_are(
    named: str, near: str, environ: dict[str, str]
) -> None:
    """It is asked for nowhere else, key or not."""
    with pytest.raises(UnknownModel) as raised:
        choose(named, environ)
    assert str(raised.value).startswith(f"no model {named!r}{near}")
    assert " there are: auto, offline, offline:reckless, replay:FILE, and Claude's" in str(raised.value)


@pytest.mark.parametrize(
    ("named", "environ", "near"),
    [
        ("claude-sonnet-5", {}, "; --model"),
        ("Claude-Sonet-5", {}, "; did you mean 'claude-sonnet-5'? --model"),
        ("gpt", {"ANTHROPIC_BASE_URL": "https://gateway.test"}, "; --model"),
    ],
)
def test_without_a_key_a_model_of_the_service_is_not_to_be_had(
    named: str, environ: dict[str, str], near: str
) -> None:
    """It says which variable is missing, what was meant perhaps, and that the offline model needs none."""
    with pytest.raises(NoKey) as raised:
        choose(named, environ)
    assert f"neither is set{near}" in str(raised.value)
