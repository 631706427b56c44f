"""Every numbered item of the conformance checklist has a test that names its number."""

import re

from support import CHECKOUT

ITEMS = 110


def test_every_item_has_a_test():
    text = "".join(file.read_text(encoding="utf-8") for file in (CHECKOUT / "tests").glob("test_ucci_*.py"))
    named = re.findall(r"^def test_((?:\d{3}_)+)", text, re.M)
    found = {int(number) for name in named for number in name.split("_") if number}
    assert found == set(range(1, ITEMS + 1))
