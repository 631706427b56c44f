"""Names of a package that are imported when they are first asked for."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def import_name(package: str, modules: "Mapping[str, str]", name: str) -> object:
    """Return what a name of the package stands for, for its `__getattr__`.

    modules: the submodule that has it, for each name; a submodule stands for itself. AttributeError.

    >>> import_name("eleengine.ml", {"Positions": "positions"}, "Planes")
    Traceback (most recent call last):
    AttributeError: module 'eleengine.ml' has no attribute 'Planes'
    """
    if name not in modules:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    import importlib

    module = importlib.import_module(f".{modules[name]}", package)
    return module if name == modules[name] else getattr(module, name)
