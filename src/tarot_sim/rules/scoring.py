"""From a result to the score: the formula, and the results that no deal can have.

Everything is counted in half points; `parse_points` and `card_points` are where
card points come in from people and go out to them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, overload

from tarot_sim.arguments import integer, one_of, seat_number, some
from tarot_sim.errors import ScoreError
from tarot_sim.notation import shown
from tarot_sim.rules import (
    CAMPS,
    DOG_CONTRACTS,
    NEED,
    POIGNEES,
    TARGETS,
    TOTAL_HALF_POINTS,
    Camp,
    Contract,
    Rules,
    checked_rules,
    player_count,
)
from tarot_sim.rules.names import (
    CAMP_NAMES,
    CHELEM_NAMES,
    CONTRACT_NAMES,
    MISERE_NAMES,
    POIGNEE_NAMES,
)
from tarot_sim.rules.table import Chelem, MisereKind, PoigneeLevel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Points = int | float | Fraction | str

#: What a chelem adds to what each defender loses. The last is an announced chelem
#: that failed in every trick: the announcement and the defence's own chelem add up.
CHELEMS: Final[dict[Chelem, int]] = {
    "made": 200,
    "announced_made": 400,
    "announced_failed": -200,
    "by_defence": -200,
    "announced_by_defence": -400,
}

#: What every contract is worth beside the points above or below the target.
BASE: Final = 25
#: What the Petit au bout is worth, before the coefficient.
PETIT_AU_BOUT: Final = 10
_ALL_TRUMPS: Final = 22  # the Excuse may be shown as one
_BOUT: Final = 9  # half points of a bout; of a Roi too
_KEPT_EXCUSE: Final = 8  # what the Excuse is worth net of the half point given for it
_PLAIN_HONOURS: Final = (7, 7, 7, 7, 5, 5)  # the dearest écart: no Roi, no bout
_FEDERATION: Final = Rules()
#: Characters, and names, that an error repeats at most.
_MOST_SHOWN: Final = 40
_MOST_NAMES: Final = 10
_POINTS: Final = re.compile(r"[+-]?[0-9]{1,9}(?:[.,][0-9]{1,9})?")


@dataclass(frozen=True, slots=True)
class Score:
    """What a deal is worth.

    Attributes
    ----------
    target
        Card points that the attack needed.
    made
        Whether it has them.
    difference
        By how many card points it made or missed them, rounded away from zero.
    per_defender
        What each defender loses (negative: wins).
    taker, partner, defender
        What each of them scores; `partner` is None where the taker plays alone.

    Examples
    --------
    >>> score(contract="garde", points=49, bouts=2).by_seat(4, taker_seat=1)
    (-66, 198, -66, -66)
    """

    target: int
    made: bool
    difference: int
    per_defender: int
    taker: int
    partner: int | None
    defender: int

    def by_seat(
        self, players: int, taker_seat: int, partner_seat: int | None = None
    ) -> tuple[int, ...]:
        """Return the scores by seat; they sum to 0.

        Raises
        ------
        ScoreError
            If a seat is none of the table's, or if a partner's seat is missing or
            one too many.
        """
        players = player_count(players, ScoreError)
        taker_seat = seat_number("taker_seat", taker_seat, players, ScoreError)
        if partner_seat is not None:
            partner_seat = seat_number("partner_seat", partner_seat, players, ScoreError)
        if (partner_seat is None) != (self.partner is None) or partner_seat == taker_seat:
            raise ScoreError(
                f"partner_seat: {partner_seat!r} does not fit, "
                + ("the taker played alone" if self.partner is None else "the taker had a partner")
            )
        scores = [self.defender] * players
        scores[taker_seat] = self.taker
        if partner_seat is not None and self.partner is not None:
            scores[partner_seat] = self.partner
        if sum(scores):
            raise ScoreError(f"players: this score is not one of a table of {players}")
        return tuple(scores)


def parse_points(points: Points) -> int:
    """Return card points as half points.

    Parameters
    ----------
    points
        An integer, a float or fraction that is a multiple of one half, or text
        such as ``"40.5"`` or ``"40,5"``.

    Raises
    ------
    ScoreError
        If `points` is no number, or no multiple of one half.

    Examples
    --------
    >>> parse_points("40,5"), parse_points(41)
    (81, 82)
    """
    try:
        if isinstance(points, bool):
            raise TypeError
        if isinstance(points, str):
            if not _POINTS.fullmatch(points.strip()):
                raise ValueError
            doubled = 2 * Fraction(points.strip().replace(",", "."))
        else:
            doubled = 2 * Fraction(points)
    except (TypeError, ValueError, OverflowError):
        raise ScoreError(f"points: {shown(points)} is not a number of card points") from None
    if doubled.denominator != 1:
        raise ScoreError(f"points: {shown(points)} is not a multiple of 0.5")
    return int(doubled)


def card_points(half_points: int) -> int | float:
    """Return half points as card points, an integer where they are whole.

    Examples
    --------
    >>> card_points(81), card_points(82)
    (40.5, 41)
    """
    return half_points // 2 if half_points % 2 == 0 else half_points / 2


def score(
    *,
    players: int = 4,
    contract: Contract,
    points: Points,
    bouts: int,
    petit_au_bout: Camp | None = None,
    poignees: Sequence[PoigneeLevel] = (),
    chelem: Chelem | None = None,
    alone: bool = False,
    check: bool = True,
    miseres: Sequence[MisereKind] = (),
    rules: Rules | None = None,
) -> Score:
    """Return the score of a result that is known without its cards.

    Names may be the French ones too, see `tarot_sim.rules.names`.

    Parameters
    ----------
    players
        3, 4 or 5.
    contract
        ``"prise"``, ``"garde"``, ``"garde_sans"`` or ``"garde_contre"``.
    points
        Card points of the attack, as `parse_points` understands them.
    bouts
        Bouts in the attack's pile.
    petit_au_bout
        The camp that won the Petit in the last trick, if any did.
    poignees
        Every poignée shown, by either camp: ``"simple"``, ``"double"``, ``"triple"``.
    chelem
        None, ``"made"``, ``"announced_made"``, ``"announced_failed"`` (but the defence
        did not win every trick), ``"by_defence"`` or ``"announced_by_defence"``.
    alone
        Five players: the taker has no partner.
    check
        Whether to refuse results that no deal can have. Names that mean nothing are
        refused in any case.
    miseres
        Every misère shown, where that is a house rule: ``"trumps"``, ``"courts"``.
    rules
        The table's options, of which only house rules make a difference; none by default.

    Raises
    ------
    ScoreError
        If the result cannot be; the message names the field and its value.

    Examples
    --------
    >>> score(contract="garde", points=49, bouts=2, poignees=["simple"],
    ...       petit_au_bout="attack").taker
    318
    """
    half_points = parse_points(points)
    players, bouts = player_count(players, ScoreError), _bouts(bouts)
    contract, chelem = CONTRACT_NAMES.get(contract), CHELEM_NAMES.get(chelem)
    petit_au_bout = CAMP_NAMES.get(petit_au_bout)
    if not isinstance(poignees, str):
        poignees = [POIGNEE_NAMES.get(name) for name in some("poignees", poignees, ScoreError)]
    if not isinstance(miseres, str):
        miseres = [MISERE_NAMES.get(name) for name in some("miseres", miseres, ScoreError)]
    rules = _FEDERATION if rules is None else checked_rules(rules)
    _check_names(players, contract, petit_au_bout, poignees, chelem, alone, rules)
    _check_miseres(miseres, rules)
    if check:
        _check_points(players, half_points, points)
        _check_bouts(half_points, bouts)
        _check_poignees(rules.with_players(players), poignees)
        _check_chelem(players, contract, half_points, bouts, petit_au_bout, chelem)
    return score_half_points(
        players=players,
        contract=contract,
        half_points=half_points,
        bouts=bouts,
        petit_au_bout=petit_au_bout,
        poignees=poignees,
        chelem=chelem,
        alone=alone,
        miseres=miseres,
        rules=rules,
    )


def score_half_points(
    *,
    players: int = 4,
    contract: Contract,
    half_points: int,
    bouts: int,
    petit_au_bout: Camp | None = None,
    poignees: Sequence[PoigneeLevel] = (),
    chelem: Chelem | None = None,
    alone: bool = False,
    miseres: Sequence[MisereKind] = (),
    rules: Rules = _FEDERATION,
) -> Score:
    """Return the score of a result that was played: `score` without its checks.

    Parameters
    ----------
    half_points
        The attack's card points, in half points.

    See `score` for the others.

    Examples
    --------
    >>> score_half_points(players=3, contract="prise", half_points=81, bouts=2).difference
    1
    """
    margin = half_points - NEED[bouts]
    value = per_defender(
        margin,
        contract,
        petit_au_bout={"attack": 1, None: 0, "defence": -1}[petit_au_bout],
        poignees=shown_bonus(poignees, miseres, rules),
        chelem=0 if chelem is None else CHELEMS[chelem],
        rules=rules,
    )
    partner = value if players == 5 and not alone else None
    # The defenders' shares are the attack's: each of them pays or is paid `value`.
    defenders = players - 1 if partner is None else players - 2
    return Score(
        target=TARGETS[bouts],
        made=margin >= 0,
        difference=rounded_points(abs(margin), rules),
        per_defender=value,
        taker=defenders * value - (partner or 0),
        partner=partner,
        defender=-value,
    )


def shown_bonus(
    poignees: Sequence[PoigneeLevel], miseres: Sequence[MisereKind], rules: Rules
) -> int:
    """Return what all that was shown is worth to the camp that wins the contract.

    Examples
    --------
    >>> shown_bonus(["simple", "double"], ["trumps"], Rules(misere=10))
    60
    """
    return sum(rules.poignee_values[name] for name in poignees) + rules.misere * len(miseres)


@overload
def rounded_points(half_points: int, rules: Rules = ...) -> int: ...
@overload
def rounded_points(half_points: NDArray[np.integer], rules: Rules = ...) -> NDArray[np.integer]: ...
def rounded_points(half_points: Any, rules: Rules = _FEDERATION) -> Any:
    """Return half points, at least 0, as the card points that count: half a point is one.

    House rules may have it otherwise, see `Rules`.

    Examples
    --------
    >>> rounded_points(15), rounded_points(16)
    (8, 8)
    """
    points = (half_points + (rules.half_points == "up")) // 2
    if rules.rounding == 1:
        return points
    return (2 * points + rules.rounding) // (2 * rules.rounding) * rules.rounding


@overload
def per_defender(
    margin: int,
    contract: Contract,
    *,
    petit_au_bout: int = 0,
    poignees: int = 0,
    chelem: int = 0,
    rules: Rules = ...,
) -> int: ...
@overload
def per_defender(
    margin: NDArray[np.integer],
    contract: Contract,
    *,
    petit_au_bout: int | NDArray[Any] = 0,
    poignees: int | NDArray[Any] = 0,
    chelem: int | NDArray[Any] = 0,
    rules: Rules = ...,
) -> NDArray[np.integer]: ...
def per_defender(
    margin: Any,
    contract: Contract,
    *,
    petit_au_bout: Any = 0,
    poignees: Any = 0,
    chelem: Any = 0,
    rules: Rules = _FEDERATION,
) -> Any:
    """Return what each defender loses (negative: wins).

    All but the contract may be integers or integer arrays that broadcast together.

    Parameters
    ----------
    margin
        Half points of the attack above what its bouts need.
    contract
        The contract.
    petit_au_bout
        +1 if the attack won the Petit in the last trick, −1 if the defence did, else 0.
    poignees
        What all poignées shown are worth together; the winner of the deal gets it.
    chelem
        What a chelem adds, see `CHELEMS`.
    rules
        The house rules, none by default.

    Examples
    --------
    >>> per_defender(16, "garde"), per_defender(-1, "garde")
    (66, -52)
    """
    sign = 2 * (margin >= 0) - 1
    return defender_loss(
        sign,
        sign * rounded_points(abs(margin), rules),
        contract,
        petit_au_bout,
        poignees,
        chelem,
        rules,
    )


def defender_loss(
    sign: Any,
    points: Any,
    contract: Contract,
    petit_au_bout: Any,
    poignees: Any,
    chelem: Any,
    rules: Rules = _FEDERATION,
) -> Any:
    """Return what each defender loses, from the two parts of the margin.

    It is linear in each of them, so of expectations it is the expectation.

    Parameters
    ----------
    sign
        +1 for a contract that is made, −1 for one that fails; 2p − 1 of a probability.
    points
        Card points above the target, negative below it, rounded away from 0.
    contract, petit_au_bout, poignees, chelem, rules
        As in `per_defender`.

    Examples
    --------
    >>> defender_loss(1, 8, "garde", 0, 20, 0), defender_loss(0.5, 4.0, "garde", 0, 0, 0)
    (86, 33.0)
    """
    return (
        rules.coefficients[contract] * (BASE * sign + points + PETIT_AU_BOUT * petit_au_bout)
        + sign * poignees
        + chelem
    )


def _check_names(
    players: int,
    contract: str,
    petit_au_bout: str | None,
    poignees: Sequence[str],
    chelem: str | None,
    alone: bool,
    rules: Rules,
) -> None:
    """Refuse what is no value of its field at all."""
    if contract == "pousse" and not rules.pousse:
        raise ScoreError(f"contract: {contract!r} is bid by a house rule only")
    _check_name("contract", contract, rules.contracts)
    if petit_au_bout is not None:
        _check_name("petit_au_bout", petit_au_bout, CAMPS)
    if isinstance(poignees, str):
        raise ScoreError(f"poignees: {shown(poignees)} is a name, expected a list of names")
    for name in poignees:
        _check_name("poignees", name, tuple(POIGNEES))
    if chelem is not None:
        _check_name("chelem", chelem, tuple(CHELEMS))
    if alone and players != 5:
        raise ScoreError(f"alone: only at 5 players, there are {players}")


def _check_miseres(miseres: Sequence[str], rules: Rules) -> None:
    if isinstance(miseres, str):
        raise ScoreError(f"miseres: {shown(miseres)} is a name, expected a list of names")
    for name in miseres:
        _check_name("miseres", name, tuple(MISERE_NAMES.names))
    if miseres and not rules.misere:
        raise ScoreError("miseres: shown by a house rule only")


def _bouts(bouts: object) -> int:
    number = integer("bouts", bouts, ScoreError)
    if isinstance(bouts, bool) or not 0 <= number <= 3:
        raise ScoreError(f"bouts: {shown(bouts)} is not one of 0…3")
    return number


def _check_name(field: str, value: object, allowed: Sequence[str]) -> None:
    one_of(field, value, allowed, ScoreError)


def _check_points(players: int, half_points: int, points: Points) -> None:
    if not 0 <= half_points <= TOTAL_HALF_POINTS:
        raise ScoreError(f"points: {_written(points)} is outside 0…91")
    if players == 4 and half_points % 2:
        raise ScoreError(f"points: {_written(points)} is not whole, as it must be at 4 players")


def _written(points: Points) -> str:
    """Return points as a message repeats them: not in quotes, and not hundreds of digits."""
    text = str(points) if isinstance(points, str | float | Fraction) else shown(points)
    return text if len(text) < _MOST_SHOWN else shown(text)


def _check_bouts(half_points: int, bouts: int) -> None:
    """Refuse points that are fewer than either camp's bouts alone.

    One of a camp's bouts may be the Excuse, for which half a point was given away.
    """
    for camp, points, count in (
        ("attack", half_points, bouts),
        ("defence", TOTAL_HALF_POINTS - half_points, 3 - bouts),
    ):
        least = _BOUT * count - (count > 0)
        if points < least:
            raise ScoreError(
                f"points: {card_points(half_points)} contradicts bouts: {bouts}, the {camp}'s "
                f"bouts alone are worth {card_points(least)}"
            )


def _check_poignees(rules: Rules, poignees: Sequence[PoigneeLevel]) -> None:
    trumps = dict(zip(POIGNEES, rules.poignee_trumps, strict=True))
    total = sum(trumps[name] for name in poignees)
    if total > _ALL_TRUMPS:
        names = ", ".join(poignees[:_MOST_NAMES])
        raise ScoreError(f"poignees: {names} show {total} trumps, there are {_ALL_TRUMPS}")


def _check_chelem(
    players: int,
    contract: Contract,
    half_points: int,
    bouts: int,
    petit_au_bout: Camp | None,
    chelem: Chelem | None,
) -> None:
    if chelem is None:
        return
    if chelem == "announced_failed":
        # The cheapest trick, with the attack's own Excuse taken back out of it.
        if TOTAL_HALF_POINTS - half_points < players:
            raise ScoreError(
                f"points: {card_points(half_points)} contradicts chelem: {chelem!r}, "
                f"a lost trick alone is worth {card_points(players)}"
            )
        return
    loser: Camp = "defence" if chelem in ("made", "announced_made") else "attack"
    if petit_au_bout == loser:
        raise ScoreError(f"petit_au_bout: {loser!r} contradicts chelem: {chelem!r}")
    bounds = _pile_bounds(players, contract, loser)
    if loser == "attack":
        # Score sheets say 0 for a camp that took nothing, and leave its écart out.
        bounds = [(0, most) for _, most in bounds]
        possible = _without_a_trick(half_points, bouts, bounds)
    else:
        possible = _without_a_trick(TOTAL_HALF_POINTS - half_points, 3 - bouts, bounds)
    if not possible:
        raise ScoreError(
            f"chelem: {chelem!r} contradicts points: {card_points(half_points)} with bouts: "
            f"{bouts}, the {loser} won no trick"
        )


def _pile_bounds(players: int, contract: Contract, camp: Camp) -> list[tuple[int, int]]:
    """Return the fewest and the most half points that `camp` has without a trick.

    That is its écart or dog; the entries are for 0, 1, 2… bouts in it.
    """
    if (camp == "defence") != (contract == "garde_contre"):
        return [(0, 0)]
    size = Rules(players=players).dog_size
    if contract in DOG_CONTRACTS:
        return [(size, sum(_PLAIN_HONOURS[:size]))]
    ladder = (*[_BOUT] * 4, *_PLAIN_HONOURS)  # the Rois first
    return [
        (_BOUT * bouts + size - bouts, _BOUT * bouts + sum(ladder[: size - bouts]))
        for bouts in range(4)
    ]


def _without_a_trick(half_points: int, bouts: int, bounds: Sequence[tuple[int, int]]) -> bool:
    """Tell whether a camp that wins no trick can have this, given `_pile_bounds`.

    Under ``excuse_no_trick="keep"`` it may have kept the Excuse besides.
    """
    for kept in (0, 1):
        index = bouts - kept
        if 0 <= index < len(bounds):
            least, most = bounds[index]
            if least <= half_points - _KEPT_EXCUSE * kept <= most:
                return True
    return False
