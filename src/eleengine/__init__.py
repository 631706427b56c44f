__version__ = "0.1.0"

from . import _variants

_variants.select()
