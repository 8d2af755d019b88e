"""The program attnscope, found and called."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

IN_TREE = ("build/release/app/attnscope", "bin/attnscope")  # of a checkout, and of an unpacked archive


class AttnScopeError(RuntimeError):
    """The program was not found, or refused its arguments; the text is its message."""


def find_program() -> str:
    """Path of the program: that of ATTNSCOPE, on PATH, or of the checkout or archive that contains this package."""
    chosen = os.environ.get("ATTNSCOPE")
    if chosen:
        if not os.access(chosen, os.X_OK) or os.path.isdir(chosen):
            raise AttnScopeError(f"ATTNSCOPE is {chosen}, which is no program; set it to the path of attnscope")
        return os.path.abspath(chosen)
    on_path = shutil.which("attnscope")
    if on_path:
        return on_path
    for folder in Path(__file__).resolve().parents:
        for place in IN_TREE:
            if os.access(folder / place, os.X_OK):
                return str(folder / place)
    raise AttnScopeError("the program attnscope was not found in ATTNSCOPE, on PATH, or in build/release/app of a "
                         "checkout; install its package, or set ATTNSCOPE to its path")


def run(arguments: Sequence[str]) -> bytes:
    """Standard output of the program; AttnScopeError with its message if it fails."""
    done = subprocess.run([find_program(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode != 0:
        raise AttnScopeError(message(done.stderr) or f"attnscope ended with code {done.returncode} and no message")
    return done.stdout


def text_flags(data: Any, text: Optional[str]) -> list[str]:
    """Flags with the text that the model in a folder reads; TypeError if the data is no path, or this is no text."""
    if text is None:
        return []
    if isinstance(data, (str, os.PathLike)) and isinstance(text, str):
        return [f"--text={text}"]
    raise TypeError(f"a text follows the folder of a model, but these are {type(data).__name__}, {type(text).__name__}")


def message(errors: bytes) -> str:
    """The message of the program, without its name in front and without notes before an error."""
    text = errors.decode("utf-8", "replace").strip()
    begins = re.search(r"^attnscope: error: ", text, re.MULTILINE)
    return re.sub(r"^attnscope: (error: )?", "", text[begins.start() if begins else 0:], flags=re.MULTILINE)
