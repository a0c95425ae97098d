"""One deal as people know it: dealt, recorded, checked, played, replayed, read from files."""
