"""Weights and constants fitted to games, or by games."""
