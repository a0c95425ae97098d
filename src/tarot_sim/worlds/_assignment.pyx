"""Exactly uniform assignments of cards to places, each card with the places where it may be.

Cards that may be in the same places are a class. Class by class and place by place, how many
go there is drawn by the number of ways that lead from there to a full assignment; then which
they are. There is no dead end and no rejection.

Places that all classes to come treat alike are one *joint* place, which takes what they take
together: whatever goes there can be shared out in as many ways as there are subsets of the
right size, so the counts stay exact and far fewer have to be known.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from tarot_sim._draws cimport Draws, below, lock_of, open_draws
from tarot_sim._signals cimport check_signals

import numpy as np

from tarot_sim.arguments import own_array, some, whole_number
from tarot_sim.errors import OptionError

cdef enum:
    MOST_PLACES = 6    # the seats of a table and the cards aside
    CARDS = 78
    KNOWN = 255        # of a card whose place is given
    DEAD = -1          # no node: cards or places are left over
    ROWS_AT_A_TIME = 4096  # some 10 ms between looks for signals
    # More branches than this come from no table's play: half a gigabyte.
    MOST_EDGES = 8_000_000

cdef struct Class:
    uint8_t places         # where its cards may be, a bit each
    int size
    uint8_t cards[CARDS]

cdef struct Edge:
    double up_to           # ways of this branch and of those before it
    int32_t child
    int32_t count          # cards of the class that go to the place

cdef struct Join:
    # Two places that are one from a class on.
    int number             # the class
    int kept               # the place that stands for both
    int joined
    int size               # what the other takes

cdef struct Bag:
    # What a place was given.
    int count
    uint8_t cards[CARDS]
    uint8_t numbers[CARDS]  # the class of each

cdef double[CARDS + 1][CARDS + 1] BINOMIAL


def _fill_binomials():
    cdef int n, k
    for n in range(CARDS + 1):
        BINOMIAL[n][0] = 1
        for k in range(1, n + 1):
            BINOMIAL[n][k] = BINOMIAL[n - 1][k - 1] + (BINOMIAL[n - 1][k] if k < n else 0)


_fill_binomials()

cdef struct Node:
    double ways
    int32_t first          # its edges
    int32_t edges


cdef class Assignment:
    """All ways to put cards in places, from which any number can be drawn.

    Parameters
    ----------
    allowed : numpy.ndarray
        uint8 (78,): the places of each card, a bit each; 0 for cards that are not assigned.
    capacities : sequence of int
        Cards that each place takes, one to six places; together as many as are assigned.

    Raises
    ------
    OptionError
        If there is no way at all, or the numbers do not agree.

    Examples
    --------
    >>> import numpy as np
    >>> allowed = np.zeros(78, np.uint8)
    >>> allowed[:4] = [3, 3, 1, 2]
    >>> Assignment(allowed, [2, 2]).ways
    2.0
    """

    cdef Class classes[CARDS]
    # From each class on, the place that stands for each place: itself, or a lower one.
    cdef uint8_t stands[CARDS + 1][MOST_PLACES]
    cdef uint8_t capacities[MOST_PLACES]
    cdef double root_ways  # ways to share out what is joint from the start
    cdef int n_classes
    cdef int n_places
    cdef int n_cards
    cdef Node* nodes
    cdef int n_nodes
    cdef int room_for_nodes
    cdef Edge* edges
    cdef int n_edges
    cdef int room_for_edges
    cdef Edge* stack
    cdef int top
    cdef int room_on_stack
    # Nodes by class and capacities that are left, open addressing.
    cdef uint64_t* keys
    cdef int32_t* values
    cdef int slots
    cdef int root

    def __cinit__(self, allowed, capacities):
        cdef uint8_t left[MOST_PLACES]
        cdef int place, card
        masks = own_array("allowed", allowed, np.uint8, (CARDS,))
        counts = [
            whole_number("capacities", number, 0, CARDS)
            for number in some("capacities", capacities)
        ]
        if not 1 <= len(counts) <= MOST_PLACES:
            raise OptionError(f"capacities: {len(counts)} places, expected 1…{MOST_PLACES}")
        memset(left, 0, sizeof(left))
        open_places = 0
        for place, number in enumerate(counts):
            left[place] = number
            open_places |= (number > 0) << place
        if (masks >= 1 << len(counts)).any():
            raise OptionError("allowed: a place that is not there")
        if np.count_nonzero(masks) != sum(counts):
            raise OptionError(
                f"capacities: room for {sum(counts)} cards, there are {np.count_nonzero(masks)}"
            )
        self.n_places = len(counts)
        self.n_cards = sum(counts)
        groups = {}
        for card in range(CARDS):
            if masks[card]:
                groups.setdefault(int(masks[card]) & open_places, []).append(card)
        # Those with few places first: most of the others then follow in few ways.
        self.n_classes = 0
        for places in sorted(groups, key=lambda mask: (mask.bit_count(), len(groups[mask]), mask)):
            members = groups[places]
            self.classes[self.n_classes].places = places
            self.classes[self.n_classes].size = len(members)
            for place, card in enumerate(members):
                self.classes[self.n_classes].cards[place] = card
            self.n_classes += 1
        self._join_places()
        memcpy(self.capacities, left, MOST_PLACES)
        self.root_ways = 1
        self.slots = 1 << 10
        self.keys = <uint64_t*>calloc(self.slots, sizeof(uint64_t))
        self.values = <int32_t*>calloc(self.slots, sizeof(int32_t))
        if self.keys == NULL or self.values == NULL:
            raise MemoryError
        self.root = self._node(-1, self.n_places, 0, left, &self.root_ways)
        if self.root == DEAD or self.nodes[self.root].ways == 0:
            raise OptionError("allowed: there is no way to put the cards there")

    def __dealloc__(self):
        free(self.nodes)
        free(self.edges)
        free(self.stack)
        free(self.keys)
        free(self.values)

    @property
    def ways(self):
        """Number of ways, as a float."""
        return self.nodes[self.root].ways * self.root_ways

    @property
    def branches(self):
        """Number of branches that were counted."""
        return self.n_edges

    def draw(self, n, bit_generator, row=None):
        """Draw assignments, each as likely as any other.

        Parameters
        ----------
        n : int
            How many.
        bit_generator : numpy.random.BitGenerator
            Where the random bits come from; its lock is held during the call.
        row : numpy.ndarray, optional
            uint8 (78,): what stands in each row for cards that are not assigned; 255 unless
            given.

        Returns
        -------
        numpy.ndarray
            uint8 (n, 78): the place of each card.
        """
        cdef const uint8_t[::1] given = (
            np.full(CARDS, KNOWN, np.uint8)
            if row is None
            else own_array("row", row, np.uint8, (CARDS,))
        )
        cdef Draws draws
        cdef Py_ssize_t number, rows = whole_number("n", n, 0)
        open_draws(&draws, bit_generator)
        worlds = np.empty((rows, CARDS), np.uint8)
        cdef uint8_t[:, ::1] world = worlds
        with lock_of(bit_generator), nogil:
            for number in range(rows):
                if number % ROWS_AT_A_TIME == ROWS_AT_A_TIME - 1:
                    check_signals()
                memcpy(&world[number, 0], &given[0], CARDS)
                self._draw(&draws, &world[number, 0])
        return worlds

    cdef int _join_places(self) except -1:
        """Find out which places are alike from each class on."""
        cdef int number, place, other
        alike = [0] * self.n_places  # bits of the classes that may go there
        for number in range(self.n_classes, -1, -1):
            if number < self.n_classes:
                for place in range(self.n_places):
                    alike[place] = alike[place] << 1 | (self.classes[number].places >> place & 1)
            for place in range(self.n_places):
                other = 0
                while alike[other] != alike[place]:
                    other += 1
                self.stands[number][place] = other
        return 0

    cdef double _enter(self, int number, uint8_t* left, Join* joins, int* n_joins) noexcept nogil:
        """Join places at the beginning of a class; return in how many ways they are shared out.

        The joins are noted where `joins` is not NULL.
        """
        cdef double ways = 1
        cdef int place, kept
        for place in range(self.n_places):
            kept = self.stands[number][place]
            if kept == place or left[place] == 0:
                continue
            ways *= BINOMIAL[left[place] + left[kept]][left[place]]
            if joins != NULL:
                joins[n_joins[0]].number = number
                joins[n_joins[0]].kept = kept
                joins[n_joins[0]].joined = place
                joins[n_joins[0]].size = left[place]
                n_joins[0] += 1
            left[kept] += left[place]
            left[place] = 0
        return ways

    cdef void _draw(self, Draws* draws, uint8_t* world) noexcept nogil:
        cdef int node = self.root, number, place, low, high, middle, card, chosen, todo, _card
        cdef int n_joins = 0
        cdef double target = 0
        cdef Class* group
        cdef Bag* bag
        cdef Bag[MOST_PLACES] bags
        cdef Join[MOST_PLACES] joins
        cdef uint8_t[MOST_PLACES] left
        memcpy(left, self.capacities, MOST_PLACES)
        for place in range(self.n_places):
            bags[place].count = 0
        for number in range(self.n_classes):
            self._enter(number, left, joins, &n_joins)
            group = &self.classes[number]
            todo = group.size
            for place in range(self.n_places):
                if not group.places >> place & 1 or self.stands[number][place] != place:
                    continue
                low = self.nodes[node].first
                high = low + self.nodes[node].edges - 1
                if low < high:
                    target = (
                        draws.generator.next_double(draws.generator.state)
                        * self.nodes[node].ways
                    )
                while low < high:
                    middle = (low + high) >> 1
                    if self.edges[middle].up_to > target:
                        high = middle
                    else:
                        low = middle + 1
                left[place] -= self.edges[low].count
                bag = &bags[place]
                for _card in range(self.edges[low].count):
                    # Fisher and Yates: any of those that are left; where all go, in their order.
                    chosen = todo - 1
                    if self.edges[low].count - _card < todo:
                        chosen = below(draws, todo)
                    todo -= 1
                    card = group.cards[chosen]
                    group.cards[chosen] = group.cards[todo]
                    group.cards[todo] = card
                    bag.cards[bag.count] = card
                    bag.numbers[bag.count] = number
                    bag.count += 1
                node = self.edges[low].child
        while n_joins:
            n_joins -= 1
            share_out(draws, &joins[n_joins], bags)
        for place in range(self.n_places):
            for _card in range(bags[place].count):
                world[bags[place].cards[_card]] = place

    cdef int _node(
        self, int number, int place, int cards, const uint8_t* before, double* shares
    ) except -2:
        """Return the node where `cards` cards of a class are still to go.

        To the places from `place` on, which with those behind take what `before` says. `shares`
        is multiplied by the ways to share out what is joined on the way there.
        """
        cdef uint64_t key
        cdef uint32_t slot
        cdef int other, node, bottom, count, most, fewest = 0, child
        cdef double chosen = 1, ways
        cdef uint8_t rest[MOST_PLACES]
        cdef uint8_t left[MOST_PLACES]
        memcpy(left, before, MOST_PLACES)
        while number < self.n_classes:
            if place == self.n_places:
                if cards:
                    return DEAD
                number += 1
                place = 0
                cards = self.classes[number].size if number < self.n_classes else 0
                shares[0] *= self._enter(number, left, NULL, NULL)
            elif (
                not self.classes[number].places >> place & 1
                or self.stands[number][place] != place
            ):
                # The last class has to fill all places up.
                if number == self.n_classes - 1 and left[place]:
                    return DEAD
                place += 1
            else:
                break
        key = (<uint64_t>(number + 1) << 3 | place) << 7 | cards
        for other in range(self.n_places):
            key = key << 7 | left[other]
        slot = self._slot(key)
        if self.keys[slot] == key:
            return self.values[slot]
        if self.n_nodes == self.room_for_nodes:
            self._grow_nodes()
        node = self.n_nodes
        self.n_nodes += 1
        self.nodes[node].ways = number == self.n_classes
        self.nodes[node].first = 0
        self.nodes[node].edges = 0
        if number < self.n_classes:
            bottom = self.top
            memcpy(rest, left, MOST_PLACES)
            most = left[place] if left[place] < cards else cards
            if number == self.n_classes - 1:
                fewest = left[place]
            for count in range(most + 1):
                if count:
                    chosen = chosen * (cards - count + 1) / count
                if count < fewest:
                    continue
                rest[place] = left[place] - count
                ways = chosen
                child = self._node(number, place + 1, cards - count, rest, &ways)
                if child != DEAD and self.nodes[child].ways > 0:
                    self._push(ways * self.nodes[child].ways, child, count)
            self._link(node, bottom)
        # The table may have grown meanwhile.
        if 2 * self.n_nodes >= self.slots:
            self._grow_table()
        slot = self._slot(key)
        self.keys[slot] = key
        self.values[slot] = node
        return node

    cdef int _push(self, double ways, int child, int count) except -1:
        """Put an edge on the stack, on which those of a node wait for its last."""
        cdef int room
        cdef Edge* grown
        if self.top == self.room_on_stack:
            room = 2 * self.room_on_stack + 256
            grown = <Edge*>realloc(self.stack, room * sizeof(Edge))
            if grown == NULL:
                raise MemoryError
            self.stack = grown
            self.room_on_stack = room
        self.stack[self.top].up_to = ways
        self.stack[self.top].child = child
        self.stack[self.top].count = count
        self.top += 1
        return 0

    cdef int _link(self, int node, int bottom) except -1:
        """Take the edges of a node from the stack, down to `bottom`."""
        cdef double total = 0
        cdef int place
        while self.n_edges + self.top - bottom > self.room_for_edges:
            self._grow_edges()
        self.nodes[node].first = self.n_edges
        self.nodes[node].edges = self.top - bottom
        for place in range(bottom, self.top):
            total += self.stack[place].up_to
            self.edges[self.n_edges] = self.stack[place]
            self.edges[self.n_edges].up_to = total
            self.n_edges += 1
        self.nodes[node].ways = total
        self.top = bottom
        return 0

    cdef uint32_t _slot(self, uint64_t key) noexcept nogil:
        cdef uint32_t slot = (key * <uint64_t>0x9E3779B97F4A7C15) >> 32 & (self.slots - 1)
        while self.keys[slot] != 0 and self.keys[slot] != key:
            slot = (slot + 1) & (self.slots - 1)
        return slot

    cdef int _grow_nodes(self) except -1:
        cdef int room = 2 * self.room_for_nodes + 64
        cdef Node* grown = <Node*>realloc(self.nodes, room * sizeof(Node))
        if grown == NULL:
            raise MemoryError
        self.nodes = grown
        self.room_for_nodes = room
        return 0

    cdef int _grow_edges(self) except -1:
        cdef int room = 2 * self.room_for_edges + 256
        cdef Edge* grown
        if room > MOST_EDGES:
            raise MemoryError
        grown = <Edge*>realloc(self.edges, room * sizeof(Edge))
        if grown == NULL:
            raise MemoryError
        self.edges = grown
        self.room_for_edges = room
        return 0

    cdef int _grow_table(self) except -1:
        cdef int old = self.slots, slot
        cdef uint64_t* keys = self.keys
        cdef int32_t* values = self.values
        cdef uint32_t to
        self.keys = <uint64_t*>calloc(4 * old, sizeof(uint64_t))
        self.values = <int32_t*>calloc(4 * old, sizeof(int32_t))
        if self.keys == NULL or self.values == NULL:
            free(self.keys)
            free(self.values)
            self.keys, self.values = keys, values
            raise MemoryError
        self.slots = 4 * old
        for slot in range(old):
            if keys[slot]:
                to = self._slot(keys[slot])
                self.keys[to] = keys[slot]
                self.values[to] = values[slot]
        free(keys)
        free(values)
        return 0


cdef inline void share_out(Draws* draws, const Join* join, Bag* bags) noexcept nogil:
    """Give the joined place its share of what was put in the place that stood for both."""
    cdef Bag* kept = &bags[join.kept]
    cdef Bag* joined = &bags[join.joined]
    cdef int todo = join.size, among = 0, place, stay = 0
    for place in range(kept.count):
        among += kept.numbers[place] >= join.number
    # Each subset of the right size is as likely: card by card, by how many are to be taken.
    for place in range(kept.count):
        if kept.numbers[place] >= join.number:
            if todo and (todo == among or <int>below(draws, among) < todo):
                joined.cards[joined.count] = kept.cards[place]
                joined.numbers[joined.count] = kept.numbers[place]
                joined.count += 1
                todo -= 1
                among -= 1
                continue
            among -= 1
        kept.cards[stay] = kept.cards[place]
        kept.numbers[stay] = kept.numbers[place]
        stay += 1
    kept.count = stay
