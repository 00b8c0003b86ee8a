"""All learners: their options, the words and defaults they share, and configs of earlier versions."""

import msgspec
import pytest

from ludus.learning import options, registry
from ludus.runs import Run
from ludus.studies.trials import Trial

KINDS = tuple(registry.KINDS)


def fields(kind):
    return {option.field: option for option in options.options(registry.named(kind))}


@pytest.mark.parametrize("kind", KINDS)
def test_every_option_has_a_sentence(kind):
    for option in fields(kind).values():
        assert option.help.endswith("."), option.field
        assert option.help[0].isupper()


@pytest.mark.parametrize("kind", KINDS)
def test_the_seed_is_0_unless_it_is_given(kind):
    assert fields(kind)["seed"].default == "0"


# Options with one name and several meanings: the words differ because the learners do.
DIFFERENT = {"rate", "features", "hidden", "network", "games", "sets", "depth", "pairing", "rounds", "openings"} | {
    "population",
    "momentum",
}


def test_the_same_option_has_the_same_words():
    words = {}
    for kind in KINDS:
        for option in fields(kind).values():
            words.setdefault(option.field, set()).add(option.help)
    different = {name for name, found in words.items() if len(found) > 1}
    # td's trace shrinks by gamma times lambda, and its initial range depends on the network.
    assert different <= DIFFERENT | {"lambda_", "initial_range"}


@pytest.mark.parametrize("kind", KINDS)
def test_presets_are_configs(kind):
    for preset in registry.named(kind).presets.values():
        assert registry.values(registry.make(kind, preset)).items() >= preset.items()


@pytest.mark.parametrize("kind", KINDS)
def test_options_are_read_under_their_old_names(kind):
    values = registry.values(registry.make(kind, {}))
    for old, new in registry.RENAMED[kind].items():
        assert old not in fields(kind) and new in fields(kind)
        if new in values:
            assert registry.make(kind, {old: values[new]}) == registry.make(kind, {})


def test_a_new_name_has_precedence_over_an_old_one():
    learner = registry.make("samuel", {"reference_games": 4, "pool_games": 2})
    assert learner.reference_games == 4


def test_a_config_file_of_an_earlier_version_is_read(tmp_path):
    (tmp_path / "config.toml").write_text(
        'kind = "neurodraughts"\ncommand = "x"\ndate = "2020-01-02"\n[options]\nseed = 7\npool_games = 2\ninit = 0.1\n'
        "everywhere = true\n"
    )
    learner = Run.open(tmp_path).learner
    assert (learner.seed, learner.reference_games, learner.initial_range, learner.every_board) == (7, 2, 0.1, True)


def test_a_trial_of_an_earlier_version_is_the_same_trial():
    trial = Trial.of("a", registry.make("td", {"initial_range": 0.2}))
    old = dict(trial.options)
    old["start"] = old.pop("initial_range")
    assert msgspec.structs.replace(trial, options=old).key == trial.key
