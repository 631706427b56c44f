"""Games between any engines: who plays, openings, one game, many, and what the results prove."""
