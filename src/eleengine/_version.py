"""The version of the package: one place, below all that names it."""

__version__ = "0.2.0.dev0"
