"""The papers' experiments repeated, for `eleengine papers`; docs/papers.md explains them."""
