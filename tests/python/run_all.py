"""Runs all tests of the Python package; ends with 77, by which CTest knows that they were skipped, without NumPy."""

import importlib.util
import os
import sys
import unittest

if importlib.util.find_spec("numpy") is None:
    print("skipped: the Python package needs NumPy (python3-numpy), which is not installed")
    sys.exit(77)
sys.dont_write_bytecode = True
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
unittest.main(None, argv=["unittest", "discover", "-s", os.path.dirname(os.path.abspath(__file__))])
