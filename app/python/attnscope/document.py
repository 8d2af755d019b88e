"""One document of arrays, put together and checked before anything is written."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Optional

import numpy as np

from .arrays import Array, is_array, to_numpy
from .evidence import Known, note
from .files import PathLike, write
from .generated import beams_of
from .inputs import ARRAYS, MAPS, NOTHING, ROWS, Document, Reader, is_mapping, plain, texts
from .mappings import Named, as_array, keywords_of, known_keywords, named
from .masks import Masks, Unfit
from .names import known_name

# Arrays that determine the numbers of queries and keys, those of the main attention first.
WITH_QUERIES = ("attention", "q", "decoder_attention", "cross_attention", "encoder_attention")
WITH_KEYS = ("attention", "k", "v", "cross_attention", "encoder_attention", "decoder_attention")

KEYWORDS = (*ARRAYS, "tokens", "query_tokens", "key_tokens", "title", "description", "causal", "layers", "axes",
            "head_count", "cu_seqlens", "key_cu_seqlens", "beam_indices")


def save(path: PathLike, attention: Any = None, **keywords: Any) -> None:
    """Writes arrays of attention to a `.safetensors` or `.npz` file that AttnScope opens.

    `attention` is one of
    - weights: (queries, keys), (heads, queries, keys), (layers, heads, …) or (layers, samples, heads, …);
    - a list or tuple of layers, (samples, heads, queries, keys) or less each; None where a layer has no attention;
    - layers by number, {3: …, 7: …};
    - the steps of `generate()`, lists of layers with a growing number of keys: they become one map;
    - arrays by name (below), an output of a model, a recording, or a TransformerLens cache.

    Keywords, all optional:
    - `q`, `k`, `v`: (queries or keys, features), with heads, then samples before them; a list has one per layer.
      Keys may have fewer heads (a divisor of those of q). `head_count` splits rows of heads · features.
    - `cu_seqlens`, `key_cu_seqlens`: where packed sequences, (tokens, heads, features), begin and end.
    - `mask`: true or 1 is visible, or `hidden`: true or 1 is not; (queries, keys), with heads or samples before them,
      or (samples, keys). `bias`: is added to the scaled scores; so are masks of floats that are 0 or large and negative.
    - any other name of arrays that the table names.tsv knows: `attn_mask`, `key_padding_mask`, `query`, `source`, …;
      numbers decide what true means in a mask.
    - `encoder_attention`, `decoder_attention`, `cross_attention`: as `attention`; `tokens` are the decoder's then
      and `key_tokens` the encoder's.
    - `tokens`, `key_tokens`: lists of texts, with samples a list per sample; `input_ids`: their numbers. One side
      may have a count alone, `query_tokens=["the", "cat"], key_tokens=1500`; `query_tokens` are those of rows.
      Where a causal attention has more keys than queries, `tokens` may be those of the keys.
    - `beam_indices`: of `generate()` with beams, which row of each step a sequence comes of.
    - `causal`, `title`, `description`; `layers`: the model's own numbers of the layers.
    - `axes`: {"q": "samples queries heads features"} where the order is not the usual one.

    Arrays may be of NumPy, PyTorch, JAX or any other library that NumPy reads; types and bits are kept.
    A ReadingNote warns where another reading is as likely, and of arrays that are not used. Raises TypeError for what
    is no array, ValueError for shapes that do not fit (and for what nothing decides: it names the calls that do), and
    OSError where nothing can be written; then what was at `path` stays as it was.
    """
    arrays, metadata = document(attention, **keywords)
    write(path, arrays, metadata)


def save_unnamed(path: PathLike, attention: Any, keywords: Mapping[str, Any]) -> None:
    """Saves like `save`, but does not derive a title from the name of the file."""
    arrays, metadata = document(attention, **keywords)
    write(path, arrays, {"title": "", **metadata})


def document(attention: Any = None, **keywords: Any) -> Document:
    """The arrays of a document and their description; see `save`."""
    given, found = gathered(attention, keywords)
    rules = given.pop("mask") if is_mapping(given.get("mask")) else None  # as the program writes and reads them
    tokens, counts = token_lists(given)
    samples = samples_of(tokens)
    reader = Reader(given["axes"], given.get("layers"), samples, given.get("head_count"))
    reader.beams = beams_of(attention, given, samples)
    reader.known = known_of(found, given, tokens, samples)
    reader.called = found.called
    reader.others = [first_layer(given[name]) for name in "kv" if name in given]
    reader.others = [array for array in reader.others if is_array(array)]
    causal = bool(given.get("causal", False))
    if "cu_seqlens" in given:
        pack(reader, given, tokens, causal)
        causal = causal and "mask" not in reader.arrays
    # Maps of steps come first: their rows determine how arrays of the encoder are read.
    for name in sorted((*MAPS, *ROWS), key=lambda name: name == "encoder_attention"):
        if name in given:
            reader.read(name, given[name])
    if reader.beams.rows is not None and not reader.steps:
        raise ValueError("beam_indices belong to the steps of generate(), a tuple of layers each, and there are none")
    for name in ("mask", "hidden", "bias"):
        if name in given:
            reader.read_mask(name, given[name])
    arrays = reader.arrays
    judge_masks(reader, found)
    if reader.rows_seen is not None and "attention" in arrays and "mask" not in arrays:  # nothing after a sequence's end
        seen, shape = reader.rows_seen, (*reader.rows_seen.shape, reader.extent("keys", ["attention"]) or 1)
        arrays["mask"] = Array(("samples", "queries", "keys"), shape, "bool",
                               [partial(np.broadcast_to, rows[:, None], shape[1:]) for rows in seen])
    check(arrays)
    queries, keys = reader.extent("queries", WITH_QUERIES), reader.extent("keys", WITH_KEYS)
    if causal and queries != keys and ("attention" in arrays or "q" in arrays):
        add_causal_mask(arrays, queries, keys)
        causal = False
        if tokens.keys() == {"tokens"} and length(tokens["tokens"]) == keys:
            tokens = {"tokens": last(tokens["tokens"], queries), "key_tokens": tokens["tokens"]}
    elif tokens.keys() == {"tokens"} and not counts and queries == 1 < length(tokens["tokens"]) == keys:
        tokens = {"key_tokens": tokens["tokens"]}
    add_tokens(reader, given.get("input_ids"), tokens, counts, queries, keys)

    metadata: dict[str, Any] = {**tokens, **{name: {"count": count} for name, count in counts.items()}}
    metadata.update({name: given[name] for name in ("title", "description") if name in given})
    if "causal" in given and causal == bool(given["causal"]):
        metadata["causal"] = causal
    numbers = reader.all_numbers()
    if numbers is not None:
        metadata["layers"] = numbers
    if rules is not None:
        metadata["mask"] = dict(rules)
    say_unused(found)
    metadata["axes"] = {name: list(array.axes) for name, array in arrays.items()}
    return Document(arrays, metadata)


def known_of(found: Named, given: Mapping[str, Any], tokens: Mapping[str, list[Any]], samples: Optional[int]) -> Known:
    """Extents that follow from tokens and masks."""
    known = Known(lists=samples or (1 if tokens or "input_ids" in given else 0))
    lists = [each if samples else [each] for each in tokens.values()]
    longest = {name: max(map(len, each)) for name, each in zip(tokens, lists) if each}
    if "key_tokens" in tokens or "key_tokens" in given:
        known.queries, known.keys = longest.get("tokens", 0), longest.get("key_tokens", 0)
    else:
        known.tokens = longest.get("tokens", 0)
    known.padding = padding_of(lists[-1]) if lists else ()
    ids = given.get("input_ids")
    if not tokens and ids is not None:
        numbers = to_numpy(ids) if is_array(ids) else np.asarray(ids)
        if numbers.ndim in (1, 2) and numbers.size and numbers.dtype.kind in "iu":
            rows = numbers.reshape(-1, numbers.shape[-1]).tolist()
            known.tokens, known.lists, known.padding = numbers.shape[-1], len(rows), end_runs(rows)
    masks = {**found.masks, **{name: given[name] for name in ("mask", "hidden", "bias") if name in given}}
    known.masks = {name: tuple(int(extent) for extent in value.shape) for name, value in masks.items() if is_array(value)}
    return known


def padding_of(lists: list[Any]) -> list[list[bool]]:
    """Flags of the tokens that pad, for lists of texts; nothing if none does."""
    pads = [[re.sub(r"[][<>|_]", "", token).lower() in ("pad", "padding", "blank") for token in each] for each in lists]
    return pads if any(map(any, pads)) else []


def end_runs(lists: list[list[int]]) -> list[list[bool]]:
    """Flags of the ids that pad: runs of one number at the ends; nothing if there are none, or of several numbers."""
    ends = {each[-1] for each in lists if len(each) > 1 and each[-1] == each[-2]}
    if len(ends) != 1:
        return []
    end = ends.pop()
    runs = [next((n for n, number in enumerate(reversed(each)) if number != end), len(each)) for each in lists]
    return [[False] * (len(each) - run) + [True] * run for each, run in zip(lists, runs)]


def first_layer(value: Any) -> Any:
    """An array, or one layer of a list or mapping of them."""
    values = list(value.values()) if isinstance(value, Mapping) else value
    return next((layer for layer in values if layer is not None), None) if isinstance(values, (list, tuple)) else values


def judge_masks(reader: Reader, found: Named) -> None:
    """Reads masks whose names do not define true; arrays that are no masks are not used."""
    if not found.masks:
        return
    names = WITH_QUERIES[:2] if any(name in reader.arrays for name in WITH_QUERIES[:2]) else WITH_QUERIES
    extents = {axis: reader.extent(axis, names) or 1 for axis in ("samples", "layers", "heads", "queries")}
    extents["keys"] = reader.extent("keys", ("attention", "k") if names == WITH_QUERIES[:2] else WITH_KEYS) or 1
    masks = Masks(extents, reader.known.padding, reader.arrays.get("attention", reader.arrays.get("cross_attention")))
    for name in ("mask", "bias"):
        if name in reader.arrays:
            masks.add_said(name, reader.arrays[name])
    for name, value in found.masks.items():
        try:
            masks.read(name, value, reader.axes.get(name))
        except Unfit as error:
            if name in found.unused:  # a keyword
                raise ValueError(f"{name}: {error}") from None
            found.unused[name] = str(error)
    for name, array in masks.arrays().items():
        reader.arrays[name] = array


def say_unused(found: Named) -> None:
    """Lists the entries of a mapping that are not used."""
    unused = [f"{name}{f' ({why})' if why else ''}" for name, why in found.unused.items() if why is not None]
    if unused:
        more = f" and {len(unused) - 12} more" if len(unused) > 12 else ""
        note(f"not used: {', '.join(unused[:12])}{more}")


def gathered(attention: Any, keywords: Mapping[str, Any]) -> tuple[dict[str, Any], Named]:
    """Keywords that are given, with those of the first argument; those that are no arrays are of the right type."""
    given = {name: value for name, value in keywords.items() if value is not None}
    also = known_keywords(given, KEYWORDS)
    found = Named({}, {}, {}, {})
    if also:
        values = {name: given.pop(name) for name in also}
        found = keywords_of({name: as_array(name, value) for name, value in values.items()}, False)
        found.unused.update(dict.fromkeys(found.masks))
        twice = [name for name in found.given if name in given]
        if twice:
            raise ValueError(f"{twice[0]} is given twice: as {found.called[twice[0]]}, too")
        given.update(found.given)
    unknown = [name for name in given if name not in KEYWORDS]
    if unknown and (row := known_name(unknown[0])) is not None and row.role not in ("none", "sparse"):
        raise TypeError(f"{unknown[0]} is {given[unknown[0]]!r:.40}, expected an array")
    if unknown:
        raise TypeError(f"there is no keyword {', '.join(unknown)}; expected {', '.join(KEYWORDS)}")
    axes = mapping("axes", given.pop("axes", {}))
    if attention is not None:
        if hasattr(attention, "arrays"):  # a recording
            first = dict(attention.arrays())
        elif is_mapping(attention) or hasattr(attention, "attentions"):
            beside = named(attention if is_mapping(attention) else vars(attention))
            first = dict(beside.given)
            found = Named({}, {**beside.masks, **found.masks}, {**beside.called, **found.called},
                          {**beside.unused, **found.unused})
        else:
            first = {"attention": attention}
        axes = {**mapping("axes", first.pop("axes", {})), **axes}
        twice = [name for name in first if name in given]
        if twice:
            raise ValueError(f"{', '.join(twice)} is given twice: in the first argument and by its keyword")
        given = {**first, **given}
    if not any(name in given for name in (*MAPS, "q", "k")):
        raise ValueError(NOTHING)
    if ("q" in given) != ("k" in given):
        raise ValueError("q and k belong together, expected both or none")
    for name in ("title", "description"):
        if not isinstance(given.get(name, ""), str):
            raise TypeError(f"{name} is {given[name]!r:.40}, expected text")
    if "layers" in given:
        given["layers"] = whole_numbers("layers", given["layers"])
    if "head_count" in given:
        (given["head_count"],) = whole_numbers("head_count", [given["head_count"]])
    return {**given, "axes": axes}, found


def samples_of(tokens: Mapping[str, list[Any]]) -> Optional[int]:
    """Number of samples that tokens are given for, None if they are one list."""
    return next((len(found) for found in tokens.values() if found and isinstance(found[0], list)), None)


def token_lists(given: Mapping[str, Any]) -> tuple[dict[str, list[Any]], dict[str, Optional[int]]]:
    """Tokens of rows ("tokens") and of columns: lists of texts, and counts of those without names (None: all)."""
    if "query_tokens" in given and "tokens" in given:
        raise ValueError("query_tokens and tokens are the same, expected one of them")
    names = {"tokens": "tokens", "query_tokens": "tokens", "key_tokens": "key_tokens"}
    lists, counts = {}, {}
    for name in names.keys() & given.keys():
        if isinstance(given[name], (int, np.integer)) and not isinstance(given[name], bool):
            counts[names[name]] = int(given[name])
        else:
            lists[names[name]] = texts(name, given[name])
    if "query_tokens" in given:  # not of columns, even if there are as many
        counts.update({} if "key_tokens" in given else {"key_tokens": None})
    return lists, counts


def add_tokens(reader: Reader, ids: Any, tokens: dict[str, list[Any]], counts: dict[str, Optional[int]],
               queries: int, keys: int) -> None:
    """Checks the tokens, and adds their numbers to the arrays."""
    one_more = queries + 1 if reader.steps else queries  # generate() does not compute the row of its last token
    samples = max(array.extent("samples") or 1 for array in reader.arrays.values())
    if "tokens" in tokens:
        tokens["tokens"] = checked_texts("tokens", tokens["tokens"], queries, one_more, samples)
        if "key_tokens" not in tokens and "key_tokens" not in counts and queries != keys:
            raise ValueError(f"tokens are {queries}, as many as there are queries, and there are {keys} keys: "
                             f"name them by key_tokens, or say how many, key_tokens={keys}")
    if "key_tokens" in tokens:
        tokens["key_tokens"] = checked_texts("key_tokens", tokens["key_tokens"], keys, keys, samples)
    for name, extents in (("tokens", (queries, one_more)), ("key_tokens", (keys,))):
        if counts.get(name) not in (None, *extents):
            raise ValueError(f"{name} are {counts[name]}, expected {extents[0]}, as the arrays have")
        if name in counts:
            counts[name] = extents[0]
    if "tokens" in counts and "key_tokens" not in {*tokens, *counts} and queries != keys:
        counts["key_tokens"] = keys
    if ids is not None:
        read_ids(reader, ids, queries, one_more, samples)


def mapping(name: str, value: Any) -> Mapping[str, Any]:
    """A mapping; TypeError for anything else."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} is {value!r:.40}, expected them by the names of arrays, as in "
                        '{"q": "samples queries heads features"}')
    return value


def whole_numbers(name: str, value: Any) -> list[int]:
    """Whole numbers of a list or an array; TypeError for anything else."""
    numbers = to_numpy(value) if is_array(value) else plain(name, list(value) if isinstance(value, range) else value)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        raise TypeError(f"{name} is {value!r:.60}, expected whole numbers")
    return [int(number) for number in numbers]


def ends_of(name: str, value: Any) -> np.ndarray:
    """Begin and end of packed sequences; ValueError if they are not 0, …, growing."""
    ends = np.array(whole_numbers(name, value))
    if len(ends) < 2 or ends[0] != 0 or (np.diff(ends) < 1).any():
        raise ValueError(f"{name} is {ends.tolist()!s:.60}, expected numbers that begin with 0 and grow")
    return ends


def pack(reader: Reader, given: Mapping[str, Any], tokens: dict[str, list[Any]], causal: bool) -> None:
    """Splits packed sequences into samples: gives `reader` their ends and a mask, cuts and pads the tokens."""
    queries = ends_of("cu_seqlens", given["cu_seqlens"])
    keys = ends_of("key_cu_seqlens", given["key_cu_seqlens"]) if "key_cu_seqlens" in given else queries
    if "q" not in given or any(name in given for name in (*MAPS, "mask", "bias", "input_ids")):
        raise ValueError("cu_seqlens is only for packed q, k and v")
    if len(keys) != len(queries):
        raise ValueError(f"cu_seqlens has {len(queries) - 1} sequences, and key_cu_seqlens {len(keys) - 1}")
    reader.ends = {"q": queries, "k": keys, "v": keys}
    for name, ends in (("tokens", queries), ("key_tokens", keys)):
        if name in tokens:
            tokens[name] = cut_texts(name, tokens[name], ends)
    rows, columns = np.diff(queries), np.diff(keys)
    if len(set(rows)) == 1 and len(set(columns)) == 1 and (not causal or rows[0] == columns[0]):
        return
    samples, shape = len(rows), (int(rows.max()), int(columns.max()))

    def visible(sample: int) -> np.ndarray:
        mask = np.zeros(shape, bool)
        mask[:rows[sample], :columns[sample]] = True
        return np.tril(mask, columns[sample] - rows[sample]) if causal else mask

    leading = (samples,) if samples > 1 else ()
    reader.arrays["mask"] = Array(("samples", "queries", "keys")[-2 - len(leading):], (*leading, *shape), "bool",
                                  [partial(visible, sample) for sample in range(samples)])


def cut_texts(name: str, tokens: list[Any], ends: np.ndarray) -> list[Any]:
    """Tokens of packed sequences as a list per sample, all of the length of the longest."""
    if tokens and not isinstance(tokens[0], list):
        if len(tokens) != ends[-1]:
            raise ValueError(f"{name} are {len(tokens)}, expected {ends[-1]}, with which cu_seqlens end")
        tokens = [tokens[begin:end] for begin, end in zip(ends, ends[1:])]
    lengths = np.diff(ends).tolist()
    if [len(sample) for sample in tokens] != lengths:
        raise ValueError(f"{name} are lists of {[len(sample) for sample in tokens]}, expected {lengths} by cu_seqlens")
    padded = [sample + [""] * (max(lengths) - len(sample)) for sample in tokens]
    return padded if len(padded) > 1 else padded[0]


def add_causal_mask(arrays: dict[str, Array], queries: int, keys: int) -> None:
    """Adds the mask of queries that are the last of the keys, as with a cache of past keys."""
    if "mask" in arrays:
        raise ValueError(f"causal with a mask of {queries} queries and {keys} keys: put both into the mask")
    if queries > keys:
        raise ValueError(f"causal attention of {queries} queries to {keys} keys, expected at least as many keys")
    rows = max(1, (1 << 24) // keys)

    def visible(begin: int) -> np.ndarray:
        return np.tri(min(rows, queries - begin), keys, keys - queries + begin, dtype=bool)

    arrays["mask"] = Array(("queries", "keys"), (queries, keys), "bool",
                           [partial(visible, begin) for begin in range(0, queries, rows)])


def length(tokens: list[Any]) -> int:
    """Number of tokens of a sample, that of the first."""
    return len(tokens[0]) if tokens and isinstance(tokens[0], list) else len(tokens)


def last(tokens: list[Any], count: int) -> list[Any]:
    """The last tokens, of each sample."""
    return [last(token, count) for token in tokens] if isinstance(tokens[0], list) else tokens[-count:]


def checked_texts(name: str, tokens: list[Any], count: int, one_more: int, samples: int) -> list[Any]:
    """Tokens of each sample; raises ValueError unless there are `count` or `one_more` of them."""
    if not tokens or not isinstance(tokens[0], list):
        if len(tokens) not in (count, one_more):
            raise ValueError(f"{name} are {len(tokens)}, expected {count}, as the arrays have")
        return tokens[:count]
    if len(tokens) != samples:
        raise ValueError(f"{name} are lists for {len(tokens)} samples, expected {samples}, as the arrays have")
    lists = [checked_texts(f"{name} of sample {sample}", found, count, one_more, samples)
             for sample, found in enumerate(tokens)]
    return lists if samples > 1 else lists[0]


def read_ids(reader: Reader, ids: Any, count: int, one_more: int, samples: int) -> None:
    """Adds the numbers of tokens, (tokens) or (samples, tokens)."""
    if not is_array(ids):
        ids = plain("input_ids", ids)
    shape = tuple(int(extent) for extent in ids.shape)
    if shape not in ((count,), (one_more,), (samples, count), (samples, one_more)):
        raise ValueError(f"input_ids have shape {shape}, expected ({count}) or ({samples}, {count}), as arrays have"
                         + ("" if reader.steps else "; leave them out (of the output of a model: pass its attentions "
                            "alone)"))
    reader.axes["input_ids"] = ("samples", "tokens")[2 - len(shape):]
    reader.add("input_ids", [reader.single("input_ids", ids[..., :count], False)], None)


def check(arrays: Mapping[str, Array]) -> None:
    """ValueError if arrays do not fit together."""
    alike(arrays, "samples", (*MAPS, *ROWS, "mask", "bias"), or_one=("mask", "bias"))
    alike(arrays, "layers", ("attention", *ROWS, "mask", "bias"), or_one=("mask", "bias"))
    alike(arrays, "heads", ("attention", "q", "mask", "bias"), or_one=("mask", "bias"))
    alike(arrays, "heads", ("k", "v"))
    alike(arrays, "features", ("q", "k"))
    alike(arrays, "queries", ("attention", "q", "mask", "bias"))
    alike(arrays, "keys", ("attention", "k", "v", "mask", "bias"))
    alike(arrays, "queries", ("decoder_attention", "cross_attention"))
    if "encoder_attention" in arrays and "cross_attention" in arrays:
        encoder, cross = arrays["encoder_attention"].extent("keys"), arrays["cross_attention"].extent("keys")
        if encoder != cross:
            raise ValueError(f"cross_attention has {cross} keys, and encoder_attention {encoder}")
    for many, few in (("q", "k"), ("attention", "k"), ("attention", "v")):
        if many in arrays and few in arrays:
            heads, groups = arrays[many].extent("heads") or 1, arrays[few].extent("heads") or 1
            if heads % groups:
                raise ValueError(f"{many} has {heads} heads, which {groups} heads of {few} cannot serve equally")


def alike(arrays: Mapping[str, Array], axis: str, names: Iterable[str], or_one: Sequence[str] = ()) -> None:
    """ValueError if the arrays that are there differ in the extent of an axis; `or_one` may have none."""
    found = {name: arrays[name].extent(axis) or 1 for name in names if name in arrays}
    found = {name: extent for name, extent in found.items() if name not in or_one or extent > 1}
    if len(set(found.values())) > 1:
        said = ", ".join(f"{name} {extent} of {arrays[name].shape}" for name, extent in found.items())
        raise ValueError(f"the arrays do not agree in their {axis}: {said}; if an axis has another meaning, "
                         "name all by axes")
