"""What stories_decoder.py and pronoun_encoder.py share: a transformer, its gradients, Adam and the file of weights.

NumPy is all it needs, and nothing is read. A Run computes forward and keeps how to go back; each step
is a function that makes a Node and notes how the gradient of that node reaches what it was made from.
Values are rows (samples · tokens, width); only attention cuts them into samples and heads. Weights
have the names of GPT-2 and are (in, out), in both models.
"""

import json
import math
import struct

import numpy as np

ERF = np.vectorize(math.erf, otypes=[float])
HIDDEN = -1e9  # the score of a pair that attention must not see


class Node:
    """Rows, and the gradient of the loss by them once it is known."""

    def __init__(self, value):
        self.value, self.grad = value, 0

    def take(self, grad):
        self.grad = self.grad + grad


class Run:
    """One computation forward with these weights: what goes back, last step first, and the gradients of the weights."""

    def __init__(self, weights):
        self.weights, self.grads, self.steps, self.attention = weights, {}, [], []

    def take(self, name, grad):
        self.grads[name] = self.grads.get(name, 0) + grad

    def back(self):
        while self.steps:  # each is let go of at once, with the values that it holds
            self.steps.pop()()
        return self.grads


def add(run, a, b):
    y = Node(a.value + b.value)

    def back():
        a.take(y.grad)
        b.take(y.grad)

    run.steps.append(back)
    return y


def embed(run, name, numbers):
    """The rows of a table of embeddings with these numbers."""
    table = run.weights[name]
    y = Node(table[numbers])

    def back():
        run.take(name, np.eye(len(table), dtype=table.dtype)[numbers].T @ y.grad)

    run.steps.append(back)
    return y


def rows_of(run, x, rows):
    """Some of the rows."""
    y = Node(x.value[rows])

    def back():
        grad = np.zeros_like(x.value)
        grad[rows] = y.grad
        x.take(grad)

    run.steps.append(back)
    return y


def linear(run, x, name):
    weight = run.weights[name + ".weight"]
    y = Node(x.value @ weight + run.weights[name + ".bias"])

    def back():
        run.take(name + ".weight", x.value.T @ y.grad)
        run.take(name + ".bias", y.grad.sum(0))
        x.take(y.grad @ weight.T)

    run.steps.append(back)
    return y


def unembed(run, x, name, bias=None):
    """Logits: rows times the table of embeddings, plus a bias by name."""
    table = run.weights[name]
    y = Node(x.value @ table.T + (run.weights[bias] if bias else 0))

    def back():
        run.take(name, y.grad.T @ x.value)
        if bias:
            run.take(bias, y.grad.sum(0))
        x.take(y.grad @ table)

    run.steps.append(back)
    return y


def norm(run, x, name, eps):
    weight = run.weights[name + ".weight"]
    centred = x.value - x.value.mean(-1, keepdims=True)
    inverse = 1 / np.sqrt((centred * centred).mean(-1, keepdims=True) + eps)
    normed = centred * inverse
    y = Node(normed * weight + run.weights[name + ".bias"])

    def back():
        run.take(name + ".weight", (y.grad * normed).sum(0))
        run.take(name + ".bias", y.grad.sum(0))
        inner = y.grad * weight
        inner = inner - inner.mean(-1, keepdims=True) - normed * (inner * normed).mean(-1, keepdims=True)
        x.take(inner * inverse)

    run.steps.append(back)
    return y


def gelu(run, x, exact=False):
    """x · Φ(x), or with a tanh in place of Φ, as GPT-2 has it: faster, and at most 0.0005 away."""
    v, c = x.value, x.value.dtype.type((2 / np.pi) ** 0.5)
    square = v * v
    phi = 0.5 + 0.5 * (ERF(v * 0.5**0.5) if exact else np.tanh(c * v * (1 + 0.044715 * square)))
    y = Node(v * phi)
    run.steps.append(lambda: x.take(
        y.grad * (phi + 2 * c * v * phi * (1 - phi) * (1 + 3 * 0.044715 * square))))
    return y


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def attend(run, qkv, heads, hidden):
    """Attention of all heads; hidden is true, (samples, 1, tokens or 1, tokens), where a key must not be seen."""
    samples, tokens = hidden.shape[0], hidden.shape[-1]
    width = qkv.value.shape[-1] // 3
    q, k, v = qkv.value.reshape(samples, tokens, 3, heads, width // heads).transpose(2, 0, 3, 1, 4)
    scale = q.dtype.type((width // heads) ** -0.5)
    scores = q @ k.swapaxes(-1, -2) * scale
    weights = softmax(np.where(hidden, scores.dtype.type(HIDDEN), scores))
    run.attention.append(weights)
    y = Node((weights @ v).transpose(0, 2, 1, 3).reshape(-1, width))

    def back():
        grad = y.grad.reshape(samples, tokens, heads, width // heads).transpose(0, 2, 1, 3)
        inner = grad @ v.swapaxes(-1, -2)
        scores = weights * (inner - (inner * weights).sum(-1, keepdims=True)) * scale
        parts = np.stack([scores @ k, scores.swapaxes(-1, -2) @ q, weights.swapaxes(-1, -2) @ grad])
        qkv.take(parts.transpose(1, 3, 0, 2, 4).reshape(-1, 3 * width))

    run.steps.append(back)
    return y


def block(run, x, b, heads, hidden, eps, pre):
    """A layer: GPT-2's (norms before, gelu_new) or BERT's (norms after the sums, gelu)."""

    def attention(x):
        return linear(run, attend(run, linear(run, x, f"h.{b}.attn.c_attn"), heads, hidden), f"h.{b}.attn.c_proj")

    def network(x):
        units = linear(run, x, f"h.{b}.mlp.c_fc")
        return linear(run, gelu(run, units, exact=not pre and x.value.dtype == np.float64), f"h.{b}.mlp.c_proj")

    for part, name in ((attention, f"h.{b}.ln_1"), (network, f"h.{b}.ln_2")):
        if pre:
            x = add(run, x, part(norm(run, x, name, eps)))
        else:
            x = norm(run, add(run, x, part(x)), name, eps)
    return x


def waves(rows, width):
    """Sines and cosines of the positions, from which learned positions start: neighbours are alike."""
    angles = np.arange(rows)[:, None] * 2 * 100.0 ** (-np.arange(width // 2) * 2 / width)
    return np.concatenate([np.sin(angles), np.cos(angles)], -1)


def new_weights(random, tables, layers, width, units, linears=(), norms=(), size=0.3):
    """Tables of embeddings (name: rows), the layers, and the linear steps and norms beside them."""
    weights = {name: random.standard_normal((rows, width)) * size for name, rows in tables.items()}
    weights |= {name: waves(rows, width) * 1.5 * size for name, rows in tables.items() if name in ("wpe.weight", "positions.weight")}
    shapes = {name: (width, width, 1.0) for name in linears}
    for b in range(layers):
        shapes |= {f"h.{b}.attn.c_attn": (width, 3 * width, 1.0), f"h.{b}.attn.c_proj": (width, width, 0.3),
                   f"h.{b}.mlp.c_fc": (width, units, 1.0), f"h.{b}.mlp.c_proj": (units, width, 0.3)}
        norms = (*norms, f"h.{b}.ln_1", f"h.{b}.ln_2")
    for name, (rows, columns, size) in shapes.items():
        weights[name + ".weight"] = random.standard_normal((rows, columns)) * size / np.sqrt(rows)
        weights[name + ".bias"] = np.zeros(columns)
    for name in norms:
        weights[name + ".weight"], weights[name + ".bias"] = np.ones(width), np.zeros(width)
    return {name: w.astype(np.float32) for name, w in weights.items()}


def cross_entropy(logits, wanted, share=None):
    """The mean over the rows, each with its share (1 when there is none); sets the gradient of the logits."""
    chance, rows = softmax(logits.value), np.arange(len(wanted))
    share = np.ones(len(wanted)) if share is None else share
    share = (share / share.sum()).astype(chance.dtype)
    loss = -(share * np.log(chance[rows, wanted] + 1e-20)).sum()
    chance[rows, wanted] -= 1
    logits.grad = chance * share[:, None]
    return loss


class Adam:
    """With decay of the matrices, the rate rising for 200 steps and then falling along a cosine."""

    def __init__(self, weights, rate, decay, steps):
        self.rate, self.decay, self.steps, self.step = rate, decay, steps, 0
        self.mean = {name: np.zeros_like(w) for name, w in weights.items()}
        self.square = {name: np.zeros_like(w) for name, w in weights.items()}

    def move(self, weights, grads):
        self.step += 1
        rate = self.rate * min(1, self.step / 200) * (0.5 + 0.5 * np.cos(np.pi * self.step / (self.steps + 1)))
        size = np.sqrt(sum(float((g * g).sum()) for g in grads.values()))
        clip = np.float32(min(1, 1 / (size + 1e-12)))
        for name, g in grads.items():
            g, w, mean, square = g * clip, weights[name], self.mean[name], self.square[name]
            mean += np.float32(0.1) * (g - mean)
            square += np.float32(0.02) * (g * g - square)
            ratio = mean / np.float32(1 - 0.9**self.step) / (
                np.sqrt(square / np.float32(1 - 0.98**self.step)) + np.float32(1e-8))
            w -= np.float32(rate) * (ratio + np.float32(self.decay if name.endswith("weight") and w.ndim == 2 else 0) * w)


def write_safetensors(path, tensors):
    """Half precision, in the order of the names; the header is padded so that numbers begin at a multiple of 8."""
    header, parts, at = {"__metadata__": {"format": "pt"}}, [], 0
    for name, tensor in sorted(tensors.items()):
        parts.append(np.ascontiguousarray(tensor, "<f2").tobytes())
        header[name] = {"dtype": "F16", "shape": list(tensor.shape), "data_offsets": [at, at + len(parts[-1])]}
        at += len(parts[-1])
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


def text_of(value, indent=""):
    """JSON with a list of numbers or texts on one line, and the rest on lines of their own."""
    if isinstance(value, dict):
        inner = [f"{indent}  {json.dumps(key)}: {text_of(part, indent + '  ')}" for key, part in value.items()]
        return "{\n" + ",\n".join(inner) + f"\n{indent}}}"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list) and value and isinstance(value[0], (list, dict)):
        inner = [f"{indent}  {text_of(part, indent + '  ')}" for part in value]
        return "[\n" + ",\n".join(inner) + f"\n{indent}]"
    if isinstance(value, list):
        return "[" + ", ".join(text_of(part) for part in value) + "]"
    return f"{value:.8g}" if isinstance(value, float) else json.dumps(value)


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text_of(value) + "\n")


def stored(weights):
    """The numbers that are in the file, in double precision."""
    return {name: w.astype(np.float16).astype(np.float64) for name, w in weights.items()}


def top(logits, words, count=5):
    """The likeliest words of a row of logits."""
    best = np.argsort(-logits, kind="stable")[:count]
    return [{"word": words[i], "id": int(i), "logit": float(logits[i])} for i in best]
