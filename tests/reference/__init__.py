"""The oracle: the rules of the game as plainly as they can be written down.

Cards are strings, hands and piles are tuples of them, and every rule is one short
function to be checked by eye against the specification. Nothing here imports the
engine, and nothing here tries to be fast.
"""
