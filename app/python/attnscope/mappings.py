"""Arrays by name, as files, outputs of models and caches have them, as keywords of `save`."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Optional

import numpy as np

from .arrays import dtype_name, is_array
from .evidence import facts_of, note
from .names import Group, best_of, groups_of, known_name, name_words, which_attention

OPTIONS = ("title", "description", "causal", "layers", "axes", "head_count", "cu_seqlens", "key_cu_seqlens",
           "beam_indices")


NOTHING = ("there is nothing to show: expected attention (weights), or q and k; a model that returns None for its "
           'attentions computes them by a kernel that keeps no weights: load it with attn_implementation="eager", '
           "or use attnscope.record")


class Named(NamedTuple):
    """Keywords, masks by their names (with true undefined), names of the arrays taken, and what is not used."""

    given: dict[str, Any]
    masks: dict[str, Any]
    called: dict[str, str]
    unused: dict[str, str]  # why, by pattern


def is_list_of_arrays(value: Any) -> bool:
    """True if a value is a list or tuple of arrays, or of lists of them, rather than of numbers."""
    return isinstance(value, (list, tuple)) and any(is_array(item) or is_list_of_arrays(item) for item in value)


def has_text(value: Any) -> bool:
    """True if a value is a list of texts, or a list of such lists, or an array of them."""
    if is_array(value):
        return dtype_name(value).startswith(("str", "bytes", "object"))
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(item, (str, bytes)) or item is None or has_text(item) for item in value)
    return False


def facts_in(value: Any) -> Optional[tuple[tuple[int, ...], str]]:
    """Shape and type of a value or of a list of layers. None if it is no array, or only a number."""
    if has_text(value):
        return (-1,), "text"
    if is_list_of_arrays(value) or (isinstance(value, Mapping) and any(map(is_array, value.values()))):
        return (-2, len(value)), "floats"
    if not is_array(value) or not len(value.shape):
        return None
    name = dtype_name(value)
    kind = "flags" if name == "bool" else "whole" if "int" in name else "floats" if "float" in name else ""
    return (tuple(int(extent) for extent in value.shape), kind) if kind else None


def as_array(name: str, value: Any) -> Any:
    """Nested lists of numbers as an array; other values unchanged. ValueError for ragged lists."""
    if not isinstance(value, (list, tuple)) or not value or is_list_of_arrays(value) or has_text(value):
        return value
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} is a nested list whose parts have different lengths") from None


class Arrays:
    """The arrays of a mapping in groups, which are equal but for numbers in their names."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self.left: dict[str, str] = {}  # values that are no arrays
        facts = {}
        for name, value in values.items():
            found = facts_in(value)
            if found is None:
                self.left[name] = "no array of numbers"
            else:
                facts[name] = found
        self.groups = groups_of(facts)
        self.sparse = any(group.role() == "sparse" for group in self.groups)

    def of(self, *roles: str) -> list[Group]:
        return [group for group in self.groups if group.role() in roles]

    def sums_to_one(self, group: Group) -> bool:
        arrays = [self.values[name] for name in group.names]
        if not is_array(arrays[0]):
            arrays = [part for part in (arrays[0].values() if isinstance(arrays[0], Mapping) else arrays[0])
                      if is_array(part)]
        return bool(arrays) and all(facts_of([array]).sum_to_one for array in arrays)

    def value(self, group: Group) -> Any:
        """The array, or the layers by their numbers; heads of names are stacked."""
        if group.collision:
            raise ValueError(f"two names have the same number: {group.collision}; pass a list of arrays in place of them")
        if len(group.names) == 1:
            return self.values[group.names[0]]
        heads = group.heads or 1
        layers = [[self.values[name] for name in group.names[at:at + heads]] for at in range(0, len(group.names), heads)]
        stack = [part[0] if not group.heads else np.stack([np.asarray(array) for array in part]) for part in layers]
        return stack[0] if len(stack) == 1 else dict(zip(group.layers, stack))


def is_square(group: Group) -> bool:
    return len(group.shape) > 1 and group.shape[-1] == group.shape[-2]


def attentions(groups: Sequence[Group]) -> dict[str, Group]:
    """The best group of each attention by its keyword."""
    found = {}
    for keyword in ("attention", "cross_attention", "decoder_attention", "encoder_attention"):
        best = best_of(group for group in groups if which_attention(group.names[0]) == keyword)
        if best is not None:
            found[keyword] = best
    if set(found) == {"attention"}:
        # The square one of two parts with as many layers is the decoder's own, if the other has other keys.
        for across in groups:
            for own in groups:
                if (own.layers == across.layers and name_words(own.pattern) == name_words(across.pattern)
                        and len(own.shape) == len(across.shape) > 1 and is_square(own) and not is_square(across)
                        and own.shape[-1] == across.shape[-2]):
                    return {"cross_attention": across, "decoder_attention": own}
    if "cross_attention" in found and "attention" in found:  # a decoder that reads another model
        found.setdefault("decoder_attention", found["attention"])
        del found["attention"]
    elif "attention" in found:
        found = {"attention": found["attention"]}
    return found


def keywords_of(values: Mapping[str, Any], needs_attention: bool = True) -> Named:
    """Keywords of arrays by name. ValueError where two names are the same, or none is attention, or q and k."""
    arrays = Arrays(values)
    taken = attentions([group for group in arrays.of("weights") if not arrays.sparse or arrays.sums_to_one(group)]
                       + [group for group in arrays.of("scores", "perhaps") if arrays.sums_to_one(group)])
    if not taken:
        taken = {role: best for role in "qkv" if (best := best_of(arrays.of(role))) is not None}
    if needs_attention and not ({"q", "k"} <= taken.keys() or taken.keys() - set("qkv") or arrays.sparse):
        unknown = [group for group in arrays.groups if not group.known and len(group.shape) > 1 and group.kind != "text"]
        finished = [group for group in unknown if arrays.sums_to_one(group)]
        taken = attentions(finished) or ({"attention": unknown[0]} if len(unknown) == 1 else taken)
        for name, group in taken.items():
            if group in unknown:
                note(f"{group.pattern}: taken as {name}, " + ("whose rows sum to 1" if finished else "the only array"))
    if needs_attention and not taken:
        raise ValueError(no_attention(arrays))
    rows = best_of(arrays.of("query_tokens"))
    columns = best_of(arrays.of("key_tokens"))
    if rows is not None or columns is not None:
        taken.update({name: group for name, group in (("query_tokens", rows), ("key_tokens", columns)) if group})
    elif (tokens := best_of(arrays.of("tokens"))) is not None:
        taken["tokens"] = tokens
    if (ids := best_of(arrays.of("ids"))) is not None:
        taken["input_ids"] = ids
    masks = sorted((group for group in arrays.groups if group not in taken.values() and (
        group.role() in ("mask", "padding", "bias") or (not group.known and group.kind == "flags"))),
        key=lambda group: group.known.rank if group.known else 500)
    used = [*taken.values(), *masks]
    unused = {group.pattern: instead_of(group, taken) for group in arrays.groups if group not in used}
    grids = {name: ["layers"] * (len(group.layers) > 1) + ["heads"] + (["samples"] if len(group.shape) > 2 else [])
             for name, group in taken.items() if group.heads}
    ends = {"q": ["queries", "features"], "k": ["keys", "features"], "v": ["keys", "features"]}
    given = {name: arrays.value(group) for name, group in taken.items()}
    if grids:
        given["axes"] = {name: axes + ends.get(name, ["queries", "keys"]) for name, axes in grids.items()}
    return Named(given, {group.pattern: arrays.value(group) for group in masks},
                 {name: group.names[0] for name, group in taken.items()}, {**unused, **arrays.left})


def instead_of(group: Group, taken: Mapping[str, Group]) -> str:
    """Reason why an array is not used."""
    if group.role() == "sparse":
        return "sparse, not read"
    if group.role() == "none" and name_words(group.pattern).endswith("mask"):
        return "no mask of attention"
    same = {"weights": ("attention", "cross_attention", "decoder_attention", "encoder_attention"), "tokens": ("tokens",
            "query_tokens", "key_tokens"), "ids": ("input_ids",)}
    for name in same.get(group.role(), (group.role(),)):
        if name in taken:
            return f"{taken[name].pattern} is"
    return ""


def no_attention(arrays: Arrays) -> str:
    """The error where no name is that of an attention, or of q and k."""
    known = [f"{group.pattern} ({len(group.names)} × {group.shape})" if len(group.names) > 1
             else f"{group.pattern} {group.shape if group.shape[0] >= 0 else ''}".strip() for group in arrays.groups]
    listed = ", ".join([*known, *arrays.left][:5]) or "nothing"
    largest = max((group for group in arrays.groups if len(group.shape) > 1 and group.shape[0] >= 0 and not group.known),
                  key=lambda group: len(group.names), default=None)
    advice = ""
    if largest is not None and len(largest.names) > 1:
        advice = f"; a list of {largest.pattern} would be read: attention=[mapping[name] for name in …]"
    elif largest is not None:
        advice = f'; attention=mapping["{largest.pattern}"] says which it is'
    return (f"no array is called attention, or q and k, and no rows sum to 1: found {listed}; expected names such as "
            f"attention, attn_weights, or q and k{advice}")


def is_nothing(value: Any) -> bool:
    """True of None, and of a tuple of layers that a model computed without weights."""
    return value is None or (isinstance(value, (list, tuple)) and all(layer is None for layer in value))


def named(mapping: Any) -> Named:
    """Keywords of a mapping: of layers by number, or of arrays by name. Other entries of an
    output of a model are ignored."""
    keys = list(mapping.keys())
    if keys and all(isinstance(key, (int, np.integer)) for key in keys):
        return Named({"attention": {int(key): mapping[key] for key in sorted(keys)}}, {}, {}, {})
    values = {str(key): mapping[key] for key in keys if not is_nothing(mapping[key])}
    lacks_all = len(values) < len(keys)
    options = {name: values.pop(name) for name in OPTIONS if name in values}
    if "attnscope" in values:  # the note of `save`
        described = json.loads(str(values.pop("attnscope")))
        options = {**{name: value for name, value in described.items() if value not in ("", None)}, **options}
    values = {name: as_array(name, value) for name, value in values.items()}
    counts = {name: values.pop(name) for name in ("tokens", "query_tokens", "key_tokens")
              if isinstance(values.get(name), (int, np.integer))}
    rules = {name: values.pop(name) for name in ("mask",) if isinstance(values.get(name), Mapping)}
    quiet = type(mapping) is not dict and not isinstance(mapping, np.lib.npyio.NpzFile)
    if (quiet or lacks_all) and not any(row.role not in ("none", "ids") for name in values if (row := known_name(name))):
        raise ValueError(NOTHING)
    found = keywords_of(values)
    axes = {**found.given.pop("axes", {}), **options.pop("axes", {})}
    given = {**options, **counts, **rules, **found.given, **({"axes": axes} if axes else {})}
    return found._replace(given=given, unused={} if quiet else found.unused)


def known_keywords(keywords: Mapping[str, Any], others: Iterable[str]) -> list[str]:
    """Keywords that are none of `save`, but names of arrays."""
    return [name for name in keywords if name not in others and (row := known_name(name)) is not None
            and row.role not in ("none", "sparse") and facts_in(as_array(name, keywords[name])) is not None]
