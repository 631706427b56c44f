"""How networks are made: samples of games, training, the file, reports. Docs: docs/nnue.md."""
