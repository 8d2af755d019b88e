"""Arrays of attention to AttnScope's window, figures and numbers."""

from .document import save
from .files import load
from .program import AttnScopeError
from .version import __version__
from .window import show

__all__ = ["AttnScopeError", "__version__", "load", "save", "show"]
