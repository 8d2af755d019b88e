"""Outputs of libraries are read as the arrays that they are; misfits are reported before anything is written."""

import collections
import unittest

import numpy as np

from support import FolderCase, Tensor, rows, weights

import attnscope
from attnscope.document import document


def numbers(found, name):
    """The numbers of an array of a document."""
    array = found.arrays[name]
    return np.concatenate([part().reshape(-1) for part in array.parts]).reshape(array.shape)


def axes(found, name):
    return " ".join(found.arrays[name].axes)


class Output(collections.OrderedDict):
    """An output of a model of Hugging Face: names without a value are left out."""


class Cache:
    """A cache of TransformerLens: it has keys and items, and is no dictionary."""

    def __init__(self, arrays):
        self._arrays = arrays

    def keys(self):
        return self._arrays.keys()

    def __getitem__(self, key):
        return self._arrays[key]


class MapsTest(unittest.TestCase):
    def test_numbers_of_layers_are_different_and_one_for_each(self):
        for shape, layers, said in (((2, 3, 4, 4), [9, 9], "different"), ((2, 3, 4, 4), [-1, 2], "from 0 on"),
                                    ((3, 4, 4), [9, 10], "are of one layer")):
            with self.assertRaisesRegex(ValueError, said):
                document(np.ones(shape, "float32"), layers=layers)
        found = document(decoder_attention=np.ones((2, 1, 4, 4), "float32"), layers=[9, 10],
                         axes={"decoder_attention": "layers heads queries keys"})
        self.assertEqual(found.metadata["layers"], [9, 10])

    def test_ranks_of_one_array(self):
        for shape, expected in (
            ((4, 5), "queries keys"), ((3, 4, 5), "heads queries keys"), ((2, 3, 4, 5), "layers heads queries keys"),
            ((1, 3, 4, 5), "heads queries keys"), ((6, 1, 3, 4, 5), "layers heads queries keys"),
        ):
            given = weights(*shape)
            found = document(given)
            self.assertEqual(axes(found, "attention"), expected)
            self.assertEqual(numbers(found, "attention").tobytes(), given.tobytes())
            self.assertEqual(found.metadata["axes"], {"attention": expected.split()})

    def test_nested_lists(self):
        found = document([[0.25, 0.75], [1, 0]])
        np.testing.assert_array_equal(numbers(found, "attention"), [[0.25, 0.75], [1, 0]])

    def test_two_readings_are_asked_for_unless_something_decides(self):
        given = weights(2, 3, 5, 4, 4)
        with self.assertRaisesRegex(ValueError, 'ways: say axes={"attention": "layers samples heads queries keys"} or '
                                                'axes={"attention": "samples layers heads queries keys"}'):
            document(given)
        self.assertEqual(document(given, layers=[5, 7]).arrays["attention"].shape, (3, 2, 5, 4, 4))
        self.assertEqual(document(given, tokens=[list("abcd")] * 2).arrays["attention"].shape, (2, 3, 5, 4, 4))
        named = document(given, axes={"attention": ["samples", "layers", "heads", "queries", "keys"]})
        self.assertEqual(numbers(named, "attention").tobytes(), given.tobytes())
        q, k = rows(2, 3, 4, 8), rows(2, 3, 4, 8, seed=1)
        with self.assertRaisesRegex(ValueError, '"layers heads queries features".*"samples heads queries features"'):
            document(q=q, k=k)
        self.assertEqual(axes(document(q=q, k=k, layers=[0, 1]), "k"), "layers heads keys features")
        self.assertEqual(axes(document(q=q, k=k, tokens=[list("abcd")] * 2), "k"), "samples heads keys features")
        self.assertEqual(axes(document(q=list(q), k=list(k)), "k"), "layers heads keys features")
        self.assertEqual(document(q=list(q), k=list(k), axes=dict.fromkeys("qk", "layers tokens heads features"))
                         .arrays["k"].shape, (2, 4, 3, 8))
        self.assertEqual(axes(document(q=q, k=k, axes={"q": "queries samples heads features",
                                                       "k": "keys samples heads features"}), "q"),
                         "samples heads queries features")

    def test_tuple_of_layers(self):
        layers = tuple(Tensor(weights(2, 3, 4, 4, seed=seed)) for seed in range(5))
        found = document(layers, tokens=[["a"] * 4, ["b"] * 4])
        self.assertEqual(axes(found, "attention"), "samples layers heads queries keys")
        np.testing.assert_array_equal(numbers(found, "attention")[1, 3], weights(2, 3, 4, 4, seed=3)[1])
        self.assertNotIn("layers", found.metadata)

    def test_layers_without_attention_keep_their_numbers(self):
        found = document((None, weights(1, 2, 4, 4), None, weights(1, 2, 4, 4)))
        self.assertEqual(found.metadata["layers"], [1, 3])
        self.assertEqual(document({3: weights(2, 4, 4), 7: weights(2, 4, 4)}).metadata["layers"], [3, 7])
        self.assertEqual(document([None, weights(2, 4, 4)], layers=[5, 11]).metadata["layers"], [11])
        with self.assertRaisesRegex(ValueError, r"attention is of the layers \[3, 7\], and layers are \[9, 11\]"):
            document({3: weights(2, 4, 4), 7: weights(2, 4, 4)}, layers=[9, 11])
        self.assertEqual(document(q={3: rows(4, 8)}, k={3: rows(4, 8)}).metadata["layers"], [3])
        with self.assertRaisesRegex(ValueError, r"k is of the layers \[1\], and q of \[0\]"):
            document(q={0: rows(4, 8)}, k={1: rows(4, 8)})

    def test_output_of_a_model(self):
        output = Output(logits=rows(1, 4, 9), attentions=(weights(1, 2, 4, 4),) * 3)
        self.assertEqual(document(output).arrays["attention"].shape, (3, 2, 4, 4))
        with self.assertRaisesRegex(ValueError, 'attn_implementation="eager", or use attnscope.record'):
            document(Output(logits=rows(1, 4, 9)))

    def test_encoder_decoder(self):
        output = Output(encoder_attentions=(weights(1, 2, 5, 5),) * 2, decoder_attentions=(weights(1, 2, 3, 3),) * 2,
                        cross_attentions=(weights(1, 2, 3, 5),) * 2)
        found = document(output, tokens=list("abc"), key_tokens=list("uvwxy"))
        self.assertEqual({name: array.shape for name, array in found.arrays.items()}, {
            "encoder_attention": (2, 2, 5, 5), "decoder_attention": (2, 2, 3, 3), "cross_attention": (2, 2, 3, 5)})
        decoder = document(Output(attentions=(weights(1, 2, 3, 3),), cross_attentions=(weights(1, 2, 3, 5),)))
        self.assertEqual(set(decoder.arrays), {"decoder_attention", "cross_attention"})
        with self.assertRaisesRegex(ValueError, "cross_attention has 5 keys, and encoder_attention 4"):
            document({**output, "encoder_attentions": (weights(1, 2, 4, 4),)})

    def test_recording(self):
        recording = type("Recording", (), {"arrays": lambda self: {
            "q": rows(2, 4, 8), "k": rows(2, 4, 8), "layers": [3, 5],
            "axes": {"q": ["layers", "queries", "features"], "k": ["layers", "keys", "features"]}}})()
        found = document(recording, tokens=list("abcd"))
        self.assertEqual((axes(found, "q"), found.metadata["layers"]), ("layers queries features", [3, 5]))


class Duck:
    """Stands for a tensor of another library, with its own object for the type of elements."""

    def __init__(self, array, dtype):
        self._array, self.dtype, self.shape = array, dtype, tuple(array.shape)

    def numpy(self):
        return self._array

    def __getitem__(self, index):
        return type(self)(self._array[index], self.dtype)


class ArrayDuck(Duck):
    def __array__(self, dtype=None):
        return self._array


class OtherLibrariesTest(unittest.TestCase):
    def test_types_of_elements_are_known_by_their_names(self):
        class TensorFlowType:
            name = "float32"

            def __repr__(self):
                return "<dtype: 'float32'>"

        class OldType:
            def __repr__(self):
                return "<dtype: 'float32'>"

        class MlxType:
            def __repr__(self):
                return "mlx.core.float32"

        for kind in (Duck, ArrayDuck):
            for dtype in (TensorFlowType(), OldType(), MlxType(), "paddle.float32", np.dtype("float32")):
                found = document([kind(weights(1, 2, 4, 4), dtype)] * 3)
                self.assertEqual((found.arrays["attention"].shape, found.arrays["attention"].dtype),
                                 ((3, 2, 4, 4), "float32"))
                np.testing.assert_array_equal(numbers(found, "attention")[1], weights(1, 2, 4, 4)[0])
        with self.assertRaisesRegex(TypeError, "array of complex64, expected bool"):
            document(Duck(weights(4, 4), "<dtype: 'complex64'>"))

    def test_bfloat16_as_numpy_loads_it_without_its_type(self):
        given = np.arange(16, dtype="float32").reshape(4, 4)
        loaded = (given.view(np.uint32) >> 16).astype(np.uint16).view("V2")
        with self.assertRaisesRegex(TypeError, "array of void16, as which NumPy loads bfloat16") as caught:
            document(loaded)
        line = str(caught.exception).rpartition("or pass ")[2]
        np.testing.assert_array_equal(eval(line, {"array": loaded, "numpy": np}), given)


class SidesTest(unittest.TestCase):
    """One side may have names, and the other a count."""

    def sides(self, attention, **keywords):
        found = document(attention, **keywords).metadata
        return {name: found.get(name) for name in ("tokens", "key_tokens")}

    def test_names_beside_a_count(self):
        cross = weights(2, 3, 5)
        rows, columns = list("abc"), list("uvwxy")
        for keywords in ({"tokens": rows, "key_tokens": 5}, {"query_tokens": rows, "key_tokens": 5},
                         {"query_tokens": rows, "key_tokens": np.int64(5)}, {"query_tokens": rows}):
            self.assertEqual(self.sides(cross, **keywords), {"tokens": rows, "key_tokens": {"count": 5}})
        for keywords in ({"tokens": 3, "key_tokens": columns}, {"query_tokens": 3, "key_tokens": columns}):
            self.assertEqual(self.sides(cross, **keywords), {"tokens": {"count": 3}, "key_tokens": columns})
        for keywords in ({"tokens": 3}, {"query_tokens": 3}, {"query_tokens": 3, "key_tokens": 5}):
            self.assertEqual(self.sides(cross, **keywords), {"tokens": {"count": 3}, "key_tokens": {"count": 5}})
        self.assertEqual(self.sides(weights(3, 3), query_tokens=rows), {"tokens": rows, "key_tokens": {"count": 3}})
        self.assertEqual(self.sides(weights(3, 3), tokens=3), {"tokens": {"count": 3}, "key_tokens": None})

    def test_samples(self):
        found = document([weights(2, 1, 3, 5)], tokens=[list("abc"), list("def")], key_tokens=5)
        self.assertEqual(found.metadata["key_tokens"], {"count": 5})

    def test_counts_that_do_not_fit(self):
        cross = weights(2, 3, 5)
        for keywords, said in (({"key_tokens": 4}, "key_tokens are 4, expected 5"),
                               ({"tokens": 5}, "tokens are 5, expected 3"), ({"tokens": -1}, "are -1, expected 3"),
                               ({"tokens": list("abc")}, "or say how many, key_tokens=5"),
                               ({"tokens": list("abc"), "query_tokens": 3}, "are the same"),
                               ({"query_tokens": list("abcd")}, "tokens are 4, expected 3")):
            with self.subTest(said), self.assertRaisesRegex(ValueError, said):
                document(cross, **keywords)
        for wrong in (True, 2.5, "abc", {"count": 3}):
            with self.assertRaises(TypeError):
                document(cross, tokens=wrong)

    def test_one_row(self):
        for given in ([0.9, 0.1], np.array([0.9, 0.1]), Tensor(np.array([0.9, 0.1]))):
            found = document(given, tokens=["Hello", "world"])
            self.assertEqual((found.arrays["attention"].shape, axes(found, "attention")), ((1, 2), "queries keys"))
            self.assertEqual(found.metadata["key_tokens"], ["Hello", "world"])
            self.assertNotIn("tokens", found.metadata)


class StepsTest(unittest.TestCase):
    def steps(self, whole, first, layers=2):
        """The steps in which generate() computes the maps: (layers, samples, heads, n, n)."""
        ends = [first, *range(first + 1, whole.shape[-1] + 1)]
        begins = [0, *ends]
        return tuple(tuple(whole[layer][:, :, begin:end, :end] for layer in range(layers))
                     for begin, end in zip(begins, ends))

    def test_steps_become_one_map(self):
        whole = np.tril(weights(2, 3, 2, 7, 7))
        found = document(self.steps(whole, 4), tokens=[list("abcdefgh")] * 3)
        self.assertEqual(numbers(found, "attention").tobytes(), np.swapaxes(whole, 0, 1).tobytes())
        self.assertEqual(found.metadata["tokens"], [list("abcdefg")] * 3)  # the last token has no row

    def test_output_of_generate(self):
        whole = np.tril(weights(2, 1, 2, 7, 7))
        found = document(Output(sequences=np.arange(8)[None], attentions=self.steps(whole, 4)))
        np.testing.assert_array_equal(numbers(found, "input_ids"), np.arange(7))

    def test_decoder_that_reads_an_encoder(self):
        decoder = np.tril(weights(2, 1, 2, 4, 4))
        cross = weights(2, 1, 2, 4, 6)
        found = document(Output(
            decoder_attentions=self.steps(decoder, 1), encoder_attentions=(weights(1, 2, 6, 6),) * 2,
            cross_attentions=tuple(tuple(cross[layer][:, :, row:row + 1] for layer in range(2)) for row in range(4))))
        self.assertEqual(numbers(found, "cross_attention").tobytes(), cross.tobytes())
        self.assertEqual(numbers(found, "decoder_attention").tobytes(), decoder.tobytes())

    def test_window_keeps_the_last_keys(self):
        steps = [[weights(1, 1, 3, 3)], [weights(1, 1, 1, 3)], [weights(1, 1, 1, 3)]]
        whole = numbers(document(steps), "attention")[0]
        self.assertEqual(whole.shape, (1, 5, 5))
        np.testing.assert_array_equal(whole[0, 4, 2:], steps[2][0][0, 0, 0])
        self.assertEqual(whole[0, 4, :2].tolist(), [0, 0])

    def test_cache_of_fixed_size_begins_at_the_first_key(self):
        steps = [[weights(1, 1, 3, 8)], [weights(1, 1, 1, 8)]]
        np.testing.assert_array_equal(numbers(document(steps), "attention")[0],
                                      np.concatenate([step[0][0] for step in steps], 1)[:, :, :4])

    def test_one_step_keeps_its_past(self):
        step = [[weights(1, 1, 3, 8)]]
        self.assertEqual(numbers(document(step), "attention").tobytes(), step[0][0].tobytes())

    def test_steps_that_do_not_follow_each_other(self):
        for steps in ([[weights(1, 2, 3, 3)], [weights(1, 2, 1, 9)]], [[weights(1, 2, 3, 3)], [weights(1, 1, 1, 4)]],
                      [[weights(1, 2, 3, 3)], []], [[weights(2, 3, 3)]],
                      [[weights(1, 2, 3, 2)], [weights(1, 2, 1, 3)]]):
            with self.assertRaisesRegex(ValueError, "generate"):
                document(steps)
        with self.assertRaisesRegex(ValueError, "step 0 of generate"):
            document(cross_attention=[[weights(1, 2, 3, 3)], [weights(1, 2, 1, 4)]])
        document(cross_attention=[[weights(1, 2, 3, 2)], [weights(1, 2, 1, 2)]])


class RowsTest(unittest.TestCase):
    def test_shapes(self):
        for q, k, shape in (((4, 8), (5, 8), (4, 8)), ((6, 4, 8), (2, 5, 8), (6, 4, 8)),
                            ((1, 6, 4, 8), (1, 3, 5, 8), (6, 4, 8))):
            found = document(q=rows(*q), k=rows(*k), v=rows(*k))
            self.assertEqual(found.arrays["q"].shape, shape)
            self.assertEqual(axes(found, "v").split()[-2:], ["keys", "features"])

    def test_flattened_heads(self):
        q, k, v = rows(2, 3, 4, 8), rows(2, 1, 4, 8), rows(2, 1, 4, 5)
        flat = [np.swapaxes(array, 1, 2).reshape(2, 4, -1) for array in (q, k, v)]
        found = document(q=[flat[0]], k=[flat[1]], v=[flat[2]], head_count=3)
        for name, expected in (("q", q), ("k", k), ("v", v)):
            np.testing.assert_array_equal(numbers(found, name)[:, 0], expected)
        with self.assertRaisesRegex(ValueError, "q has rows of 24 numbers, which 5 heads cannot share equally"):
            document(q=flat[0][:1], k=flat[1][:1], head_count=5)

    def test_heads_side_by_side_have_samples_before_them(self):
        found = document(q=rows(2, 6, 32), k=rows(2, 6, 16), head_count=4)
        self.assertEqual(axes(found, "q"), "samples heads queries features")
        self.assertEqual((found.arrays["q"].shape, found.arrays["k"].shape), ((2, 4, 6, 8), (2, 2, 6, 8)))

    def test_packed_sequences(self):
        q, k = rows(5, 3, 8), rows(5, 1, 8, seed=1)
        found = document(q=[Tensor(q)] * 2, k=[k] * 2, v=[k] * 2, cu_seqlens=np.array([0, 2, 5], "i4"), causal=True,
                         tokens=list("abcde"))
        self.assertEqual(axes(found, "q"), "samples layers heads queries features")
        np.testing.assert_array_equal(numbers(found, "q")[1, 1], np.swapaxes(q[2:], 0, 1))
        np.testing.assert_array_equal(numbers(found, "k")[0, 1, :, :2], np.swapaxes(k[:2], 0, 1))
        self.assertEqual(found.metadata["tokens"], [["a", "b", ""], ["c", "d", "e"]])
        self.assertEqual(numbers(found, "mask").astype(int).tolist(),
                         [[[1, 0, 0], [1, 1, 0], [0, 0, 0]], [[1, 0, 0], [1, 1, 0], [1, 1, 1]]])
        self.assertNotIn("causal", found.metadata)
        same = document(q=rows(4, 8), k=rows(4, 8), head_count=2, cu_seqlens=[0, 2, 4], causal=True)
        self.assertEqual((same.arrays["k"].shape, set(same.arrays)), ((2, 2, 2, 4), {"q", "k"}))
        self.assertTrue(same.metadata["causal"])

    def test_packed_decoding_sees_its_past(self):
        found = document(q=rows(3, 1, 8), k=rows(7, 1, 8), cu_seqlens=[0, 1, 3], key_cu_seqlens=[0, 3, 7], causal=True)
        self.assertEqual(numbers(found, "mask").astype(int).tolist(),
                         [[[1, 1, 1, 0], [0, 0, 0, 0]], [[1, 1, 1, 0], [1, 1, 1, 1]]])

    def test_causal_with_past_keys(self):
        found = document(q=rows(2, 8), k=rows(5, 8), causal=True, tokens=list("abcde"))
        self.assertEqual(numbers(found, "mask").astype(int).tolist(), [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]])
        self.assertEqual((found.metadata["tokens"], found.metadata["key_tokens"]), (["d", "e"], list("abcde")))
        self.assertTrue(document(q=rows(5, 8), k=rows(5, 8), causal=True).metadata["causal"])

    def test_transformer_lens_cache(self):
        cache = {"hook_embed": rows(1, 6, 32)}
        for number in (0, 2):
            cache.update({f"blocks.{number}.attn.hook_{name}": rows(1, 6, heads, 8, seed=seed) for seed, (name, heads)
                          in enumerate((("q", 4), ("k", 2), ("v", 2), ("rot_q", 4), ("rot_k", 2)))})
        found = document(Cache(cache), causal=True)
        self.assertEqual(found.metadata["layers"], [0, 2])
        for name, hook in (("q", "rot_q"), ("k", "rot_k"), ("v", "v")):
            expected = np.swapaxes(cache[f"blocks.2.attn.hook_{hook}"][0], 0, 1)
            np.testing.assert_array_equal(numbers(found, name)[1], expected)
        without_batch = document({key: value[0] for key, value in cache.items()})
        self.assertEqual(without_batch.arrays["k"].shape, (2, 2, 6, 8))
        cache["blocks.0.attn.hook_pattern"] = weights(1, 4, 6, 6)
        self.assertEqual(set(document(cache).arrays), {"attention"})
        t5 = {"encoder.0.attn.hook_pattern": weights(1, 4, 6, 6), "decoder.0.attn.hook_pattern": weights(1, 4, 3, 3),
              "decoder.0.cross_attn.hook_pattern": weights(1, 4, 3, 6)}
        self.assertEqual(set(document(t5).arrays), {"encoder_attention", "decoder_attention", "cross_attention"})


class MasksTest(unittest.TestCase):
    def found(self, mask, samples=2, **more):
        return document(q=[rows(samples, 4, 3, 8)], k=[rows(samples, 2, 5, 8)], mask=mask, **more)

    def test_masks(self):
        for shape, expected in (((3, 5), "queries keys"), ((2, 3, 5), "samples queries keys"),
                                ((4, 3, 5), "heads queries keys"), ((2, 4, 3, 5), "samples heads queries keys"),
                                ((2, 1, 3, 5), "samples queries keys"), ((1, 1, 3, 5), "queries keys")):
            self.assertEqual(axes(self.found(np.ones(shape, bool)), "mask"), expected)

    def test_padding_is_for_all_queries(self):
        found = self.found(np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]))
        self.assertEqual((axes(found, "mask"), found.arrays["mask"].dtype), ("samples queries keys", "bool"))
        self.assertEqual(numbers(found, "mask")[0].astype(int).tolist(), [[1, 1, 1, 0, 0]] * 3)
        one = self.found(Tensor(np.array([[1, 1, 0, 0, 0]])), samples=1)
        self.assertEqual(numbers(one, "mask").astype(int).tolist(), [[1, 1, 0, 0, 0]] * 3)

    def test_floats_are_added(self):
        found = self.found(np.full((2, 1, 3, 5), -np.inf, "f4"))
        self.assertEqual((set(found.arrays) - {"q", "k"}, axes(found, "bias")), ({"bias"}, "samples queries keys"))
        with self.assertRaisesRegex(ValueError, "bias is given twice"):
            self.found(np.zeros((3, 5)), bias=np.zeros((3, 5)))

    def test_layers_may_have_masks_of_their_own(self):
        q, k = [Tensor(rows(1, 4, 3, 8))] * 2, [rows(1, 2, 5, 8)] * 2
        masks = [np.tri(3, 5, 2, bool)[None, None], np.ones((1, 1, 3, 5), bool)]
        found = document(q=q, k=k, mask=[Tensor(mask) for mask in masks])
        self.assertEqual(axes(found, "mask"), "layers queries keys")
        np.testing.assert_array_equal(numbers(found, "mask"), np.stack(masks)[:, 0, 0])
        with self.assertRaisesRegex(ValueError, "agree in their layers: q 2 of"):
            document(q=q, k=k, mask=masks + masks)

    def test_masks_that_do_not_fit(self):
        with self.assertRaisesRegex(ValueError, r"mask has shape \(5, 3\), expected \(queries, keys\)"):
            self.found(np.ones((5, 3), bool))
        with self.assertRaisesRegex(ValueError, "two ways"):
            document(q=[rows(3, 3, 8)], k=[rows(3, 3, 8)], mask=np.ones((3, 3), bool),
                     axes=dict.fromkeys("qk", "samples tokens features"))
        with self.assertRaisesRegex(ValueError, "numbers other than 0"):
            numbers(self.found(np.full((3, 5), 2)), "mask")


class HostileTest(FolderCase):
    def refused(self, error, text, *arguments, **keywords):
        with self.subTest(text), self.assertRaisesRegex(error, text):
            attnscope.save(self.folder / "a.safetensors", *arguments, **keywords)
        self.assert_left()

    def test_what_is_no_attention(self):
        array = weights(4, 4)
        self.refused(ValueError, "nothing to show")
        self.refused(TypeError, "attention is 'a.json', expected an array", "a.json")
        self.refused(TypeError, "array of object, expected numbers", np.array([{}]))
        self.refused(TypeError, "array of object, expected numbers", [[None, 1.0]])
        self.refused(TypeError, "array of str", [["a"]])
        self.refused(TypeError, "complex128, expected bool, int8", array.astype(complex))
        self.refused(TypeError, "arrays and other things", [array, 3])
        self.refused(ValueError, "different lengths", [[1], [1, 2]])
        self.refused(ValueError, r"shape \(0,\)", [])
        self.refused(ValueError, "no layer with an array", {3: None})
        self.refused(ValueError, 'all layers of attention are None: .*attn_implementation="eager"', (None, None))
        self.refused(ValueError, "attention is empty", np.zeros((0, 4)))
        self.refused(ValueError, r"shape \(\), expected \(queries, keys\) up to", np.zeros(()))
        self.refused(ValueError, r"numpy.stack\(attention\)", [np.ones(3), np.ones(3)])
        self.refused(ValueError, "shape of layer 1 is", [array, weights(5, 5)])
        self.refused(ValueError, "type of layer 1 is float64", [array, array.astype("f8")])
        self.refused(ValueError, "found logits .*expected names such as attention", {"logits": array, "x": array[0]})
        self.refused(ValueError, "given twice", {"q": array, "k": array}, q=array)
        self.refused(TypeError, "no keyword token;", array, token=1)

    def test_arrays_that_do_not_fit_together(self):
        array = weights(4, 4)
        self.refused(ValueError, "belong together", q=array)
        self.refused(ValueError, "agree in their features: q 8", q=rows(4, 8), k=rows(4, 7))
        self.refused(ValueError, "3 heads, which 2 heads of k", q=rows(3, 4, 8), k=rows(2, 4, 8),
                     axes={"q": "heads queries features", "k": "heads keys features"})
        self.refused(ValueError, "agree in their keys", q=rows(4, 8), k=rows(5, 8), v=rows(4, 8))
        self.refused(ValueError, "agree in their queries: attention 4", array, q=rows(5, 8), k=rows(4, 8))
        self.refused(ValueError, "expected at least as many keys", weights(5, 4), causal=True)
        packed = {"q": rows(4, 1, 8), "k": rows(4, 1, 8)}
        self.refused(ValueError, "expected numbers that begin with 0", **packed, cu_seqlens=[1, 4])
        self.refused(TypeError, "cu_seqlens is .*, expected whole numbers", **packed, cu_seqlens=[0.0, 4.0])
        self.refused(TypeError, "head_count is .*, expected whole numbers", **packed, head_count=2.5)
        self.refused(TypeError, "axes is 'q k', expected them by the names of arrays", array, axes="q k")
        self.refused(TypeError, "axes of q are 3, expected a list", **packed, axes={"q": 3})
        self.refused(ValueError, "q has 4 rows, expected 5", **packed, cu_seqlens=[0, 5])
        self.refused(ValueError, "axes of attention are rows keys, expected", array, axes={"attention": "rows keys"})
        self.refused(ValueError, "axes 3 names", array, axes={"attention": "heads queries keys"})
        self.refused(ValueError, "layers are 2 numbers, and attention has 1 layers", [array], layers=[1, 2])
        self.refused(ValueError, "input_ids have shape", array, input_ids=[1, 2])

    def test_what_are_no_tokens(self):
        array = weights(4, 4)
        self.refused(TypeError, "expected a list of tokens", array, tokens="abcd")
        self.refused(ValueError, "tokens are 3, expected 4", array, tokens=list("abc"))
        self.refused(TypeError, "convert_ids_to_tokens", array, tokens=[1, 2, 3, 4])
        self.refused(TypeError, "mixes lists and texts", array, tokens=["a", ["b"]])
        self.refused(ValueError, "for 2 samples, expected 1", array, tokens=[list("abcd")] * 2)
        self.refused(ValueError, "there are 5 keys: name them by key_tokens", weights(4, 5), tokens=list("abcd"))
        self.refused(TypeError, "title is 3", array, title=3)

    def test_nan_is_kept(self):
        given = weights(3, 3)
        given[1] = np.nan
        self.assertEqual(numbers(document(given), "attention").tobytes(), given.tobytes())


if __name__ == "__main__":
    unittest.main()
