"""The attention of a PyTorch model, recorded while the model runs.

    with attnscope.record(model) as run:
        model(**inputs)
    run.q, run.k, run.v, run.attention, run.mask
    run.save("attention.safetensors", tokens=tokens)

What a model multiplies is what is recorded. Forward hooks tell which module of the model is running, and a mode of
PyTorch shows the calls that it makes: the product of queries and keys, what is added to it or hidden in it, the
softmax, and the product with the values; or one call of `scaled_dot_product_attention`, which returns no weights. So
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
SAME = {"iadd": "add", "radd": "add", "isub": "sub", "subtract": "sub", "imul": "mul", "rmul": "mul", "multiply": "mul",
        "truediv": "div", "itruediv": "div", "divide": "div", "true_divide": "div"}


@contextlib.contextmanager
def record(model: Any, *, layers: Optional[Iterable[int]] = None, keep: Iterable[str] = ("q", "k", "v"),
           modules: Optional[str] = None) -> Iterator[Run]:
    """Records the attention of a PyTorch model (a torch.nn.Module) while it runs inside `with`.

    `layers` are the model's own numbers of the layers to be kept, all if None. `keep` names what is kept, of "q", "k",
    "v" and "attention"; masks always are. `modules` is a pattern of the names of attention modules, like
    "decoder.*.self_attn"; without it they are those whose class has Attention or Attn in its name. Where a model has
    none, every attention that it computes is recorded.

    TypeError for what is no module, or is compiled; ValueError for layers, names and patterns that do not exist.
    Modules that ran without an attention that could be seen are named by a warning. All hooks are removed at the end of
    `with`, also by an exception. Calls that raised an exception are not recorded.
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
    recorder = _Recorder(_wanted(layers, found), kept, bool(found))
    with contextlib.ExitStack() as stack:
        stack.callback(model.register_forward_pre_hook(recorder.model_begins).remove)
        for name, module in found.items():
            stack.callback(module.register_forward_pre_hook(recorder.begins(name)).remove)
            stack.callback(module.register_forward_hook(recorder.ends(name)).remove)
        stack.callback(model.register_forward_hook(recorder.model_ends).remove)
        stack.callback(_wrap_registry(recorder))
        stack.enter_context(_mode(recorder))
        yield recorder.run
    silent = [name for name in recorder.ran - recorder.seen
              if not any(name.startswith(f"{outer}.") for outer in recorder.seen)]
    if silent:
        kinds = {type(found[name]).__name__ for name in silent}
        warnings.warn(f"record: no attention was seen in {listed(silent)} ({listed(kinds)}). A kernel that "
                      'PyTorch does not know hides it: load the model with attn_implementation="sdpa" or "eager"',
                      stacklevel=3)


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
    """Watches the kernels that transformers knows by name, FlashAttention among them; returns what undoes it."""
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


class _Recorder:
    """Follows the calls of functions of PyTorch, and keeps the attention that they compute."""

    def __init__(self, wanted: Optional[set[int]], kept: set[str], only_in_modules: bool) -> None:
        self.run = Run()
        self.wanted, self.kept, self.only_in_modules = wanted, kept, only_in_modules
        self.open: Optional[Recording] = None  # the call of the model that is running
        self.loose: Optional[Recording] = None  # layers that run without the whole model
        self.used: dict[str, set[int]] = {}  # numbers of the layers that ran in this call, by the kind of their names
        self.running: list[tuple[str, Any]] = []  # attention modules, the innermost last
        self.ran: set[str] = set()
        self.seen: set[str] = set()
        self.scores: list[_Scores] = []
        self.count = 0
        self.shared: dict[str, Tensor] = {}  # the last mask and bias, which layers share

    # Hooks

    def model_begins(self, *_: Any) -> None:
        self.open, self.loose, self.used, self.running, self.scores = Recording([]), None, {}, [], []

    def model_ends(self, *_: Any) -> None:
        self.finish()
        if self.open is not None and self.open.layers:
            self.run.calls.append(self.open)
        self.open, self.used, self.running = None, {}, []

    def begins(self, name: str) -> Any:
        def hook(module: Any, *_: Any) -> None:
            self.running.append((name, module))
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
        elif self.scores:
            self.follow(SAME.get(name, name), args, kwargs, result)

    def product(self, first: Tensor, second: Tensor, result: Tensor) -> Optional[_Scores]:
        """A product of matrices: of weights and values, else maybe of queries and keys."""
        for scores in self.scores:
            if scores.weights is not None and first is scores.tensor:
                self.keep(scores, second)
                return None
        if not 2 <= first.dim() == second.dim() <= 4:
            return None
        self.scores = [*self.scores[-7:], _Scores(result, first, second.transpose(-1, -2))]
        return self.scores[-1]

    def added_product(self, given: dict[str, Any], result: Tensor) -> None:
        """A product to which something is added in the same call."""
        scores = self.product(given["batch1"], given["batch2"], result)
        if scores is not None:
            scores.scale = float(given.get("alpha", 1))
            if given.get("beta", 1):
                self.add(scores, given["input"], float(given.get("beta", 1)))

    def follow(self, name: str, args: Sequence[Any], kwargs: dict[str, Any], result: Any) -> None:
        """An operation on scores: what it does to them is noted, and its result are the scores."""
        if not hasattr(result, "dim"):
            return
        given = [*args, *kwargs.values()]
        flat = [part for value in given for part in (value if isinstance(value, (list, tuple)) else (value,))]
        scores = next((one for one in self.scores if any(part is one.tensor for part in flat)), None)
        if scores is None:
            return
        softmax = name == "softmax" and scores.weights is None
        if softmax and kwargs.get("dim", args[1] if len(args) > 1 else None) in (-1, result.dim() - 1):
            scores.weights = scores.tensor = result
            self.scores = [scores]
        elif name in PASSING or (scores.weights is None and self.note(name, scores, args, kwargs, given)):
            scores.tensor = result
        elif result.is_floating_point() and (name in CHANGING or result.numel() == scores.tensor.numel()):
            # Either these are the scores now, in a way that cannot be said, or something was computed of them.
            weights = result if scores.weights is not None and name in CHANGING else scores.weights
            self.scores.append(replace(scores, tensor=result, weights=weights, biases=list(scores.biases),
                                       exact=scores.exact and weights is not None))

    def note(self, name: str, scores: _Scores, args: Sequence[Any], kwargs: dict[str, Any], given: list[Any]) -> bool:
        """Notes what an operation does to scores; false if that cannot be said by scale, softcap, mask and bias."""
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
        """Notes what is added to scores."""
        added = _as_bias(bias.detach() if bias.is_floating_point() else bias.detach().float())
        scores.biases.append(self.with_heads(added if factor == 1 else added * factor, scores.tensor.dim()))

    def hide(self, scores: _Scores, hidden: Tensor, value: Any) -> bool:
        """Notes that scores are replaced by a number that hides them; false if it does not."""
        if not _is_number(value) or float(value) > -1e4:
            return False
        scores.biases.append(self.with_heads(_as_bias(~hidden.detach().bool()), scores.tensor.dim()))
        return True

    def fused(self, query: Tensor, key: Tensor, value: Tensor, attn_mask: Optional[Tensor] = None,
              dropout_p: float = 0.0, is_causal: bool = False, scale: Optional[float] = None, **_: Any) -> None:
        """A call of scaled_dot_product_attention."""
        if query.is_nested:
            return
        scores = _Scores(query, query, key, query.shape[-1] ** -0.5 if scale is None else float(scale))
        if attn_mask is not None:
            scores.biases.append(self.with_heads(_as_bias(attn_mask), query.dim()))
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
                scores.biases.append(self.with_heads(mask, 4))
        self.keep(scores, v)

    def kernel(self, module: Any, query: Tensor, key: Tensor, value: Tensor, mask: Any, given: dict[str, Any]) -> None:
        """A call of an attention function of transformers whose inside cannot be seen."""
        softcap, window, causal = (given.get(name) for name in ("softcap", "sliding_window", "is_causal"))
        causal = getattr(module, "is_causal", True) if causal is None else causal
        queries, keys = query.shape[-2], key.shape[-2]
        if not (mask is None or hasattr(mask, "dim")) or given.get("s_aux") is not None or (window and not causal):
            return  # a mask, sinks or a window that cannot be said
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

    # Keeping

    def finish(self) -> None:
        """Keeps weights whose product with values was not seen."""
        for scores in self.scores:
            if scores.weights is not None:
                self.keep(scores, None)
                break
        self.scores = []

    def keep(self, scores: _Scores, value: Optional[Tensor], causal: bool = False) -> None:
        """Adds a layer of what was seen, as much of it as is to be kept."""
        import torch

        self.scores = []
        self.count += 1
        self.seen.update(name for name, _ in self.running)
        number, name, kind, call = self.place()
        if self.wanted is not None and number not in self.wanted:
            return
        with torch.inference_mode(False), torch.no_grad():
            q, k, v, weights = (None if tensor is None else self.with_heads(tensor.detach(), tensor.dim())
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
        name, module = self.running[-1] if self.running else ("attention", None)
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

    def with_heads(self, tensor: Tensor, rank: int) -> Tensor:
        """A tensor with four axes. Of scores of rank 3, samples and heads lie behind each other in the first."""
        if rank == tensor.dim() == 3 and tensor.shape[0] > 1:
            return tensor.unflatten(0, (-1, self.heads(tensor.shape[0])))
        return tensor[(None,) * (4 - tensor.dim())]

    def heads(self, rows: int) -> int:
        """Heads of the module that is running, if they can be among so many samples and heads."""
        module = self.running[-1][1] if self.running else None
        for owner in (module, getattr(module, "config", None)):
            for name in ("num_heads", "num_attention_heads", "n_heads", "n_head", "nhead"):
                heads = getattr(owner, name, None)
                if isinstance(heads, int) and heads > 0 and rows % heads == 0:
                    return heads
        return 1

    def repeated(self, heads: int) -> int:
        """To how many heads the module that is running gives the same keys."""
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
    """A copy in memory, which nobody else changes."""
    import torch

    return None if tensor is None else tensor.detach().to("cpu", copy=True, memory_format=torch.contiguous_format)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) or (hasattr(value, "dim") and value.dim() == 0)


def _arguments(args: Sequence[Any], kwargs: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Arguments by name, of a function of which PyTorch tells no signature."""
    return {**dict(zip(names, args)), **kwargs}


def _bound(func: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Arguments by name, those for ** among them."""
    bound = inspect.signature(func).bind(*args, **kwargs)
    bound.apply_defaults()
    rest = [name for name, parameter in bound.signature.parameters.items() if parameter.kind is parameter.VAR_KEYWORD]
    return {**bound.arguments, **(bound.arguments[rest[0]] if rest else {})}
