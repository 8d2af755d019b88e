"""Figures and numbers of arrays or documents, made by the program."""

import difflib
import json
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from .document import KEYWORDS, save_unnamed
from .files import PathLike, replaced
from .mappings import known_keywords
from .program import AttnScopeError, run, text_flags


class Source:
    """A document of the program: one that is there, a model with its text, or arrays saved to a folder that lives as
    long as this."""

    own = False  # whether the file is its own

    def __init__(self, data: Any, keywords: Mapping[str, Any], text: Optional[str] = None) -> None:
        self.text = text_flags(data, text)
        if isinstance(data, (str, os.PathLike)):
            if keywords:
                raise TypeError(f"a document by its path takes no {', '.join(keywords)}")
            path = os.fspath(data)
            self.path = "./" + path if path.startswith("-") else path
            return
        folder = tempfile.mkdtemp(prefix="attnscope-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = os.path.join(folder, "arrays.safetensors")
        self.own = True
        save_unnamed(self.path, data, keywords)

    def run(self, command: str, *arguments: str) -> bytes:
        """Standard output of a command of the program; its errors do not name a temporary file."""
        try:
            return run([command, self.path, *self.text, *arguments])
        except AttnScopeError as error:
            if not self.own:
                raise
            raise AttnScopeError(str(error).replace(self.path + ": ", "")) from None


class Figure:
    """A figure, which notebooks show; see `figure`."""

    def __init__(self, source: Source, reference: Optional[Source], flags: list[str]) -> None:
        self._sources = (source, reference)
        self._flags = flags
        self._pictures: dict[str, bytes] = {}
        self.picture("svg")  # reports errors at the call

    def picture(self, format: str) -> bytes:
        """Bytes of the figure in a format of `attnscope export --format`; drawn once each."""
        source = self._sources[0]
        if format not in self._pictures:
            self._pictures[format] = source.run(
                "export", *self._flags, "--format", format, "-o", "-")
        return self._pictures[format]

    def save(self, path: PathLike) -> None:
        """Writes the figure; the extension chooses the format among those of `attnscope export`.

        They are pictures (.svg, .png, .pdf, .html, .gif), the numbers that the plot shows (.csv, .tsv, .npy, .npz,
        .safetensors, .json), or its equation (.tex, .md, .txt). AttnScopeError for what this plot cannot be.
        """
        format = Path(path).suffix[1:].lower()
        if not format:
            raise ValueError(f"{path}: the name has no ending, expected one such as .svg, .pdf, .html or .csv")
        with replaced(Path(path)) as file:
            file.write(self.picture(format))

    def _repr_svg_(self) -> str:
        return self.picture("svg").decode()

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        png = self.picture("png")
        width, height, dots = (int.from_bytes(png[at:at + 4], "big") for at in (16, 20, png.index(b"pHYs") + 4))
        scale = 96 / (dots * 0.0254)  # notebooks show pictures with 96 dots per inch
        return png, {"width": round(width * scale), "height": round(height * scale)}


def figure(data: Any = None, /, text: Optional[str] = None, *, plot: Optional[str] = None, reference: Any = None, **options: Any) -> Figure:
    """A figure of arrays (as `save` takes them), of a document by its path, or of the model in a folder, which reads a
    text; notebooks show it.

    `plot` is a name of `attnscope export --plot`, and its options are keywords: `head=3`, `values=False`,
    `layers="0-3"` or `layers=[0, 1]` (those that are drawn), `colormap="ylorrd"`. `reference` is what the difference
    plot subtracts.
    Raises what `save` raises, TypeError for options that the plot does not have (it says which there are), and
    AttnScopeError for what the program refuses.
    """
    also = [name for name in known_keywords(options, KEYWORDS) if not isinstance(options[name], (str, list, tuple))]
    given = {name: options.pop(name) for name in (*KEYWORDS, *also) if name in options and name not in PLOT_OPTIONS}
    if isinstance(options.get("axes"), Mapping):  # of arrays; True and False switch those of the figure
        given["axes"] = options.pop("axes")
    flags = [] if plot is None else ["--plot", plot]
    flags += checked_flags(plot, options)
    beside = None
    if reference is not None:
        beside = Source(reference, {})
        flags += ["--reference", beside.path]
    return Figure(Source(data, given, text), beside, flags)


# Options of plots that have the name of a keyword of `save`; `figure` takes those of arrays in a dictionary only.
PLOT_OPTIONS = ("attention", "axes", "layers", "title")


# Flags that `figure` sets itself, or that mean nothing to it.
FIXED = ("--help", "--output", "--force", "--format", "--plot", "--quiet", "--verbose", "--no-color")


def checked_flags(plot: Optional[str], options: Mapping[str, Any]) -> list[str]:
    """Options as flags of the program; TypeError for one that it does not have."""
    flags = [flag for name, value in options.items() if value is not None for flag in flags_of(name, value)]
    if flags:
        known = flags_in_help("--all")
        for name in options:
            wanted = "--" + name.replace("_", "-")
            if wanted not in known:
                of_plot = flags_in_help("--plot", plot or "heatmap")
                like = difflib.get_close_matches(wanted, of_plot, 1)
                probably = f"; did you mean {keyword_of(like[0])}?" if like else "."
                raise TypeError(f"figure has no option {name}{probably} The {plot or 'heatmap'} plot has "
                                f"{', '.join(map(keyword_of, of_plot))}")
    return flags


def keyword_of(flag: str) -> str:
    """The keyword of a flag."""
    return flag[2:].replace("-", "_")


def flags_of(name: str, value: Any) -> Iterator[str]:
    """An option as flags: True and False switch, lists are joined, lists of tuples repeat the flag."""
    flag = name.replace("_", "-")
    if isinstance(value, (bool, np.bool_)):
        yield f"--{flag}" if value else f"--no-{flag}"
    elif isinstance(value, (list, tuple, range)) and value and isinstance(value[0], (list, tuple)):
        for item in value:
            yield from flags_of(name, item)
    else:
        yield f"--{flag}={joined(value)}"


def joined(value: Any) -> str:
    """A value as the command line writes it."""
    return ",".join(map(str, value)) if isinstance(value, (list, tuple, range)) else str(value)


def flags_in_help(*which: str) -> list[str]:
    """Flags that `attnscope export --help` lists: of `--all` options, or of `--plot`, a name."""
    text = run(["export", "--help", *which]).decode()
    listed = ", ".join(re.findall(r"^  (?:-\w, )?(--.*?)(?:  |$)", text, re.MULTILINE)).replace("[no-]", "")
    return [flag for flag in re.findall(r"--[\w-]+", listed) if flag not in FIXED]


Which = Union[int, str, list, tuple, range]


def compute(data: Any = None, /, text: Optional[str] = None, *, stage: Union[str, Iterable[str]] = "weights",
            layer: Which = "all", head: Which = "all", sample: Which = "all",
            **keywords: Any) -> Union[np.ndarray, dict[str, np.ndarray]]:
    """Numbers of a stage of arrays (as `save` takes them), of a document by its path, or of the model in a folder, which
    reads a text.

    Returns (samples, layers, heads, rows, columns), as float32; of several stages, a list or "scores,weights", a
    dictionary of them. `layer`, `head` and `sample` are "all", numbers as in "0-3,7", a list, or one number, which
    leaves its axis out. Stages are those of `attnscope compute --stage`, and of an encoder–decoder `self_weights` and
    `encoder_weights` beside `weights`, its cross-attention.
    Raises what `save` raises, and AttnScopeError for what the program refuses.
    """
    several = not isinstance(stage, str) or "," in stage
    stages = [name.strip() for name in stage.split(",")] if isinstance(stage, str) else list(stage)
    if not stages or not all(isinstance(name, str) and name for name in stages):
        raise TypeError(f"stage is {stage!r:.60}, expected names of stages, as in stage=\"scores\" or "
                        "stage=[\"scores\", \"weights\"]")
    source = Source(data, keywords, text)
    with tempfile.TemporaryDirectory(prefix="attnscope-") as folder:
        out = os.path.join(folder, "computed.npz")
        source.run("compute", "--stage", ",".join(stages), "--layer", joined(layer),
                   "--head", joined(head), "--sample", joined(sample), "--format", "npz", "-o", out)
        with np.load(out, allow_pickle=False) as archive:
            for name in stages:
                if name not in archive.files or archive[name].ndim != 5:
                    raise AttnScopeError(f"attnscope compute wrote {archive.files}, expected {name} with five axes")
            numbers = {name: archive[name] for name in stages}
    alone = tuple(isinstance(which, (int, np.integer)) for which in (sample, layer, head))
    numbers = {name: array[tuple(0 if one else slice(None) for one in alone)] for name, array in numbers.items()}
    return numbers if several else numbers[stages[0]]


def measures(data: Any = None, /, text: Optional[str] = None, **keywords: Any) -> Any:
    """Measures of each head, of arrays (as `save` takes them), of a document by its path, or of the model in a folder,
    which reads a text.

    A row per head: layer, sample, head, entropy, distance, shares of weight and labels. A pandas.DataFrame where
    pandas is installed, else a structured NumPy array. What is undefined for a head is NaN.
    """
    source = Source(data, keywords, text)  # its folder lives as long as this
    rows = json.loads(source.run("info", "--measures", "--json"))["measures"]
    columns: dict[str, list[Any]] = {}
    for name, first in (rows[0] if rows else {}).items():
        values = [row[name] for row in rows]
        if name == "labels":
            columns[name] = [", ".join(labels) for labels in values]
        elif not isinstance(first, list):
            columns[name] = [np.nan if value is None else value for value in values]
    try:
        import pandas
    except ImportError:
        arrays = {name: np.array(values) for name, values in columns.items()}
        table = np.empty(len(rows), [(name, values.dtype) for name, values in arrays.items()])
        for name, values in arrays.items():
            table[name] = values
        return table
    return pandas.DataFrame(columns)
