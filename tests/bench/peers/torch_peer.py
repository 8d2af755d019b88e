"""PyTorch: attention as models write it, with buffers reused, fused, maps in chunks of rows, and all
layers of a model of GPT-2's size."""
import timing
import torch
import torch.nn.functional as functional

SCALE = timing.WIDTH ** -0.5
PIXELS = 1024
CHUNK = 256  # rows at a time: as fast as any


def heads(tokens):
    return [torch.randn(1, timing.HEADS, tokens, timing.WIDTH) for _ in range(3)]


def explicit(tokens):
    q, k, v = heads(tokens)

    def call():
        weights = torch.softmax(torch.matmul(q, k.transpose(-1, -2)) * SCALE, dim=-1)
        return weights, torch.matmul(weights, v)

    return call


def reused(tokens):
    """Nothing is allocated, and the scale is applied in place."""
    q, k, v = heads(tokens)
    keys = k.transpose(-1, -2)
    scores, weights = (torch.empty(1, timing.HEADS, tokens, tokens) for _ in range(2))
    output = torch.empty_like(q)

    def call():
        torch.matmul(q, keys, out=scores)
        scores.mul_(SCALE)
        torch.softmax(scores, dim=-1, out=weights)
        torch.matmul(weights, v, out=output)

    return call


def fused(tokens):
    q, k, v = heads(tokens)
    return lambda: functional.scaled_dot_product_attention(q, k, v)


def overview(tokens):
    """The largest weight under each pixel of one head's map; never all of the map in memory."""
    q, k = torch.randn(tokens, timing.WIDTH) * SCALE, torch.randn(tokens, timing.WIDTH)
    keys, cell = k.t().contiguous(), tokens // PIXELS
    scores, weights = torch.empty(CHUNK, tokens), torch.empty(CHUNK, tokens)
    pixels = torch.empty(PIXELS, PIXELS)
    under_pixels = weights.view(CHUNK // cell, cell, PIXELS, cell)

    def call():
        for row in range(0, tokens, CHUNK):
            torch.matmul(q[row:row + CHUNK], keys, out=scores)
            torch.softmax(scores, dim=-1, out=weights)
            pixels[row // cell:(row + CHUNK) // cell] = under_pixels.amax((1, 3))

    return call


def model(tokens):
    """GPT-2's layers as its library computes them, with all weights of attention."""
    width, layers = timing.HEADS * timing.WIDTH, 12

    def matrix(*shape):
        return torch.randn(*shape) * 0.02

    maps = [[(matrix(width, outputs), torch.zeros(outputs)) for outputs in (3 * width, width, 4 * width)]
            + [(matrix(4 * width, width), torch.zeros(width))] for _ in range(layers)]
    ones, zeros = torch.ones(width), torch.zeros(width)
    start = torch.randn(tokens, width)
    hidden = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)

    def mapped(x, weights):
        return torch.addmm(weights[1], x, weights[0])

    def normed(x):
        return functional.layer_norm(x, (width,), ones, zeros)

    def call():
        x, all_weights = start, []
        for joined, projected, grown, shrunk in maps:
            q, k, v = (part.view(tokens, timing.HEADS, timing.WIDTH).transpose(0, 1)
                       for part in mapped(normed(x), joined).split(width, 1))
            scores = torch.matmul(q, k.transpose(-1, -2)) * SCALE
            weights = torch.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1)
            all_weights.append(weights)
            x = x + mapped(torch.matmul(weights, v).transpose(0, 1).reshape(tokens, width), projected)
            x = x + mapped(functional.gelu(mapped(normed(x), grown), approximate="tanh"), shrunk)
        return x, all_weights

    return call


def main():
    torch.set_num_threads(timing.THREADS)
    cases = {"explicit": explicit, "reused": reused, "overview": overview,
             "model": model}
    if hasattr(functional, "scaled_dot_product_attention"):
        cases["fused"] = fused
    with torch.inference_mode():
        timing.serve("PyTorch " + torch.__version__, cases)


main()
