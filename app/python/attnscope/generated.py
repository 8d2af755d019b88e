"""Maps of the steps of `generate()`, put together: of each sample, or of the hypotheses that beams end in."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Optional

import numpy as np

from .arrays import Layer, checked_dtype, is_array, taken, to_numpy


class Steps(NamedTuple):
    """One layer of the steps of `generate()`."""

    steps: list[Any]


class Beams(NamedTuple):
    """Facts about the rows of steps, which are samples, or several beams for each sample.

    `rows`, if beam_indices were given, has the row of each step for each hypothesis, -1 after its end. `count` is the
    number of sequences that are named, None if nobody names them. `searched` is whether beams are known to be there.
    """

    rows: Optional[np.ndarray] = None
    count: Optional[int] = None
    searched: bool = False


def transposed_steps(name: str, steps: Sequence[Any]) -> list[Optional[Steps]]:
    """Layers of steps, of steps of layers; None for layers without attention."""
    if not all(isinstance(step, (list, tuple)) and len(step) == len(steps[0]) for step in steps):
        raise ValueError(f"{name} is a list of lists of different lengths, expected the steps of generate(), "
                         "each with an array per layer")
    return [None if layer[0] is None else Steps(list(layer)) for layer in zip(*steps)]


def beam_rows(indices: Any) -> np.ndarray:
    """beam_indices of generate() as (hypotheses, steps), without the steps after all have ended.

    TypeError for what are no whole numbers of two axes, ValueError where a hypothesis goes on after its end.
    """
    try:
        rows = to_numpy(indices) if is_array(indices) else np.asarray([list(row) for row in indices])
    except (TypeError, ValueError):
        raise TypeError(f"beam_indices are {indices!r:.60}, expected lists of equal lengths") from None
    if rows.ndim != 2 or rows.dtype.kind not in "iu" or 0 in rows.shape:
        raise TypeError(f"beam_indices are {rows.dtype} of shape {rows.shape}, expected whole numbers of (sequences, "
                        "steps), as generate() returns them")
    ended = rows < 0
    for sample, after in enumerate(ended):
        if after[0] or (np.diff(after.astype(int)) < 0).any():
            raise ValueError(f"beam_indices of sequence {sample} are {rows[sample].tolist()!s:.60}, expected rows of "
                             "the steps, and -1 only after the end")
    return rows[:, :int((~ended).sum(1).max())]


def beams_asked(name: str, samples: int, why: str) -> ValueError:
    """The error that the beams' indices are missing."""
    return ValueError(
        f"each step of generate() has {samples} rows of {name}, and {why}: a beam's row belongs to another hypothesis "
        "in each step. Pass beam_indices=outputs.beam_indices, which generate(…, num_beams=…, "
        "return_dict_in_generate=True, output_scores=True) returns, or generate with num_beams=1; if the rows are "
        "samples, pass tokens as a list for each of them")


def check_beams(name: str, steps: Sequence[Any], beams: Beams) -> None:
    """ValueError if rows of steps are beams, or may be, and their indices are unknown."""
    samples = int(steps[0].shape[0])
    if beams.rows is not None:
        if beams.rows.shape[1] > len(steps):
            raise ValueError(f"beam_indices have {beams.rows.shape[1]} steps, and {name} {len(steps)}: pass those of "
                             "the same call of generate()")
        if int(beams.rows.max()) >= samples:
            sample, step = (int(place[0]) for place in np.nonzero(beams.rows >= samples))
            raise ValueError(f"beam_indices have row {beams.rows[sample, step]} in step {step} of sequence {sample}, "
                             f"and {name} has {samples} rows (samples · beams) in each step, counted from 0")
    elif beams.searched:
        raise beams_asked(name, samples, "these are beams, whose indices are missing")
    elif beams.count is not None and beams.count != samples:
        raise beams_asked(name, samples, f"there are {beams.count} sequences")
    elif beams.count is None and samples > 1 and steps[0].shape[3] > 1:
        first, second = (to_numpy(taken(steps[0], 0, row)) for row in (0, 1))
        if first.dtype == np.uint16 and (first == second).all() or (
                first.dtype != np.uint16 and np.allclose(first, second, 1e-3, 1e-4)):
            raise beams_asked(name, samples, "the first two are alike in the first step, as beams are")


def stitched(name: str, steps: Sequence[Any], beams: Beams) -> Layer:
    """One map of the rows that the steps of `generate()` computed one after another, (samples, heads, rows, keys) each.

    The keys of a step are the last ones up to its own rows, as a growing cache or a window has them; the first ones, if
    all steps have as many (a cache of fixed size); or all, if they are another sequence's. Cells of no step are 0. With
    beams' indices, samples are hypotheses, each of its own row of each step; after its end its cells are 0.
    """
    for step in steps:
        if not is_array(step) or len(step.shape) != 4 or step.shape[:2] != steps[0].shape[:2]:
            shapes = [tuple(each.shape) if is_array(each) else type(each).__name__ for each in (step, steps[0])]
            raise ValueError(f"{name}: a step of generate() has shape {shapes[0]}, and the first {shapes[1]}, expected "
                             "(samples, heads, rows, keys)")
    check_beams(name, steps, beams)
    if beams.rows is not None:
        steps = steps[:beams.rows.shape[1]]
    dtype = checked_dtype(name, steps[0])
    samples, heads = (int(extent) for extent in steps[0].shape[:2])
    chosen = np.repeat(np.arange(samples)[:, None], len(steps), 1) if beams.rows is None else beams.rows
    rows = [0, *np.cumsum([int(step.shape[2]) for step in steps]).tolist()]
    keys = [int(step.shape[3]) for step in steps]
    past = keys[0] - rows[1]
    same = len(set(keys)) == 1
    if same and (name == "cross_attention" or (past > 0 and len(steps) > 1)):
        width = keys[0] if name == "cross_attention" else min(keys[0], rows[-1])
        ends = [width] * len(steps)
    else:
        width, ends = past + rows[-1], [past + end for end in rows[1:]]
        for number, (count, end) in enumerate(zip(keys, ends)):
            if count > end or past < 0 or name == "cross_attention":
                raise ValueError(f"{name}: step {number} of generate() has {count} keys for {rows[number + 1]} rows so "
                                 f"far, and step 0 {keys[0]} for {rows[1]}")

    def read(sample: Optional[int]) -> np.ndarray:
        whole = np.zeros((heads, rows[-1], width), "uint16" if dtype == "bfloat16" else dtype)
        for step, row, begin, end, last in zip(steps, chosen[sample or 0].tolist(), rows, rows[1:], ends):
            if row >= 0:
                part = to_numpy(taken(step, 0, row))[..., :last]
                whole[:, begin:end, last - part.shape[-1]:last] = part
        return whole

    return Layer(("heads", "queries", "keys"), (heads, rows[-1], width), dtype, len(chosen), read)


def rows_before_ends(steps: Sequence[Any], beams: Beams) -> Optional[np.ndarray]:
    """Rows of the stitched map that each sequence has, (sequences, rows); None if all have all."""
    if beams.rows is None or (beams.rows >= 0).all():
        return None
    counts = [int(step.shape[2]) for step in steps[:beams.rows.shape[1]]]
    return np.repeat(beams.rows >= 0, counts, 1)


def of_hypotheses(name: str, layer: Layer, beams: Beams, rows: int) -> Layer:
    """A layer of the encoder, which has a row per sample or per beam, with a sample per sequence that was generated.

    `rows` are those of a step. ValueError if they are no multiple of the samples.
    """
    samples = layer.samples or 1
    if beams.rows is None and rows == samples:
        return layer
    if rows % samples:
        raise ValueError(f"{name} has {samples} samples, and a step of generate() {rows} rows, expected as many, or a "
                         "multiple of them")
    first = np.arange(rows) if beams.rows is None else beams.rows[:, 0]
    chosen = (first // (rows // samples)).tolist()
    return layer._replace(samples=len(chosen), read=lambda sample: layer.read(
        None if layer.samples is None else chosen[sample or 0]))


def beams_of(attention: Any, given: Mapping[str, Any], count: Optional[int]) -> Beams:
    """Facts about beams, of the output of a model and of keywords; `count` is the number of lists of tokens."""
    names = list(attention.keys()) if hasattr(attention, "keys") else []
    searched = "sequences_scores" in names or "Beam" in type(attention).__name__
    ids = given.get("input_ids")
    shape = getattr(ids, "shape", ()) if is_array(ids) else np.shape(ids)
    if len(shape) == 2 and count is None:
        count = int(shape[0])
    if given.get("beam_indices") is None:
        return Beams(None, count, searched)
    rows = beam_rows(given["beam_indices"])
    if count not in (None, len(rows)):
        raise ValueError(f"beam_indices are of {len(rows)} sequences, and there are {count}: pass those of the same "
                         "call of generate()")
    return Beams(rows, count, searched)
