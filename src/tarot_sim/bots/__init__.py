"""Players that see what a seat sees: random ones, ones of habits, ones that search."""
