"""Meaning of arrays and keywords by their names: the table names.tsv, and numbers in names."""

import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Optional

PARAMETERS = re.compile(r"[./]((in_proj_)?(weight|bias)|kernel|gamma|beta|embedding)[^A-Za-z]*$")
TYPES = {"text": {"text"}, "flags": {"numbers"}, "whole": {"numbers", "whole"}, "floats": {"numbers", "whole", "floats"}}


class Known(NamedTuple):
    """A row of the table: role of names with this end. Of true in masks, < 0: attends, > 0: hides."""

    role: str
    end: str
    type: str
    leaning: int = 0  # in lists (samples, keys)
    square_leaning: int = 0  # in masks of queries and keys
    rank: int = 0  # the smaller, the more specific among names of a role


@functools.lru_cache(None)
def table() -> list[Known]:
    """All rows; the file is in the folder of this module, or in its checkout."""
    here = Path(__file__).resolve().parent
    path = next((path for path in (here / "names.tsv", *(folder / "assets/names.tsv" for folder in here.parents))
                 if path.exists()), None)
    if path is None:
        raise FileNotFoundError(f"{here} has no names.tsv: install the package with pip, or set PYTHONPATH to the folder "
                                "app/python of a checkout")
    rows = []
    for rank, line in enumerate(path.read_text("utf-8").splitlines()[1:]):
        role, end, kind, leanings, *_ = [*line.split("\t"), "", "", ""]
        lists, _, square = leanings.partition("/")
        rows.append(Known(role, end, kind, int(lists or 0), int(square or lists or 0), rank))
    return rows


def name_words(name: str) -> str:
    """The words of a name in small letters, joined by "_", without numbers."""
    parted = re.sub(r"([a-z])([0-9]*)([A-Z])", r"\1\2_\3", name)
    words = [re.sub(r"[^A-Za-z]", "", word) for word in re.split(r"[^A-Za-z0-9]+", parted)]
    return "_".join(word for word in words if word).lower()


def known_name(name: str, kind: str = "") -> Optional[Known]:
    """The row of the longest end of whole words, if it is of a type; None for parameters of models."""
    if PARAMETERS.search(name):
        return None
    words = name_words(name)
    fitting = [row for row in table() if (words.endswith(row.end[1:]) if row.end[0] == "*" else
                                          ("_" + words).endswith("_" + row.end))
               and (not kind or row.type in TYPES[kind])]
    return max(fitting, key=lambda row: len(row.end), default=None)


def which_attention(name: str) -> str:
    """The keyword of an attention: across, of the decoder, of the encoder, or "attention"."""
    words = name_words(name)
    encoder, decoder = "encoder" in words, "decoder" in words or words.startswith("self_")
    if "cross" in words or (encoder and decoder):
        return "cross_attention"
    return "encoder_attention" if encoder else "decoder_attention" if decoder else "attention"


class Group(NamedTuple):
    """Arrays of one type and shape whose names are equal but for the numbers of layers, and of heads."""

    pattern: str
    names: list[str]  # by layer, then by head
    layers: list[int]  # their numbers; none for a single array
    heads: int  # of each layer, if the names differ in them, else 0
    shape: tuple[int, ...]
    kind: str
    known: Optional[Known]
    collision: str  # two names of one number

    def role(self) -> str:
        return self.known.role if self.known else ""


def groups_of(arrays: Mapping[str, tuple[tuple[int, ...], str]]) -> list[Group]:
    """Groups of names with their shapes and types ("flags", "whole", "floats", "text"), in their order."""
    families: dict[tuple[str, ...], list[str]] = {}
    for name in arrays:
        families.setdefault(tuple(re.split(r"[0-9]+", name)), []).append(name)
    groups = [group for names in families.values() for group in groups_in(names, arrays, True)]
    places = {name: place for place, name in enumerate(arrays)}
    return sorted(groups, key=lambda group: min(places[name] for name in group.names))


def groups_in(names: list[str], arrays: Mapping[str, Any], with_heads: bool) -> list[Group]:
    """Groups of names that are equal but for numbers."""
    texts = re.split(r"[0-9]+", names[0])
    numbers = {name: tuple(map(int, re.findall(r"[0-9]+", name))) for name in names}
    varying = [place for place in range(len(texts) - 1) if len({found[place] for found in numbers.values()}) > 1]

    def behind(*words: str) -> Optional[int]:
        ends = tuple(end for word in words for end in (word, word + "s"))
        return next((place for place in varying if name_words(texts[place]).endswith(ends)), None)

    head = behind("head") if with_heads else None
    varying = [place for place in varying if place != head]
    layer = behind("layer", "block", "stage")
    layer = varying[0] if layer is None and varying else layer
    parts: dict[Any, list[str]] = {}
    for name in names:
        others = tuple(numbers[name][place] for place in varying if place != layer)
        parts.setdefault((others, *arrays[name]), []).append(name)

    def place_of(name: str) -> tuple[int, int]:
        return tuple(-1 if place is None else numbers[name][place] for place in (layer, head))

    groups = []
    for key in sorted(parts, key=lambda key: (key[0], key[1], key[2])):
        members = sorted(parts[key], key=place_of)
        layers, heads = (sorted({place_of(name)[axis] for name in members}) for axis in (0, 1))
        if head is not None and len({place_of(name) for name in members}) != len(layers) * len(heads):
            return groups_in(names, arrays, False)
        twice = [pair for pair in zip(members, members[1:]) if place_of(pair[0]) == place_of(pair[1])]
        lone = len(members) == 1
        groups.append(Group(members[0] if lone else pattern_of(members[0], (layer, head)), members,
                            [] if lone else layers, 0 if lone or head is None else len(heads), key[1], key[2],
                            known_name(members[0], key[2]), ", ".join(twice[0]) if twice else ""))
    return groups


def pattern_of(name: str, places: Iterable[Optional[int]]) -> str:
    """The name with stars for the numbers at these places."""
    parts = re.split(r"([0-9]+)", name)
    return "".join("*" if place % 2 and place // 2 in places else part for place, part in enumerate(parts))


def best_of(groups: Iterable[Group]) -> Optional[Group]:
    """The most specific of the names; of equal ones the largest group, then the first."""
    return min(groups, key=lambda group: (group.known.rank if group.known else 0, -len(group.names)), default=None)
