"""The attention of a PyTorch model, recorded while the model runs.

    with attnscope.record(model) as run:
        model(**inputs)
    run.q, run.k, run.v, run.attention, run.mask
    run.save("attention.safetensors", tokens=tokens)

What a model multiplies is what is recorded. Forward hooks tell which module of the model is running, and a mode of
PyTorch shows the calls that it makes: the product of queries and keys, what is added to it or hidden in it, the
softmax (or exponentials and their sums), and the product with the values, by `matmul` or `einsum`; or one call of
`scaled_dot_product_attention`, which returns no weights. So
queries and keys have their positions, keys of a cache are there, and it does not matter by which names a version of a
library calls its projections. The model runs as it would without, and is not changed.
"""

import contextlib
import fnmatch
import functools
import inspect
import math
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Optional

from .recorded import Layer, Recording, Rows, Run, listed, narrow, same, set_mask, triangle

Tensor = Any  # torch.Tensor; this module imports torch when a model is there, never before

KEEPABLE = ("q", "k", "v", "attention")

# Operations on scores that leave them the scores of the same queries and keys.
PASSING = {"to", "float", "double", "half", "bfloat16", "type", "type_as", "contiguous", "clone", "view", "reshape",
           "detach", "dropout"}
# Operations that add or take away keys, as those of models with sinks.
CHANGING = {"cat", "concat", "concatenate", "getitem", "pad", "narrow"}
# Operations that leave a number per row, such as the largest score, that number.
OF_ROWS = {*PASSING, "unsqueeze", "getitem", "squeeze", "expand", "expand_as", "clamp", "clamp_min", "clip"}
SAME = {"iadd": "add", "radd": "add", "isub": "sub", "subtract": "sub", "imul": "mul", "rmul": "mul", "multiply": "mul",
        "truediv": "div", "itruediv": "div", "divide": "div", "true_divide": "div"}


@contextlib.contextmanager
def record(model: Any, *, layers: Optional[Iterable[int]] = None, keep: Iterable[str] = ("q", "k", "v"),
           modules: Optional[str] = None, heads: Optional[int] = None) -> Iterator[Run]:
    """Records the attention of a PyTorch model (a torch.nn.Module) while it runs inside `with`.

    `layers` are the model's own numbers of the layers to be kept, all if None. `keep` names what is kept, of "q", "k",
    "v" and "attention"; masks always are. `modules` is a pattern of the names of attention modules, like
    "decoder.*.self_attn"; without it they are those whose class has Attention or Attn in its name. Where a model has
    none, every attention that it computes is recorded. `heads` is their number where samples and heads lie behind each
    other in one axis and no attribute of the module says it; without it, a warning says what was taken.

    TypeError for what is no module, or is compiled; ValueError for layers, names and patterns that do not exist.
    Modules that ran without an attention that could be seen are named by a warning, and so is a model in which none was
    seen. All hooks are removed at the end of `with`, also by an exception. Calls that raised an exception are not
    recorded.
    """
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(model, torch.nn.Module):
        raise TypeError(f"record: the model is a {type(model).__name__}, expected a torch.nn.Module")
    if type(model).__name__ == "OptimizedModule":
        raise TypeError("record: the model is compiled, which hides what it calls: record the model that was given to "
                        "torch.compile, model._orig_mod")
    kept = {keep} if isinstance(keep, str) else set(keep)
    if not kept or kept - set(KEEPABLE):
        raise ValueError(f"record: keep is {sorted(map(str, kept))}, expected some of {', '.join(KEEPABLE)}")
    found = _attention_modules(model, modules)
    recorder = _Recorder(_wanted(layers, found), kept, bool(found), heads)
    with contextlib.ExitStack() as stack:
        stack.callback(model.register_forward_pre_hook(recorder.model_begins).remove)
        for name, module in found.items():
            stack.callback(module.register_forward_pre_hook(recorder.begins(name)).remove)
            stack.callback(module.register_forward_hook(recorder.ends(name)).remove)
        stack.callback(model.register_forward_hook(recorder.model_ends).remove)
        stack.callback(_wrap_registry(recorder))
        stack.enter_context(_mode(recorder))
        yield recorder.run
    for said in recorder.said(found):
        warnings.warn(f"record: {said}", stacklevel=3)


def _attention_modules(model: Any, pattern: Optional[str]) -> dict[str, Any]:
    """Modules in which attention is looked for, by name."""
    named = {name or type(model).__name__: module for name, module in model.named_modules()}
    if pattern is None:
        return {name: module for name, module in named.items() if re.search("Attention|Attn", type(module).__name__)}
    found = {name: module for name, module in named.items() if fnmatch.fnmatchcase(name, pattern)}
    if not found:
        raise ValueError(f"record: no module of the model is {pattern!r}: there are {listed(named)}")
    return found


def _wanted(layers: Optional[Iterable[int]], found: dict[str, Any]) -> Optional[set[int]]:
    """Numbers of layers to be kept; ValueError if modules have numbers, and these are not among them."""
    if layers is None:
        return None
    wanted = {layers} if isinstance(layers, int) else set(layers)
    if not wanted:
        raise ValueError("record: layers is empty, expected numbers of layers, or None for all")
    numbers = {_number(name, module) for name, module in found.items()} - {None}
    # One module may run several times, as layers of their own: numbers are checked where there are several modules.
    if len(numbers) > 1 and wanted - numbers:
        raise ValueError(f"record: layers are {sorted(wanted)}, and the model's {min(numbers)} to {max(numbers)}")
    return wanted


def _number(name: str, module: Any) -> Optional[int]:
    """The number that a model gives to the layer of a module, by an attribute or by its name; None if it has none."""
    number = getattr(module, "layer_idx", None)
    if isinstance(number, int):
        return number
    digits = re.search(r"(?<![^.])\d+(?![^.])", name)
    return int(digits[0]) if digits else None


def _mode(recorder: "_Recorder") -> Any:
    """A mode of PyTorch that shows the recorder each call of a function of PyTorch."""
    try:
        from torch.overrides import TorchFunctionMode
    except ImportError:
        raise ImportError("record needs PyTorch 1.13 or later") from None

    class Calls(TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            result = func(*args, **(kwargs or {}))
            recorder.called(func, args, kwargs or {}, result)
            return result

    return Calls()


def _wrap_registry(recorder: "_Recorder") -> Any:
    """Watches the kernels that transformers knows by name, FlashAttention among them; returns its undo function."""
    registry = getattr(sys.modules.get("transformers.modeling_utils"), "ALL_ATTENTION_FUNCTIONS", None)
    kernels = {} if registry is None else {name: registry[name] for name in list(registry)}

    def wrapped(kernel: Any) -> Any:
        @functools.wraps(kernel)
        def watched(module: Any, query: Tensor, key: Tensor, value: Tensor, attention_mask: Any, *args: Any,
                    **kwargs: Any) -> Any:
            before = recorder.count
            result = kernel(module, query, key, value, attention_mask, *args, **kwargs)
            if recorder.count == before:  # its inside was not seen
                given = _bound(kernel, module, query, key, value, attention_mask, *args, **kwargs)
                recorder.kernel(module, query, key, value, attention_mask, given)
            return result
        return watched

    for name, kernel in kernels.items():
        registry[name] = wrapped(kernel)

    def undo() -> None:
        for name, kernel in kernels.items():
            del registry[name]  # of a registry that has its own entries before common ones, as transformers' has
            if registry.get(name) is not kernel:
                registry[name] = kernel
    return undo


@dataclass
class _Scores:
    """A product of queries and keys on its way to the softmax, and then the weights on their way to the values."""

    tensor: Tensor
    q: Tensor
    k: Tensor
    scale: float = 1.0
    softcap: Optional[float] = None  # the scale is that before tanh, then
    biases: list[Tensor] = field(default_factory=list)  # of four axes that broadcast; -∞ hides
    exact: bool = True
    weights: Optional[Tensor] = None
    rows: list[tuple[Tensor, str]] = field(default_factory=list)  # a number per row: "max", "logsumexp" or "sum"
    logarithms: bool = False  # whether the exponentials are the weights
    exponentials: bool = False
    value: Optional[Tensor] = None  # multiplied by exponentials, before these are divided by their sums


class _Recorder:
    """Follows the calls of functions of PyTorch, and keeps the attention that they compute."""

    def __init__(self, wanted: Optional[set[int]], kept: set[str], only_in_modules: bool, heads: Optional[int]) -> None:
        self.run = Run()
        self.wanted, self.kept, self.only_in_modules, self.head_count = wanted, kept, only_in_modules, heads
        self.models = 0  # how often the whole model ran
        self.model: tuple[Any, Optional[tuple[int, ...]]] = None, None  # it, and the shape of its input
        self.unseen: dict[str, tuple[int, ...]] = {}  # shapes of softmaxes of no known scores, by module
        self.taken: dict[str, tuple[int, int]] = {}  # samples and heads that were separated only by shapes
        self.open: Optional[Recording] = None  # the call of the model that is running
        self.loose: Optional[Recording] = None  # layers that run without the whole model
        self.used: dict[str, set[int]] = {}  # numbers of the layers that ran in this call, by the kind of their names
        # Attention modules, the innermost last, and the shapes of their inputs without features.
        self.running: list[tuple[str, Any, Optional[tuple[int, ...]]]] = []
        self.ran: set[str] = set()
        self.seen: set[str] = set()
        self.scores: list[_Scores] = []
        self.count = 0
        self.shared: dict[str, Tensor] = {}  # the last mask and bias, which layers share

    # Hooks

    def model_begins(self, model: Any, inputs: tuple[Any, ...]) -> None:
        self.models += 1
        self.model = model, _leading(inputs)
        self.open, self.loose, self.used, self.running, self.scores = Recording([]), None, {}, [], []

    def model_ends(self, *_: Any) -> None:
        self.finish()
        if self.open is not None and self.open.layers:
            self.run.calls.append(self.open)
        self.open, self.used, self.running = None, {}, []

    def begins(self, name: str) -> Any:
        def hook(module: Any, inputs: tuple[Any, ...]) -> None:
            self.running.append((name, module, _leading(inputs)))
            self.ran.add(name)
            self.scores = []
        return hook

    def ends(self, name: str) -> Any:
        def hook(*_: Any) -> None:
            self.finish()
            while self.running and self.running.pop()[0] != name:
                pass  # modules that an exception left
        return hook

    # Calls of functions

    def called(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any], result: Any) -> None:
        """Follows one call of a function of PyTorch."""
        if self.only_in_modules and not self.running:
            return
        name = getattr(func, "__name__", "").strip("_")
        if name == "scaled_dot_product_attention":
            self.fused(*args, **kwargs)
        elif name == "multi_head_attention_forward":
            self.multi_head(_bound(func, *args, **kwargs))
        elif name in ("matmul", "bmm"):
            self.product(*[*args, *kwargs.values()][:2], result)
        elif name == "baddbmm":
            self.added_product(_arguments(args, kwargs, ("input", "batch1", "batch2")), result)
        elif name == "einsum":
            self.einsum(args[0], args[1] if isinstance(args[1], (list, tuple)) else args[1:], result)
        elif self.scores or "softmax" in name:
            self.follow(SAME.get(name, name), args, kwargs, result[0] if isinstance(result, tuple) else result)

    def product(self, first: Tensor, second: Tensor, result: Tensor) -> Optional[_Scores]:
        """A product of matrices: of weights and values, else maybe of queries and keys."""
        if self.weighted(first, second):
            return None
        if not 2 <= first.dim() == second.dim() <= 5:
            return None
        self.scores = [*self.scores[-7:], _Scores(result, first, second.transpose(-1, -2))]
        return self.scores[-1]

    def weighted(self, weights: Tensor, value: Tensor) -> bool:
        """True if a product is one of weights and values, which is then recorded."""
        for scores in self.scores:
            if scores.tensor is weights and scores.weights is not None:
                self.keep(scores, value)
                return True
            if scores.tensor is weights and scores.exponentials:
                scores.value = value
                return True
        return False

    def einsum(self, equation: str, operands: Sequence[Tensor], result: Tensor) -> None:
        """A product in Einstein's notation: of weights and values, else maybe of queries and keys."""
        if len(operands) != 2:
            return
        (first, second), out = _letters(equation, operands)
        for (own, weights), (others, value) in (((first, operands[0]), (second, operands[1])),
                                                ((second, operands[1]), (first, operands[0]))):
            if len(own) > 1 and own[-1] in others and own[-2] not in others and own[-1] not in out:
                arranged = _arranged(value, others, own[:-2], own[-1], weights.shape)
                if arranged is not None and self.weighted(weights, arranged):
                    return
        if len(out) < 2 or not (set(first) & set(second)) - set(out):
            return
        query, key = out[-2:]
        if query in second and key in first:
            (first, second), operands = (second, first), operands[::-1]
        if query in first and key in second and query not in second and key not in first:
            q, k = (_arranged(tensor, letters, out[:-2], row, result.shape)
                    for tensor, letters, row in zip(operands, (first, second), (query, key)))
            if q is not None and k is not None:
                self.scores = [*self.scores[-7:], _Scores(result, q, k)]

    def added_product(self, given: dict[str, Any], result: Tensor) -> None:
        """A product to which something is added in the same call."""
        scores = self.product(given["batch1"], given["batch2"], result)
        if scores is not None:
            scores.scale = float(given.get("alpha", 1))
            if given.get("beta", 1):
                self.add(scores, given["input"], float(given.get("beta", 1)))

    def follow(self, name: str, args: Sequence[Any], kwargs: dict[str, Any], result: Any) -> None:
        """An operation on scores: records its effect, and its result are the scores."""
        if not hasattr(result, "dim"):
            return
        given = [*args, *kwargs.values()]
        flat = [part for value in given for part in (value if isinstance(value, (list, tuple)) else (value,))]
        scores = next((one for one in self.scores if any(part is one.tensor for part in flat)), None)
        softmax = "softmax" in name and (scores is None or scores.weights is None)
        if scores is None or (softmax and not _along_rows(args, kwargs, result.dim())):
            self.of_rows(name, flat, result)
            if softmax and result.dim() > 2:
                self.unseen.setdefault(self.running[-1][0] if self.running else "", tuple(result.shape))
            return
        if name == "log_softmax" and softmax:
            scores.tensor, scores.logarithms = result, True
        elif name == "softmax" and softmax:
            scores.weights = scores.tensor = result
            self.scores = [scores]
        elif name in ("max", "amax", "logsumexp", "sum") and scores.weights is None and \
                _along_rows(args, kwargs, scores.tensor.dim()):
            scores.rows.append((result, "max" if name == "amax" else name))
        elif scores.weights is None and self.normalise(name, scores, args, kwargs, given, result):
            scores.tensor = result
        elif name in PASSING or (scores.weights is None and not scores.exponentials and
                                 self.note(name, scores, args, kwargs, given)):
            scores.tensor = result
        elif result.is_floating_point() and (name in CHANGING or result.numel() == scores.tensor.numel()):
            # Either these are the scores now, in a form that cannot be expressed, or something was computed of them.
            weights = result if scores.weights is not None and name in CHANGING else scores.weights
            self.scores.append(replace(scores, tensor=result, weights=weights, biases=list(scores.biases),
                                       rows=list(scores.rows), exact=scores.exact and weights is not None))

    def of_rows(self, name: str, given: Sequence[Any], result: Tensor) -> None:
        """An operation on a number per row: its result is that number, too."""
        for scores in self.scores:
            for tensor, kind in scores.rows:
                if any(part is tensor for part in given) and (
                        name in OF_ROWS or (name == "add" and kind == "sum")):  # a small number against 0 / 0
                    scores.rows.append((result, kind))
                    return

    def normalise(self, name: str, scores: _Scores, args: Sequence[Any], kwargs: dict[str, Any], given: list[Any],
                  result: Tensor) -> bool:
        """Notes a step of a softmax that is written out; false if the operation is none."""
        other = next((value for value in given if value is not scores.tensor), None)
        first = bool(args) and args[0] is scores.tensor
        kind = next((kind for tensor, kind in scores.rows if tensor is other), None)
        if name == "sub" and first and kind in ("max", "logsumexp"):
            scores.logarithms = kind == "logsumexp"
        elif name == "exp" and not scores.exponentials:
            scores.exponentials = True
            scores.weights = result if scores.logarithms else None
        elif first and ((name == "div" and kind == "sum") or (
                name == "normalize" and kwargs.get("p") == 1 and _along_rows(args, kwargs, result.dim()))):
            scores.weights = result
            scores.exact = scores.exact and scores.exponentials
        elif scores.exponentials and name == "masked_fill":
            fill = _arguments(args, kwargs, ("input", "mask", "value"))
            zero = _is_number(fill["value"]) and float(fill["value"]) == 0
            return zero and self.hide(scores, fill["mask"], -math.inf)
        elif scores.exponentials and name == "mul" and hasattr(other, "dim"):
            return bool(((other == 0) | (other == 1)).all()) and self.hide(scores, other == 0, -math.inf)
        else:
            return False
        return True

    def note(self, name: str, scores: _Scores, args: Sequence[Any], kwargs: dict[str, Any], given: list[Any]) -> bool:
        """Records the effect of an operation on scores; false if scale, softcap, mask and bias cannot express it."""
        other = next((value for value in given if value is not scores.tensor), None)
        first = bool(args) and args[0] is scores.tensor
        if name == "mul" or (name == "div" and first):
            if not _is_number(other):
                return False
            factor = float(other) if name == "mul" else 1 / float(other)
            scores.biases = [bias * factor for bias in scores.biases]
            if scores.softcap is None:
                scores.scale *= factor
            else:
                scores.softcap *= factor
            return True
        if name == "add" or (name == "sub" and first):
            if not _is_number(other):  # a number changes no weight
                self.add(scores, other, float(kwargs.get("alpha", 1)) * (1 if name == "add" else -1))
            return other is not None
        if name == "tanh" and scores.softcap is None and not scores.biases:
            scores.softcap = 1.0
            return True
        if name in ("max", "maximum", "clamp", "clamp_min", "clip"):  # limits that no score reaches
            limits = [value for value in given if value is not scores.tensor and value is not None]
            return all(_is_number(limit) and abs(float(limit)) >= 1e4 for limit in limits)
        if name == "masked_fill":
            fill = _arguments(args, kwargs, ("input", "mask", "value"))
            return self.hide(scores, fill["mask"], fill["value"])
        if name == "where":
            names = ("input", "condition", "other") if first else ("condition", "input", "other")
            where = _arguments(args, kwargs, names)
            if where["input"] is scores.tensor:
                return self.hide(scores, ~where["condition"], where["other"])
            return self.hide(scores, where["condition"], where["input"])
        return False

    def add(self, scores: _Scores, bias: Tensor, factor: float) -> None:
        """Records an addition to scores."""
        added = _as_bias(bias.detach() if bias.is_floating_point() else bias.detach().float())
        scores.biases.append(self.with_heads(added if factor == 1 else added * factor, scores.tensor.shape))

    def hide(self, scores: _Scores, hidden: Tensor, value: Any) -> bool:
        """Notes that scores are replaced by a number that hides them; false if it does not."""
        if not _is_number(value) or float(value) > -1e4:
            return False
        scores.biases.append(self.with_heads(_as_bias(~hidden.detach().bool()), scores.tensor.shape))
        return True

    def fused(self, query: Tensor, key: Tensor, value: Tensor, attn_mask: Optional[Tensor] = None,
              dropout_p: float = 0.0, is_causal: bool = False, scale: Optional[float] = None, **_: Any) -> None:
        """A call of scaled_dot_product_attention."""
        if query.is_nested:
            return
        scores = _Scores(query, query, key, query.shape[-1] ** -0.5 if scale is None else float(scale))
        if attn_mask is not None:
            scores.biases.append(self.with_heads(_as_bias(attn_mask), query.shape))
        queries, keys = query.shape[-2], key.shape[-2]
        if is_causal and queries != keys:  # its triangle begins at the first key
            scores.biases.append(_as_bias(triangle(queries, keys, 0))[None, None])
        self.keep(scores, value, causal=is_causal and queries == keys)

    def multi_head(self, given: dict[str, Any]) -> None:
        """A call of multi_head_attention_forward, by which torch.nn.MultiheadAttention computes everything."""
        import torch
        from torch.nn.functional import linear, pad

        separate, heads, extra = given.get("use_separate_proj_weight"), given["num_heads"], 0
        with torch.no_grad():
            matrices = [given[f"{name}_proj_weight"] for name in "qkv"]
            if not separate:
                matrices = given["in_proj_weight"].chunk(3)
            offsets = (None,) * 3 if given["in_proj_bias"] is None else given["in_proj_bias"].chunk(3)
            rows = []
            for name, matrix, offset in zip(("query", "key", "value"), matrices, offsets):
                row = linear(given[name], matrix, offset)
                rows.append(row if row.dim() == 3 else row.unsqueeze(1))
            if given["bias_k"] is not None:
                rows[1:] = [torch.cat([row, given[name].expand(-1, row.shape[1], -1)])
                            for row, name in zip(rows[1:], ("bias_k", "bias_v"))]
                extra += 1
            q, k, v = (row.unflatten(2, (heads, -1)).permute(1, 2, 0, 3) for row in rows)
            if given["add_zero_attn"]:
                k, v = (pad(row, (0, 0, 0, 1)) for row in (k, v))
                extra += 1
            scores = _Scores(q, q, k, q.shape[-1] ** -0.5)
            for name in ("attn_mask", "key_padding_mask"):
                mask = given.get(name)
                if mask is None:
                    continue
                mask = pad(_as_bias(mask if mask.is_floating_point() else ~mask.bool()), (0, extra))
                if name == "key_padding_mask":
                    mask = mask.view(-1, 1, 1, mask.shape[-1])
                elif mask.dim() == 3:
                    mask = mask.unflatten(0, (-1, heads))
                scores.biases.append(mask[(None,) * (4 - mask.dim())])
        self.keep(scores, v)

    def kernel(self, module: Any, query: Tensor, key: Tensor, value: Tensor, mask: Any, given: dict[str, Any]) -> None:
        """A call of an attention function of transformers whose inside cannot be seen."""
        softcap, window, causal = (given.get(name) for name in ("softcap", "sliding_window", "is_causal"))
        causal = getattr(module, "is_causal", True) if causal is None else causal
        queries, keys = query.shape[-2], key.shape[-2]
        if not (mask is None or hasattr(mask, "dim")) or given.get("s_aux") is not None or (window and not causal):
            return  # a mask, sinks or a window that cannot be expressed
        if self.only_in_modules and not self.running:
            return
        scale = float(query.shape[-1] ** -0.5 if given.get("scaling") is None else given["scaling"])
        scores = _Scores(query, query, key, scale / (softcap or 1), softcap)
        square = bool(causal) and queries == keys and (window is None or window >= keys)
        if causal and not square:
            scores.biases.append(_as_bias(triangle(queries, keys, window=window))[None, None])
        if mask is not None:
            scores.biases.append(_as_bias(mask if mask.dim() == 4 else mask[:, None, None, -keys:].bool()))
        self.keep(scores, value, causal=square)

    def said(self, found: dict[str, Any]) -> Iterator[str]:
        """Notes at the end: attention that was not seen, and arrays that were split only by shapes."""
        shapes = "; ".join(f"a softmax of shape {shape}{f' in {name}' if name else ''} was not of a product of queries "
                           "and keys along its last axis" for name, shape in list(self.unseen.items())[:3]
                           if name not in self.seen)
        silent = [name for name in self.ran - self.seen
                  if not any(name.startswith(f"{outer}.") for outer in self.seen)]
        if silent:
            kinds = {type(found[name]).__name__ for name in silent}
            self.run.unseen = f"no attention was seen in {listed(silent)} ({listed(kinds)}). " + (
                f"{shapes[0].upper()}{shapes[1:]}" if shapes else "A kernel that PyTorch does not know hides it: load "
                'the model with attn_implementation="sdpa" or "eager"')
            yield self.run.unseen
        elif self.models and not self.count:
            self.run.unseen = (
                "the model ran, and no attention was seen in it: neither scaled_dot_product_attention nor a softmax of "
                f"products by matmul, @, bmm, baddbmm or einsum{f'; {shapes}' if shapes else ''}")
            yield self.run.unseen
        if self.taken:
            name, (samples, heads) = next(iter(self.taken.items()))
            yield (f"samples and heads share an axis in the scores of {listed(self.taken)}: {samples * heads} "
                   f"of {name} were taken as {samples} samples of {heads} heads; record(model, heads=…) sets another "
                   "number of heads")

    # Keeping

    def finish(self) -> None:
        """Keeps weights whose product with values was not seen, or came before exponentials were divided."""
        for scores in self.scores:
            divided = scores.value is not None and any(kind == "sum" for _, kind in scores.rows)
            if scores.weights is not None or divided:
                self.keep(scores, scores.value)
                break
        self.scores = []

    def keep(self, scores: _Scores, value: Optional[Tensor], causal: bool = False) -> None:
        """Adds a layer of the recorded tensors, as far as they are to be kept."""
        import torch

        self.scores = []
        self.count += 1
        self.seen.update(name for name, *_ in self.running)
        number, name, kind, call = self.place()
        if self.wanted is not None and number not in self.wanted:
            return
        with torch.inference_mode(False), torch.no_grad():
            leads = {scores.q.dim(): scores.q.shape}
            if scores.weights is not None:
                leads[scores.weights.dim()] = scores.weights.shape
            q, k, v, weights = (None if tensor is None else
                                self.with_heads(tensor.detach(), leads.get(tensor.dim(), tensor.shape))
                                for tensor in (scores.q, scores.k, value, scores.weights))
            shape = (*q.shape[:3], k.shape[2])
            if weights is not None and tuple(weights.shape) != shape:  # several heads in one matrix
                scores.exact, shape, q, k, v = False, tuple(weights.shape), None, None, None
                scores.biases = []
            elif k.shape[1] == q.shape[1]:  # keys that were repeated for the heads of a group
                groups = self.repeated(q.shape[1])
                k, v = (None if tensor is None else tensor[:, ::groups] for tensor in (k, v))
            layer = Layer(number, name, kind, shape, _on_cpu(q), Rows(_on_cpu(k)), causal=causal, exact=scores.exact,
                          scale=scores.scale * (scores.softcap or 1), softcap=scores.softcap)
            self.mask(layer, sum(_on_cpu(bias) for bias in scores.biases) if scores.biases else None)
            if weights is not None and ("attention" in self.kept or not scores.exact):
                layer.weights = _on_cpu(weights)
            elif "attention" in self.kept:
                layer.weights = layer.attention
            layer.q = layer.q if "q" in self.kept else None
            layer.rows = Rows(layer.k if "k" in self.kept else None, _on_cpu(v) if "v" in self.kept else None)
            self.share_cache(layer, len(call.layers))
        call.layers.append(layer)

    def place(self) -> tuple[int, str, str, Recording]:
        """Number, name and class of the attention that is running, and the call that it belongs to."""
        name, module = self.running[-1][:2] if self.running else ("attention", None)
        number, group = _number(name, module), re.sub(r"\d+", "*", name)
        if self.open is None and (self.loose is None or (self.running and number in self.used.get(group, ()))):
            self.loose, self.used = Recording([]), {}
            self.run.calls.append(self.loose)
        used = self.used.setdefault(group, set())
        if number is None or number in used:  # a module that runs several times
            number = max(used, default=-1) + 1
        used.add(number)
        kind = "attention" if module is None else type(module).__name__
        return number, name, kind, self.loose if self.open is None else self.open

    def with_heads(self, tensor: Tensor, shape: Sequence[int]) -> Tensor:
        """A tensor of scores of a shape, with four axes.

        Samples and heads share the first axis of scores of rank 3. Scores of rank 5 have groups of heads.
        """
        rank = len(shape)
        if rank == tensor.dim() == 3 and tensor.shape[0] > 1:
            return tensor.unflatten(0, (-1, self.heads(tensor.shape[0], shape[1])))
        if rank == 5:
            return tensor[(None,) * (5 - tensor.dim())].expand(*shape[:3], -1, -1).flatten(1, 2)
        return tensor[(None,) * (4 - tensor.dim())]

    def heads(self, rows: int, queries: int) -> int:
        """Heads among so many samples and heads, by the module that is running, else by the shape of its input."""
        name, module, lead = self.running[-1] if self.running else ("", *self.model)
        for owner in (module, getattr(module, "config", None)):
            for attribute in ("num_heads", "num_attention_heads", "n_heads", "n_head", "nhead", "nheads", "heads"):
                heads = getattr(owner, attribute, None)
                if isinstance(heads, int) and heads > 0 and rows % heads == 0:
                    return heads
        if self.head_count and rows % self.head_count == 0:
            return self.head_count
        samples = rows
        if lead is not None and queries in lead and len(lead) < 3:
            rest = list(lead)
            rest.remove(queries)
            samples = rest[0] if rest and rows % rest[0] == 0 else rows if rest else 1
        if samples != rows or lead is None or rows not in lead:
            self.taken[name or "the model"] = (samples, rows // samples)
        return rows // samples

    def repeated(self, heads: int) -> int:
        """Number of heads that share keys in the running module."""
        groups = getattr(self.running[-1][1] if self.running else None, "num_key_value_groups", None)
        return groups if isinstance(groups, int) and groups > 0 and heads % groups == 0 else 1

    def mask(self, layer: Layer, total: Optional[Tensor]) -> None:
        """Gives a layer the mask and the bias that make up all that is added to its scores."""
        if total is None:
            return
        mask = total > -math.inf
        bias = total.masked_fill(~mask, 0)
        set_mask(layer, mask)
        layer.bias = narrow(bias) if bool(bias.any()) else None
        for name in ("mask", "bias"):
            tensor, last = getattr(layer, name), self.shared.get(name)
            if tensor is not None and last is not None and same(tensor, last):
                setattr(layer, name, last)
            elif tensor is not None:
                self.shared[name] = tensor

    def share_cache(self, layer: Layer, index: int) -> None:
        """Gives a layer that continues a cache the same rows as the call before has, which are the first of its own.

        So the calls of a generation need memory for its longest keys only.
        """
        done = self.run.calls if self.open is not None else self.run.calls[:-1]
        last = done[-1].layers[index] if done and index < len(done[-1].layers) else None
        if last is None or (last.name, *last.shape[:2], last.shape[3] + layer.shape[2]) != \
                (layer.name, *layer.shape[:2], layer.shape[3]):
            return
        if all(before is None or now is None or same(before, now[:, :, :last.shape[3]])
               for before, now in ((last.k, layer.k), (last.v, layer.v))):
            last.rows.k, last.rows.v = layer.rows.k, layer.rows.v
            layer.rows, layer.continues = last.rows, True


def _as_bias(mask: Tensor) -> Tensor:
    """A mask (bool, true is visible), or what is added to scores, as float32 or float64 in which -∞ hides."""
    import torch

    mask = mask.detach()
    if mask.dtype == torch.bool:
        return torch.zeros(mask.shape, device=mask.device).masked_fill_(~mask, -math.inf)
    lowest = torch.finfo(mask.dtype).min / 2  # models hide with the lowest number of a type, or with a sum of two
    return (mask if mask.dtype == torch.float64 else mask.float()).masked_fill(mask <= lowest, -math.inf)


def _on_cpu(tensor: Optional[Tensor]) -> Optional[Tensor]:
    """A private copy in memory."""
    import torch

    return None if tensor is None else tensor.detach().to("cpu", copy=True, memory_format=torch.contiguous_format)


def _leading(inputs: Sequence[Any]) -> Optional[tuple[int, ...]]:
    """The shape of the first tensor of the inputs of a module, without features."""
    first = next((value for value in inputs if hasattr(value, "dim")), None)
    return None if first is None else tuple(first.shape[:-1])


def _along_rows(args: Sequence[Any], kwargs: dict[str, Any], rank: int) -> bool:
    """True if a function like softmax or sum goes along the last axis."""
    axis = kwargs.get("dim", kwargs.get("axis", args[1] if len(args) > 1 else None))
    axis = axis[0] if isinstance(axis, (list, tuple)) and len(axis) == 1 else axis
    return isinstance(axis, int) and axis in (-1, rank - 1)


def _letters(equation: str, operands: Sequence[Tensor]) -> tuple[list[str], str]:
    """Letters of the axes of each operand of an einsum, and of the result; those that "…" stands for are capitals."""
    ins, arrow, out = equation.replace(" ", "").partition("->")
    parts = ins.split(",")
    hidden = [tensor.dim() - len(part.replace("...", "")) for part, tensor in zip(parts, operands)]
    names = [chr(0x391 + index) for index in range(max(hidden))]  # letters that no equation has
    parts = [part.replace("...", "".join(names[len(names) - count:])) for part, count in zip(parts, hidden)]
    if not arrow:
        every = "".join(parts)
        out = "".join([*names, *sorted(letter for letter in set(every) - set(names) if every.count(letter) == 1)])
    return parts, out.replace("...", "".join(names))


def _arranged(tensor: Tensor, letters: str, lead: str, row: str, shape: Sequence[int]) -> Optional[Tensor]:
    """A tensor with the axes `lead` (of a shape; repeated where it has none), `row`, and all others as features.

    None where an axis has two letters alike.
    """
    if len(set(letters)) != len(letters):
        return None
    features = [letter for letter in letters if letter not in lead and letter != row]
    order = [letter for letter in (*lead, row, *sorted(features)) if letter in letters]
    arranged = tensor.permute([letters.index(letter) for letter in order])
    arranged = arranged.flatten(len(order) - len(features)) if features else arranged.unsqueeze(-1)
    for place, letter in enumerate(lead):
        if letter not in letters:
            arranged = arranged.unsqueeze(place)
    return arranged.expand(*shape[:len(lead)], -1, -1)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) or (hasattr(value, "dim") and value.dim() == 0)


def _arguments(args: Sequence[Any], kwargs: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Arguments by name, of a function for which PyTorch has no signature."""
    return {**dict(zip(names, args)), **kwargs}


def _bound(func: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Arguments by name, those for ** among them."""
    bound = inspect.signature(func).bind(*args, **kwargs)
    bound.apply_defaults()
    rest = [name for name, parameter in bound.signature.parameters.items() if parameter.kind is parameter.VAR_KEYWORD]
    return {**bound.arguments, **(bound.arguments[rest[0]] if rest else {})}
