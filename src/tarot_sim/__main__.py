"""``python -m tarot_sim``: the command line."""

from tarot_sim.cli.__main__ import main

if __name__ == "__main__":
    main()
