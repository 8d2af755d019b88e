"""NumPy: attention by its products, with every buffer reused, and all layers of a model of GPT-2's
size."""
import numpy
import timing


def reused(tokens):
    random = numpy.random.default_rng(0)
    shape = (timing.HEADS, tokens, timing.WIDTH)
    q, k, v = (random.standard_normal(shape, dtype=numpy.float32) for _ in range(3))
    weights = numpy.empty((timing.HEADS, tokens, tokens), numpy.float32)
    output, scale = numpy.empty(shape, numpy.float32), numpy.float32(timing.WIDTH ** -0.5)

    def call():
        numpy.matmul(q, k.transpose(0, 2, 1), out=weights)
        numpy.multiply(weights, scale, out=weights)
        numpy.subtract(weights, weights.max(axis=-1, keepdims=True), out=weights)
        numpy.exp(weights, out=weights)
        numpy.divide(weights, weights.sum(axis=-1, keepdims=True), out=weights)
        numpy.matmul(weights, v, out=output)

    return call


def model(tokens):
    width, layers = timing.HEADS * timing.WIDTH, 12
    random = numpy.random.default_rng(0)

    def matrix(*shape):
        return random.standard_normal(shape, dtype=numpy.float32) * numpy.float32(0.02)

    maps = [[matrix(width, 3 * width), matrix(width, width), matrix(width, 4 * width),
             matrix(4 * width, width)] for _ in range(layers)]
    start, scale = matrix(tokens, width), numpy.float32(timing.WIDTH ** -0.5)
    mask = numpy.triu(numpy.full((tokens, tokens), -numpy.inf, numpy.float32), 1)

    def normed(x):
        x = x - x.mean(-1, keepdims=True)
        return x / numpy.sqrt((x * x).mean(-1, keepdims=True) + numpy.float32(1e-5))

    def gelu(x):
        inner = numpy.float32(0.7978845608) * (x + numpy.float32(0.044715) * x * x * x)
        return numpy.float32(0.5) * x * (1 + numpy.tanh(inner))

    def call():
        x, all_weights = start, []
        for joined, projected, grown, shrunk in maps:
            q, k, v = (part.reshape(tokens, timing.HEADS, timing.WIDTH).swapaxes(0, 1)
                       for part in numpy.split(normed(x) @ joined, 3, axis=1))
            weights = q @ k.swapaxes(1, 2) * scale + mask
            weights = numpy.exp(weights - weights.max(-1, keepdims=True))
            weights /= weights.sum(-1, keepdims=True)
            all_weights.append(weights)
            x = x + (weights @ v).swapaxes(0, 1).reshape(tokens, width) @ projected
            x = x + gelu(normed(x) @ grown) @ shrunk
        return x, all_weights

    return call


timing.serve("NumPy " + numpy.__version__, {"reused": reused, "model": model})
