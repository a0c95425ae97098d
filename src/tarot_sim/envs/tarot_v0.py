"""French Tarot as a PettingZoo environment of the kind in which agents act one after another.

==================  ========================================================================
agents              ``player_0`` … by seat; 3, 4 or 5 of them
actions             `Discrete(87)`, see `tarot_sim.envs.actions`
observations        ``observation``: uint8, see `tarot_sim.envs.observations`;
                    ``action_mask``: int8 (87,), all 0 for who is not to act
infos               ``action_mask`` again
rewards             the scores of the deal in points, at its end; they sum to 0
an episode          one deal: auction, call, écart card by card, announcements, cards, score
==================  ========================================================================

Options of `reset`: ``deal``, a `Deal` to be played from its first bid on; other keys are for
wrappers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, SupportsIndex

import numpy as np

from tarot_sim.deals.deal import Deal
from tarot_sim.deals.dealing import Draws, deal_uniform
from tarot_sim.envs.actions import N_ACTIONS, action_mask, checked_action
from tarot_sim.envs.observations import highest, size
from tarot_sim.envs.rendering import rendered
from tarot_sim.envs.table import Table
from tarot_sim.errors import IllegalPlayError, OptionError, RecordError
from tarot_sim.notation import shown
from tarot_sim.rules import Rules, table_of

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError as error:
    raise ImportError(
        f"tarot_sim.envs needs pettingzoo and gymnasium, pip install 'tarot_sim[rl]' ({error})"
    ) from None

if TYPE_CHECKING:
    from tarot_sim.deals.dealing import Dealt

AllPass = Literal["end", "redeal"]
Illegal = Literal["raise", "end"]
Observation = dict[str, Any]

_ALL_PASS: Final = ("end", "redeal")
_ILLEGAL: Final = ("raise", "end")
_RENDER_MODES: Final = ("human", "ansi")
#: What an illegal action is worth where it ends the deal, before it is scaled: no deal of sense
#: costs as much.
_ILLEGAL_POINTS: Final = -1000.0


def env(**options: Any) -> raw_env:
    """Return the environment in which an illegal action ends the deal, as in PettingZoo's games.

    Who did it gets −1000 points times the scale, the others 0. It is `raw_env` with other
    defaults: that checks by itself what PettingZoo's wrappers are for, at a third of their time.

    Parameters
    ----------
    **options
        As of `raw_env`.

    Examples
    --------
    >>> game = env(players=4)
    >>> game.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = game.last()
    >>> int(observation["action_mask"].sum())
    5
    """
    return raw_env(**{"illegal": "end", **options})


class raw_env(AECEnv[str, Observation, int]):  # type: ignore[misc]  # it ships no types
    """The environment; unless told otherwise it raises on an illegal action.

    Parameters
    ----------
    players
        3, 4 or 5; by default those of `rules`, else 4.
    rules
        The table's options.
    all_pass
        What comes when all have passed: ``"end"`` of the episode, with zeros, or ``"redeal"``,
        the next deal by the next dealer.
    dealer
        The dealer's seat; by default drawn for each episode.
    reward_scale
        What rewards are multiplied by: 1 leaves them in points.
    max_cycles
        Actions after which an episode is cut off, truncated, with no reward; None for never.
    illegal
        What comes of an illegal action: ``"raise"`` an error, or ``"end"`` of the episode, with
        −1000 points for who did it.
    render_mode
        ``"ansi"``: `render` returns text; ``"human"``: each step prints it. All hands are in
        view.

    Raises
    ------
    OptionError, RulesError
        If an argument is none of these.
    """

    metadata: Final = {
        "render_modes": list(_RENDER_MODES),
        "name": "tarot_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        players: int | None = None,
        *,
        rules: Rules | None = None,
        all_pass: AllPass = "end",
        dealer: int | None = None,
        reward_scale: float = 1.0,
        max_cycles: int | None = None,
        illegal: Illegal = "raise",
        render_mode: Literal["human", "ansi"] | None = None,
    ) -> None:
        super().__init__()
        self.rules = table_of(players, rules)
        for name, value, known in (
            ("all_pass", all_pass, _ALL_PASS),
            ("illegal", illegal, _ILLEGAL),
            ("render_mode", render_mode, (None, *_RENDER_MODES)),
        ):
            if value not in known:
                names = ", ".join(filter(None, known))
                raise OptionError(f"{name}: {shown(value)} is not one of {names}")
        if dealer is not None and dealer not in range(self.rules.players):
            raise OptionError(f"dealer: {dealer!r} is not a seat of 0…{self.rules.players - 1}")
        if not 0 < reward_scale < float("inf"):
            raise OptionError(f"reward_scale: {shown(reward_scale)} is not above 0")
        if max_cycles is not None and max_cycles < 1:
            raise OptionError(f"max_cycles: {max_cycles} is less than 1")
        self.all_pass = all_pass
        self.illegal = illegal
        self.dealer = dealer
        self.reward_scale = reward_scale
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        count = self.rules.players
        self.possible_agents = [f"player_{seat}" for seat in range(count)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: spaces.Discrete(N_ACTIONS) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(
                        np.zeros(size(count), np.uint8), highest(count), dtype=np.uint8
                    ),
                    "action_mask": spaces.Box(0, 1, (N_ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._draws: Draws | None = None
        self._table: Table | None = None
        self._idle = {"action_mask": action_mask(0)}
        self._cycles = 0

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return what an agent's observations are like; the same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return what an agent's actions are like; the same for all."""
        return self.action_spaces[agent]

    @property
    def table(self) -> Table:
        """The deal that is played, all cards in view; `Table.deal` is its record.

        Raises
        ------
        RecordError
            Before the first reset.
        """
        if self._table is None:
            raise RecordError("deal: there is none before reset()")
        return self._table

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        Parameters
        ----------
        seed
            Where this deal and the following ones come from; None goes on from the last seed,
            or from fresh entropy.
        options
            ``{"deal": Deal}`` for that deal, as dealt: its bids and cards do not matter.

        Raises
        ------
        OptionError, RecordError
            If the deal is none, or one of another table.
        """
        if seed is not None or self._draws is None:
            self._draws = Draws(seed)
        given = None if options is None else options.get("deal")
        dealt = self._dealt(self.dealer) if given is None else self._given(given)
        self._table = Table(self.rules, dealt)
        self._cycles = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._idle = {"action_mask": action_mask(0)}
        self.infos = dict.fromkeys(self.agents, self._idle)
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._select()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now: arrays of its own, but for the mask, the info's."""
        return {
            "observation": self.table.sheets.observation(self._seats[agent]),
            "action_mask": self.infos[agent]["action_mask"]
            if agent in self.infos
            else action_mask(0),
        }

    def step(self, action: SupportsIndex | None) -> None:
        """Let the selected agent act; a dead one with None.

        Raises
        ------
        OptionError, IllegalPlayError
            If it is no action, or not a legal one.
        """
        table = self.table
        if not self.agents:
            raise IllegalPlayError("action: the episode is over, reset() begins another")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise IllegalPlayError("action: the episode is over, only None may follow")
            self._was_dead_step(action)
            return
        if action is None:
            raise OptionError("action: None is for agents whose episode is over")
        self._cumulative_rewards[agent] = 0.0
        if self.illegal == "end" and not table.legal >> checked_action(action) & 1:
            self.rewards[agent] = _ILLEGAL_POINTS * self.reward_scale
            self._end_for_all()
        else:
            table.act(action)
            if table.phase == "over":
                self._settle(table)
        self._cycles += 1
        if self._cycles == self.max_cycles and not self.terminations[agent]:
            self.truncations = dict.fromkeys(self.agents, True)
        self._select()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the deal as text, or print it, as the render mode says."""
        if self.render_mode is None:
            return None
        answer = rendered(self.table)
        if self.render_mode == "ansi":
            return answer
        print(answer)
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to be closed."""

    def _dealt(self, dealer: int | None) -> Dealt:
        assert self._draws is not None
        return deal_uniform(self.rules, self._draws, dealer)

    def _given(self, deal: object) -> Dealt:
        if not isinstance(deal, Deal) or deal.is_ending or deal.dealer is None:
            raise OptionError(f"deal: {shown(deal)} is no whole Deal")
        if deal.players != self.rules.players:
            count = self.rules.players
            raise OptionError(f"deal: it is one for {deal.players} players, there are {count}")
        return deal.hands, deal.dog, deal.dealer

    def _settle(self, table: Table) -> None:
        """Give the scores, or go on with the next deal where all passed and it is so agreed."""
        if self.all_pass == "redeal" and table.auction.taker is None:
            following = (table.auction.dealer + 1) % self.rules.players
            self._table = Table(self.rules, self._dealt(following))
            return
        assert table.scores is not None
        for agent, score in zip(self.possible_agents, table.scores, strict=True):
            self.rewards[agent] = score * self.reward_scale
        self._end_for_all()

    def _end_for_all(self) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def _select(self) -> None:
        """Hand the turn, with its mask, to the agent to act."""
        self.infos[self.agent_selection] = self._idle
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self.agent_selection = self.agents[0]
            return
        table = self.table
        agent = self.possible_agents[table.seat]
        self.agent_selection = agent
        self.infos[agent] = {"action_mask": action_mask(table.legal)}
