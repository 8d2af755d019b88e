"""Arrays of attention to AttnScope's window, figures and numbers.

>>> import attnscope
>>> attnscope.show(outputs.attentions, tokens=tokens)      # a window
>>> attnscope.figure(outputs.attentions, plot="heads")     # a figure in a notebook
"""

from .document import save
from .evidence import ReadingNote
from .files import load
from .program import AttnScopeError
from .record import record
from .results import Figure, compute, figure, measures
from .version import __version__
from .window import show

__all__ = ["AttnScopeError", "Figure", "ReadingNote", "__version__", "compute", "figure", "load", "measures", "record",
           "save", "show"]
