"""Array files: .safetensors and .npz, written in parts and read without executing anything."""

import contextlib
import json
import os
import sys
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Union

import numpy as np

from .arrays import Array

PathLike = Union[str, "os.PathLike[str]"]

# Most bytes that are copied at a time.
BLOCK = 1 << 24

SAFETENSORS = {
    "bool": "BOOL", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "uint8": "U8", "uint16": "U16",
    "uint32": "U32", "uint64": "U64", "float16": "F16", "bfloat16": "BF16", "float32": "F32", "float64": "F64",
}


def stored_dtype(name: str) -> np.dtype:
    """Type of elements in files: little-endian, bfloat16 as its bits."""
    return np.dtype("uint16" if name == "bfloat16" else name).newbyteorder("<")


def blocks(array: np.ndarray, dtype: np.dtype) -> Iterator[memoryview]:
    """The bytes of an array in C order and the given byte order; what is not so already is copied by blocks."""
    if array.flags.c_contiguous and array.dtype == dtype:
        bytes_of = memoryview(array.reshape(-1)).cast("B")
        for begin in range(0, len(bytes_of), BLOCK):
            yield bytes_of[begin:begin + BLOCK]
    elif array.nbytes <= BLOCK or array.ndim == 0:
        yield memoryview(np.ascontiguousarray(array, dtype).reshape(-1)).cast("B")
    else:
        for part in array:
            yield from blocks(part, dtype)


def write_numbers(file: Any, array: Array) -> None:
    """Writes the parts of an array one after another; ValueError if they are not as long as its shape says."""
    dtype = stored_dtype(array.dtype)
    written = 0
    for part in array.parts:
        for block in blocks(part(), dtype):
            file.write(block)
            written += len(block)
    expected = int(np.prod(array.shape, dtype=object)) * dtype.itemsize
    if written != expected:
        raise ValueError(f"an array of shape {array.shape} had {written} bytes, expected {expected}")


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """A file that gets its name once all is written; on failure the previous file stays, and no other is left."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as file:
            yield file
        os.replace(part, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            part.unlink()
        if isinstance(error, OSError) and error.errno is not None:
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def write_safetensors(path: Path, arrays: Mapping[str, Array], metadata: str) -> None:
    """Writes arrays, with `metadata` as the text of the key "attnscope"."""
    # The widest elements first, so that all are aligned.
    ordered = sorted(arrays.items(), key=lambda item: -stored_dtype(item[1].dtype).itemsize)
    header: dict[str, Any] = {"__metadata__": {"attnscope": metadata}}
    end = 0
    for name, array in ordered:
        begin, end = end, end + int(np.prod(array.shape, dtype=object)) * stored_dtype(array.dtype).itemsize
        header[name] = {"dtype": SAFETENSORS[array.dtype], "shape": array.shape, "data_offsets": [begin, end]}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with replaced(path) as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for _, array in ordered:
            write_numbers(file, array)


def write_npz(path: Path, arrays: Mapping[str, Array], metadata: str) -> None:
    """Writes arrays as numpy.savez does, with `metadata` as the text `attnscope`; TypeError for bfloat16."""
    for name, array in arrays.items():
        if array.dtype == "bfloat16":
            raise TypeError(f"{name} is an array of bfloat16, which .npz cannot hold; "
                            "save it as .safetensors, or convert it to float32")
    with replaced(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array_header_1_0(member, {
                    "descr": stored_dtype(array.dtype).str, "fortran_order": False, "shape": array.shape})
                write_numbers(member, array)
        with archive.open("attnscope.npy", "w") as member:
            np.lib.format.write_array(member, np.array(metadata), allow_pickle=False)


WRITERS = {".safetensors": write_safetensors, ".npz": write_npz}


def write(path: PathLike, arrays: Mapping[str, Array], metadata: Mapping[str, Any]) -> Path:
    """Writes arrays and their description; the extension of the path chooses the format.

    ValueError for other extensions, OSError where nothing can be written; then no partial file is left.
    """
    target = Path(path)
    writer = WRITERS.get(target.suffix)
    if writer is None:
        raise ValueError(f"{target}: the name of the file ends in {target.suffix or 'nothing'}, "
                         f"expected {' or '.join(WRITERS)}")
    # Half of a surrogate pair, which byte-level tokens can end in, has no UTF-8.
    text = json.dumps(metadata, ensure_ascii=False).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    writer(target, arrays, text)
    return target


def read_safetensors(path: PathLike) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Arrays of a .safetensors file, mapped, and its metadata; ValueError for a file that is not sound.

    bfloat16 is returned as that of ml_dtypes if it is loaded, else as float32 of the same value.
    """
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, 100_000_000):
            raise ValueError(f"{path}: the header is said to have {length} bytes, and the file has {size}")
        try:
            header = json.loads(file.read(length))
            metadata = dict(header.pop("__metadata__", {}))
            entries = [(name, entry["dtype"], tuple(map(int, entry["shape"])), *map(int, entry["data_offsets"]))
                       for name, entry in header.items()]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(f"{path}: its header is not that of a .safetensors file: {error!r}") from None
    names = {stored: name for name, stored in SAFETENSORS.items()}
    arrays: dict[str, np.ndarray] = {}
    for name, stored, shape, begin, end in entries:
        if stored not in names:
            raise ValueError(f"{path}: {name} has the type {stored}, expected {', '.join(names)}")
        dtype = stored_dtype(names[stored])
        bytes_of = int(np.prod(shape, dtype=object)) * dtype.itemsize
        if min((*shape, begin)) < 0 or end - begin != bytes_of or 8 + length + end > size:
            raise ValueError(f"{path}: {name} of shape {shape} and type {stored} cannot be at [{begin}, {end}] "
                             f"of {size - 8 - length} bytes of numbers")
        mapped = np.memmap(path, dtype, "r", 8 + length + begin, shape) if bytes_of else np.empty(shape, dtype)
        arrays[name] = bfloat16(mapped) if stored == "BF16" else mapped
    return arrays, metadata


def bfloat16(bits: np.ndarray) -> np.ndarray:
    """Numbers of the bits of bfloat16, without loss."""
    ml_dtypes = sys.modules.get("ml_dtypes")
    if ml_dtypes is not None:
        return bits.view(ml_dtypes.bfloat16)
    return (bits.astype(np.uint32) << 16).view(np.float32)


def load(path: PathLike) -> dict[str, Any]:
    """Reads a file of `save` as its keywords: arrays by name, tokens, title and so on.

    Also reads other .safetensors and .npz files with arrays of numbers. ValueError for a file that is not sound.
    """
    if Path(path).suffix == ".npz":
        try:
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
                found = {name: archive[name] for name in archive.files}
        except (zipfile.BadZipFile, zlib.error, EOFError, MemoryError, RuntimeError) as error:
            raise ValueError(f"{path} is not a sound .npz file: {error}") from None
        text = str(found.pop("attnscope", "{}"))
    else:
        found, metadata = read_safetensors(path)
        text = str(metadata.get("attnscope", "{}"))
    try:
        described = json.loads(text)
    except (ValueError, RecursionError):
        described = None
    if not isinstance(described, dict):
        raise ValueError(f"{path}: what describes its arrays is no object of JSON: {text:.40}")
    return {**found, **described}
