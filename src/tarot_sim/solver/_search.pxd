"""Zero-window alpha-beta over the play of the cards, with a table of theorems.

The value of a finished deal is ``attack's half points − need[bouts] +
extra[Petit au bout + 1][chelem + 1]``: every objective is a choice of these numbers (see
`ObjectiveNumbers`). The attack maximises it.
"""

from cpython.ref cimport PyObject
from libc.stdint cimport int16_t, uint8_t, uint64_t

from tarot_sim._bits cimport popcount32
from tarot_sim._rules cimport State, chelem_of
from tarot_sim.solver._table cimport Table

cdef enum:
    UNBOUNDED = 16000    # beyond every value
    ALL_MOVES = 255      # a width that cuts no list of moves

cdef struct ObjectiveNumbers:
    int16_t need[4]      # half points needed, by the attack's bouts
    int16_t extra[3][3]  # half points, by Petit au bout + 1 and chelem + 1
    bint no_extra        # all of these are 0

cdef struct CampWidths:
    uint8_t lead
    uint8_t reply

cdef struct Widths:
    # How many moves each camp tries, the first in order; `tarot_sim.solver.widths.Widths`.
    CampWidths attack
    CampWidths defence

cdef struct Search:
    Table* table
    const ObjectiveNumbers* objective
    uint64_t salt        # objective, attack, options and widths: tells their entries apart
    Widths widths
    bint proof_order     # moves in the order of proofs: no lead of the defence is cut
    uint64_t nodes
    uint64_t node_limit  # see search_limit
    uint64_t checked_at  # nodes when the clock and the signals were last looked at
    uint64_t check_at    # nodes at which to look for limits again
    double deadline      # in seconds of the monotonic clock, 0 for none
    bint stopped         # a limit or a signal; the value returned is meaningless
    PyObject* error      # raised by a signal's handler meanwhile; see search_raise

cdef void search_init(
    Search* search,
    Table* table,
    const ObjectiveNumbers* objective,
    const State* state,
    Widths widths,
) noexcept nogil
cdef void search_limit(Search* search, uint64_t nodes) noexcept nogil
cdef int search_window(Search* search, const State* state, int beta) noexcept nogil
cdef int search_value(
    Search* search, const State* state, int guess, int* lower, int* upper
) noexcept nogil
cdef void search_bracket(
    Search* search, const State* state, int* lower, int* upper
) noexcept nogil
cdef void value_bounds(
    const State* state, const ObjectiveNumbers* objective, int* lower, int* upper
) noexcept nogil
cdef void principal_variation(Search* search, State* state, int value) noexcept nogil
cdef double search_clock() noexcept nogil
cdef int search_raise(Search* search) except -1
cdef int policy_card(const State* state) noexcept nogil


cdef inline Widths make_widths(
    int attack_lead, int attack_reply, int defence_lead, int defence_reply
) noexcept nogil:
    cdef Widths widths
    widths.attack.lead = attack_lead
    widths.attack.reply = attack_reply
    widths.defence.lead = defence_lead
    widths.defence.reply = defence_reply
    return widths


cdef inline int final_value(
    const State* state, const ObjectiveNumbers* objective
) noexcept nogil:
    """Return the value of a finished deal."""
    return (
        state.attack_points
        - objective.need[popcount32(state.bouts)]
        + objective.extra[state.petit_au_bout + 1][chelem_of(state) + 1]
    )
