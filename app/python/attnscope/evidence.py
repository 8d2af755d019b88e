"""Evidence for and against readings of arrays: points for orders of axes, and for masks that hide or attend.

The rules and their points are those of the program, which were set by trying them on files of known meaning.
"""

import math
import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional

import numpy as np

from .arrays import dtype_name, to_numpy
from .names import known_name, name_words

WEIGHT_ORDERS = ("qk", "hk", "sk", "hqk", "sqk", "lqk", "qhk", "lhqk", "shqk", "hsqk", "sqhk", "lsqk", "slqk", "lshqk",
                 "slhqk", "lhsqk", "lsqhk")
ROW_ORDERS = ("qk", "hqk", "qhk", "sqk", "lqk", "shqk", "sqhk", "lhqk", "lqhk", "lshqk", "lsqhk")  # q, k: rows, features
DOCUMENTED = ("qk", "hqk", "lhqk", "shqk", "lshqk")
LETTERS = {"l": "layers", "s": "samples", "h": "heads", "q": "queries", "k": "keys"}

# Most numbers that are read for evidence; larger arrays are judged by shapes and names.
MOST_READ = 1 << 22


class ReadingNote(UserWarning):
    """Reports how arrays were read if another reading fits, too, and which are not used."""


def note(text: str) -> None:
    """Warns about a reading, at the line that called this package."""
    level, frame = 2, sys._getframe(1)
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, ReadingNote, stacklevel=level)


@dataclass
class Known:
    """Context of an array: extents known from tokens, masks and other arrays."""

    queries: int = 0  # tokens of rows
    keys: int = 0  # tokens of columns
    tokens: int = 0  # of one list for both
    lists: int = 0  # of tokens
    samples: int = 0  # by other arrays
    layers: int = 0  # by their numbers, or other arrays
    masks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # shapes
    padding: Sequence[Sequence[bool]] = ()  # which tokens pad, of lists


class Facts(NamedTuple):
    """Facts of the rows along the last axis; lists by the axis that may count the queries."""

    sum_to_one: bool = False
    triangle: Sequence[bool] = ()
    along: Sequence[Optional[int]] = ()  # the axis along which alone whole columns of 0 differ


def facts_of(arrays: Sequence[Any]) -> Facts:
    """Facts of an array, or of the arrays of a stack together; sums of only some rows above 4 Mi numbers."""
    if len(arrays[0].shape) < 2:
        return Facts()
    if sum(math.prod(array.shape) for array in arrays) > MOST_READ:
        some = [part_of(array, index) for array in (arrays[0], arrays[-1]) for index in (0, -1)]
        return Facts(all(row_facts(numbers_of(part)).sum_to_one for part in some))
    all_facts, zeros = [], []
    for array in arrays:
        numbers = numbers_of(array)
        all_facts.append(row_facts(numbers))
        zeros.append(numbers == 0)
    along = list(all_facts[0].along)
    for axis in range(len(along)):
        columns = [zero.all(axis) for zero in zeros]
        if not all(np.array_equal(columns[0], each) for each in columns):
            along[axis] = None
    return Facts(all(facts.sum_to_one for facts in all_facts),
                 [all(each) for each in zip(*(facts.triangle for facts in all_facts))], along)


def part_of(array: Any, index: int) -> Any:
    """A part of an array, of at most 4 Mi numbers if rows are not longer, at this index of the first axes."""
    while len(array.shape) > 2 and math.prod(array.shape) > MOST_READ:
        array = array[index]
    return array[:max(1, MOST_READ // max(1, int(array.shape[-1])))] if len(array.shape) == 2 else array


def numbers_of(array: Any) -> np.ndarray:
    """The numbers of an array as floats."""
    numbers = to_numpy(array)
    if dtype_name(array) == "bfloat16":
        numbers = (numbers.astype(np.uint32) << 16).view(np.float32)
    if numbers.dtype.kind == "f":  # not copied
        return numbers
    with np.errstate(invalid="ignore"):
        return numbers.astype(np.float64)


def row_facts(numbers: np.ndarray) -> Facts:
    """Facts of one array."""
    sums = numbers.sum(-1, dtype=np.float64)
    blank = np.isnan(sums) | (numbers == 0).all(-1)
    one = np.abs(sums - 1) <= 1e-2
    triangle: list[bool] = []
    along: list[Optional[int]] = []
    keys, rank = numbers.shape[-1], numbers.ndim - 1
    there = numbers != 0
    ends = np.where(there.any(-1), keys - there[..., ::-1].argmax(-1), 0)
    for axis in range(rank):
        extent = numbers.shape[axis]
        index = np.arange(extent).reshape([extent if each == axis else 1 for each in range(rank)])
        triangle.append(extent > 1 and keys > 1 and bool(((ends == 0) | (ends + extent <= index + 1 + keys)).all()))
        zeros = ~there.any(axis, keepdims=True)
        differing = [other for other in range(rank) if other != axis and
                     (zeros != zeros.take([0], other)).any()]
        along.append(differing[0] if len(differing) == 1 else None)
    return Facts(bool(one.any() and not (~blank & ~one).any()), triangle, along)


class Reading(NamedTuple):
    """An order of axes that fits, with the evidence for and against it."""

    axes: tuple[str, ...]
    order: str  # letters of the array's own axes, without those of a stack
    evidence: list[tuple[int, str]]

    @property
    def points(self) -> int:
        return sum(points for points, _ in self.evidence)


def choose_axes(name: str, arrays: Sequence[Any], known: Known, *, rows: bool = False, others: Sequence[Any] = (),
                stacked: str = "", called: str = "", listed: bool = False, flat: bool = False) -> str:
    """Letters of the axes of an array, or of each of a stack; says which other order fits where that is likely.

    `rows`: queries, with `others`, keys and values, of the same order. `stacked`: "l" for arrays of layers. `called`: the
    name of the array, where that is no keyword. `listed`: they come in a list, whose documented order is the likely one.
    `flat`: heads are joined in the last axis. ValueError if nothing decides between leading axes, or if no order
    fits.
    """
    shape = tuple(int(extent) for extent in arrays[0].shape)
    orders = [order for order in (ROW_ORDERS if rows else WEIGHT_ORDERS)
              if len(order) == len(shape) and not set(order) & set(stacked) and not (flat and "h" in order)]
    if flat:
        orders = [order for order in ("qk", "sqk", "lqk", "lsqk", "slqk")
                  if len(order) == len(shape) and not set(order) & set(stacked)]
    found: dict[Any, Reading] = {}
    facts = Facts() if rows or len(orders) < 2 else facts_of(arrays)
    for order in orders:
        if rows and not rows_fit(order, shape, others, flat):
            continue
        reading = Reading(tuple(LETTERS[letter] for letter in stacked + order), order,
                          evidence_for(called or name, order, stacked, shape, arrays, facts, known, rows, others, listed))
        document = tuple((letter, extent) for letter, extent in zip(order, shape) if extent > 1)
        if document not in found:
            found[document] = reading
        elif found[document].points < reading.points:  # the same document; queries are named, if there is one
            found[document] = reading if "q" in order else found[document]._replace(evidence=reading.evidence)
    ranked = sorted(found.values(), key=lambda reading: -reading.points)
    if not ranked and others:  # do not fit, as reported when they are joined
        return choose_axes(name, arrays, known, rows=rows, stacked=stacked, called=called, listed=listed, flat=flat)
    if not ranked:
        leading = "(samples, " if stacked else "(layers, samples, "
        ends = ("queries or keys", "features") if rows else ("queries", "keys")
        raise ValueError(f"{name} has shape {shape}, expected ({', '.join(ends)}) up to {leading}heads, "
                         f"{', '.join(ends)})")
    say_axes(name, shape, ranked, len(shape) == 5 and not stacked, len(shape) >= (4 if rows else 5) and not flat, rows)
    if ranked[0].order not in DOCUMENTED and not flat and not any(
            points >= 5 and because == f"the usual order of {called}" for points, because in ranked[0].evidence):
        if len(ranked) < 2 or ranked[0].points - ranked[1].points >= (12 if len(shape) == 5 and not stacked else 4):
            note(f"{called or name} of shape {shape}: taken as {said_axes(ranked[0], rows)}")
    return ranked[0].order


def said_axes(reading: Reading, rows: bool) -> str:
    """Names of axes, of queries if they are of rows."""
    return " ".join("features" if rows and axis == "keys" else axis for axis in reading.axes)


def rows_fit(order: str, shape: tuple[int, ...], others: Sequence[Any], flat: bool) -> bool:
    """True if keys and values of the same order fit the queries."""
    for other in others:
        if len(other.shape) != len(order):
            continue
        for place, letter in enumerate(order):
            mine, its = shape[place], int(other.shape[place])
            if letter in "ls" and mine != its or letter == "h" and mine % its:
                return False
            if letter == "k" and other is others[0] and mine != its and not flat:
                return False
    return True


def say_axes(name: str, shape: tuple[int, ...], ranked: Sequence[Reading], five: bool, asks: bool, rows: bool) -> None:
    """A note where two orders are likely; ValueError where nothing decides between what is first."""
    if len(ranked) < 2 or ranked[0].order == "qk":
        return
    first, second = ranked[:2]
    margin = first.points - second.points
    if margin >= (12 if five else 4):
        return

    def call(reading: Reading) -> str:
        return f'axes={{"{name}": "{said_axes(reading, rows)}"}}'

    equal = sorted((reading for reading in ranked if reading.points == first.points and
                    reading.order in (*DOCUMENTED, "slhqk")), key=lambda reading: reading.order)
    if asks and len(equal) > 1:
        ways = "two" if len(ranked) == 2 else "several"
        raise ValueError(f"{name} of shape {shape} can be read in {ways} ways: say {' or '.join(map(call, equal))}")
    shared = {(points, because) for points, because in second.evidence}
    reasons = [each for each in first.evidence if each not in shared and each[0] > 0 and each[1]]
    because = f" ({max(reasons)[1]})" if reasons else ""
    more = f", and {len(ranked) - 2} more ways" if len(ranked) > 2 else ""
    note(f"{name} of shape {shape}: taken as {said_axes(first, rows)}{because}; as well "
         f"{call(second)}{more}")


def evidence_for(name: str, order: str, stacked: str, shape: tuple[int, ...], arrays: Sequence[Any], facts: Facts,
                 known: Known, rows: bool, others: Sequence[Any], listed: bool) -> list[tuple[int, str]]:
    """Points for an order of axes, with its reasons."""
    found: list[tuple[int, str]] = []
    extents = dict(zip(order, shape))
    n_q = extents.get("q", 1)
    n_k = int(others[0].shape[order.index("q")]) if rows and others and len(others[0].shape) == len(order) else \
        n_q if rows else extents["k"]
    samples = extents.get("s", 1)

    def add(points: int, because: str = "") -> None:
        if points:
            found.append((points, because))

    def weigh(fits: bool, points: int, because: str) -> None:
        add(points if fits else -points, because if fits else "")

    # Tokens and samples
    if known.queries or known.keys:
        weigh(known.queries in (0, n_q) and known.keys in (0, n_k), 6, "as many as the tokens of rows and columns")
    elif known.tokens:
        sides = (n_q == known.tokens) + (n_k == known.tokens)
        weigh(sides > 0, 6, f"{known.tokens} tokens")
        add(2 if sides == 2 else 0)
    lists = known.lists if known.lists > 1 else next(
        (mask[0] for name_of, mask in known.masks.items() if len(mask) == 2 and mask[0] > 1 and mask[0] != mask[1]
         and names_padding(name_of)), 0)
    if lists:
        weigh(samples == lists, 6, f"there are lists of {lists} samples")
    elif known.lists == 1 and samples > 1:
        add(-2)
    if known.samples:
        weigh(samples == known.samples, 6, f"{known.samples} samples, as others have")
    if known.layers and not stacked:
        weigh(extents.get("l", 1) == known.layers, 6, f"{known.layers} layers, as others have")
    for letter, extent in zip(order, shape):
        if letter in "qk":
            break
        if extent == 1:
            weigh(letter == "s", 4, "an axis of 1 is that of samples")
    # Numbers
    add(3 if n_q == n_k else 0, "as many queries as keys")
    query = order.find("q")
    if not rows and 0 <= query < len(facts.triangle):
        add(5 if facts.triangle[query] and facts.sum_to_one else 0, "nothing above the diagonal")
        along = facts.along[query]
        if along is not None and dtype_name(arrays[0]) != "float16":
            because = "whole columns of 0 differ from sample to sample"
            if len(order) == 3:
                add(2 if order[along] == "s" else 0, because)
            else:
                weigh(order[along] == "s", 5, because)
    for name_of, mask in known.masks.items():
        if not rows and name_of in ("mask", "hidden", "bias") and len(mask) == 2:
            weigh(mask in ((n_q, n_k), (samples, n_k)), 6, f"{name_of} has shape {mask}")
        elif rows and mask:
            weigh(mask[-1] == n_k, 6, f"{name_of} has shape {mask}")
            add(1 if len(mask) > 1 and mask[-2] in (n_q, samples, 1) else 0)
    # Names
    row = known_name(name)
    end, words = row.end if row else "", name_words(name)
    if rows:
        behind = "qh" in order
        if (end.startswith(("hook_", "rot_")) or end == "qcur") and len(order) > 2:
            weigh(behind, 6, f"the usual order of {name}")
        add(5 if end == "query_states" and "h" in order and not behind else 0, f"the usual order of {name}")
        few = extents.get("h", 1) <= extents.get("q", 1)  # libraries use both orders for this name
        add(1 if end == "query" and "h" in order and few else 0, "more tokens than heads")
    else:
        because = "usual for arrays of this name"
        add(6 if words in ("encoder_attention", "decoder_attention") and order == "sqhk" else 0, because)
        add(3 if end == "decoder_self_attn" and order == "hsqk" else 0, because)
        if end.endswith("attentions"):
            add(2 if order[0] == "l" or ("s" in order and samples == 1) else 0, because)
        elif end.startswith(("attn_", "attention_")):
            add(2 if order[0] == "s" else 0, because)
        else:
            add(1 if order == "lhqk" else 0, because)
    # Unlikely shapes
    axes = stacked + order
    add(-3 if extents.get("h", 1) > 128 else 0)
    add(-2 if "l" in axes and "s" in axes and "h" not in axes else 0)
    add(-2 if order == "lqk" else 0)
    add(-2 if not rows and "qh" in order else 0)
    add(-1 if "hs" in order else 0)
    add(6 if listed and order in ("qk", "hqk", "shqk") else 0, "as layers in lists are")
    return found


def names_padding(name: str) -> bool:
    """True if masks of the name are lists of real tokens, or of padding."""
    row = known_name(name)
    return row is not None and (row.role == "padding" or (row.role == "mask" and row.leaning == -9))


# Masks


NOT_APPLIED = "weights are not 0 where it is true, nor where it is false"


class Judged(NamedTuple):
    """Meaning of true in a mask: points for hiding less those for attending, and the strongest reason."""

    points: int
    margin: int
    because: str

    @property
    def hides(self) -> bool:
        return self.points > 0


def judge_mask(name: str, flags: np.ndarray, axes: Sequence[str], shape: Mapping[str, int], padding: Sequence[Any],
               weights: Optional[tuple[bool, bool, bool, bool]]) -> Judged:
    """Decides between attending and hiding where flags are true.

    `shape`: extents of the attention. `weights`: of finished weights, whether there are cells where the flags are false,
    and true, and whether some of these are not 0 in rows with both.
    """
    found: list[tuple[int, str]] = []
    n_q, n_k = shape["queries"], shape["keys"]
    rows = flags.shape[-2] if "queries" in axes else 1
    lists = "queries" not in axes or (rows == 1 and n_q > 1)
    matrices = flags.reshape(-1, rows, flags.shape[-1])
    if lists and len(padding) == len(matrices) and all(len(each) == n_k for each in padding):
        pads = np.array(padding, bool)
        if pads.any():
            agree = matrices[:, 0] == pads
            found += [(20, "true where tokens pad")] * bool(agree.all())
            found += [(-20, "false where tokens pad")] * bool((~agree).all())
    if weights is not None:
        if weights[2] and weights[3]:
            return Judged(0, -1, NOT_APPLIED)
        for there, seen, side, where in ((weights[1], weights[3], 1, "true"), (weights[0], weights[2], -1, "false")):
            if seen:
                found.append((-14 * side, f"weights where it is {where} are not 0"))
            elif there:
                found.append((14 * side, f"all weights where it is {where} are 0"))
    for where in (True, False):
        side, hidden = (1 if where else -1), matrices == where
        found += judged_lists(hidden, side) if lists else judged_queries(hidden, side, n_k - n_q)
        if 2 * hidden.sum() < flags.size:
            found.append((side, "fewer than half are hidden"))
    others = sum(points for points, _ in found)
    row = known_name(name)
    square = flags.ndim > 2 or not lists
    leaning = 0 if row is None or row.role not in ("mask", "padding") else row.square_leaning if square else row.leaning
    if leaning:
        found.append((leaning, "usual for masks of this name"))
    points = others + leaning
    margin = abs(points)
    if abs(leaning) >= 6 and leaning * others < 0:
        margin = min(margin, 5)
    side = 1 if points > 0 else -1
    best = max(found, key=lambda each: side * each[0], default=(0, ""))
    return Judged(points, margin, best[1] if side * best[0] > 0 else "")


def run_lengths(hidden: np.ndarray) -> tuple[int, int]:
    """Numbers of first keys and of last keys that are hidden from all rows."""
    keys = hidden.all(0)
    if keys.all():
        return len(keys), len(keys)
    return int(np.argmin(keys)), int(np.argmin(keys[::-1]))


def judged_lists(hidden: np.ndarray, side: int) -> list[tuple[int, str]]:
    """Points for hiding as lists of keys do, one for each sample."""
    found, kinds = [], set()
    counts = hidden[:, 0].sum(1)
    keys = hidden.shape[2]
    for each, count in zip(hidden, counts):
        if 0 < count < keys:
            start, end = run_lengths(each)
            kinds.add("end" if end == count else "start" if start == count else "other")
    if (counts == keys).any():
        found.append((-8 * side, "else a sample would have no key"))
    if kinds == {"end"}:
        found.append((2 * side, "runs at the end are hidden"))
    if kinds == {"start"}:
        found.append((side, "runs at the start are hidden"))
    if len(hidden) > 1 and (counts == 0).any():
        found.append((6 * side, "a sample is whole"))
    return found


def judged_queries(hidden: np.ndarray, side: int, offset: int) -> list[tuple[int, str]]:
    """Points for hiding as matrices of queries and keys do, with this offset of the right-aligned diagonal."""
    rows, keys = hidden.shape[1:]
    row, key = np.arange(rows)[:, None], np.arange(keys)
    later = key > row + offset
    own = ~later & ((key + 1 == keys) | (key + 1 > row + offset))
    unseeing = excused = ends = False
    query = ""
    for matrix in hidden:
        blind = matrix.all(1)
        count = int(blind.sum())
        start, end = run_lengths(matrix)
        ends = ends or (end > 0 and count < rows)
        if count == 0:
            continue
        place = int(blind.argmax())
        query = query or ("the first query" if place == 0 else "the last query" if place + 1 == rows else "a query")
        leading = bool(blind[:count].all())
        if leading and count < rows and start - offset == count:
            excused = True
        else:
            unseeing = True
    seen = ~hidden
    found = []
    if unseeing:
        found.append((-8 * side, f"else {query} would see no key"))
    elif excused:
        found.append((-side, "else a query would see no key"))
    if not (seen & own).any():
        found.append((-4 * side, "else no query would see itself"))
    if later.any() and not (seen & later).any():
        found.append((4 * side, "what comes later is hidden"))
    if (seen & later).any() and not (seen & ~later & ~own).any():
        found.append((-6 * side, "else only what comes later would be seen"))
    if ends:
        found.append((2 * side, "the last keys are hidden from all"))
    return found


def mask_orders(shape: tuple[int, ...], padding: bool, extents: Mapping[str, int]) -> list[tuple[str, ...]]:
    """Axes of a mask that fit the attention, those of lists first if its name says that it pads."""
    orders = [("keys",), ("queries", "keys"), ("samples", "keys"), ("samples", "queries", "keys"),
              ("heads", "queries", "keys"), ("layers", "queries", "keys"), ("samples", "heads", "queries", "keys"),
              ("layers", "samples", "queries", "keys"), ("layers", "heads", "queries", "keys"),
              ("layers", "samples", "heads", "queries", "keys")]
    if padding:
        orders[1], orders[2] = orders[2], orders[1]
    fitting: dict[tuple[str, ...], tuple[str, ...]] = {}
    for axes in orders:
        if len(axes) == len(shape) and shape[-1] == extents["keys"] and all(
                n in (1, extents[axis]) for n, axis in zip(shape, axes)):  # axes of extent 1 make no difference
            fitting.setdefault(tuple(a for a, n in zip(axes, shape) if n > 1 or a in ("queries", "keys")), axes)
    return list(fitting.values())
