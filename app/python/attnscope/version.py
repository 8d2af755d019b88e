"""Version of the package, which is the program's."""

__version__ = "0.2.0"
