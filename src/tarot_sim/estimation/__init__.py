"""What a hand, an écart or a call is worth, with how far off that may be."""
