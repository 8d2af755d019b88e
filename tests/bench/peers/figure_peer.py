"""A heatmap as a script draws it, from a file of weights to a picture: figure_peer.py matplotlib
WEIGHTS PICTURE, or seaborn in its place. "weights" TOKENS FILE makes such a file."""
import sys

import numpy


def write_weights(tokens, file):
    scores = 2 * numpy.random.default_rng(0).standard_normal((tokens, tokens), dtype=numpy.float32)
    weights = numpy.exp(scores - scores.max(-1, keepdims=True))
    numpy.save(file, weights / weights.sum(-1, keepdims=True))


def draw(library, file, picture):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    weights = numpy.load(file)
    tokens = range(len(weights))
    is_small = len(weights) <= 16  # enough for names of tokens and numbers in the cells
    figure, axes = pyplot.subplots(figsize=(8, 7.4))
    if library == "seaborn":
        import seaborn
        seaborn.heatmap(weights, ax=axes, cmap="viridis", annot=is_small, fmt=".2f")
    else:
        figure.colorbar(axes.imshow(weights, cmap="viridis"))
        if is_small:
            axes.set_xticks(tokens, tokens), axes.set_yticks(tokens, tokens)
        for row, column in [(r, c) for r in tokens for c in tokens if is_small]:
            axes.text(column, row, f"{weights[row, column]:.2f}", ha="center", va="center")
    figure.savefig(picture, dpi=300)


if sys.argv[1] == "weights":
    write_weights(int(sys.argv[2]), sys.argv[3])
else:
    draw(*sys.argv[1:])
