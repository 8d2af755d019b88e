"""Arrays as libraries hand them out, understood as the arrays of one document."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Optional

import numpy as np

from .arrays import (
    FLOATS, Array, Layer, checked_dtype, dtype_name, in_order, is_array, layer_of, stacked, taken, to_numpy,
)
from .evidence import LETTERS, Known, choose_axes, mask_orders, numbers_of
from .mappings import NOTHING, is_list_of_arrays
from .generated import Beams, Steps, of_hypotheses, rows_before_ends, stitched, transposed_steps

MAPS = ("attention", "encoder_attention", "decoder_attention", "cross_attention")
ROWS = {"q": "queries", "k": "keys", "v": "keys"}
ARRAYS = (*MAPS, *ROWS, "mask", "hidden", "bias", "input_ids")

class Document(NamedTuple):
    """Arrays by the names of files, and what describes them."""

    arrays: dict[str, Array]
    metadata: dict[str, Any]


def is_mapping(value: Any) -> bool:
    """True if a value maps names to arrays, as dictionaries, model outputs and caches do."""
    return hasattr(value, "keys") and hasattr(value, "__getitem__")


def unpacked(name: str, value: Any, axes: tuple[str, ...], rows: str, ends: np.ndarray, heads: Optional[int]) -> Layer:
    """Sequences that follow each other along "tokens", as samples padded with zeros."""
    whole = layer_of(name, value, axes, heads)
    if int(ends[-1]) != whole.extent("tokens"):
        raise ValueError(f"{name} has {whole.extent('tokens')} rows, expected {int(ends[-1])}, the end of cu_seqlens")
    shape = (whole.extent("heads"), int(np.diff(ends).max()), whole.extent("features"))

    def read(sample: Optional[int]) -> np.ndarray:
        part = layer_of(name, value[int(ends[sample]):int(ends[sample + 1])], axes, heads).read(None)
        padded = np.zeros(shape, part.dtype)
        padded[:, :part.shape[1]] = part
        return padded

    return Layer(("heads", rows, "features"), shape, whole.dtype, len(ends) - 1, read)


def added_or_flags(name: str, masks: Sequence[Any]) -> str:
    """"bias" for floats that are 0 or large and negative, which are added to scores, else the name of flags.

    ValueError for other numbers.
    """
    numbers = [numbers_of(mask) for mask in masks]
    if all(((each == 0) | (each == 1)).all() for each in numbers) and any(each.any() for each in numbers):
        return name
    if name == "mask" and all(((each == 0) | (each <= -1e4)).all() for each in numbers):
        return "bias"
    low, high = min(each.min() for each in numbers), max(each.max() for each in numbers)
    raise ValueError(f"{name} has numbers from {low:.3g} to {high:.3g}, which are neither 0 and 1 nor 0 and large and "
                     "negative; bias= adds them to the scores")


class Reader:
    """Reads the arrays of one document; extents known from one array determine how the next are read."""

    def __init__(self, axes: Mapping[str, Any], layers: Optional[list[int]],
                 sample_count: Optional[int], head_count: Optional[int]) -> None:
        self.axes = {name: axes_of(name, names) for name, names in axes.items()}
        self.layers = layers
        self.numbers: dict[str, list[int]] = {}  # of the layers of each list
        self.sample_count = sample_count
        self.head_count = head_count
        self.ends: dict[str, np.ndarray] = {}  # of packed sequences
        self.arrays: dict[str, Array] = {}
        self.samples: dict[str, int] = {}
        self.known = Known()
        self.called: dict[str, str] = {}  # names of arrays in a mapping
        self.others: list[Any] = []  # keys and values, or one layer of them
        self.row_order = ""  # letters of the axes of q, which k and v have, too
        self.own_axes: Optional[tuple[str, ...]] = None  # of each layer of a list
        self.beams = Beams()
        self.rows_seen: Optional[np.ndarray] = None  # of sequences, (samples, queries), if some end before others
        self.steps = 0  # rows of each step of generate() that maps are stitched from

    def axes_by_evidence(self, name: str, arrays: Sequence[Any], stacked: str = "",
                         listed: bool = False) -> tuple[str, ...]:
        """Axes of an array, or of each layer of a stack, by all evidence."""
        if name in ROWS and self.row_order and len(self.row_order) == len(arrays[0].shape):
            order = self.row_order
        else:
            known = replace(self.known, layers=self.known_layers() or 0, samples=self.samples_told())
            if name in ("encoder_attention", "decoder_attention"):  # of one of the two sequences
                own = known.tokens or (known.keys if name[0] == "e" else known.queries)
                known = replace(known, queries=own, keys=own, tokens=0)
            others = self.others if name == "q" else []
            order = choose_axes(name, arrays, known, rows=name in ROWS, others=others, stacked=stacked,
                                called=self.called.get(name, name), listed=listed,
                                flat=name in ROWS and self.head_count is not None)
            if name == "q":
                self.row_order = order
        ends = {"q": ROWS[name], "k": "features"} if name in ROWS else {}
        return tuple(ends.get(letter, LETTERS[letter]) for letter in order)

    def samples_told(self) -> int:
        """Number of samples known from arrays; 0 if unknown."""
        return next(iter(self.samples.values()), 0)

    def known_layers(self) -> Optional[int]:
        """Number of layers, if it was given or is known from an array."""
        if self.layers is not None:
            return len(self.layers)
        counts = {array.extent("layers") for array in self.arrays.values()} - {None}
        return counts.pop() if len(counts) == 1 else None

    def known_samples(self) -> Optional[int]:
        """Number of samples, if it is known from tokens or an array."""
        return self.sample_count or next(iter(self.samples.values()), None)

    def read(self, name: str, value: Any) -> None:
        """Reads an array, a list of layers, layers by number, or a list of steps of such lists."""
        self.own_axes = None
        listed = not (is_mapping(value) and name in self.called)
        numbers: Optional[list[int]] = None
        if is_mapping(value):
            numbers = [number for number in value.keys() if value[number] is not None]
            value = [value[number] for number in numbers]
            if self.layers is not None and numbers != self.layers:
                raise ValueError(f"{name} is of the layers {numbers}, and layers are {self.layers}")
        elif isinstance(value, (list, tuple)) and value and all(layer is None for layer in value):
            raise ValueError(f"all layers of {name} are None: {NOTHING}")
        elif not is_array(value) and not is_list_of_arrays(value):
            value = plain(name, value)
        if is_array(value):
            checked_dtype(name, value)
            if name in MAPS and len(value.shape) == 1 and value.shape[0] > 0:  # weights of one query
                value = value[None]
            self.add(name, [self.single(name, value, False)], None)
            return
        if any(isinstance(item, (list, tuple)) for item in value):
            if name not in MAPS:
                raise ValueError(f"{name} is a list of lists, expected an array, or a list of an array per layer")
            value = transposed_steps(name, value)
        there = [number for number, layer in enumerate(value) if layer is not None]
        layers = [value[number] for number in there]
        if numbers is None:
            numbers = self.numbers_of(name, there, len(value))
        if any(is_array(layer) and len(layer.shape) == 1 for layer in layers):
            raise ValueError(f"{name} is a list of arrays of one axis, expected an array per layer; "
                             f"numpy.stack({name}) makes one array of such rows")
        if not all(is_array(layer) or isinstance(layer, Steps) for layer in layers):
            raise TypeError(f"{name} is a list of arrays and other things, expected an array per layer, or None")
        if layers and all(map(is_array, layers)) and self.axes.get(name) is None and name not in self.ends:
            self.own_axes = self.axes_by_evidence(name, layers, "l", listed)
        self.add(name, [self.single(name, layer, True) for layer in layers], numbers)

    def numbers_of(self, name: str, there: list[int], count: int) -> list[int]:
        """Numbers of the layers of a list, some of which may have no attention."""
        if self.layers is None:
            return there
        if len(self.layers) == len(there):
            return self.layers
        if len(self.layers) == count:
            return [self.layers[index] for index in there]
        raise ValueError(f"layers are {len(self.layers)} numbers, and {name} has {len(there)} layers")

    def single(self, name: str, value: Any, in_list: bool) -> Layer:
        """An array, or one layer of a list, with its axes named."""
        if isinstance(value, Steps):
            self.steps = int(value.steps[0].shape[0]) if is_array(value.steps[0]) else 1
            layer = stitched(name, value.steps, self.beams)
            self.rows_seen = rows_before_ends(value.steps, self.beams)
            return layer
        shape = tuple(int(extent) for extent in value.shape)
        axes = self.axes.get(name)
        if axes is not None and in_list and axes[0] == "layers":
            axes = axes[1:]
        if name in self.ends:
            return self.packed(name, value, shape)
        if axes is None:
            axes = self.own_axes or self.axes_by_evidence(name, [value])
        elif len(axes) != len(shape):
            raise ValueError(f"{name} has shape {shape}, and axes {len(axes)} names: {' '.join(axes)}")
        if name == "q" and not self.row_order:
            self.row_order = "".join("k" if axis == "features" else "q" if axis == "tokens" else axis[0] for axis in axes)
        split = self.head_count if name in ROWS and "heads" not in axes else None
        if split is not None and name != "q":
            split = self.key_heads(name, shape, axes)
        layer = layer_of(name, value, axes, split)
        return for_all_queries(layer, 1) if name in MAPS and "queries" not in axes else layer

    def packed(self, name: str, value: Any, shape: tuple[int, ...]) -> Layer:
        """Layer of packed sequences that end at `ends`."""
        axes = ("tokens", "heads", "features") if self.head_count is None else ("tokens", "features")
        if len(shape) != len(axes):
            raise ValueError(f"{name} has shape {shape}, expected ({', '.join(axes)}) with cu_seqlens")
        heads = self.head_count
        if heads is not None and name != "q":
            heads = self.key_heads(name, shape, axes)
        return unpacked(name, value, axes, ROWS[name], self.ends[name], heads)

    def key_heads(self, name: str, shape: tuple[int, ...], axes: Sequence[str]) -> int:
        """Heads of keys and values: keys are as wide as queries are, values have the heads of keys."""
        width = shape[list(axes).index("features")]
        if name == "v" and "k" in self.arrays:
            return self.arrays["k"].extent("heads") or 1
        features = self.arrays["q"].extent("features") if "q" in self.arrays else None
        return width // features if features and width % features == 0 else self.head_count or 1

    def add(self, name: str, layers: list[Layer], numbers: Optional[list[int]]) -> None:
        """Adds an array of one layer, or of layers with these numbers."""
        if not layers:
            raise ValueError(f"{name} has no layer with an array")
        if name == "encoder_attention" and self.steps:
            layers = [of_hypotheses(name, layer, self.beams, self.steps) for layer in layers]
        array = stacked(name, layers, numbers)
        self.arrays[name] = array
        if layers[0].samples is not None:
            self.samples[name] = layers[0].samples
        if numbers is not None:
            self.numbers[name] = numbers

    def all_numbers(self) -> Optional[list[int]]:
        """The model's numbers of the layers, None if they are 0, 1, …; ValueError if arrays have different ones."""
        first = next(iter(self.numbers.items()), ("", None))
        for name, numbers in self.numbers.items():
            if numbers != first[1] and {name, first[0]} <= {"attention", *ROWS}:
                raise ValueError(f"{name} is of the layers {numbers}, and {first[0]} of {first[1]}")
        found = first[1] or self.layers
        for name in ("attention", *ROWS):
            count = self.extent("layers", [name])
            if found is not None and count not in (None, len(found)):
                raise ValueError(f"layers are {len(found)} numbers, and {name} has {count} layers")
        if len(self.layers or []) > 1 and self.extent("layers", (*MAPS, *ROWS)) is None:
            raise ValueError(f"layers are {len(self.layers)} numbers, and the arrays are of one layer")
        if found is not None and (len(set(found)) != len(found) or min(found, default=0) < 0):
            raise ValueError(f"layers are {found}, expected different numbers from 0 on")
        return None if found is None or found == list(range(len(found))) else found

    def extent(self, axis: str, names: Iterable[str]) -> Optional[int]:
        """Extent of an axis in the first of the arrays that was given and has it."""
        for name in names:
            if name in self.arrays and self.arrays[name].extent(axis) is not None:
                return self.arrays[name].extent(axis)
        return None

    def read_mask(self, name: str, value: Any) -> None:
        """Reads a mask (true, or 1, is visible; or, if it is `hidden`, is not) or a bias, or a list of one per layer."""
        in_list = is_list_of_arrays(value)
        if not in_list and not is_array(value):
            value = plain(name, value)
        masks = list(value) if in_list else [value]
        if not all(is_array(mask) for mask in masks):
            raise TypeError(f"{name} is a list of arrays and other things, expected an array, or one per layer")
        axes = self.axes.get(name)
        if axes is not None and in_list and axes[0] == "layers":
            axes = axes[1:]
        said = name
        if name != "bias" and dtype_name(masks[0]) in FLOATS:
            name = added_or_flags(name, masks)
        target = "bias" if name == "bias" else "mask"
        if target in self.arrays:
            raise ValueError(f"{target} is given twice" + (": mask is of floats, which are added to scores as bias is"
                                                          if target == "bias" else ": by mask and by hidden"))
        if axes is None:
            axes = self.said_mask_axes(said, tuple(int(extent) for extent in masks[0].shape))
        layers = [self.mask_layer(name, mask, axes) for mask in masks]
        self.add(target, layers, self.numbers_of(said, list(range(len(masks))), len(masks)) if in_list else None)

    def said_mask_axes(self, name: str, shape: tuple[int, ...]) -> tuple[str, ...]:
        """Axes of a mask, by the extents of what it is a mask of; an extent of 1 is for all."""
        extents = {axis: self.extent(axis, ("attention", "q", "k")) or 1 for axis in ("layers", "heads", "queries", "keys")}
        extents["samples"] = self.known_samples() or 1
        fitting = mask_orders(shape, False, extents)
        if len(shape) == 2 and len(fitting) > 1 and shape[0] > 1:
            choices = " or ".join(f'axes={{"{name}": "{" ".join(axes)}"}}' for axes in fitting)
            raise ValueError(f"{name} of shape {shape} can be read in two ways: say {choices}")
        if fitting:
            return fitting[0]
        raise ValueError(f"{name} has shape {shape}, expected (queries, keys), heads, samples or layers before these, or "
                         f"(samples, keys), with {', '.join(f'{n} {axis}' for axis, n in extents.items())}, as the arrays "
                         "have")

    def mask_layer(self, name: str, mask: Any, axes: tuple[str, ...]) -> Layer:
        """Layer of a mask, without an axis of heads of extent 1; a mask of keys only is repeated for all queries."""
        if len(axes) != len(mask.shape):
            raise ValueError(f"{name} has shape {tuple(mask.shape)}, and axes {len(axes)} names: {' '.join(axes)}")
        for each in ("heads", "queries"):
            if each in axes and mask.shape[axes.index(each)] == 1:  # one for all
                mask = taken(mask, axes.index(each), 0)
                axes = tuple(axis for axis in axes if axis != each)
        layer = layer_of(name, mask, axes)
        if name != "bias":
            layer = flags(name, layer)
        if "queries" in layer.axes:
            return layer
        return for_all_queries(layer, self.extent("queries", ("attention", "q")) or 1)  # padding


def plain(name: str, value: Any) -> np.ndarray:
    """An array of nested lists of numbers; TypeError for others, ValueError for ragged ones."""
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(f"{name} is {value!r:.40}, expected an array")
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} is a nested list whose parts have different lengths") from None
    checked_dtype(name, array)
    return array


def axes_of(name: str, axes: Any) -> tuple[str, ...]:
    """Names of axes, of a list or of words; "tokens" are the queries of q, and the keys of k and v.

    ValueError for axes that the array cannot have, or must have and has not.
    """
    if not isinstance(axes, (str, list, tuple)):
        raise TypeError(f"axes of {name} are {axes!r:.40}, expected a list of names")
    found = tuple(axes.split() if isinstance(axes, str) else axes)
    if name in ROWS:
        found = tuple(ROWS[name] if axis == "tokens" else axis for axis in found)
    needed = {"input_ids": ["tokens"], "mask": ["keys"], "hidden": ["keys"], "bias": ["keys"]}.get(
        name, [ROWS[name], "features"] if name in ROWS else ["queries", "keys"])
    others = ["samples", "layers", "heads", *(["queries"] if name in ("mask", "hidden", "bias") else [])]
    if not set(needed) <= set(found) <= {*needed, *others} or len(set(found)) != len(found):
        raise ValueError(f"axes of {name} are {' '.join(map(str, found))}, expected {' and '.join(needed)}, and once "
                         f"each what there is of {', '.join(others)}")
    return found


def flags(name: str, layer: Layer) -> Layer:
    """A mask as bool, true where it is visible; numbers other than 0 and 1 are a ValueError when it is written."""
    if layer.dtype == "bool" and name == "mask":
        return layer

    def read(sample: Optional[int]) -> np.ndarray:
        numbers = layer.read(sample)
        if layer.dtype == "bfloat16":
            numbers = (numbers.astype(np.uint32) << 16).view(np.float32)
        if not np.isin(numbers, (0, 1)).all():
            raise ValueError(f"{name} has numbers other than 0 ({'hidden' if name == 'mask' else 'visible'}) and 1")
        return numbers.astype(bool) if name == "mask" else numbers == 0

    return layer._replace(dtype="bool", read=read)


def for_all_queries(layer: Layer, queries: int) -> Layer:
    """A mask of keys as one of queries and keys, without a copy."""
    axes = in_order((*layer.axes, "queries"))
    place = axes.index("queries")
    shape = (*layer.shape[:place], queries, *layer.shape[place:])

    def read(sample: Optional[int]) -> np.ndarray:
        return np.broadcast_to(np.expand_dims(layer.read(sample), place), shape)

    return Layer(axes, shape, layer.dtype, layer.samples, read)


def texts(name: str, tokens: Any) -> list[Any]:
    """Tokens as text: a list, or a list of lists with samples; TypeError for anything else."""
    if hasattr(tokens, "tolist") and is_array(tokens):
        tokens = tokens.tolist()
    if isinstance(tokens, (str, bytes)) or not isinstance(tokens, (list, tuple)):
        raise TypeError(f"{name} is {tokens!r:.40}, expected a list of tokens, as in text.split()")
    found: list[Any] = []
    for token in tokens:
        if isinstance(token, (list, tuple)):
            found.append(texts(name, token))
        elif isinstance(token, bytes):
            found.append(token.decode("utf-8", "backslashreplace"))
        elif isinstance(token, str) or token is None:
            found.append(token or "")
        else:
            raise TypeError(f"{name} has {token!r:.40}, expected texts; a tokenizer makes them from ids by "
                            "convert_ids_to_tokens, and ids alone go into input_ids")
    if len({isinstance(token, list) for token in found}) > 1:
        raise TypeError(f"{name} mixes lists and texts, expected one list, or one list per sample")
    return found
