"""Makes the wheel of the package for pip, from a checkout, with nothing but Python: pip downloads nothing for it."""

import base64
import hashlib
import os
import runpy
import zipfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
VERSION = runpy.run_path(str(FOLDER / "attnscope/version.py"))["__version__"]
INFORMATION = f"attnscope-{VERSION}.dist-info"

METADATA = f"""Metadata-Version: 2.1
Name: attnscope
Version: {VERSION}
Summary: Arrays of attention to AttnScope's window, figures and numbers
License: MIT
Classifier: Operating System :: POSIX :: Linux
Classifier: Typing :: Typed
Requires-Python: >=3.9
Requires-Dist: numpy>=1.19
"""

WHEEL = """Wheel-Version: 1.0
Generator: attnscope
Root-Is-Purelib: true
Tag: py3-none-any
"""


def write_wheel(folder, files):
    """Writes a wheel of `files`, bytes by name, to a folder, and returns its name."""
    files = {**files, f"{INFORMATION}/METADATA": METADATA.encode(), f"{INFORMATION}/WHEEL": WHEEL.encode()}
    record = f"{INFORMATION}/RECORD"
    hashes = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()) for name, data in files.items()}
    lines = [f"{name},sha256={hashes[name].rstrip(b'=').decode()},{len(data)}" for name, data in files.items()]
    files[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    wheel = f"attnscope-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes a wheel of the package to a folder, for pip."""
    sources = [path for path in sorted((FOLDER / "attnscope").iterdir()) if path.suffix in (".py", ".typed")]
    sources.append(FOLDER.parents[1] / "assets/names.tsv")
    return write_wheel(wheel_directory, {f"attnscope/{path.name}": path.read_bytes() for path in sources})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes a wheel that refers to this checkout, for `pip install -e`."""
    return write_wheel(wheel_directory, {"attnscope.pth": f"{FOLDER}\n".encode()})
