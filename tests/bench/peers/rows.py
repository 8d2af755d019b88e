"""The rows of the table: what is compared with what, and what must hold."""
from typing import Callable, NamedTuple, Optional

from programs import LONG, WIDTH, Measurement

HEADS = 12


class Row(NamedTuple):
    work: str
    value: Callable  # of the function that tells the median of a figure of a measurement
    needs: list  # measurements
    unit: str
    gate: Optional[float] = None
    aim: Optional[float] = None
    at_most: bool = False

    def holds(self, value):
        return value <= self.gate if self.at_most else value >= self.gate


def ours(case, **more):
    return Measurement("ours", case, **more)


def attention(tokens, causal=0, **more):
    return ours(f"attention/n:{tokens}/threads:2/causal:{causal}", **more)


def times(work, fast, slow, gate=None, aim=None):
    return Row(work, lambda median: median(slow) / median(fast), [fast, slow], "×", gate, aim)


def share(work, what, operations, gate, aim):
    def value(median):
        return 100.0 * operations / median(what) / 1e3 / median(ours("peak"), "peak")

    return Row(work, value, [what, ours("peak")], "% of peak", gate, aim)


def milliseconds(work, what, gate, aim):
    return Row(work, lambda median: median(what) / 1e3, [what], "ms", gate, aim, at_most=True)


def products(tokens):
    """Multiplications and additions of both products of all heads."""
    return 4.0 * HEADS * WIDTH * tokens * tokens


LONG_SCORES = 2.0 * WIDTH * LONG * (LONG + 1) / 2
OVERVIEW, LONG_FILE, EMPTY_FILE = "overview/tokens", Measurement("command", "long"), Measurement(
    "command", "empty")
MOST_MEBIBYTES = 2 * (2 * LONG * WIDTH * 4 / 2**20) + 64


def against(peer, case, name, gates, aims):
    return [times(f"{n:,} tokens against {name}", attention(n), Measurement(peer, case, n), gate, aim)
            for n, gate, aim in zip(gates, gates.values(), aims)]


def memory():
    def value(median):
        return median(LONG_FILE, "MiB") - median(EMPTY_FILE, "MiB")

    return Row("131,072 tokens, causal, one head, picture by the command line: memory", value,
               [LONG_FILE, EMPTY_FILE], "MiB", MOST_MEBIBYTES, None, at_most=True)


def overviews():
    full, causal = (ours(f"{OVERVIEW}:16384/causal:{is_causal}") for is_causal in (0, 1))
    chunks = Measurement("torch", "overview", 16384)
    name = "exact overview of 16,384 tokens against PyTorch in chunks of rows"
    return [times(name + ", full", full, chunks, 4, 6),
            times(name + ", causal", causal, chunks, 8, 14),
            share("131,072 tokens, causal, one head: exact overview",
                  ours(f"{OVERVIEW}:{LONG}/causal:1"), LONG_SCORES, 60, 80),
            share("131,072 tokens, causal, one head, picture by the command line", LONG_FILE,
                  LONG_SCORES, 60, 80),
            memory(),
            milliseconds("exact tile of 131,072 tokens, row sums known",
                         ours(f"exact_tile/tokens:{LONG}"), 4, 1.2)]


def figures(library, gates):
    return [times(f"picture of {n:,} tokens against {library}, processor time",
                  Measurement("figure", "attnscope", n), Measurement("figure", library, n), gate)
            for n, gate in gates.items()]


def arrays():
    """Files of weights of 12 layers and 12 heads."""
    opened = Measurement("arrays", "open npz", 512)
    through = [Measurement("arrays", f"from {form}", 512) for form in ("npz", "json")]
    name = "12 × 12 heads of 512 tokens"
    return [times(f"{name} from NumPy to a picture, .npz against JSON, processor time", *through, 50),
            milliseconds(f"{name}, picture of .npz, processor time", opened, 300, None),
            Row(f"{name}, picture of .npz: memory", lambda median: median(opened, "MiB"), [opened],
                "MiB", 100, None, at_most=True)]


# Edits of one number at 512 tokens, against all 12 heads anew.
EDITS = [("edit of a row of Q", "edit_query/n:512", 200, 1000),
         ("edit of a column of K", "edit_key/n:512", 50, 200),
         ("edit of an element of V", "edit_value/n:512", 100, 1000)]


def edits():
    return [times(f"{work} at 512 tokens against our own full computation", ours(name),
                  attention(512), gate, aim) for work, name, gate, aim in EDITS]


def models():
    """All layers of a model in a folder."""
    forward, name = ours("model_forward/threads:2"), "12 layers of GPT-2's size, 64 tokens"
    return [times(f"{name}, against PyTorch", forward, Measurement("torch", "model", 64), 1 / 0.6),
            times(f"{name}, against NumPy", forward, Measurement("numpy", "model", 64)),
            milliseconds("reading the folder of a model of GPT-2's size", ours("model_read"), 50, None),
            milliseconds("computing a model of GPT-2's size again, nothing changed", ours("model_again"), 5, None)]


def beside_others():
    mine = attention(512, beside=4)
    other = Measurement("onnxruntime", "reused", 512, beside=4)
    return [Row("512 tokens beside four busy processes, our time by ONNX Runtime's",
                lambda median: median(mine) / median(other), [mine, other], "×", 1.0, 0.75,
                at_most=True)]


def other_instructions(sets):
    """Ours by ours; the last set is what every processor of this kind has."""
    best = attention(512)

    def row(name, gate=None, aim=None):
        other = attention(512, instructions=name)
        return Row(f"512 tokens with the instructions {name}, our time by that of {sets[0]}",
                   lambda median: median(other) / median(best), [other, best], "×", gate, aim,
                   at_most=True)

    return [*map(row, sets[1:-1]), row(sets[-1], 5, 3.5)]


def all_rows(sets):
    shares = [share(f"{n:,} tokens", attention(n), products(n), 65, 80) for n in (512, 2048, 4096)]
    causal = [times(f"{n:,} tokens causal against our own full computation", attention(n, 1),
                    attention(n), 1.7, 1.9) for n in (1024, 2048, 4096)]
    return [
        *shares,
        *against("torch", "explicit", "PyTorch, explicit", {16: 3.5, 512: 2, 2048: 4, 4096: 4},
                 (6, 3, 5, 5)),
        *against("torch", "reused", "PyTorch, buffers reused",
                 {16: 3.5, 512: 1.6, 2048: 1.5, 4096: 1.5}, (6, 2, 2, 2)),
        *against("torch", "fused", "PyTorch's fused kernel, which returns no weights",
                 {64: 1, 512: 1, 2048: 1, 4096: 1}, (1.2,) * 4),
        *against("onnxruntime", "reused", "ONNX Runtime, buffers reused",
                 {16: 1, 512: 1, 2048: 1, 4096: 1}, (1.3,) * 4),
        *against("numpy", "reused", "NumPy, buffers reused",
                 {16: None, 512: None, 2048: None, 4096: None}, (None,) * 4),
        *figures("matplotlib", {16: 8, 512: 8, 2048: 5}),
        *figures("seaborn", {16: None, 512: None, 2048: None}),
        *arrays(),
        *causal, *overviews(), *edits(), *models(), *other_instructions(sets), *beside_others(),
    ]
