"""PyTorch: attention as models write it, with buffers reused, fused, and maps in chunks of rows."""
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


def main():
    torch.set_num_threads(timing.THREADS)
    cases = {"explicit": explicit, "reused": reused, "overview": overview}
    if hasattr(functional, "scaled_dot_product_attention"):
        cases["fused"] = fused
    with torch.inference_mode():
        timing.serve("PyTorch " + torch.__version__, cases)


main()
