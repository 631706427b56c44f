"""JSON that anybody may have written."""

from __future__ import annotations

import json
from typing import Any


def read_object(text: str | bytes) -> dict[str, Any]:
    """The object of a JSON text; ValueError says what is wrong with it.

    >>> read_object('{"a": 1}')
    {'a': 1}
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        raise ValueError(f"not JSON: {error.msg} at {line}column {error.colno}") from None
    except RecursionError:
        raise ValueError("not JSON: nested too deeply") from None
    if not isinstance(data, dict):
        raise ValueError("expected a JSON object")
    return data
