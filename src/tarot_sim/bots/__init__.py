"""Players that see what a seat sees: random ones, ones of habits, ones that search."""

from tarot_sim.bots.naming import NAMES, make
from tarot_sim.bots.player import Announcement, Bot, Decision, Option

__all__ = ["NAMES", "Announcement", "Bot", "Decision", "Option", "make"]
