"""The command line, ``tarot-sim``: one module a command, loaded when it is called."""
