"""Arrays shown in AttnScope's window."""

import fcntl
import json
import os
import re
import shlex
import subprocess
import tempfile
import time
import uuid
from datetime import datetime
from pathlib import Path
from typing import Any, Optional

from .document import save_unnamed
from .program import AttnScopeError, find_program, message, text_flags

# How long a running window has to take a request, and how long files stay.
PATIENCE = 1.5
KEPT = 7 * 24 * 3600

# Windows that were started, so that none is left as a zombie.
_started: list["subprocess.Popen[bytes]"] = []


def show(attention: Any = None, text: Optional[str] = None, **keywords: Any) -> Path:
    """Shows arrays, a document by its path, or the model in a folder, which reads a text, in AttnScope's window; returns
    the path that is shown.

    Other arguments are those of `save`. A running window opens a tab; else one is started and goes on by itself. Without
    a display it says where the file is and how to open it. Files stay for seven days.
    Raises what `save` raises, and AttnScopeError if the program is not found or its window cannot start.
    """
    flags = text_flags(attention, text)
    if isinstance(attention, (str, os.PathLike)):
        if keywords:
            raise TypeError(f"a document by its path takes no {', '.join(keywords)}")
        built_in = isinstance(attention, str) and attention.startswith(("attnscope:", "example:"))
        path = Path(attention) if built_in else Path(attention).absolute()
        if not built_in and not path.exists():
            raise FileNotFoundError(2, "there is no such document", str(path))
    else:
        path = shown_folder() / f"{file_name(keywords.get('title'))}.safetensors"
        save_unnamed(path, attention, keywords)
    if taken_by_window({"open": str(path)} if text is None else {"open": str(path), "text": text}):
        return path
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        start_window(path, flags)
    else:
        print("There is no display. Where there is one: attnscope view", path, *map(shlex.quote, flags))
    return path


def state_folder() -> Path:
    """Folder of the program's state."""
    for variable, below in (("ATTNSCOPE_CONFIG_DIR", ""), ("XDG_STATE_HOME", "attnscope")):
        folder = os.environ.get(variable, "")
        if os.path.isabs(folder):
            return Path(folder, below)
    return Path.home() / ".local/state/attnscope"


def shown_folder() -> Path:
    """Folder of what was shown, without what is older than seven days."""
    folder = state_folder() / "shown"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for file in folder.iterdir():
        try:
            if file.is_file() and time.time() - file.stat().st_mtime > KEPT:
                file.unlink()
        except OSError:
            pass  # another process removed it
    return folder


def file_name(title: Any) -> str:
    """A name of no other file, from a title and the time."""
    words = re.sub(r"[^\w.-]+", "-", title if isinstance(title, str) else "").strip("-.")[:40]
    return f"{words or 'attention'}-{datetime.now():%Y%m%d-%H%M%S-%f}"


def taken_by_window(request: dict[str, str]) -> bool:
    """Requests a running window to open a file; true if one did."""
    inbox = state_folder() / "inbox"
    inbox.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not may_run(inbox):
        return False
    name = uuid.uuid4().hex
    part, file = inbox / f".{name}.part", inbox / f"{name}.json"
    part.write_text(json.dumps(request), "utf-8")
    part.rename(file)
    end = time.monotonic() + PATIENCE
    while file.exists():
        if time.monotonic() > end:
            try:
                file.unlink()
                return False
            except FileNotFoundError:
                return True  # taken at the last moment
        time.sleep(0.02)
    return True


def may_run(inbox: Path) -> bool:
    """True if a window runs, which holds a lock of the folder, or was started and will hold it."""
    try:
        folder = os.open(inbox, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        finally:
            os.close(folder)
    except OSError:
        return True  # also where locks are not known
    return any(window.poll() is None for window in _started)


def start_window(path: Path, flags: list[str]) -> None:
    """Starts a window of its own; AttnScopeError if it ends at once with an error."""
    _started[:] = [window for window in _started if window.poll() is None]
    with tempfile.TemporaryFile() as errors:
        window = subprocess.Popen([find_program(), "view", str(path), *flags], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True)
        _started.append(window)
        try:
            code = window.wait(0.5)
        except subprocess.TimeoutExpired:
            return
        if code != 0:
            errors.seek(0)
            raise AttnScopeError(f"the window could not start: {message(errors.read())}; the file is {path}")
