"""Shared parts of tests of the package: folders, a plain reader, stand-ins for libraries and for the program."""

import json
import os
import struct
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "app/python"))

# As the program, for what the real one is not needed for: writes down its arguments, and what `answers` says.
STUB = """#!{python}
import json, os, sys
folder = {folder!r}
with open(os.path.join(folder, "calls.jsonl"), "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
answers = json.load(open(os.path.join(folder, "answers.json")))
help = next((" --help " + word for word in ("--all", "--plot") if word in sys.argv), "") if "--help" in sys.argv else ""
answer = answers.get(sys.argv[1] + help, {{}})
if "npz" in answer:
    import numpy
    name, shape = answer["npz"]
    numbers = numpy.arange(numpy.prod(shape), dtype="float32").reshape(shape)
    numpy.savez(sys.argv[sys.argv.index("-o") + 1], **{{name: numbers}})
sys.stdout.buffer.write(bytes.fromhex(answer["hex"]) if "hex" in answer else answer.get("out", "").encode())
sys.stderr.write(answer.get("err", ""))
if "sleep" in answer:
    import time
    time.sleep(answer["sleep"])
sys.exit(answer.get("code", 0))
"""


class FolderCase(unittest.TestCase):
    """A test with a folder of its own, which is also the home."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        kept = {name: value for name, value in os.environ.items()
                if name not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_STATE_HOME", "ATTNSCOPE_CONFIG_DIR")}
        changed = mock.patch.dict(os.environ, {**kept, "HOME": folder.name}, clear=True)
        changed.start()
        self.addCleanup(changed.stop)

    def use_stub(self, **answers):
        """Makes a stand-in of the program, with a fixed answer to each of its commands."""
        program = self.folder / "stub"
        program.write_text(STUB.format(python=sys.executable, folder=str(self.folder)))
        program.chmod(0o755)
        (self.folder / "answers.json").write_text(json.dumps(answers))
        os.environ["ATTNSCOPE"] = str(program)

    def calls(self):
        """Arguments of all calls of the stand-in."""
        file = self.folder / "calls.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def assert_left(self, *names):
        """Checks which files there are in the folder."""
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(names))


def plain_safetensors(path):
    """(type, shape, bytes) of each array and the text of the metadata, read byte by byte as the format says."""
    data = Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length].decode("utf-8"))
    described = json.loads(header.pop("__metadata__")["attnscope"])
    numbers, end, found = data[8 + length:], 0, {}
    assert length % 8 == 0 and data[8 + length - 1:8 + length] in b" }"
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        assert entry["data_offsets"][0] == end, "a hole"
        end = entry["data_offsets"][1]
        found[name] = entry["dtype"], tuple(entry["shape"]), numbers[entry["data_offsets"][0]:end]
    assert end == len(numbers)
    return found, described


class Tensor:
    """Stands for a tensor on a graphics card that takes part in a gradient: NumPy alone cannot read it."""

    def __init__(self, array, on_gpu=True, requires_grad=True):
        self._array, self._on_gpu, self.requires_grad = np.asarray(array), on_gpu, requires_grad

    shape = property(lambda self: self._array.shape)
    ndim = property(lambda self: self._array.ndim)
    dtype = property(lambda self: f"torch.{self._array.dtype.name}")

    def detach(self):
        return Tensor(self._array, self._on_gpu, False)

    def cpu(self):
        return Tensor(self._array, False, self.requires_grad)

    def __getitem__(self, index):
        return Tensor(self._array[index], self._on_gpu, self.requires_grad)

    def __array__(self, dtype=None):
        if self._on_gpu or self.requires_grad:
            raise TypeError("can't convert a tensor that is on a device or requires grad")
        return self._array


def weights(*shape, seed=0):
    """Rows that sum to 1, as float32."""
    numbers = np.random.default_rng(seed).random(shape, dtype=np.float32)
    return numbers / numbers.sum(-1, keepdims=True)


def rows(*shape, seed=0):
    """Numbers of queries, keys or values."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
