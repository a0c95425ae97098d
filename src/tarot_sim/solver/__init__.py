"""What is true of a position when all hands are in view."""
