"""Version of the package, which is the program's."""

__version__ = "0.3.0"
