"""Masks whose names do not define true: numbers decide, by the points of evidence.py."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Optional

import numpy as np

from .arrays import AXES, Array, dtype_name, in_order, is_array, to_numpy
from .evidence import judge_mask, mask_orders, names_padding, note, numbers_of
from .names import known_name


# Most numbers of a mask that are read.
MOST_FLAGS = 1 << 26


class Unfit(ValueError):
    """Reports why an array is not a mask of the attention."""


def full(array: Array) -> np.ndarray:
    """The numbers of an array to be written."""
    return np.concatenate([np.asarray(part()).reshape(-1) for part in array.parts]).reshape(array.shape)


def spread(numbers: np.ndarray, axes: Sequence[str], wanted: Sequence[str]) -> np.ndarray:
    """Numbers with exactly the wanted axes, in that order; missing axes have extent 1."""
    order = [axis for axis in wanted if axis in axes]
    numbers = numbers.transpose([list(axes).index(axis) for axis in order])
    return numbers.reshape([numbers.shape[order.index(axis)] if axis in order else 1 for axis in wanted])


class Masks:
    """Reads masks one after another; the first of lists, of matrices and of added numbers is taken."""

    def __init__(self, extents: Mapping[str, int], padding: Sequence[Any], attention: Optional[Array]) -> None:
        self.extents, self.padding, self.attention = extents, padding, attention
        self.flags: dict[str, tuple[str, np.ndarray, tuple[str, ...]]] = {}  # by kind: visible where true
        self.added: Optional[tuple[str, np.ndarray, tuple[str, ...]]] = None

    def add_said(self, name: str, array: Array) -> None:
        """Takes a mask or a bias whose keyword defines its kind."""
        if name == "bias":
            self.added = name, full(array), array.axes
        else:
            self.flags["matrices"] = name, full(array), array.axes

    def read(self, name: str, value: Any, axes: Optional[Sequence[str]] = None) -> None:
        """Takes a mask, an array or layers of it. With `axes`, true attends. Unfit if it is none; ValueError if
        nothing decides what true means."""
        layers = list(value.values()) if isinstance(value, Mapping) else value
        layers = layers if isinstance(layers, (list, tuple)) and all(map(is_array, layers)) else [layers]
        if math.prod(layers[0].shape) * len(layers) > MOST_FLAGS:
            raise ValueError(f"{name} of shape {tuple(layers[0].shape)} is too large to determine its meaning from its "
                             "numbers: use mask=… if true attends, hidden=… if true hides, or bias=… if it is added")
        numbers = np.stack([to_numpy(layer) if dtype_name(layer) == "bool" else numbers_of(layer) for layer in layers])
        numbers = numbers if len(layers) > 1 else numbers[0]
        row = known_name(name)
        said = axes is not None
        orders = [tuple(axes or ())]
        if not said:
            numbers, orders = self.orders_of(name, numbers, len(layers) > 1)
        is_bias = row is not None and row.role == "bias"
        if not is_bias and ((numbers == 0) | (numbers == 1)).all():
            self.take_flags(name, numbers != 0, orders, said)
        elif is_bias or ((numbers == 0) | (numbers <= -1e4)).all():
            self.take_added(name, numbers, orders[0])
        else:
            raise Unfit(f"{numbers.min():.3g} to {numbers.max():.3g} is neither 0 and 1 nor 0 and large and negative; "
                        "bias= adds it to the scores")

    def orders_of(self, name: str, numbers: np.ndarray, stacked: bool) -> tuple[np.ndarray, list[tuple[str, ...]]]:
        """The numbers and the axes that fit them."""
        extents = self.extents
        both = extents["samples"] * extents["heads"]
        orders = mask_orders(numbers.shape, names_padding(name), extents)
        if stacked:
            orders = [order for order in orders if order[0] == "layers"]
        if not orders and numbers.ndim == 3 and min(extents["samples"], extents["heads"]) > 1 and len(numbers) == both:
            numbers = numbers.reshape(extents["samples"], extents["heads"], *numbers.shape[1:])
            orders = mask_orders(numbers.shape, False, extents)
        if not orders:
            raise Unfit(f"its shape {numbers.shape} does not fit {extents['queries']} queries and {extents['keys']} keys")
        return numbers, orders

    def take_flags(self, name: str, flags: np.ndarray, orders: Sequence[tuple[str, ...]], said: bool) -> None:
        """Takes flags by the axes whose evidence is strongest, negated if true hides."""
        axes = orders[0]
        if not said:
            judgements = [judge_mask(name, flags, each, self.extents, self.padding, self.weights(flags, each))
                          for each in orders]
            place = max(range(len(orders)), key=lambda each: judgements[each].margin)
            axes, judged = orders[place], judgements[place]
            if judged.margin < 0:
                raise Unfit(f"{judged.because}; mask=… hides where it is false")
            if len(orders) > 1:
                judged = judged._replace(margin=min(judged.margin, 5))
        kind = "matrices" if "queries" in axes else "lists"
        if not said:
            true, other = ("hides", "mask") if judged.hides else ("attends", "hidden")
            if judged.margin < 2:
                raise ValueError(f"{name} of shape {flags.shape} may hide or attend where it is true, and the numbers do not decide: "
                                 "use mask=… if true attends, or hidden=… if true hides")
            if judged.margin < 6 and kind not in self.flags:
                by = "" if len(orders) < 2 else (f", its axes {' '.join(axes)}, which fits as well as "
                                                 f"{' '.join(orders[1 if place == 0 else 0])}")
                note(f"{name} of shape {flags.shape}: true {true} ({judged.because}){by}; {other}=… reads it the other "
                     "way" + (f", and axes= with {other}= names its axes" if by else ""))
            flags = flags != judged.hides
        if kind in self.flags:
            raise Unfit(f"{self.flags[kind][0]} is")
        self.flags[kind] = name, flags, axes

    def take_added(self, name: str, numbers: np.ndarray, axes: tuple[str, ...]) -> None:
        """Takes numbers added to scores; for finished weights they only hide cells."""
        if self.attention is not None:
            if not ((numbers == 0) | (numbers <= -1e4)).all():
                raise Unfit("the weights are finished")
            self.take_flags(name, numbers == 0, [axes], True)
        elif self.added is not None:
            raise Unfit(f"{self.added[0]} is")
        else:
            self.added = name, numbers, axes

    def weights(self, flags: np.ndarray, axes: Sequence[str]) -> Optional[tuple[bool, bool, bool, bool]]:
        """Of finished weights: whether there are cells where flags are false, and true, and whether some of queries with
        both are not 0."""
        if self.attention is None or int(np.prod(self.attention.shape, dtype=object)) > 1 << 22:
            return None
        weights = full(self.attention)
        if self.attention.dtype == "bfloat16":
            weights = (weights.astype(np.uint32) << 16).view(np.float32)
        wanted = AXES[:5]
        flags = np.broadcast_to(spread(flags, axes, wanted), spread(weights, self.attention.axes, wanted).shape)
        there = spread(weights, self.attention.axes, wanted) != 0
        both = flags.any(-1, keepdims=True) & ~flags.all(-1, keepdims=True)
        if not both.any() and (there & flags).any() and (there & ~flags).any():
            return None
        both = both if both.any() else ~both
        return (bool((~flags).any()), bool(flags.any()), bool((there & ~flags & both).any()),
                bool((there & flags & both).any()))

    def arrays(self) -> dict[str, Array]:
        """The mask and the bias, as far as there are any."""
        found = {}
        if self.flags:
            wanted = AXES[:5]
            shapes = [spread(flags, axes, wanted) for _, flags, axes in self.flags.values()]
            both = shapes[0] if len(shapes) == 1 else shapes[0] & shapes[1]
            found["mask"] = self.array(both)
        if self.added is not None:
            found["bias"] = self.array(spread(self.added[1], self.added[2], AXES[:5]).astype(np.float32))
        return found

    def array(self, numbers: np.ndarray) -> Array:
        """An array of all five axes without those that it does not need."""
        kept = [axis for axis, extent in zip(AXES, numbers.shape) if axis in ("queries", "keys") or extent > 1]
        shape = tuple(extent for axis, extent in zip(AXES, numbers.shape) if axis in kept)
        shape = (*shape[:-2], self.extents["queries"], shape[-1])
        numbers = numbers.reshape([extent for axis, extent in zip(AXES, numbers.shape) if axis in kept])
        if len(shape) == 2:
            return Array(in_order(kept), shape, numbers.dtype.name, [lambda: np.broadcast_to(numbers, shape)])
        return Array(in_order(kept), shape, numbers.dtype.name,  # rows for all queries are repeated when they are written
                     [partial(np.broadcast_to, part, shape[1:]) for part in numbers])
