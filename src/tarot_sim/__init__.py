"""tarot_sim: an engine for French Tarot (jeu de tarot), the 78-card game."""

from tarot_sim.cards import Card, Hand
