"""The PettingZoo environment: its own tests, options, seeds, rewards and errors."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tarot_sim.deals.deal import Deal
from tarot_sim.deals.replaying import replay
from tarot_sim.envs import tarot_v0
from tarot_sim.envs.actions import action_number
from tarot_sim.errors import IllegalPlayError, OptionError, RecordError, RulesError, TarotError
from tarot_sim.messages import use
from tarot_sim.rules import Rules

ROOT = Path(__file__).parents[3]
#: This is advice that the classic games of PettingZoo, with their dictionaries, are exempt from
#: by name.
pettingzoo_advice = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    use("en")


def played(env: tarot_v0.raw_env, random: Random) -> list[tuple[str, int]]:
    """Play an episode to its end, the dead agents included; return who did what."""
    done = []
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        mask = observation["action_mask"]
        assert mask is info["action_mask"]
        if terminated or truncated:
            assert not mask.any()
            env.step(None)
            continue
        action = random.choice(np.flatnonzero(mask).tolist())
        done.append((agent, action))
        env.step(action)
    return done


# --- PettingZoo's own tests ----------------------------------------------------------

MAKERS = [tarot_v0.env, tarot_v0.raw_env]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"all_pass": "redeal"},
    {"reward_scale": 0.01, "rules": Rules.fft(5), "players": 5},
    {"max_cycles": 30},
]


@pettingzoo_advice
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("maker", MAKERS)
def test_api(maker: Callable[..., Any], players: int, capsys: pytest.CaptureFixture[str]) -> None:
    from pettingzoo.test import api_test

    api_test(maker(players=players), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out


@pettingzoo_advice
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_api_with_options(options: dict[str, Any]) -> None:
    from pettingzoo.test import api_test

    api_test(tarot_v0.env(**options), num_cycles=200)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_seed(players: int) -> None:
    from pettingzoo.test import seed_test

    seed_test(lambda: tarot_v0.env(players=players), num_cycles=200)


def test_render(capsys: pytest.CaptureFixture[str]) -> None:
    from pettingzoo.test import render_test

    render_test(tarot_v0.env)


def test_wrappers_of_pettingzoo_go_around_it() -> None:
    from pettingzoo.utils import wrappers

    env = wrappers.TerminateIllegalWrapper(tarot_v0.raw_env(), illegal_reward=-1)
    env = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))
    env.reset(seed=1)
    played(env, Random(1))
    assert [] == env.agents


# --- episodes ------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("scale", [1.0, 0.25])
def test_rewards_are_the_scores_of_the_record(players: int, scale: float) -> None:
    env = tarot_v0.env(players=players, reward_scale=scale)
    random = Random(players)
    for seed in range(30):
        env.reset(seed=seed)
        rewards = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, _, _ = env.last()
            rewards[agent] += reward
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            env.step(None if terminated else random.choice(legal))
        record = env.table.deal.to_dict()
        scores = replay(Deal.from_dict(record)).scores if record["plays"] else None
        assert [scale * score for score in scores or [0] * players] == list(rewards.values())
        assert 0 == sum(rewards.values())
        if scores is not None:
            assert Deal.from_dict(record).is_played_out


def test_a_seed_decides_on_all_the_deals_that_follow() -> None:
    def deals(seed: int | None) -> list[Deal]:
        env, found = tarot_v0.env(), []
        for number in range(4):
            env.reset(seed=seed if number == 0 else None)
            played(env, Random(number))
            found.append(env.table.deal)
        return found

    assert deals(1) == deals(1)
    assert deals(1) != deals(2)
    assert deals(None) != deals(None)
    assert 4 == len({deal.hands for deal in deals(1)})


def test_a_given_deal() -> None:
    deal = Deal.random(players=5, rng=3, dealer=2)
    env = tarot_v0.env(players=5)
    env.reset(seed=1, options={"deal": deal})
    assert deal == env.table.deal
    assert "player_3" == env.agent_selection


def test_the_dealer_is_drawn_or_given() -> None:
    env = tarot_v0.env()
    dealers = set()
    for seed in range(40):
        env.reset(seed=seed)
        dealers.add(env.table.auction.dealer)
    assert {0, 1, 2, 3} == dealers
    env = tarot_v0.env(dealer=2)
    env.reset()
    assert "player_3" == env.agent_selection


def pass_all(env: tarot_v0.raw_env) -> None:
    for _ in env.possible_agents:
        env.step(action_number("pass"))


def test_all_pass_ends_with_zeros() -> None:
    env = tarot_v0.env(dealer=3)
    env.reset(seed=1)
    pass_all(env)
    assert all(env.terminations.values())
    assert [0.0] * 4 == list(env.rewards.values())
    assert Deal.from_dict(env.table.deal.to_dict()) == env.table.deal


def test_all_pass_and_the_next_deals() -> None:
    env = tarot_v0.env(dealer=3, all_pass="redeal")
    env.reset(seed=1)
    first = env.table.deal
    pass_all(env)
    assert not any(env.terminations.values())
    assert 0 == env.table.auction.dealer
    assert "player_1" == env.agent_selection
    assert first.hands != env.table.deal.hands
    played(env, Random(1))
    assert [] == env.agents


def test_max_cycles() -> None:
    env = tarot_v0.env(dealer=3, all_pass="redeal", max_cycles=8)
    env.reset(seed=1)
    pass_all(env)
    pass_all(env)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert [0.0] * 4 == list(env.rewards.values())
    env = tarot_v0.env(dealer=3, max_cycles=4)  # what ends by itself is not cut off
    env.reset(seed=1)
    pass_all(env)
    assert not any(env.truncations.values())


def test_copies_go_on_by_themselves() -> None:
    env = tarot_v0.env(players=5)
    env.reset(seed=1)
    random = Random(1)
    for _ in range(40):
        mask = env.last()[0]["action_mask"]
        env.step(random.choice(np.flatnonzero(mask).tolist()))
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    ends = [(played(one, Random(2)), one.table.scores) for one in [*twins, env]]
    assert ends[0] == ends[1] == ends[2]
    assert ends[0][1] is not None


# --- what is refused -----------------------------------------------------------------


def test_an_illegal_action_raises() -> None:
    env = tarot_v0.raw_env(dealer=3)
    env.reset(seed=1)
    with pytest.raises(IllegalPlayError, match=r"^action A21: it is not legal, the phase is auc"):
        env.step(action_number("A21"))
    played(env, Random(1))  # nothing has happened


def test_an_illegal_action_ends() -> None:
    env = tarot_v0.env(dealer=3, reward_scale=0.5)
    env.reset(seed=1)
    env.step(action_number("pass"))
    env.step(action_number("A21"))
    assert all(env.terminations.values())
    assert [0, -500, 0, 0] == list(env.rewards.values())
    for _ in env.possible_agents:
        env.step(None)
    assert [] == env.agents


@pytest.mark.parametrize("maker", MAKERS)
def test_calls_out_of_order(maker: Callable[..., Any]) -> None:
    env = maker(max_cycles=1, render_mode="ansi")
    for name, arguments in (("step", [78]), ("observe", ["player_0"]), ("render", [])):
        with pytest.raises(RecordError, match=r"^deal: there is none before reset"):
            getattr(env, name)(*arguments)
    env.reset(seed=1)
    for action in (87, -1, "A21", None):
        with pytest.raises(OptionError, match=r"^action: "):
            env.step(action)
    env.step(78)
    with pytest.raises(IllegalPlayError, match="only None may follow"):
        env.step(78)
    played(env, Random(1))
    with pytest.raises(IllegalPlayError, match=r"reset\(\) begins another"):
        env.step(None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 6}, "players: 6 is not 3, 4 or 5"),
        ({"players": 4, "rules": Rules(players=5)}, "players: 4, but the rules are for 5"),
        ({"all_pass": "again"}, "all_pass: 'again' is not one of end, redeal"),
        ({"illegal": "ignore"}, "illegal: 'ignore' is not one of raise, end"),
        ({"render_mode": "rgb_array"}, "render_mode: 'rgb_array' is not one of human, ansi"),
        ({"dealer": 4}, "dealer: 4 is not a seat of 0…3"),
        ({"reward_scale": 0}, "reward_scale: 0 is not above 0"),
        ({"reward_scale": float("nan")}, "reward_scale: nan is not above 0"),
        ({"max_cycles": 0}, "max_cycles: 0 is less than 1"),
    ],
)
def test_options_that_are_none(options: dict[str, Any], message: str) -> None:
    with pytest.raises((OptionError, RulesError)) as error:
        tarot_v0.env(**options)
    assert message == str(error.value)


def test_deals_that_are_none() -> None:
    env = tarot_v0.env()
    for deal in (Deal.random(players=5, rng=1), "deal", 1):
        with pytest.raises(TarotError, match=r"^deal: "):
            env.reset(options={"deal": deal})


# --- text ----------------------------------------------------------------------------


def test_text_in_both_languages() -> None:
    env = tarot_v0.env(players=5, dealer=4, render_mode="ansi")
    env.reset(seed=1)
    for name in ("pass", "garde_contre", "pass", "pass"):
        env.step(action_number(name))
    assert isinstance(env.render(), str)
    assert "seat 1: Garde contre\n" in str(env.render())
    played(env, Random(1))
    english = str(env.render())
    assert "Garde contre, taker: seat 1, called " in english
    assert "scores: " in english
    use("fr")
    assert "Garde contre, preneur : place 1, appel " in str(env.render())
    assert "marques : " in str(env.render())


def test_a_person_sees_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = tarot_v0.env(dealer=3, render_mode="human")
    env.reset(seed=1)
    assert "to move: seat 0\n" in capsys.readouterr().out
    env.step(action_number("pass"))
    assert "to move: seat 1\n" in capsys.readouterr().out
    assert env.render() is None


# --- the example ----------------------------------------------------------------------


def test_the_example_in_french() -> None:
    """That of README.md is among the doctests."""
    import doctest

    failed, tried = doctest.testfile(str(ROOT / "README.fr.md"), module_relative=False)
    assert (0, True) == (failed, tried > 5)


# --- the extra -----------------------------------------------------------------------


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


def test_without_the_extra() -> None:
    hide = "import sys\nsys.modules['pettingzoo'] = None\n"
    answer = run(hide + "from tarot_sim.envs import tarot_v0")
    last = answer.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: tarot_sim.envs needs pettingzoo and gymnasium, pip instal")
    assert "During handling" not in answer.stderr
    others = hide + (
        "import tarot_sim.envs, tarot_sim.envs.table, tarot_sim.cli.__main__\n"
        "for name in tarot_sim.__all__: getattr(tarot_sim, name)\n"
    )
    assert "" == run(others).stderr


def test_nothing_else_imports_it() -> None:
    code = (
        "import sys, tarot_sim, tarot_sim.envs.table, tarot_sim.bots, tarot_sim.cli.__main__\n"
        "for name in tarot_sim.__all__: getattr(tarot_sim, name)\n"
        "print('pettingzoo' in sys.modules, 'gymnasium' in sys.modules)\n"
    )
    assert "False False\n" == run(code).stdout
