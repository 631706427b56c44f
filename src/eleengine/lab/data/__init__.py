"""Files of games, and games of the engine against itself for them."""
