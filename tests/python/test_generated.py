"""Outputs of generate() with beams: each sequence has the maps of its own hypothesis, or the call is refused."""

import collections
import unittest

import numpy as np

from support import Tensor

import attnscope
from attnscope.document import document


def softmax(scores):
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


class Output(collections.OrderedDict):
    """An output of generate() with a search by beams."""


class Search:
    """A search with beams of a model of random embeddings, in float64: its steps, and the maps of what it chose.

    Rows of a step are (samples · beams); a row continues a row of the step before, of the same sample.
    """

    layers, heads, width = 2, 3, 4

    def __init__(self, seed, samples=2, beams=3, prompt=4, steps=5, returned=1, ends=(), source=0):
        self.random = np.random.default_rng(seed)
        self.table = self.random.standard_normal((self.layers, self.heads, 50, self.width))
        self.memory = self.random.standard_normal((self.layers, samples, self.heads, source, self.width))
        self.beams, self.prompt, self.source = beams, prompt, source
        prompts = self.random.integers(0, 50, (samples, prompt)).tolist()
        rows = [list(prompts[row // beams]) for row in range(samples * beams)]
        paths = [[] for _ in rows]  # the row of each step that a hypothesis came of
        self.attentions, self.crosses, last = [], [], 0
        for step in range(steps):
            self.attentions.append(tuple(np.stack([self.whole(row, layer)[:, last:] for row in rows])
                                         for layer in range(self.layers)))
            self.crosses.append(tuple(np.stack([self.across(row, layer, number // beams)[:, last:]
                                                for number, row in enumerate(rows)]) for layer in range(self.layers)))
            last = len(rows[0])
            parents = [row // beams * beams + int(self.random.integers(beams)) for row in range(len(rows))]
            paths = [[*paths[parent], parent] for parent in parents]
            rows = [[*rows[parent], int(self.random.integers(50))] for parent in parents]
        chosen = [sample * beams + each for sample in range(samples) for each in range(returned)]
        self.lengths = [prompt + steps - (ends[number] if number < len(ends) else 0) for number in range(len(chosen))]
        self.histories = [rows[row][:length] for row, length in zip(chosen, self.lengths)]
        self.indices = np.full((len(chosen), steps), -1)
        for number, row in enumerate(chosen):
            self.indices[number, :self.lengths[number] - prompt] = paths[row][:self.lengths[number] - prompt]
        self.sequences = np.array([[*history, *[0] * (max(self.lengths) - len(history))] for history in self.histories])

    def whole(self, tokens, layer):
        """Causal weights (heads, n, n) of a history."""
        rows = self.table[layer][:, tokens]
        scores = rows @ rows.swapaxes(1, 2)
        return softmax(np.where(np.tri(len(tokens), dtype=bool), scores, -np.inf))

    def across(self, tokens, layer, sample):
        """Weights (heads, n, source) over the encoder."""
        if not self.source:
            return np.zeros((self.heads, len(tokens), 0))
        return softmax(self.table[layer][:, tokens] @ self.memory[layer, sample].swapaxes(1, 2))

    def encoder(self, repeat=1):
        return tuple(np.repeat(softmax(memory @ memory.swapaxes(-1, -2)), repeat, 0) for memory in self.memory)

    def padded(self, maps, columns):
        """Maps of histories without their last token, filled up with zeros."""
        rows = max(self.lengths) - 1
        return np.stack([np.pad(one[..., :columns], ((0, 0), (0, 0), (0, rows - one.shape[2]),
                                                     (0, columns - min(columns, one.shape[3])))) for one in maps])

    def expected(self, columns=None):
        """(sequences, layers, heads, queries, keys)"""
        maps = [np.stack([self.whole(history[:-1], layer) for layer in range(self.layers)])
                for history in self.histories]
        return self.padded(maps, columns or max(self.lengths) - 1)

    def expected_across(self):
        returned = len(self.histories) // len(self.memory[0])
        maps = [np.stack([self.across(history[:-1], layer, number // returned) for layer in range(self.layers)])
                for number, history in enumerate(self.histories)]
        return self.padded(maps, self.source)

    def output(self, **others):
        return Output(sequences=self.sequences, sequences_scores=np.zeros(len(self.sequences)),
                      attentions=tuple(self.attentions), **others)


def numbers(found, name):
    array = found.arrays[name]
    flat = np.concatenate([part().reshape(-1) for part in array.parts]).reshape(array.shape)
    return flat if "samples" in array.axes else flat[None]


class BeamsTest(unittest.TestCase):
    def test_each_sequence_has_the_rows_of_its_hypothesis(self):
        for seed in range(12):
            search = Search(seed, samples=1 + seed % 3, beams=2 + seed % 4, prompt=1 + seed % 5, steps=2 + seed % 6,
                            returned=1 + seed % 2)
            with self.subTest(seed):
                found = document(search.output(beam_indices=search.indices))
                np.testing.assert_allclose(numbers(found, "attention"), search.expected(), atol=1e-12)
                np.testing.assert_array_equal(numbers(found, "input_ids"), search.sequences[:, :-1])

    def test_sequences_that_end_before_others(self):
        for ends in ((2, 0), (0, 3), (1, 1), (4, 1)):
            search = Search(3, ends=ends)
            found = document(search.output(beam_indices=search.indices))
            np.testing.assert_allclose(numbers(found, "attention"), search.expected(), atol=1e-12)
            if ends[0] != ends[1]:  # what comes after an end is hidden
                seen = np.arange(max(search.lengths) - 1) < np.array(search.lengths)[:, None] - 1
                np.testing.assert_array_equal(numbers(found, "mask"), np.repeat(seen[..., None], seen.shape[1], 2))

    def test_indices_by_their_keyword_and_of_other_libraries(self):
        search = Search(4)
        lists = [["a"] * search.sequences.shape[1]] * 2
        for indices in (search.indices, search.indices.tolist(), tuple(map(tuple, search.indices.tolist())),
                        Tensor(search.indices), search.indices.astype(np.int32)):
            found = document(tuple(search.attentions), beam_indices=indices, tokens=lists)
            np.testing.assert_allclose(numbers(found, "attention"), search.expected(), atol=1e-12)
        layers = tuple(tuple(map(Tensor, step)) for step in search.attentions)
        np.testing.assert_allclose(numbers(document(layers, beam_indices=search.indices), "attention"),
                                   search.expected(), atol=1e-12)

    def test_encoder_and_decoder(self):
        for seed, repeat in ((5, 1), (6, 3)):
            search = Search(seed, prompt=1, source=6, returned=2, ends=(0, 2, 1, 0))
            output = Output(sequences=search.sequences, sequences_scores=np.zeros(4), beam_indices=search.indices,
                            encoder_attentions=search.encoder(repeat), decoder_attentions=tuple(search.attentions),
                            cross_attentions=tuple(search.crosses))
            found = document(output)
            np.testing.assert_allclose(numbers(found, "decoder_attention"), search.expected(), atol=1e-12)
            np.testing.assert_allclose(numbers(found, "cross_attention"), search.expected_across(), atol=1e-12)
            encoder = np.stack(search.encoder(), 1)[[0, 0, 1, 1]]
            np.testing.assert_allclose(numbers(found, "encoder_attention"), encoder, atol=1e-12)

    def test_several_sequences_of_a_sample_without_beams(self):
        search = Search(14, samples=4, beams=1, prompt=1, source=6)
        encoder = [layer[[0, 2]] for layer in search.encoder()]
        found = document(Output(sequences=search.sequences, decoder_attentions=tuple(search.attentions),
                                cross_attentions=tuple(search.crosses), encoder_attentions=tuple(encoder)))
        np.testing.assert_allclose(numbers(found, "encoder_attention"), np.stack(encoder, 1)[[0, 0, 1, 1]], atol=1e-12)
        with self.assertRaisesRegex(ValueError, "encoder_attention has 3 samples, and a step of generate.. 4 rows"):
            document(Output(sequences=search.sequences, decoder_attentions=tuple(search.attentions),
                            cross_attentions=tuple(search.crosses),
                            encoder_attentions=tuple(layer[:3] for layer in search.encoder())))

    def test_one_sequence_has_no_axis_of_samples(self):
        search = Search(7, samples=1)
        found = document(search.output(beam_indices=search.indices), tokens=["a"] * 9)
        self.assertEqual(" ".join(found.arrays["attention"].axes), "layers heads queries keys")
        np.testing.assert_allclose(numbers(found, "attention"), search.expected(), atol=1e-12)

    def refused(self, text, *arguments, **keywords):
        with self.subTest(text), self.assertRaisesRegex((ValueError, TypeError), text) as caught:
            document(*arguments, **keywords)
        self.assertNotIn("pass its attentions alone", str(caught.exception))

    def test_beams_without_their_indices_are_refused(self):
        asked = r"beam_indices=outputs.beam_indices.*num_beams=1"
        for samples, returned in ((1, 1), (2, 1), (2, 3)):
            search = Search(8, samples=samples, returned=returned)
            steps, count = tuple(search.attentions), search.sequences.shape[1]
            self.refused(asked, search.output())
            self.refused(asked, type("BeamSearchDecoderOnlyOutput", (Output,), {})(attentions=steps))
            self.refused(asked, steps)  # the rows of a beam begin alike
            self.refused(asked, steps, tokens=["a"] * count)
            if returned == 1:
                self.refused(asked, steps, tokens=[["a"] * count] * samples)
                self.refused(asked, steps, input_ids=search.sequences)
                self.refused(asked, Output(attentions=steps, sequences=search.sequences))
        search = Search(9, prompt=1, source=5)
        self.refused(asked, Output(cross_attentions=tuple(search.crosses)))

    def test_samples_are_no_beams(self):
        search = Search(10, samples=3, beams=1)
        for keywords in ({}, {"tokens": [["a"] * 9] * 3}, {"input_ids": search.sequences}):
            found = document(tuple(search.attentions), **keywords)
            np.testing.assert_allclose(numbers(found, "attention"), search.expected(), atol=1e-12)

    def test_beams_that_point_nowhere(self):
        search = Search(11)

        def refused(text, change):
            indices = search.indices.copy()
            self.refused(text, search.output(beam_indices=change(indices)))

        def put(row, step, value):
            def change(indices):
                indices[row, step] = value
                return indices
            return change

        refused(r"have row 6 in step 2 of sequence 1, and attention has 6 rows", put(1, 2, 6))
        refused(r"beam_indices of sequence 0 are .*-1 only after the end", put(0, 1, -1))
        refused(r"beam_indices of sequence 1 are", put(1, 0, -1))
        refused(r"beam_indices have 6 steps, and attention 5", lambda indices: np.pad(indices, ((0, 0), (0, 1))))
        refused(r"expected whole numbers of \(sequences, steps\)", lambda indices: indices.astype(float))
        refused(r"expected whole numbers of \(sequences, steps\)", lambda indices: indices[0])
        refused(r"expected whole numbers of \(sequences, steps\)", lambda indices: indices[:, :0])
        refused(r"expected lists of equal lengths", lambda indices: [[0, 1], [0]])
        refused(r"expected lists of equal lengths", lambda indices: 3)
        self.refused("belong to the steps of generate", np.ones((2, 3, 4, 4)), beam_indices=search.indices)
        self.refused("beam_indices are of 1 sequences, and there are 2", search.output(beam_indices=search.indices[:1]))

    def test_padding_after_all_have_ended(self):
        search = Search(12, ends=(1, 2))
        padded = np.pad(search.indices, ((0, 0), (0, 3)), constant_values=-1)
        found = document(search.output(beam_indices=padded))
        np.testing.assert_allclose(numbers(found, "attention"), search.expected(), atol=1e-12)

    def test_saved(self):
        import tempfile
        search = Search(13)
        with tempfile.TemporaryDirectory() as folder:
            attnscope.save(f"{folder}/a.safetensors", search.output(beam_indices=search.indices))
            np.testing.assert_allclose(attnscope.load(f"{folder}/a.safetensors")["attention"], search.expected(),
                                       atol=1e-12)


if __name__ == "__main__":
    unittest.main()
