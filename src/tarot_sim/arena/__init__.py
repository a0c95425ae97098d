"""Matches between bots: the same deals for both, seats exchanged, gains with their errors."""
