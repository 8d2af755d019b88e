"""Results of `record`: the attention of layers, of forward calls, and of calls that continue one another."""

import fnmatch
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Optional

Tensor = Any  # torch.Tensor; torch is imported where a model has brought it, never before


@dataclass
class Rows:
    """Keys and values, (samples, key heads, keys, features); calls that continue a cache have the first ones of all."""

    k: Optional[Tensor] = None
    v: Optional[Tensor] = None


@dataclass(repr=False, eq=False)
class Layer:
    """The attention of one layer in one forward call; tensors are on the CPU and detached.

    `q` is (samples, heads, queries, features), `k` and `v` (samples, key heads, keys, features), in the type of the
    model, as they enter the product, after rotary positions, and None if they were not to be kept.
    The weights are the softmax of q kᵀ · `scale` (which a `softcap` limits by tanh, if there is one) plus `bias`, of
    what `mask` shows. `mask` (bool, true is visible) and `bias` have shapes that broadcast to (samples, heads, queries,
    keys); `causal` hides the keys after each query, too. `exact` is false where a model does to its scores what these
    do not say; `weights` holds its own weights then.
    """

    number: int
    name: str
    kind: str
    shape: tuple[int, int, int, int]  # samples, heads, queries, keys
    q: Optional[Tensor] = None
    rows: Rows = field(default_factory=Rows)
    scale: float = 1.0
    softcap: Optional[float] = None
    mask: Optional[Tensor] = None
    bias: Optional[Tensor] = None
    causal: bool = False
    exact: bool = True
    continues: bool = False  # whether it has the keys of the call before, and new ones
    weights: Optional[Tensor] = None

    @property
    def k(self) -> Optional[Tensor]:
        """Keys, (samples, key heads, keys, features)."""
        return None if self.rows.k is None else self.rows.k[:, :, :self.shape[3]]

    @property
    def v(self) -> Optional[Tensor]:
        """Values, (samples, key heads, keys, features)."""
        return None if self.rows.v is None else self.rows.v[:, :, :self.shape[3]]

    @property
    def told(self) -> bool:
        """True if softmax(q kᵀ · scale + bias) of the recorded tensors is the whole attention."""
        return self.exact and self.softcap is None and self.q is not None and self.k is not None

    @property
    def visible(self) -> Optional[Tensor]:
        """Flags of the keys that each query sees, of four axes that broadcast to `shape`; None if it sees all."""
        if not self.causal:
            return self.mask
        before = triangle(*self.shape[2:])[None, None]
        return before if self.mask is None else before & self.mask

    def __repr__(self) -> str:
        return f"<layer {self.number}, {self.name}: {_described(self)}>"

    @property
    def attention(self) -> Tensor:
        """Weights (samples, heads, queries, keys), the model's own ones if they were kept.

        Else they are computed in float32 (float64 for a model of float64); a query that sees no key has zeros.
        ValueError if q and k were not kept.
        """
        if self.weights is not None:
            return self.weights
        if self.q is None or self.k is None:
            raise ValueError(f'the weights of {self.name} need q and k, or record(model, keep=("attention", …))')
        import torch

        kind = torch.float64 if self.q.dtype == torch.float64 else torch.float32
        with torch.no_grad(), torch.autocast("cpu", enabled=False):
            groups = self.k.shape[1]
            q = self.q.to(kind).unflatten(1, (groups, -1))
            scores = (q @ self.k.to(kind).unsqueeze(2).transpose(-1, -2)).flatten(1, 2).mul_(self.scale)
            if self.softcap is not None:
                scores.div_(self.softcap).tanh_().mul_(self.softcap)
            if self.bias is not None:
                scores += self.bias
            visible = self.visible
            if visible is None:
                return scores.softmax(-1)
            hidden = ~visible
            return scores.masked_fill_(hidden, -math.inf).softmax(-1).masked_fill_(hidden, 0)


class Recording:
    """Layers of one forward call, as arrays of all of them.

    Axes of extent 1 for samples are left out: `q` is (layers, heads, queries, features) for one sample. Arrays are
    tensors of PyTorch on the CPU. ValueError if there is no layer, or if layers differ in shape: `layers` has each of
    them, and `select` takes those that are alike.
    """

    unseen = ""  # the note if nothing was recorded

    def __init__(self, layers: Sequence[Layer]) -> None:
        self._layers = list(layers)
        self._stacks: dict[str, Tensor] = {}

    @property
    def layers(self) -> list[Layer]:
        """All layers, in the order in which they ran."""
        return self._layers

    def select(self, pattern: str = "*", layers: Optional[Iterable[int]] = None) -> "Recording":
        """The layers whose module's name matches a pattern like "decoder.*.self_attn", with these numbers."""
        return Recording(selected(self.layers, pattern, layers))

    @property
    def q(self) -> Tensor:
        """Queries after positions, (samples, layers, heads, queries, features)."""
        return self._array("q")

    @property
    def k(self) -> Tensor:
        """Keys after positions, (samples, layers, key heads, keys, features)."""
        return self._array("k")

    @property
    def v(self) -> Tensor:
        """Values, (samples, layers, key heads, keys, features)."""
        return self._array("v")

    @property
    def attention(self) -> Tensor:
        """Weights, (samples, layers, heads, queries, keys)."""
        self._alike()
        return without_one_sample(stack([layer.attention for layer in self.layers]))

    @property
    def mask(self) -> Optional[Tensor]:
        """Bool, true where a query sees a key; None if all see all. Its axes are `axes["mask"]`.

        They are (queries, keys) if one mask is that of all, else samples, layers and heads before these as needed.
        """
        return self._masks()[0].get("mask")

    @property
    def axes(self) -> dict[str, list[str]]:
        """Names of the axes of `q`, `k`, `v`, `attention`, `mask` and `bias`, as far as they are there."""
        return {**self._axes(), **self._masks()[1]}

    def arrays(self) -> dict[str, Any]:
        """The saved arrays: keywords of `attnscope.save`.

        They are q, k and v, with a mask, a bias, or causal=True, such that the weights are
        softmax(q kᵀ / √features + bias): q is multiplied by what a model's scale differs from that. Where q and k
        were not kept, or do not say all, they are the weights.
        """
        first, axes = self._alike(), self._axes()
        numbers = [layer.number for layer in self.layers]
        found: dict[str, Any] = {} if numbers == list(range(len(numbers))) else {"layers": numbers}
        if not all(layer.told for layer in self.layers):
            found["attention"] = self.attention
        else:
            found.update(q=self._scaled_queries(), k=self.k, **({} if first.v is None else {"v": self.v}))
            if all(layer.causal and layer.mask is None and layer.bias is None for layer in self.layers):
                found["causal"] = True
            else:
                masks, names = self._masks()
                found.update(masks)
                axes.update(names)
        return {**found, "axes": {name: axes[name] for name in found if name in axes}}

    def save(self, path: Any, **options: Any) -> Any:
        """Writes what was recorded by `attnscope.save`, with its options: tokens, title, …"""
        import attnscope

        return attnscope.save(path, **{**self.arrays(), **options})

    def show(self, **options: Any) -> Any:
        """Shows what was recorded by `attnscope.show`, with its options: tokens, title, …"""
        import attnscope

        return attnscope.show(**{**self.arrays(), **options})

    def __repr__(self) -> str:
        described = [f"{layer.kind}: {_described(layer)}" for layer in self._layers]
        parts = [f"{described.count(text)} × {text}" for text in dict.fromkeys(described)]
        return f"<{'; '.join(parts) or 'nothing recorded'}>"

    def _alike(self) -> Layer:
        """The first layer; ValueError if there is none, or if others differ from it."""
        layers = self.layers
        if not layers:
            raise ValueError("no attention was recorded: " + (
                self.unseen or "call the model inside `with record(model) as run:`; what a compiled or traced model "
                "calls cannot be seen"))
        names = {re.sub(r"\d+", "*", layer.name) for layer in layers}
        if len(names) > 1:
            raise ValueError(f"attention of several kinds was recorded: {listed(names)}; take one, as in "
                             f"run.select({min(names)!r}).q")
        first = layers[0]
        for layer in layers:
            if layer.shape != first.shape:
                raise ValueError(f"layer {layer.number} has (samples, heads, queries, keys) = {layer.shape}, layer "
                                 f"{first.number} {first.shape}: take those that are alike, as in "
                                 f"run.select(layers=[{first.number}]), or each of run.layers")
        return first

    def _array(self, name: str) -> Tensor:
        first = self._alike()
        if getattr(first, name) is None:
            raise ValueError(f'{name} was not kept: record(model, keep=("{name}", …))')
        if name not in self._stacks:
            self._stacks[name] = stack([getattr(layer, name) for layer in self.layers])
            for layer, part in zip(self.layers, self._stacks[name].unbind(1)):  # so that no number is in memory twice
                if name == "q":
                    layer.q = part
                elif getattr(layer.rows, name).shape[2] == part.shape[2]:
                    setattr(layer.rows, name, part)
        return without_one_sample(self._stacks[name])

    def _scaled_queries(self) -> Tensor:
        import torch

        factors = [layer.scale * math.sqrt(layer.q.shape[-1]) for layer in self.layers]
        if all(math.isclose(factor, 1, rel_tol=1e-6) for factor in factors):
            return self.q
        q = self.q
        kind = torch.float64 if q.dtype == torch.float64 else torch.float32
        return q.to(kind) * torch.tensor(factors, dtype=kind).view(-1, 1, 1, 1)

    def _axes(self) -> dict[str, list[str]]:
        first = self._alike()
        lead = ["layers", "heads"] if first.shape[0] == 1 else ["samples", "layers", "heads"]
        ends = {"q": ["queries", "features"], "k": ["keys", "features"], "v": ["keys", "features"]}
        axes = {name: lead + end for name, end in ends.items() if getattr(first, name) is not None}
        return {**axes, "attention": lead + ["queries", "keys"]}

    def _masks(self) -> tuple[dict[str, Tensor], dict[str, list[str]]]:
        """Mask and bias of all layers, as far as there are any, without axes along which they do not differ."""
        self._alike()
        arrays, axes = {}, {}
        for name, missing in (("mask", True), ("bias", 0.0)):
            parts = [layer.visible if name == "mask" else layer.bias for layer in self.layers]
            if any(part is not None for part in parts):
                arrays[name], axes[name] = least(parts, missing, self.layers[0].shape)
        return arrays, axes


class Run(Recording):
    """Result of `record`: the recorded forward calls.

    With one call, its arrays are the run's. With several that continue a cache, as those of `generate()`, the run has
    the queries of all of them and the keys of the last. With others, `calls` has a `Recording` of each.
    """

    def __init__(self, calls: Sequence[Recording] = ()) -> None:
        super().__init__([])
        self.calls = list(calls)
        self._counts: list[int] = []

    @property
    def layers(self) -> list[Layer]:
        """Layers of the only call, or of all calls joined; ValueError if these do not continue one another."""
        counts = [len(call.layers) for call in self.calls]
        if self._counts != counts:
            self._layers, self._stacks, self._counts = joined_layers(self.calls), {}, counts
        return self._layers

    def select(self, pattern: str = "*", layers: Optional[Iterable[int]] = None) -> "Run":
        """The layers whose module's name matches a pattern like "decoder.*.self_attn", with these numbers."""
        every = [layer for call in self.calls for layer in call.layers]
        found = {id(layer) for layer in selected(every, pattern, layers)}
        parts = ([layer for layer in call.layers if id(layer) in found] for call in self.calls)
        return Run([Recording(part) for part in parts if part])

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.calls)) or super().__repr__()


def _described(layer: Layer) -> str:
    samples, heads, queries, keys = layer.shape
    return (f"{samples} samples, {heads} heads, {queries} queries, {keys} keys"
            + (", causal" if layer.causal else "") + (", masked" if layer.mask is not None else ""))


def selected(layers: Sequence[Layer], pattern: str, numbers: Optional[Iterable[int]]) -> list[Layer]:
    """The layers whose names match a pattern, with these numbers; ValueError if there are none."""
    wanted = None if numbers is None else set(numbers)
    found = [layer for layer in layers
             if fnmatch.fnmatchcase(layer.name, pattern) and (wanted is None or layer.number in wanted)]
    if not found:
        numbered = "" if wanted is None else f" with one of the numbers {sorted(wanted)}"
        raise ValueError(f"no layer that was recorded is {pattern!r}{numbered}: there are "
                         f"{listed(f'{layer.name} ({layer.number})' for layer in layers)}")
    return found


def joined_layers(calls: Sequence[Recording]) -> list[Layer]:
    """Layers of calls that continue a cache: the queries of all calls, and the keys of the last."""
    import torch
    from torch.nn.functional import pad

    if len(calls) < 2:
        return list(calls[0].layers) if calls else []
    if len({len(call.layers) for call in calls}) > 1 or not all(
            layer.continues for call in calls[1:] for layer in call.layers):
        raise ValueError(f"{len(calls)} forward calls were recorded, which do not continue one cache: take one of "
                         "them, as in run.calls[0].q")
    joined = []
    for steps in zip(*(call.layers for call in calls)):
        last = steps[-1]
        keys = last.shape[3]

        def rows(parts: Sequence[Tensor]) -> Tensor:
            """Joins arrays of the steps by queries and keys, with 0 for the keys of later steps."""
            lead = torch.broadcast_shapes(*(part.shape[:2] for part in parts))
            return torch.cat([pad(part.expand(*lead, *step.shape[2:]), (0, keys - step.shape[3]))
                              for part, step in zip(parts, steps)], 2)

        layer = replace(last, shape=(*last.shape[:2], sum(step.shape[2] for step in steps), keys), mask=None, bias=None,
                        causal=False, continues=False, exact=all(step.exact for step in steps), weights=None, q=None)
        if last.q is not None:
            layer.q = torch.cat([step.q for step in steps], 2)
        if all(step.weights is not None for step in steps):
            layer.weights = rows([step.weights for step in steps])
        elif not layer.exact:
            layer.weights = rows([step.attention for step in steps])
        everything, nothing = torch.ones(1, 1, 1, 1, dtype=torch.bool), torch.zeros(1, 1, 1, 1)
        set_mask(layer, rows([everything if step.visible is None else step.visible for step in steps]))
        if any(step.bias is not None for step in steps):
            layer.bias = narrow(rows([nothing if step.bias is None else step.bias for step in steps]))
        joined.append(layer)
    return joined


def set_mask(layer: Layer, mask: Tensor) -> None:
    """Gives a layer a mask, or "causal" where that says the same."""
    mask = narrow(mask)
    queries, keys = layer.shape[2:]
    if bool(mask.all()):
        return
    if queries == keys and tuple(mask.shape) == (1, 1, queries, keys) and same(mask[0, 0], triangle(queries, keys)):
        layer.causal = True
    else:
        layer.mask = mask


def triangle(queries: int, keys: int, first: Optional[int] = None, window: Optional[int] = None) -> Tensor:
    """A causal mask. The first query is at the key `first`, the last query at the last key if that is None."""
    import torch

    query = torch.arange(queries).unsqueeze(1) + (keys - queries if first is None else first)
    key = torch.arange(keys)
    return key <= query if window is None else (key <= query) & (key > query - window)


def narrow(tensor: Tensor) -> Tensor:
    """A tensor without the samples and heads that repeat the first one."""
    for axis in (0, 1):
        if tensor.shape[axis] > 1 and bool((tensor == tensor.narrow(axis, 0, 1)).all()):
            tensor = tensor.narrow(axis, 0, 1).clone()
    return tensor


def least(parts: Sequence[Optional[Tensor]], missing: Any, shape: tuple[int, ...]) -> tuple[Tensor, list[str]]:
    """One array of what layers have, and its axes: samples, layers and heads only where they differ."""
    import torch

    whole = [torch.full((1, 1, 1, 1), missing) if part is None else part for part in parts]
    if all(part is whole[0] or same(part, whole[0]) for part in whole):
        whole = whole[:1]
    lead = torch.broadcast_shapes(*(part.shape[:2] for part in whole))
    array = torch.stack([part.expand(*lead, *shape[2:]) for part in whole], 1)
    named = [(name, extent) for name, extent in zip(("samples", "layers", "heads"), array.shape) if extent > 1]
    axes = [*(name for name, _ in named), "queries", "keys"]
    return array.reshape([extent for _, extent in named] + list(shape[2:])), axes


def stack(tensors: Sequence[Tensor]) -> Tensor:
    """(samples, layers, …) of the tensors (samples, …) of layers."""
    import torch

    extents = {tuple(tensor.shape) for tensor in tensors}
    if len(extents) > 1:
        raise ValueError(f"layers have arrays of {listed(map(str, extents))}: take those that are alike by run.select")
    return torch.stack(list(tensors), 1)


def without_one_sample(tensor: Tensor) -> Tensor:
    return tensor[0] if tensor.shape[0] == 1 else tensor


def same(first: Tensor, second: Tensor) -> bool:
    return first.shape == second.shape and bool((first == second).all())


def listed(names: Iterable[str]) -> str:
    """Some of the names, for a message."""
    every = sorted(set(names))
    return ", ".join(every[:4]) + (f" and {len(every) - 4} more" if len(every) > 4 else "")
