"""Shapes that libraries hand out, through files and the built program, against NumPy's own softmax."""

import itertools
import unittest

import numpy as np

from support import FolderCase, rows, weights

import attnscope
from test_inputs import Cache, Output
from test_results import real_program

STAGES = {"encoder_attention": "encoder_weights", "decoder_attention": "self_weights", "cross_attention": "weights"}


def softmax(scores):
    """Softmax of the last axis, in float64; rows with only -inf become 0."""
    top = np.max(scores, -1, keepdims=True, initial=-np.inf)
    powers = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = powers.sum(-1, keepdims=True)
    return np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)


def attention(q, k, bias=0.0, visible=True):
    """Weights (…, heads, queries, keys) of heads that share keys."""
    q, k = np.asarray(q, np.float64), np.asarray(k, np.float64)
    k = np.repeat(k, q.shape[-3] // k.shape[-3], -3)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]) + bias
    return softmax(np.where(visible, scores, -np.inf))


def causal(queries, keys):
    return np.tri(queries, keys, keys - queries, dtype=bool)


@unittest.skipUnless(real_program(), "the program is not built, and ATTNSCOPE does not say where it is")
class ShapesTest(FolderCase):
    def file(self, *arguments, ending="safetensors", **keywords):
        path = str(self.folder / f"run.{ending}")
        attnscope.save(path, *arguments, **keywords)
        return path

    def assert_near(self, found, expected):
        self.assertEqual(found.shape, expected.shape)
        np.testing.assert_allclose(found, expected, rtol=2e-6, atol=2e-7)

    def assert_output(self, path, maps, v):
        """Checks weights (samples, layers, heads, queries, keys) and the output of values."""
        self.assert_near(attnscope.compute(path), maps)
        v = np.repeat(np.asarray(v, np.float64), maps.shape[2] // v.shape[-3], -3)
        self.assert_near(attnscope.compute(path, stage="output"), maps @ v)

    # --- given weights

    def test_any_of_the_three_attentions_of_a_translation(self):
        layers, heads, n_q, n_k = 3, 2, 5, 7
        extents = {"encoder_attention": (n_k, n_k), "decoder_attention": (n_q, n_q), "cross_attention": (n_q, n_k)}
        arrays = {name: tuple(weights(1, heads, *extent, seed=layer + 10 * extent[0] + extent[1])
                              for layer in range(layers)) for name, extent in extents.items()}
        tokens, key_tokens = list("abcde"), list("uvwxyz!")
        for count in (1, 2, 3):
            for names in itertools.combinations(arrays, count):
                for ending in ("safetensors", "npz"):
                    given = Output(**{f"{name}s": arrays[name] for name in names})
                    path = self.file(given, ending=ending, tokens=key_tokens if names == ("encoder_attention",) else
                                     tokens, **({} if count == 1 and names[0][0] != "c" else {"key_tokens": key_tokens}))
                    shown = names if "cross_attention" in names else names[-1:]
                    for name in shown:
                        stage = STAGES[name] if "cross_attention" in names else "weights"
                        found = attnscope.compute(path, stage=stage)
                        np.testing.assert_array_equal(found, np.stack(arrays[name], 1))

    def test_a_translation_without_its_cross_attention(self):
        path = self.file(encoder_attention=weights(2, 7, 7), decoder_attention=weights(2, 5, 5),
                         tokens=list("abcde"), key_tokens=list("uvwxyz!"))
        np.testing.assert_array_equal(attnscope.compute(path)[0, 0], weights(2, 5, 5))
        with self.assertRaisesRegex(attnscope.AttnScopeError, "encoder_weights"):
            attnscope.compute(path, stage="encoder_weights")

    def test_a_decoder_that_reads_another_model(self):
        own, across = weights(2, 1, 4, 5, 5), weights(2, 1, 4, 5, 7)
        path = self.file(Output(attentions=tuple(own), cross_attentions=tuple(across)), tokens=list("abcde"),
                         key_tokens=list("uvwxyz!"))
        np.testing.assert_array_equal(attnscope.compute(path, stage="self_weights")[0], own[:, 0])
        np.testing.assert_array_equal(attnscope.compute(path)[0], across[:, 0])

    def test_samples_of_translations(self):
        tokens = [["a", "b", "c"], ["d", "e", "f"]]
        keys = [["u", "v"], ["w", "x"]]
        arrays = {"encoder_attention": weights(2, 2, 4, 2, 2), "decoder_attention": weights(2, 2, 4, 3, 3),
                  "cross_attention": weights(2, 2, 4, 3, 2)}
        path = self.file({name: tuple(array) for name, array in arrays.items()}, tokens=tokens, key_tokens=keys)
        for name, array in arrays.items():
            np.testing.assert_array_equal(attnscope.compute(path, stage=STAGES[name]), array.swapaxes(0, 1))

    def test_a_cache_of_an_encoder_decoder(self):
        hooks = {}
        maps = {"encoder": weights(2, 1, 4, 7, 7), "decoder": weights(2, 1, 4, 5, 5), "cross": weights(2, 1, 4, 5, 7)}
        for layer in range(2):
            hooks[f"encoder.{layer}.attn.hook_pattern"] = maps["encoder"][layer]
            hooks[f"decoder.{layer}.attn.hook_pattern"] = maps["decoder"][layer]
            hooks[f"decoder.{layer}.cross_attn.hook_pattern"] = maps["cross"][layer]
        path = self.file(Cache(hooks), tokens=list("abcde"), key_tokens=list("uvwxyz!"))
        raw = str(self.folder / "raw.npz")  # as it is, by the names of its hooks
        np.savez(raw, **hooks)
        for file, stage in itertools.product((path, raw), STAGES.values()):
            expected = maps[{"weights": "cross", "self_weights": "decoder", "encoder_weights": "encoder"}[stage]]
            found = attnscope.compute(file, stage=stage)
            np.testing.assert_array_equal(found, expected.swapaxes(0, 1))

    def test_steps_of_generate(self):
        n, more, layers, heads = 4, 3, 2, 2
        whole = np.where(causal(n + more, n + more), weights(layers, heads, n + more, n + more), 0)
        steps = [tuple(layer[None, :, :n, :n] for layer in whole)]
        steps += [tuple(layer[None, :, row:row + 1, :row + 1] for layer in whole) for row in range(n, n + more)]
        path = self.file(tuple(steps), tokens=list("abcdefg"))
        np.testing.assert_array_equal(attnscope.compute(path)[0], whole.astype(np.float32))

    def test_steps_of_a_translation(self):
        n, n_k, layers, heads = 4, 6, 2, 2
        own = np.where(causal(n, n), weights(layers, heads, n, n), 0)
        across, encoder = weights(layers, heads, n, n_k), weights(layers, 1, heads, n_k, n_k)
        output = Output(
            encoder_attentions=tuple(encoder),
            decoder_attentions=tuple(tuple(layer[None, :, row:row + 1, :row + 1] for layer in own)
                                     for row in range(n)),
            cross_attentions=tuple(tuple(layer[None, :, row:row + 1] for layer in across) for row in range(n)))
        path = self.file(output, tokens=list("abcd"), key_tokens=list("uvwxyz"))
        np.testing.assert_array_equal(attnscope.compute(path)[0], across)
        np.testing.assert_array_equal(attnscope.compute(path, stage="self_weights")[0], own.astype(np.float32))
        np.testing.assert_array_equal(attnscope.compute(path, stage="encoder_weights")[0], encoder[:, 0])

    # --- queries, keys and values

    def test_packed_batches(self):
        ends, heads, groups, d = [0, 3, 8, 10], 4, 2, 8
        q, k, v = rows(10, heads, d, seed=1), rows(10, groups, d, seed=2), rows(10, groups, d, seed=3)
        for is_causal, flat in itertools.product((False, True), repeat=2):
            arrays = {name: array.reshape(10, -1) if flat else array for name, array in zip("qkv", (q, k, v))}
            path = self.file(**arrays, cu_seqlens=ends, causal=is_causal, **({"head_count": heads} if flat else {}))
            found, output = attnscope.compute(path), attnscope.compute(path, stage="output")
            self.assertEqual(found.shape, (3, 1, heads, 5, 5))
            for sample, (begin, end) in enumerate(zip(ends, ends[1:])):
                part = (array[begin:end].swapaxes(0, 1) for array in (q, k, v))
                of_q, of_k, of_v = part
                n = end - begin
                maps = attention(of_q, of_k, visible=causal(n, n) if is_causal else True)
                self.assert_near(found[sample, 0, :, :n, :n], maps)
                self.assertEqual(np.abs(found[sample, 0, :, :, n:]).max(initial=0), 0)
                self.assertEqual(np.abs(found[sample, 0, :, n:]).max(initial=0), 0)
                self.assert_near(output[sample, 0, :, :n], maps @ np.repeat(of_v, heads // groups, 0))

    def test_packed_batches_with_other_keys(self):
        ends, key_ends = [0, 1, 3], [0, 4, 9]
        q, k, v = rows(3, 2, 4, seed=1), rows(9, 2, 4, seed=2), rows(9, 2, 4, seed=3)
        found = attnscope.compute(self.file(q=q, k=k, v=v, cu_seqlens=ends, key_cu_seqlens=key_ends, causal=True))
        for sample, (n_q, n_k) in enumerate(((1, 4), (2, 5))):
            of_q = q[ends[sample]:ends[sample + 1]].swapaxes(0, 1)
            of_k = k[key_ends[sample]:key_ends[sample + 1]].swapaxes(0, 1)
            self.assert_near(found[sample, 0, :, :n_q, :n_k], attention(of_q, of_k, visible=causal(n_q, n_k)))

    def test_past_and_new_keys(self):
        q, k, v = rows(2, 1, 4, 3, 8, seed=1), rows(2, 1, 2, 9, 8, seed=2), rows(2, 1, 2, 9, 6, seed=3)
        path = self.file(q=list(q), k=list(k), v=list(v), causal=True, tokens=list("abcdefghi"))
        self.assert_output(path, attention(q, k, visible=causal(3, 9)).swapaxes(0, 1), v.swapaxes(0, 1))

    def test_flattened_heads(self):
        q, k, v = rows(2, 5, 4 * 8, seed=1), rows(2, 5, 2 * 8, seed=2), rows(2, 5, 2 * 6, seed=3)
        path = self.file(q=q, k=k, v=v, head_count=4, tokens=[list("abcde"), list("fghij")])
        of_q, of_k, of_v = (array.reshape(2, 5, heads, -1).swapaxes(1, 2)
                            for array, heads in ((q, 4), (k, 2), (v, 2)))
        self.assert_output(path, attention(of_q, of_k)[:, None], of_v[:, None])

    def test_grouped_heads_of_layers_and_samples(self):
        q, k, v = rows(3, 2, 8, 5, 4, seed=1), rows(3, 2, 2, 5, 4, seed=2), rows(3, 2, 2, 5, 6, seed=3)
        for ending in ("safetensors", "npz"):
            path = self.file(q=list(q), k=list(k), v=list(v), causal=True, ending=ending)
            maps = attention(q, k, visible=causal(5, 5)).swapaxes(0, 1)
            self.assert_output(path, maps, v.swapaxes(0, 1))

    def test_queries_and_keys_alone(self):
        q, k = rows(2, 3, 4, 6, 8, seed=1), rows(2, 3, 4, 6, 8, seed=2)
        found = attnscope.compute(self.file(q=list(q), k=list(k)))
        self.assert_near(found, attention(q, k).swapaxes(0, 1))

    def test_masks(self):
        generator = np.random.default_rng(7)
        samples, heads, n = 2, 3, 5
        q, k, v = (rows(samples, heads, n, 4, seed=seed) for seed in (1, 2, 3))
        visible = generator.random((samples, heads, n, n)) < 0.7
        visible[..., 0] = True
        bias = generator.standard_normal((samples, heads, n, n)).astype(np.float32)
        fused = np.where(visible, bias, -np.inf).astype(np.float32)
        lowest = np.where(visible, bias, np.finfo(np.float32).min).astype(np.float32)  # as Hugging Face hides
        padding = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
        axes = {name: "samples heads tokens features" for name in "qkv"}
        cases = (
            ({"mask": visible}, attention(q, k, visible=visible)),
            ({"mask": visible[:, :1]}, attention(q, k, visible=visible[:, :1])),
            ({"mask": visible[0, 0]}, attention(q, k, visible=visible[0, 0])),
            ({"bias": bias}, attention(q, k, bias)),
            ({"bias": fused}, attention(q, k, fused)),
            ({"mask": np.where(visible, 0, -np.inf)}, attention(q, k, visible=visible)),
            ({"mask": visible.astype("f4")}, attention(q, k, visible=visible)),
            ({"hidden": ~visible}, attention(q, k, visible=visible)),
            ({"key_padding_mask": padding == 0}, attention(q, k, visible=padding[:, None, None].astype(bool))),
            ({"attention_mask": padding}, attention(q, k, visible=padding[:, None, None].astype(bool))),
            ({"attn_mask": ~np.tri(n, dtype=bool)}, attention(q, k, visible=causal(n, n))),
            ({"attn_mask": np.tri(n, dtype=bool)}, attention(q, k, visible=causal(n, n))),
            ({"attn_mask": np.tri(n, dtype=bool), "src_key_padding_mask": padding == 0},
             attention(q, k, visible=padding[:, None, None].astype(bool) & causal(n, n))),
            ({"bias": lowest}, attention(q, k, lowest)),
            ({"bias": bias[0, 0]}, attention(q, k, bias[0, 0])),
            ({"mask": visible, "bias": bias}, attention(q, k, bias, visible)),
            ({"mask": padding}, attention(q, k, visible=padding[:, None, None].astype(bool))),
            ({"mask": padding, "causal": True},
             attention(q, k, visible=padding[:, None, None].astype(bool) & causal(n, n))),
        )
        for number, (masks, maps) in enumerate(cases):
            with self.subTest(number):
                self.assert_output(self.file(q=q, k=k, v=v, axes=axes, **masks), maps[:, None], v[:, None])

    def test_masks_of_layers(self):
        q, k, v = (rows(2, 1, 3, 5, 4, seed=seed) for seed in (1, 2, 3))
        masks = [causal(5, 5)[None, None], np.tri(5, dtype=bool).T[None, None]]
        path = self.file(q=list(q), k=list(k), v=list(v), mask=masks)
        maps = np.stack([attention(q[layer], k[layer], visible=masks[layer][0, 0]) for layer in range(2)], 1)
        self.assert_output(path, maps, v.swapaxes(0, 1))


if __name__ == "__main__":
    unittest.main()
