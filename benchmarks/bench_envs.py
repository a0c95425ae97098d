"""The environment for learners: steps a second with random legal actions, one thread.

``python -m benchmarks.bench_envs`` prints them, the median of several rounds; with
``--seconds`` for longer ones. A step is an action of a live agent with all that a learner's loop
does around it: `last`, which makes the observation, and a uniform choice among the mask.
"""

from __future__ import annotations

import argparse
import statistics
import time
from random import Random
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.common import PLAYERS
from tarot_sim.envs import tarot_v0

EPISODES = 20
ROUNDS = 9


def run_episodes(env: Any, episodes: int, random: Random) -> int:
    """Play episodes at random; return the number of steps."""
    steps = 0
    for _ in range(episodes):
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[int(random.random() * len(legal))])
            steps += 1
    return steps


def wrapped(**options: Any) -> Any:
    """Return the environment in the wrappers of PettingZoo's own games."""
    from pettingzoo.utils import wrappers

    env = wrappers.TerminateIllegalWrapper(tarot_v0.raw_env(**options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


MAKERS = {"env": tarot_v0.env, "in PettingZoo's wrappers": wrapped}


@pytest.mark.parametrize("players", PLAYERS)
def test_envs(benchmark: BenchmarkFixture, players: int) -> None:
    env = tarot_v0.env(players=players)
    env.reset(seed=1)
    random = Random(1)
    steps = benchmark(run_episodes, env, EPISODES, random)
    benchmark.extra_info["steps"] = steps
    assert steps > EPISODES


def rates(env: Any, seconds: float) -> list[float]:
    """Return the steps a second of processor time, a figure a round."""
    env.reset(seed=1)
    random, found = Random(1), []
    run_episodes(env, EPISODES, random)
    for _ in range(ROUNDS):
        start, steps = time.process_time(), 0
        while time.process_time() - start < seconds / ROUNDS:
            steps += run_episodes(env, EPISODES, random)
        found.append(steps / (time.process_time() - start))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3, help="for each line")
    seconds = parser.parse_args().seconds
    for players in PLAYERS:
        for name, maker in MAKERS.items():
            found = rates(maker(players=players), seconds)
            low, high = np.min(found), np.max(found)
            median = statistics.median(found)
            print(f"{players} players, {name}: {median:,.0f} steps/s ({low:,.0f} – {high:,.0f})")


if __name__ == "__main__":
    main()
