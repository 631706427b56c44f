"""What the package uses of its own and promises to nobody."""
