"""Help texts fit a terminal of 80 columns, cut no sentence, and say the same of the same option."""

import re

import pytest

from ludus import studies
from ludus.bench import MEASUREMENTS
from ludus.cli.common import COMMANDS
from ludus.learning import registry
from ludus.players import named_networks
from ludus.players.evaluators import FEATURES

PAGES = [
    (),
    *((command,) for command in COMMANDS),
    *(("train", kind) for kind in registry.KINDS),
    *(("endgame", name) for name in ("build", "verify", "probe")),
    ("exam", "endgames"),
    ("engines", "check"),
]


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def options(run, page):
    """The help text of each option of a page, by its flag, on one line."""
    _, out, _ = run(*page, "--help")
    entries = re.split(r"\n  (?=-)", out.partition("\nOptions:\n")[2].partition("\nCommands:\n")[0])
    found = {}
    for entry in entries:
        flag = re.search(r"--[a-z-]+", entry)
        if flag:
            head, *more = entry.split("\n")
            words = " ".join([re.sub(r"^.*?(?:  |$)", "", head.strip()), *more])
            found[flag[0]] = " ".join(words.split())
    return found


@pytest.mark.parametrize("page", PAGES, ids=" ".join)
def test_a_page_fits_80_columns_and_cuts_no_sentence(run, page):
    status, out, err = run(*page, "--help")
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert "..." not in re.sub(r"\[(ARGS|PLAYER|NAME)\]\.\.\.", "", out)


@pytest.mark.parametrize("page", PAGES[1:], ids=" ".join)
def test_every_option_is_a_sentence(run, page):
    for flag, text in options(run, page).items():
        words = re.sub(r"\s*\[[^]]*\]", "", text)
        assert words.endswith("."), (flag, text)
        assert words[0].isupper(), (flag, text)


SHARED = ("--seed", "--concurrency", "--cluster", "--gamma", "--epsilon", "--reference-games")


@pytest.mark.parametrize("flag", SHARED)
def test_a_shared_option_has_the_same_words_everywhere(run, flag):
    texts = {" ".join(page): options(run, page).get(flag) for page in PAGES[1:]}
    assert len({re.sub(r"\s*\[[^]]*\]", "", text) for text in texts.values() if text}) == 1, texts


def test_the_seed_is_0_everywhere_unless_it_is_given(run):
    for page in PAGES[1:]:
        if text := options(run, page).get("--seed"):
            # A person wants another game each time.
            assert ("[default: (drawn and shown)" if page == ("play",) else "[default: 0") in text, page


def test_options_list_their_choices(run):
    text = options(run, ("train", "td"))["--network"].replace("- ", "-")
    assert all(name in text for name in named_networks.names())
    for kind in ("neurodraughts", "ls-draughts"):
        text = options(run, ("train", kind))["--features"]
        assert all(name in text for name in FEATURES)
    assert all(name in run("bench", "--help")[1].replace("\n", "").replace(" ", "") for name in MEASUREMENTS)
    assert all(name in run("study", "--help")[1] for name in studies.names())


@pytest.mark.parametrize("page", PAGES[1:], ids=" ".join)
def test_an_option_that_takes_a_name_says_which(run, page):
    """A text is free, has choices in its help, or is a player, a position, a budget or a path."""
    _, out, _ = run(*page, "--help")
    for flag in re.findall(r"(--[a-z-]+) TEXT", out):
        words = options(run, page)[flag]
        assert re.search(
            r"[Pp]layer|budget|such as|for example|The features are|--features|Network: |ballots3|layers", words
        ), flag
