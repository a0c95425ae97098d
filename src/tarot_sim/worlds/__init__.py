"""What the hidden cards may be, by the array, and the deals that follow from them."""
