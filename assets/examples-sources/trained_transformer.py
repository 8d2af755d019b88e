#!/usr/bin/env python3
"""Trains the model of assets/examples/trained-transformer.attn.json, and writes that document.

The model is a small transformer of today's kind: two pre-norm blocks (RMSNorm, four heads with
rotary positions, a network of 16 units with ReLU), and the embeddings once more as output matrix.
It predicts the next word of sequences like "<s> owl tea lamp sun owl tea lamp sun owl …": words in
a random order that repeats after 4 to 12 of them. No word says which one follows it, so that the
only way to know is to look back for the same word and to copy what came after it.

Everything is here: NumPy is all it needs, and nothing is read. A few minutes on one core:

    assets/examples-sources/trained_transformer.py

Two files are written: the document, with numbers of three decimals, and what this script computes
from them in double precision, which tests/core/document/trained_example_test.cpp compares with what
the program computes. The same seed gives the same numbers with the same NumPy and BLAS; other ones
round differently, and what is learned is the same.
"""

import json
import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order
import numpy as np

SEED, STEPS, BATCH, RATE, DECAY = 1, 2500, 64, 4e-3, 0.02
LAYERS, HEADS, WIDTH, UNITS, LENGTH = 2, 4, 24, 16, 24
HEAD_WIDTH, EPS = WIDTH // HEADS, 1e-5
WORDS = ("owl tea lamp sun river bread piano tiger snow clock apple wind stone violin garden moon "
         "salt bridge wolf paper rain honey drum forest glass boat pepper star mirror goat cloud key").split()
START = len(WORDS)  # the number of <s>, with which every sequence begins
SHOWN = "<s>" + " owl piano snow key tiger lamp river clock bread" * 2

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "assets/examples/trained-transformer.attn.json"
NUMBERS = ROOT / "tests/core/document/golden/trained-transformer.json"


def new_model(random):
    """All weights by name; those of block 0 end in 0."""

    def matrix(rows, columns, size=1.0):
        return random.standard_normal((rows, columns)) * size / np.sqrt(rows)

    model = {"embeddings": random.standard_normal((START + 1, WIDTH)) * 0.3, "final": np.ones(WIDTH)}
    for b in map(str, range(LAYERS)):
        model.update({w + b: matrix(WIDTH, WIDTH) for w in ("w_q", "w_k", "w_v")})
        model["w_o" + b] = matrix(WIDTH, WIDTH, 0.5)
        model["w_1" + b], model["w_2" + b] = matrix(WIDTH, UNITS), matrix(UNITS, WIDTH, 0.5)
        model["attention_norm" + b], model["feed_forward_norm" + b] = np.ones(WIDTH), np.ones(WIDTH)
    return {name: weights.astype(np.float32) for name, weights in model.items()}


# Functions, and their derivatives: these take the gradient of a result and return that of its input.


def norm(x, weight):
    inverse = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + EPS)
    return x * inverse * weight, (x * inverse, inverse)


def norm_back(grad, cache, weight):
    normed, inverse = cache
    inner = grad * weight
    return inverse * (inner - normed * (inner * normed).mean(-1, keepdims=True)), (grad * normed).sum((0, 1))


def turn(x, direction=1):
    """Rotary positions: columns half of the width apart are a pair, turned by position · 10000^(−2i/d)."""
    half = HEAD_WIDTH // 2
    angle = np.arange(x.shape[-2])[:, None] * 10000.0 ** (-2 * np.arange(half) / HEAD_WIDTH)
    cos, sin = np.cos(angle).astype(x.dtype), direction * np.sin(angle).astype(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def split(x):
    """(samples, tokens, width) to (samples, heads, tokens, head width)"""
    return x.reshape(*x.shape[:2], HEADS, HEAD_WIDTH).transpose(0, 2, 1, 3)


def join(x):
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], WIDTH)


def flip(x):
    return x.swapaxes(-1, -2)


def forward(model, tokens):
    """Logits of the next word, the attention of each block, and what backward needs."""
    future = np.triu(np.ones((tokens.shape[1],) * 2, bool), 1)
    x, blocks = model["embeddings"][tokens], []
    for b in map(str, range(LAYERS)):
        a, a_cache = norm(x, model["attention_norm" + b])
        q, k, v = (split(a @ model[w + b]) for w in ("w_q", "w_k", "w_v"))
        q, k = turn(q), turn(k)
        weights = softmax(np.where(future, -np.inf, q @ flip(k) * x.dtype.type(HEAD_WIDTH**-0.5)))
        heads = join(weights @ v)
        x = x + heads @ model["w_o" + b]
        f, f_cache = norm(x, model["feed_forward_norm" + b])
        units = np.maximum(f @ model["w_1" + b], 0)
        x = x + units @ model["w_2" + b]
        blocks.append((b, a, a_cache, q, k, v, weights, heads, f, f_cache, units))
    y, y_cache = norm(x, model["final"])
    return y @ model["embeddings"].T, [block[6] for block in blocks], (blocks, y, y_cache)


def backward(model, tokens, grad, cache):
    """The gradient of every weight, from that of the logits."""
    blocks, y, y_cache = cache

    def of_matrix(inputs, outputs):
        return inputs.reshape(-1, inputs.shape[-1]).T @ outputs.reshape(-1, outputs.shape[-1])

    grads = {"embeddings": of_matrix(grad, y)}
    x, grads["final"] = norm_back(grad @ model["embeddings"], y_cache, model["final"])
    for b, a, a_cache, q, k, v, weights, heads, f, f_cache, units in reversed(blocks):
        grads["w_2" + b] = of_matrix(units, x)
        inner = x @ model["w_2" + b].T * (units > 0)
        grads["w_1" + b] = of_matrix(f, inner)
        part, grads["feed_forward_norm" + b] = norm_back(
            inner @ model["w_1" + b].T, f_cache, model["feed_forward_norm" + b])
        x = x + part
        grads["w_o" + b] = of_matrix(heads, x)
        heads = split(x @ model["w_o" + b].T)
        inner = heads @ flip(v)
        scores = weights * (inner - (inner * weights).sum(-1, keepdims=True)) * x.dtype.type(HEAD_WIDTH**-0.5)
        inner = 0
        for name, part in (("w_q", turn(scores @ k, -1)), ("w_k", turn(flip(scores) @ q, -1)),
                           ("w_v", flip(weights) @ heads)):
            grads[name + b] = of_matrix(a, join(part))
            inner = inner + join(part) @ model[name + b].T
        part, grads["attention_norm" + b] = norm_back(inner, a_cache, model["attention_norm" + b])
        x = x + part
    grads["embeddings"] += of_matrix(np.eye(START + 1, dtype=x.dtype)[tokens], x)
    return grads


def sequences(random):
    """Words in a random order that repeats, the words that follow, and which of these can be known."""
    tokens, known = np.full((BATCH, LENGTH + 1), START), np.ones((BATCH, LENGTH), np.float32)
    for row in range(BATCH):
        period = random.integers(4, 13)
        tokens[row, 1:] = np.resize(random.permutation(START)[:period], LENGTH)
        known[row, :period] = 0
    return tokens[:, :-1], tokens[:, 1:], known


def train():
    """Adam with weight decay, its rate rising for 100 steps and then falling along a cosine."""
    random = np.random.default_rng(SEED)
    model = new_model(random)
    mean, square = ({name: np.zeros_like(w) for name, w in model.items()} for _ in range(2))
    for step in range(1, STEPS + 1):
        tokens, following, known = sequences(random)
        logits, _, cache = forward(model, tokens)
        chance = softmax(logits)
        known /= known.sum()
        grad = (chance - np.eye(START + 1, dtype=np.float32)[following]) * known[..., None]
        if step % 250 == 0:
            right = (known * (logits.argmax(-1) == following)).sum()
            loss = -(known * np.log(np.take_along_axis(chance, following[..., None], -1)[..., 0] + 1e-20)).sum()
            print(f"step {step}: loss {loss:.3f}, {right:.1%} of the words that can be known are right", flush=True)
        rate = RATE * min(1, step / 100) * (0.5 + 0.5 * np.cos(np.pi * step / STEPS))
        for name, g in backward(model, tokens, grad, cache).items():
            mean[name] += 0.1 * (g - mean[name])
            square[name] += 0.01 * (g * g - square[name])
            ratio = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.99**step)) + 1e-8)
            decay = DECAY * model[name] if model[name].ndim == 2 else 0
            model[name] -= (rate * (ratio + decay)).astype(np.float32)
    return model


def document(model, tokens):
    """The keys of the document, in the order in which the program writes them."""

    def block(b):
        return {"projections": {"order": "in_out"} | {w: model[w + b] for w in ("w_q", "w_k", "w_v", "w_o")},
                "attention_norm": {"weight": model["attention_norm" + b]},
                "feed_forward": {"activation": "relu", "w_1": model["w_1" + b], "w_2": model["w_2" + b]},
                "feed_forward_norm": {"weight": model["feed_forward_norm" + b]}}

    return {
        "$schema": "attnscope.schema.json",
        "attnscope": 1,
        "title": "A trained model: how it learned to repeat",
        "description": "These numbers were learned: two layers of a transformer were trained on words in random order "
                       "that repeat. In the Heads plot, heads 1 and 2 of layer 1 look at the word before, and heads 2 "
                       "and 3 of layer 2 look from each repeated word to the one that followed it earlier, which is "
                       "what the model predicts.",
        "source": f"Trained by assets/examples-sources/{Path(__file__).name}, seed {SEED}",
        "tokens": SHOWN.split(),
        "embeddings": model["embeddings"][tokens],
        "heads": HEADS,
        "blocks": [block(b) for b in map(str, range(LAYERS))],
        "norms": {"order": "pre", "kind": "rms", "eps": EPS, "final": {"weight": model["final"]}},
        "mask": {"causal": True},
        "position": {"kind": "rope", "layout": "halves", "base": 10000},
        "seed": 1,
        "layout": {"split": "right", "parts": [
            {"share": 0.5, "view": {"plot": "heads", "layer": 1, "head": 2}, "focused": True},
            {"share": 0.5, "view": {"plot": "heatmap", "layer": 1, "head": 2}}]},
    }


def text_of(value, indent=""):
    """JSON as the program writes it: a row of numbers or texts on one line, the rest on lines of their own."""
    if isinstance(value, dict):
        inner = [f'{indent}  {json.dumps(key)}: {text_of(part, indent + "  ")}' for key, part in value.items()]
        return "{\n" + ",\n".join(inner) + f"\n{indent}}}"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list) and isinstance(value[0], dict) and "view" in value[0]:  # panes
        return "[" + ", ".join(text_of(part, indent) for part in value) + "]"
    if isinstance(value, list) and isinstance(value[0], (list, dict)):
        inner = [f"{indent}  {text_of(part, indent + '  ')}" for part in value]
        return "[\n" + ",\n".join(inner) + f"\n{indent}]"
    if isinstance(value, list):
        return "[" + ", ".join(text_of(part) for part in value) + "]"
    if isinstance(value, float):
        return f"{value:g}" if value else "0"
    return json.dumps(value, ensure_ascii=False)


def main():
    model = {name: np.round(w.astype(np.float64), 3) for name, w in train().items()}
    number_of = {word: i for i, word in enumerate(WORDS)} | {"<s>": START}
    tokens = np.array([number_of[word] for word in SHOWN.split()])
    DOCUMENT.write_text(text_of(document(model, tokens)) + "\n")
    logits, weights, _ = forward(model, tokens[None])
    NUMBERS.write_text(text_of({
        "vocabulary": WORDS + ["<s>"],
        "embeddings": model["embeddings"],
        "weights": [block[0].tolist() for block in weights],
        "next": softmax(logits)[0]}) + "\n")


if __name__ == "__main__":
    main()
