"""Readings of arrays by names and numbers: equal to those of the program, and no wrong one without a warning."""

import json
import unittest
import warnings

import numpy as np

from support import SOURCE, rows, weights

import attnscope
from attnscope.document import document
from attnscope.names import groups_of, known_name, name_words, table

SHARED = SOURCE.parent / "shared/inputs"


def numbers(found, name):
    array = found.arrays[name]
    return np.concatenate([np.asarray(part()).reshape(-1) for part in array.parts]).reshape(array.shape)


def read(*arguments, **keywords):
    """A document and the notes that were given."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = document(*arguments, **keywords)
    return found, [str(each.message) for each in caught if issubclass(each.category, attnscope.ReadingNote)]


class NamesTest(unittest.TestCase):
    def test_every_row_is_found_by_its_end(self):
        for row in table():
            kind = {"numbers": "floats"}.get(row.type, row.type)
            for name in (row.end.replace("*", "a"), "model_3_layers_" + row.end.replace("*", "a")):
                self.assertEqual(known_name(name, kind).role, row.role, name)

    def test_words_of_names(self):
        for name, words in (("decoder.layers.3.encoderAttn", "decoder_layers_encoder_attn"),
                            ("layer0_attn", "layer_attn"), ("Qcur-12", "qcur"), ("KQ_mask", "kq_mask"), ("word2vec", "wordvec"), ("7", "")):
            self.assertEqual(name_words(name), words)
        for name, end in (("mask_1", "mask"), ("window_mask", "*_mask"), ("attnWeights", "attn_weights"),
                          ("blocks.0.attn.hook_rot_q", "hook_rot_q"), ("src_key_padding_mask", "key_padding_mask")):
            self.assertEqual(known_name(name).end, end)
        for name in ("battn", "mapq", "masked", "x", "", "h.0.attn.c_attn.bias", "dense/kernel:0", "arr_0"):
            self.assertIsNone(known_name(name), name)

    def test_numbers_in_names(self):
        def groups(*names):
            return [(group.pattern, group.layers, group.heads) for group in groups_of(
                {name: ((4, 4), "floats") for name in names})]

        self.assertEqual(groups("h10.attn", "h9.attn"), [("h*.attn", [9, 10], 0)])
        self.assertEqual(groups("layer0_attn", "loss", "layer11_attn"), [("layer*_attn", [0, 11], 0), ("loss", [], 0)])
        self.assertEqual(groups("x_03", "x_5"), [("x_*", [3, 5], 0)])
        self.assertEqual(groups("l1_head_0", "l1_head_1", "l2_head_0", "l2_head_1"), [("l*_head_*", [1, 2], 2)])
        self.assertEqual(groups("m2.block.1.a", "m1.block.1.a", "m1.block.2.a", "m2.block.2.a"),
                         [("m2.block.*.a", [1, 2], 0), ("m1.block.*.a", [1, 2], 0)])
        self.assertEqual(groups("f/Attention_0", "g/Attention_0"), [("f/Attention_0", [], 0), ("g/Attention_0", [], 0)])
        self.assertEqual(groups_of({name: ((4, 4), "floats") for name in ("a1", "a01")})[0].collision, "a1, a01")


class MappingTest(unittest.TestCase):
    def test_names_of_libraries(self):
        maps = weights(2, 4, 5, 5)
        for name in ("attention", "attn", "attention_weights", "attention_probs", "attn_output_weights", "alignments",
                     "kq_soft_max", "encoder.attentions", "model.attnWeights", "alpha", "some_thing"):
            found, said = read({name: maps})
            (keyword,) = found.arrays
            self.assertEqual(numbers(found, keyword).tobytes(), maps.tobytes(), name)
        for name in ("query_states", "query", "hook_q", "Qcur", "queries"):
            pair = {name: rows(1, 2, 5, 4), name.lower().replace("q", "k").replace("kuer", "ke").replace("kees", "keys")
                    .replace("key_states", "key_states"): rows(1, 2, 5, 4)}
            pair = {"keys" if each == "keies" else each: value for each, value in pair.items()}
            self.assertEqual(set(read(pair)[0].arrays), {"q", "k"}, pair.keys())

    def test_keywords_are_the_same_names(self):
        maps = weights(2, 3, 4)
        found, _ = read(attention_weights=maps, target=list("abc"), source=list("uvwx"))
        self.assertEqual((found.metadata["tokens"], found.metadata["key_tokens"]), (list("abc"), list("uvwx")))
        found, _ = read(query=rows(2, 3, 4), key=rows(2, 3, 4), value=rows(2, 3, 4), words=list("abc"))
        self.assertEqual((set(found.arrays), found.metadata["tokens"]), ({"q", "k", "v"}, list("abc")))
        found, _ = read(attn=[weights(2, 1, 2, 4)] * 2, target=[["a", "b"], ["c"] * 2],
                        source=[list("uvwx"), list("yzuv")])
        self.assertEqual((found.arrays["attention"].shape, found.metadata["tokens"]), ((2, 2, 1, 2, 4), [["a", "b"], ["c"] * 2]))
        found, _ = read(attn={3: weights(2, 4, 4), 7: weights(2, 4, 4)})
        self.assertEqual(found.metadata["layers"], [3, 7])
        with self.assertRaisesRegex(ValueError, "attn is a nested list whose parts have different lengths"):
            document(attn=[[0.5, 0.5], [1]])
        with self.assertRaisesRegex(ValueError, "attention is given twice"):
            document(maps, attn=maps)
        with self.assertRaisesRegex(TypeError, "no keyword mak"):
            document(maps, mak=np.ones((3, 4), bool))
        with self.assertRaisesRegex(TypeError, "attn_mask is 'x', expected an array"):
            document(maps, attn_mask="x")
        with self.assertRaisesRegex(TypeError, "no keyword labels"):
            document(maps, labels=np.ones((3, 4), bool))

    def test_layers_by_numbers_in_names(self):
        layers = {f"layer{number}_attn": weights(1, 2, 4, 4, seed=number) for number in (10, 2, 3)}
        found, said = read({**layers, "loss": np.ones(3)})
        self.assertEqual(found.metadata["layers"], [2, 3, 10])
        np.testing.assert_array_equal(numbers(found, "attention"), [layers[f"layer{n}_attn"][0] for n in (2, 3, 10)])
        self.assertTrue(any("not used: loss" in text for text in said))
        found, said = read({f"arr_{number}": weights(1, 2, 4, 4, seed=number) for number in range(12)})
        np.testing.assert_array_equal(numbers(found, "attention")[10], weights(1, 2, 4, 4, seed=10)[0])
        self.assertTrue(any("arr_*: taken as attention, whose rows sum to 1" in text for text in said))
        heads = {f"layer_{layer}_head_{head}": weights(4, 4, seed=7 * layer + head)
                 for layer in range(2) for head in range(3)}
        found, _ = read(heads)
        np.testing.assert_array_equal(numbers(found, "attention")[1, 2], weights(4, 4, seed=9))
        with self.assertRaisesRegex(ValueError, "two names have the same number: attn1, attn01"):
            document({"attn1": weights(4, 4), "attn01": weights(4, 4)})

    def test_scores_are_no_attention_unless_their_rows_sum_to_one(self):
        self.assertEqual(set(read({"attention_scores": weights(2, 4, 4)})[0].arrays), {"attention"})
        found, said = read({"hook_attn_scores": rows(2, 4, 4), "q": rows(2, 4, 4), "k": rows(2, 4, 4)})
        self.assertEqual(set(found.arrays), {"q", "k"})
        self.assertTrue(any("hook_attn_scores" in text for text in said))
        with self.assertRaisesRegex(ValueError, "no array is called attention.*scores"):
            document({"scores": rows(2, 4, 4)})

    def test_what_is_not_used_is_said(self):
        found, said = read({"attention_weights": weights(2, 4, 4), "attn": weights(2, 4, 4), "loss": np.ones(2),
                            "special_tokens_mask": np.array([[1, 0, 0, 1]]), "note": object(), "q": rows(4, 4)})
        text = " ".join(said)
        for part in (r"attn (attention_weights is)", "loss", "special_tokens_mask (no mask of attention)", "note", "q"):
            self.assertIn(part, text)
        self.assertEqual(set(found.arrays), {"attention"})

    def test_sparse_arrays(self):
        with self.assertRaisesRegex(ValueError, "no array is called attention"):
            document({"edge_index": np.ones((2, 9), int), "alpha": rows(9, 2)})


class AxesTest(unittest.TestCase):
    def taken(self, *arguments, **keywords):
        found, said = read(*arguments, **keywords)
        name = "attention" if "attention" in found.arrays else "q"
        return " ".join(found.arrays[name].axes), found.arrays[name].shape, said

    def test_one_of_samples(self):
        for shape in ((1, 6, 4, 7, 7), (1, 4, 7, 7)):
            axes, found, _ = self.taken({"attn": weights(*shape)})
            self.assertEqual(found, shape[1:])

    def test_names_tokens_and_numbers_choose(self):
        batch = weights(3, 5, 5)
        self.assertEqual(self.taken(batch)[0], "heads queries keys")
        self.assertIn('as well axes={"attention": "samples queries keys"}', self.taken(batch)[2][0])
        self.assertEqual(self.taken(batch, tokens=[list("abcde")] * 3)[0::2], ("samples queries keys", [
            "attention of shape (3, 5, 5): taken as samples queries keys"]))
        padded = np.broadcast_to(np.where(np.arange(5) < np.array([5, 3, 4])[:, None], 1, 0)[:, None], (3, 5, 5))
        self.assertEqual(self.taken((padded / padded.sum(-1, keepdims=True)).astype("f4"))[0], "samples queries keys")
        heads_behind = {"hook_q": rows(2, 5, 3, 4), "hook_k": rows(2, 5, 3, 4)}
        self.assertEqual(self.taken(heads_behind, tokens=[list("abcde")] * 2)[:2],
                         ("samples heads queries features", (2, 3, 5, 4)))
        self.assertEqual(self.taken({"query_states": rows(2, 3, 5, 4), "key_states": rows(2, 3, 5, 4),
                                     "attention_mask": np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])})[:2],
                         ("samples heads queries features", (2, 3, 5, 4)))

    def test_what_is_said_is_taken(self):
        axes, shape, said = self.taken(weights(3, 5, 5), axes={"attention": "samples queries keys"})
        self.assertEqual((axes, shape, said), ("samples queries keys", (3, 5, 5), []))

    def test_lists_are_layers(self):
        self.assertEqual(self.taken([weights(2, 3, 5, 5)] * 4, tokens=[list("abcde")] * 2),
                         ("samples layers heads queries keys", (2, 4, 3, 5, 5), []))
        self.assertEqual(self.taken([weights(3, 5, 5)] * 4, tokens=list("abcde")),
                         ("layers heads queries keys", (4, 3, 5, 5), []))


class MasksTest(unittest.TestCase):
    n = 6
    triangle = np.tri(6, dtype=bool)
    band = np.abs(np.subtract.outer(np.arange(6), np.arange(6))) < 2
    segments = np.equal.outer([0, 0, 1, 1, 1, 2], [0, 0, 1, 1, 1, 2])
    lists = np.arange(6) < np.array([[6], [4]])
    left = np.arange(6) >= np.array([[0], [2]])

    def visible(self, name, mask, samples=2, **keywords):
        """Visible cells, (samples or 1, queries, keys), and the warnings."""
        q, k = rows(1, samples, 3, self.n, 4), rows(1, samples, 3, self.n, 4)
        axes = {letter: f"layers samples heads {ends} features" for letter, ends in (("q", "queries"), ("k", "keys"))}
        found, said = read({"q": q, "k": k, name: mask}, axes=axes, **keywords)
        if "mask" not in found.arrays:
            return None, said
        array = found.arrays["mask"]
        self.assertEqual(set(array.axes) - {"samples", "queries", "keys"}, set())
        shape = array.shape if "samples" in array.axes else (1, *array.shape)
        return numbers(found, "mask").reshape(shape), said

    def test_both_polarities_of_masks_whose_name_says_nothing(self):
        for pattern in (self.triangle, self.band, self.segments, self.lists, self.triangle & self.band):
            expected = pattern[None] if len(pattern) == self.n else np.repeat(pattern[:, None], self.n, 1)
            for true_hides in (False, True):
                for kind in (bool, np.int64, np.float32):
                    found, _ = self.visible("attn_mask", (pattern != true_hides).astype(kind))
                    np.testing.assert_array_equal(found, expected)

    def test_names_that_say_what_true_means(self):
        for name, true_hides in (("key_padding_mask", True), ("src_key_padding_mask", True), ("attention_mask", False),
                                 ("encoder_padding_mask", True), ("input_mask", False), ("valid_mask", False)):
            for pattern in (self.lists, self.left):
                found, said = self.visible(name, pattern != true_hides)
                np.testing.assert_array_equal(found, np.repeat(pattern[:, None], self.n, 1), name)
                self.assertFalse(said, said)

    def test_a_name_that_the_numbers_contradict_is_said(self):
        found, said = self.visible("attention_mask", ~self.triangle)
        np.testing.assert_array_equal(found, self.triangle[None])

    def test_padding_of_tokens(self):
        tokens = [["a"] * 6, ["a"] * 4 + ["[PAD]"] * 2]
        for name in ("attn_mask", "padding_mask", "m"):
            for true_hides in (False, True):
                found, said = self.visible(name, self.lists != true_hides, tokens=tokens)
                np.testing.assert_array_equal(found, np.repeat(self.lists[:, None], self.n, 1))
                self.assertFalse(said, said)

    def test_weights_decide(self):
        given = np.where(self.band, 1, 0) / self.band.sum(1, keepdims=True)
        for mask in (self.band, ~self.band):
            found, said = read({"attn": given, "m": mask})
            np.testing.assert_array_equal(numbers(found, "mask"), self.band)
        found, said = read({"attn": weights(6, 6), "m": ~self.band & False})
        self.assertTrue(numbers(found, "mask").all())

    def test_floats(self):
        for low in (-1e4, -1e9, -np.inf, np.finfo("f4").min):
            added = np.where(self.triangle, 0, low)
            found, _ = read({"q": rows(6, 4), "k": rows(6, 4), "attn_mask": added})
            np.testing.assert_array_equal(numbers(found, "bias"), added.astype("f4"))
        found, said = read({"q": rows(6, 4), "k": rows(6, 4), "attn_mask": rows(6, 6)})
        self.assertEqual(set(found.arrays), {"q", "k"})
        self.assertTrue(any("neither 0 and 1 nor 0 and large and negative" in text for text in said))
        found, _ = read({"q": rows(6, 4), "k": rows(6, 4), "position_bias": rows(6, 6)})
        np.testing.assert_array_equal(numbers(found, "bias"), rows(6, 6))
        for name in ("mask", "hidden", "attn_mask"):
            with self.assertRaisesRegex(ValueError, "bias= adds"):
                document(q=rows(6, 4), k=rows(6, 4), **{name: rows(6, 6)})

    def test_open_masks_are_refused_with_both_calls(self):
        for mask in (np.array([[1, 0, 1, 0, 1, 0], [0, 1, 0, 1, 0, 1]], bool),
                     np.array([[0, 1, 1, 0, 0, 1], [1, 0, 0, 1, 1, 0]], int)):
            for name in ("attn_mask", "self_attn_mask", *(["m"] if mask.dtype == bool else [])):
                with self.assertRaisesRegex(ValueError, f"{name} of shape .2, 6. may hide or attend.*use mask=… if "
                                                        "true attends, or hidden=… if true hides"):
                    self.visible(name, mask)
            with self.assertRaisesRegex(ValueError, "mask of shape .2, 6. may hide or attend"):  # leans by one point
                self.visible("mask", mask)
    def test_words_choose(self):
        odd = np.array([[1, 0, 1, 0, 1, 0]] * 6, bool)
        for keywords, expected in (({"mask": odd}, odd), ({"hidden": odd}, ~odd)):
            found, said = read(q=rows(6, 4), k=rows(6, 4), **keywords)
            np.testing.assert_array_equal(numbers(found, "mask"), expected)
            self.assertFalse(said)
        with self.assertRaisesRegex(ValueError, "mask is given twice: by mask and by hidden"):
            document(q=rows(6, 4), k=rows(6, 4), mask=odd, hidden=odd)

    def test_keywords_that_do_not_fit_are_refused(self):
        with self.assertRaisesRegex(ValueError, "attn_mask: its shape .3, 9. does not fit 6 queries and 6 keys"):
            document(q=rows(6, 4), k=rows(6, 4), attn_mask=np.ones((3, 9), bool))

    def test_masks_of_many_samples_are_not_repeated_in_memory(self):
        lists = np.arange(4096) >= 4096 - np.arange(1, 65)[:, None] * 8
        q = np.zeros((64, 1, 4096, 1), "f4")
        found, _ = read(q=[q], k=[q], key_padding_mask=lists)
        array = found.arrays["mask"]
        self.assertEqual(array.shape, (64, 4096, 4096))
        self.assertTrue(all(part().base is not None for part in array.parts))
        np.testing.assert_array_equal(array.parts[3]()[17], ~lists[3])

    def test_masks_too_large_to_look_at_are_refused(self):
        large = np.broadcast_to(np.zeros((), bool), (9000, 9000))
        q = np.broadcast_to(np.zeros((), "f4"), (9000, 2))
        with self.assertRaisesRegex(ValueError, "attn_mask of shape .9000, 9000. is too large.*use mask=…"):
            document(q=q, k=q, attn_mask=large)
        document(q=q, k=q, mask=large)

    def test_a_mask_that_is_said_tells_the_samples(self):
        found, said = read(weights(3, 5, 5), hidden=np.arange(5) > np.array([[4], [3], [2]]))
        self.assertEqual((found.arrays["attention"].axes[0], found.arrays["mask"].shape), ("samples", (3, 5, 5)))

    def test_two_masks_are_one(self):
        q = rows(2, 1, 6, 4)
        found, _ = read(q=[q], k=[q], attn_mask=~self.triangle, key_padding_mask=~self.lists)
        np.testing.assert_array_equal(numbers(found, "mask"), self.triangle & self.lists[:, None])
        found, _ = read(q=[q], k=[q], mask=self.triangle, key_padding_mask=~self.lists)
        np.testing.assert_array_equal(numbers(found, "mask"), self.triangle & self.lists[:, None])


class RandomFiles:
    """Files of arrays of known meaning."""

    def __init__(self, seed):
        self.random = random = np.random.default_rng(seed)
        pick = self.pick = lambda *all_of: all_of[int(random.integers(len(all_of)))]
        l, s, h = (int(random.integers(2, 5)) for _ in range(3))
        n = int(random.integers(5, 11))
        self.order = pick("hqk", "sqk", "lhqk", "shqk", "sqhk", "lshqk", "slhqk", "qk")
        self.is_rows = random.random() < 0.5
        extents = {"l": l, "s": s if random.random() < 0.6 else 1, "h": h, "q": n, "k": n}
        if self.is_rows:
            self.order = pick("hqk", "qhk", "shqk", "sqhk", "lhqk")
            extents["k"] = 4
        self.sizes = {letter: extents[letter] if letter in self.order else 1 for letter in "lshqk"}
        self.n = n
        shape = tuple(extents[letter] for letter in self.order)
        self.causal = random.random() < 0.4
        samples = self.sizes["s"]
        self.lengths = [n] + [int(random.integers(2, n)) for _ in range(samples - 1)]
        random.shuffle(self.lengths)
        self.padded = samples > 1 and random.random() < 0.5
        self.arrays = {}
        names = pick(("q", "k"), ("query", "key"), ("hook_q", "hook_k")) if self.is_rows else (pick(
            "attention", "attn", "attn_output_weights", "weights", "x"),)
        if self.is_rows and names[0] == "hook_q" and "qh" not in self.order:
            names = "q", "k"
        for name in names:
            self.arrays[name] = random.standard_normal(shape).astype("f4") if self.is_rows else self.weights(shape)
        if random.random() < 0.4:
            lists = [[f"t{place}" for place in range(n)]] * samples
            self.arrays["tokens"] = np.array(lists if samples > 1 else lists[0])
        self.visible = np.ones((samples, n, n), bool)
        if random.random() < 0.6:
            self.add_mask()
        for name in ("loss", "labels", "special_tokens_mask", "temperature"):
            if random.random() < 0.2:
                self.arrays[name] = np.ones((1, n), int)
        order = list(self.arrays)
        random.shuffle(order)
        self.arrays = {name: self.arrays[name] for name in order}

    def name_of(self, keyword):
        """The array that a keyword was made of."""
        return next(name for name in self.arrays if name == keyword or name.endswith(keyword) or
                    (keyword == "q" and name == "query") or (keyword == "attention" and name in (
                        "attn", "attn_output_weights", "weights", "x")))

    def hidden(self):
        hidden = np.zeros((self.sizes["s"], self.n, self.n), bool)
        if self.causal:
            hidden |= ~np.tri(self.n, dtype=bool)
        if self.padded:
            hidden |= (np.arange(self.n) >= np.array(self.lengths)[:, None])[:, None]
        return hidden

    def weights(self, shape):
        hidden = self.hidden()
        whole = self.random.random((self.sizes["l"], self.sizes["s"], self.sizes["h"], self.n, self.n)) + 0.05
        whole = np.where(hidden[None, :, None], 0, whole)
        whole /= whole.sum(-1, keepdims=True)
        place = ["lshqk".index(letter) for letter in self.order]
        rest = [axis for axis in range(5) if axis not in place]
        return np.ascontiguousarray(whole.transpose(rest + place).reshape(shape).astype("f4"))

    def add_mask(self):
        name = self.pick("attn_mask", "mask", "m", "causal_mask")
        visible = np.tri(self.n, dtype=bool)
        if self.padded and self.pick(True, False):
            name = self.pick("key_padding_mask", "attention_mask", "padding_mask", "attn_mask")
            visible = np.arange(self.n) < np.array(self.lengths)[:, None]
            self.visible &= visible[:, None]
        elif not self.is_rows and not self.causal:
            return
        else:
            self.visible &= visible
        hides = name == "key_padding_mask" or (name != "attention_mask" and self.pick(True, False))
        self.arrays[name] = (visible != hides).astype(self.pick(bool, int, "f4"))


class RandomFilesTest(unittest.TestCase):
    def test_nothing_is_wrong_in_silence(self):
        silent, refused, count = [], 0, 500
        for seed in range(count):
            made = RandomFiles(seed)
            try:
                found, said = read(made.arrays)
            except ValueError as error:
                self.assertRegex(str(error), "can be read in|may hide or attend", made.arrays.keys())
                refused += 1
                continue
            array = found.arrays["q" if made.is_rows else "attention"]
            right = all((array.extent(axis) or 1) == made.sizes[axis[0]] for axis in ("samples", "layers", "heads"))
            if "mask" in found.arrays:
                mask = numbers(found, "mask").reshape(-1, made.n, made.n)
                right = right and len(mask) in (1, len(made.visible)) and bool((mask == made.visible).all())
            if not right and not [text for text in said if not text.startswith("not used")]:
                silent.append((seed, made.order, {name: value.shape for name, value in made.arrays.items()}))
            for name in made.arrays.keys() & {"loss", "labels", "special_tokens_mask", "temperature"}:
                self.assertIn(name, " ".join(text for text in said if text.startswith("not used")))
        self.assertEqual(silent, [])
        self.assertLess(refused, count // 4)


@unittest.skipUnless(SHARED.exists(), f"{SHARED} is not there")
class InputsTest(unittest.TestCase):
    def load(self, name):
        return np.load(SHARED / name)

    def test_masks(self):
        found, said = read(self.load("attn_mask.npz"), axes={"q": "heads queries features", "k": "heads keys features",
                                                             "v": "heads keys features"})
        np.testing.assert_array_equal(numbers(found, "mask"), np.tri(5, dtype=bool))
        found, said = read(self.load("special_tokens_mask.npz"))
        self.assertNotIn("mask", found.arrays)
        self.assertTrue(any("special_tokens_mask (no mask of attention)" in text for text in said))

    def test_axes(self):
        found, said = read(self.load("esm.npz"))
        self.assertEqual(found.arrays["attention"].shape, (6, 4, 7, 7))
        for name in ("torch-attn_output_weights.npz", "averaged-batch.npy"):
            found, said = read(self.load(name))
            self.assertTrue(any("as well axes=" in text for text in said), said)

    def test_layers(self):
        found, _ = read(self.load("layer0_attn.npz"))
        self.assertEqual(found.arrays["attention"].shape, (12, 4, 6, 6))
        found, _ = read(self.load("arr_N.npz"))
        self.assertAlmostEqual(float(numbers(found, "attention")[10, 2, 5, 3]), 0.088468, 6)
        self.assertAlmostEqual(float(numbers(found, "attention")[2, 2, 5, 3]), 0.564900, 6)

    def test_json(self):
        for name in ("attention_weights.json", "source-target.json", "one-row.json"):
            given = json.loads((SHARED / name).read_text())
            found, _ = read({key: value for key, value in given.items() if key not in ("title",)})
            self.assertIn("attention", found.arrays, name)
        self.assertEqual(found.metadata["key_tokens"], ["Hello", "world"])


if __name__ == "__main__":
    unittest.main()
