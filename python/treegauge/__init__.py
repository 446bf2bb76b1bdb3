"""Measures how good games and how hard puzzles are from the shape of their search trees.

A function for each command of the program, and games, positions, searches, solutions and datasets as
objects. The documentation is in ``docs/python.md`` of the repository.
"""

from ._treegauge import State as State, __version__ as __version__

# Type checkers take it for true. `typing` has the same name, and takes longer to load than the rest.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from . import cluster as cluster, openspiel as openspiel
    from ._operations import *  # noqa: F403
    from ._public import *  # noqa: F403
    from ._public import __all__
else:

    def __getattr__(name):
        """Loads all names when one of them is used first: the import alone loads the extension."""
        if name in ("cluster", "openspiel", "pettingzoo", "sklearn"):
            from importlib import import_module

            try:
                return import_module(f"{__name__}.{name}")
            except ImportError as error:
                raise AttributeError(f"treegauge.{name} needs a package: {error}") from error
        if not name.startswith("_") or name == "__all__":
            from . import _public

            globals().update({one: getattr(_public, one) for one in _public.__all__})
            globals()["__all__"] = _public.__all__
        if name in globals():
            return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__getattr__("__all__")})
