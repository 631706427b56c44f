"""The page of the five texts: as it is generated, and every test and command on it is there."""

import argparse
import importlib.util
import re
import shlex

from support import CHECKOUT

from eleengine.commands import import_command

spec = importlib.util.spec_from_file_location("papers_items", CHECKOUT / "tools" / "papers_items.py")
papers_items = importlib.util.module_from_spec(spec)
spec.loader.exec_module(papers_items)

PROOFS = sorted({proof for text in papers_items.ITEMS.values() for *_, proof in papers_items.rows(text)})


def test_the_page_is_as_generated():
    assert (CHECKOUT / "docs" / "papers-items.md").read_text(encoding="utf-8") == papers_items.page()


def test_every_item_has_a_test_a_command_or_a_reason():
    for proof in PROOFS:
        if proof.startswith("reason: "):
            assert len(proof.split()) >= 6, proof
        elif "::" in proof:
            file, _, name = proof.partition("::")
            text = (CHECKOUT / "tests" / f"{file}.py").read_text(encoding="utf-8")
            assert re.search(rf"^def {name}\(", text, re.MULTILINE), proof
        else:
            name, *words = shlex.split(proof)
            parser = argparse.ArgumentParser()
            import_command(name).add_arguments(parser)
            parser.parse_args(words)
