"""What the best play of both camps comes to, every hand being open.

`minimax` looks at every legal line; `alpha_beta` leaves out the lines that cannot
matter, and nothing else: no table, no bounds, no equivalent cards, no ordering.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.reference import scoring
from tests.reference.rules import Settlement, State, is_over, legal, play, settle, to_move

#: What the attack wants to be high, and the defence low.
Objective = Callable[[Settlement], int]
Search = Callable[[State, Objective], int]

INFINITY = 10**9


def points(result: Settlement) -> int:
    """Return the attack's half points."""
    return result.attack_half_points


def margin(result: Settlement) -> int:
    """Return the attack's half points above its target."""
    return result.attack_half_points - 2 * scoring.TARGETS[len(result.attack_bouts)]


def score(
    players: int,
    contract: str,
    *,
    partner: bool = False,
    poignees: Sequence[str] = (),
    chelem_announced: bool = False,
) -> Objective:
    """Return the objective that is the taker's score."""

    def taker_score(result: Settlement) -> int:
        value = scoring.per_defender(
            contract,
            Fraction(result.attack_half_points, 2),
            len(result.attack_bouts),
            petit_au_bout=result.petit_au_bout,
            poignees=poignees,
            chelem=result.chelem,
            chelem_announced=chelem_announced,
        )
        return scoring.scores(players, value, partner=partner)["taker"]

    return taker_score


def attack_moves(state: State) -> bool:
    """Tell whether the next card is the attack's."""
    return state.table.camp(to_move(state)) == "attack"


def minimax(state: State, objective: Objective) -> int:
    """Return the value of `state`; every legal line is played to its end."""
    if is_over(state):
        return objective(settle(state))
    values = [minimax(play(state, card), objective) for card in legal(state)]
    return max(values) if attack_moves(state) else min(values)


def alpha_beta(
    state: State, objective: Objective, alpha: int = -INFINITY, beta: int = INFINITY
) -> int:
    """Return the value of `state`, or a bound on it if it is not between `alpha` and `beta`.

    What is returned is at most `alpha` if the value is, and at least `beta` if it is.
    """
    if is_over(state):
        return objective(settle(state))
    if attack_moves(state):
        best = -INFINITY
        for card in legal(state):
            best = max(best, alpha_beta(play(state, card), objective, max(alpha, best), beta))
            if best >= beta:
                break
        return best
    best = INFINITY
    for card in legal(state):
        best = min(best, alpha_beta(play(state, card), objective, alpha, min(beta, best)))
        if best <= alpha:
            break
    return best


def card_values(state: State, objective: Objective, search: Search = alpha_beta) -> dict[str, int]:
    """Return the value of every legal card, each searched by itself."""
    return {card: search(play(state, card), objective) for card in legal(state)}


def best_line(state: State, objective: Objective, search: Search = alpha_beta) -> list[str]:
    """Return one line of best play to the end: the first of the best cards each time."""
    line: list[str] = []
    while not is_over(state):
        values = card_values(state, objective, search)
        choose = max if attack_moves(state) else min
        card = choose(values, key=lambda card: values[card])
        line.append(card)
        state = play(state, card)
    return line
