"""What a page can ask for, by subject: each module registers its handlers by the type of the request."""

from . import documents, files, games, page, playing, review, search, training, tree  # noqa: F401
from .registry import HANDLERS

__all__ = ["HANDLERS"]
