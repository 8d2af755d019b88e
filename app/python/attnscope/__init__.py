"""Arrays of attention to AttnScope's window, figures and numbers."""

from .document import save
from .files import load
from .version import __version__

__all__ = ["__version__", "load", "save"]
