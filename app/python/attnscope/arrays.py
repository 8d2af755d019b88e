"""Arrays of any library, read through NumPy without copying where they are in memory already."""

import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Optional

import numpy as np

# Usual order of axes; every array is written in it.
AXES = ("samples", "layers", "heads", "queries", "keys", "tokens", "features")

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
DTYPES = ("bool", *INTEGERS, *FLOATS)


class Layer(NamedTuple):
    """One array of a layer, or of a whole stack of layers.

    `axes` and `shape` are those of a sample, in the usual order; `samples` is None without that axis.
    `read(sample)` returns the numbers of a sample (None without samples), bfloat16 as uint16.
    """

    axes: tuple[str, ...]
    shape: tuple[int, ...]
    dtype: str
    samples: Optional[int]
    read: Callable[[Optional[int]], np.ndarray]

    def extent(self, axis: str) -> Optional[int]:
        """Extent of an axis, None if there is no such axis."""
        if axis == "samples":
            return self.samples
        return self.shape[self.axes.index(axis)] if axis in self.axes else None


class Array(NamedTuple):
    """An array to be written: `parts`, each returned by a function, follow each other."""

    axes: tuple[str, ...]
    shape: tuple[int, ...]
    dtype: str
    parts: Sequence[Callable[[], np.ndarray]]

    def extent(self, axis: str) -> Optional[int]:
        """Extent of an axis, None if there is no such axis."""
        return self.shape[self.axes.index(axis)] if axis in self.axes else None


def is_array(value: Any) -> bool:
    """True if a value is an array or a tensor of some library."""
    return hasattr(value, "shape") and hasattr(value, "dtype")


def dtype_name(value: Any) -> str:
    """Name of the element type, "float32" for torch.float32 and TensorFlow's <dtype: 'float32'> too."""
    name = getattr(value.dtype, "name", value.dtype)
    return (re.findall(r"\w+", str(name)) or [""])[-1]


def checked_dtype(name: str, value: Any) -> str:
    """Name of the element type; TypeError if files have no such type."""
    found = dtype_name(value)
    if found in DTYPES:
        return found
    if found == "void16":
        raise TypeError(f"{name} is an array of void16, as which NumPy loads bfloat16 where ml_dtypes is not imported: "
                        "import ml_dtypes and load it again, or pass "
                        "(array.view(numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32)")
    if found == "object" or found.startswith(("str", "bytes", "void")):
        raise TypeError(f"{name} is an array of {found}, expected numbers of one type and lists of equal lengths")
    raise TypeError(f"{name} is an array of {found}, expected {', '.join(DTYPES)}; convert it, for example to float32")


def to_numpy(value: Any) -> np.ndarray:
    """The numbers of an array of any library, bfloat16 as uint16.

    Detached and moved to the CPU; not copied if they are there already.
    """
    name = dtype_name(value)
    for step in ("detach", "cpu"):  # PyTorch
        if hasattr(value, step):
            value = getattr(value, step)()
    if hasattr(value, "__cuda_array_interface__") and hasattr(value, "get"):  # CuPy
        value = value.get()
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        if value.layout != torch.strided:
            value = value.to_dense()
        if name == "bfloat16":
            value = value.view(torch.int16)
        array = value.resolve_neg().numpy() if value.is_neg() else value.numpy()
    else:
        array = np.asarray(value if hasattr(value, "__array__") or not hasattr(value, "numpy") else value.numpy())
    return array.view(np.uint16) if name == "bfloat16" else array


def in_order(axes: Sequence[str]) -> tuple[str, ...]:
    """The axes in the usual order."""
    return tuple(sorted(axes, key=AXES.index))


def taken(value: Any, axis: int, index: int) -> Any:
    """The part of an array at an index of an axis, by the indexing that all libraries share."""
    return value[(slice(None),) * axis + (index,)]


def layer_of(name: str, value: Any, axes: Sequence[str], heads: Optional[int] = None) -> Layer:
    """An array whose axes are known. With `heads`, the axis "features" holds heads · features.

    ValueError if an extent is 0 or does not divide by the heads.
    """
    dtype = checked_dtype(name, value)
    extents = dict(zip(axes, (int(extent) for extent in value.shape)))
    if 0 in extents.values():
        raise ValueError(f"{name} is empty: its shape is {tuple(value.shape)}")
    samples = extents.pop("samples", None)
    place = list(axes).index("samples") if samples is not None else 0
    inner = [axis for axis in axes if axis != "samples"]
    if heads is not None:
        width = extents["features"]
        if heads < 1 or width % heads:
            raise ValueError(f"{name} has rows of {width} numbers, which {heads} heads cannot share equally")
        extents.update(heads=heads, features=width // heads)
        inner[inner.index("features"):] = ["heads", "features"]
    unordered = tuple(extents[axis] for axis in inner)
    ordered = in_order(inner)
    order = [inner.index(axis) for axis in ordered]

    def read(sample: Optional[int]) -> np.ndarray:
        part = value if sample is None else taken(value, place, sample)
        return to_numpy(part).reshape(unordered).transpose(order)

    return Layer(ordered, tuple(extents[axis] for axis in ordered), dtype, samples, read)


def stacked(name: str, layers: Sequence[Layer], numbers: Optional[Sequence[int]] = None) -> Array:
    """One array of layers that are alike; without the axis "layers" if `numbers` is None.

    Samples of extent 1 are left out. ValueError if layers differ in shape or type.
    """
    first = layers[0]
    for number, layer in zip(numbers or (), layers):
        for what, found, expected in (
            ("axes", layer.axes, first.axes), ("shape", layer.shape, first.shape), ("type", layer.dtype, first.dtype),
            ("number of samples", layer.samples, first.samples),
        ):
            if found != expected:
                raise ValueError(f"{name}: the {what} of layer {number} is {found}, of layer {numbers[0]} {expected}; "
                                 "layers that differ go into files of their own")
    axes, shape = first.axes, first.shape
    if numbers is not None:
        axes, shape = ("layers", *axes), (len(layers), *shape)
    if first.samples is not None and first.samples > 1:
        axes, shape = ("samples", *axes), (first.samples, *shape)
    samples = [None] if first.samples is None else range(first.samples)
    parts = [lambda layer=layer, sample=sample: layer.read(sample) for sample in samples for layer in layers]
    return Array(axes, shape, first.dtype, parts)
