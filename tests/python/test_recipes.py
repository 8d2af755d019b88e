"""The recipes of the documentation, run on stand-ins whose arrays have the shapes of the libraries'."""

import contextlib
import io
import os
import re
from pathlib import Path

import numpy as np

from support import SOURCE, FolderCase, Tensor, rows, weights

import attnscope
from test_inputs import Cache, Output


class Encoding(dict):
    """An output of a tokenizer: arrays of one or two samples."""

    def tokens(self, sample=0):
        return [f"Ġ{number}" for number in self["input_ids"].__array__()[sample]]


class Ids(Tensor):
    def __init__(self, array):
        super().__init__(array, on_gpu=False, requires_grad=False)

    def __getitem__(self, index):
        return Ids(self._array[index])


class Tokenizer:
    def __call__(self, text=None, text_target=None, padding=False, return_tensors="np"):
        ids = np.arange(4)[None] if text_target else np.arange(6).reshape((2, 3) if padding else (1, 6))
        mask = np.array([[1, 1, 0], [1, 1, 1]]) if padding else np.ones_like(ids)
        return Encoding(input_ids=Ids(ids), attention_mask=Ids(mask))

    def convert_ids_to_tokens(self, ids):
        return [f"Ġ{number}" for number in ids.__array__()]


class Model:
    """A decoder with two layers of four heads, its cache and its translations."""

    @classmethod
    def from_pretrained(cls, name, attn_implementation):
        assert attn_implementation == "eager"
        return cls()

    def __call__(self, input_ids, attention_mask, output_attentions, decoder_input_ids=None):
        samples, n = input_ids.shape
        if decoder_input_ids is None:
            return self.output(attentions=self.layers(samples, n, n))
        rows_of = decoder_input_ids.shape[1]
        return self.output(encoder_attentions=self.layers(1, n, n), cross_attentions=self.layers(1, rows_of, n),
                           decoder_attentions=self.layers(1, rows_of, rows_of))

    def generate(self, input_ids, attention_mask, return_dict_in_generate, output_attentions, num_beams=1,
                 output_scores=False):
        steps = (self.layers(num_beams, 6, 6), self.layers(num_beams, 1, 7), self.layers(num_beams, 1, 8))
        beams = {"sequences_scores": np.zeros(1), "beam_indices": np.array([[0, 3, 1]])} if output_scores else {}
        return self.output(sequences=Ids(np.arange(9)[None]), attentions=steps, **beams)

    def run_with_cache(self, text, names_filter):
        cache = {f"blocks.{layer}.attn.hook_{name}": Tensor(rows(1, 3, heads, 8)) for layer in range(2)
                 for name, heads in (("q", 4), ("rot_q", 4), ("rot_k", 2), ("v", 2))}
        return None, Cache({name: value for name, value in cache.items() if names_filter(name)})

    def to_str_tokens(self, text):
        return ["The", " cat", " sat"]

    to_tokens = to_str_tokens

    @staticmethod
    def layers(*shape):
        return tuple(Tensor(weights(shape[0], 4, *shape[1:])) for _ in range(2))

    @staticmethod
    def output(**arrays):
        output = Output(arrays)
        for name, value in arrays.items():
            setattr(output, name, value)
        return output


def capture_attention(model, tokens, layers):
    return {layer: {"scores": Tensor(rows(4, 3, 3)), "probs": Tensor(weights(4, 3, 3)), "value": Tensor(rows(3, 2, 8))}
            for layer in layers}


class RecipesTest(FolderCase):
    def test_recipes_run_and_are_short(self):
        self.use_stub(**{"export": {"out": "<svg>"}, "info": {"out": '{"measures": []}'},
                         "export --help --all": {"out": "  --head N\n  --minus-head N\n  --width X\n"}})
        attnscope.window.PATIENCE = 0.05
        os.chdir(self.folder)
        self.addCleanup(os.chdir, SOURCE)
        names = {"attnscope": attnscope, "AutoModel": Model, "tokenizer": Tokenizer(), "translator": Model(),
                 "capture_attention": capture_attention, "Path": Path,
                 "q": Tensor(rows(9, 4, 8)), "k": Tensor(rows(12, 2, 8)), "v": Tensor(rows(12, 2, 8)),
                 "cu_seqlens_q": np.array([0, 4, 9], np.int32), "cu_seqlens_k": np.array([0, 7, 12], np.int32),
                 "query": Tensor(rows(2, 4, 5, 8)), "key": Tensor(rows(2, 4, 5, 8)), "value": Tensor(rows(2, 4, 5, 8)),
                 "attn_mask": np.ones((5, 5), bool)}
        text = (SOURCE / "docs/PYTHON.md").read_text()
        recipes = text[text.index("\n## Recipes"):]
        recipes = recipes[:recipes.index("\n## ", 4)]
        shown = []
        for recipe in re.findall(r"```python\n(.*?)```", recipes, re.DOTALL):
            self.assertLessEqual(recipe.count("\n"), 6, recipe)
            with self.subTest(recipe), contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(recipe, names)
            shown += [attnscope.load(line.split()[-1]) for line in printed.getvalue().splitlines()]
        shapes = [{name: array.shape for name, array in found.items() if hasattr(array, "shape")} for found in shown]
        self.assertEqual(shapes, [
            {"attention": (2, 4, 6, 6)}, *[{"attention": (2, 4, 8, 8), "input_ids": (8,)}] * 2,
            {"attention": (2, 2, 4, 3, 3), "mask": (2, 3, 3)},
            {"encoder_attention": (2, 4, 6, 6), "decoder_attention": (2, 4, 4, 4), "cross_attention": (2, 4, 4, 6)},
            {"q": (2, 4, 3, 8), "k": (2, 2, 3, 8), "v": (2, 2, 3, 8)}, {"attention": (2, 4, 3, 3)},
            {"q": (2, 4, 5, 8), "k": (2, 2, 7, 8), "v": (2, 2, 7, 8), "mask": (2, 5, 7)},
            {"q": (2, 1, 4, 5, 8), "k": (2, 1, 4, 5, 8), "v": (2, 1, 4, 5, 8), "mask": (5, 5)}])
        self.assertEqual(shown[1]["tokens"][0], "Ġ0")
        self.assertEqual(shown[6]["layers"], [10, 20])
        self.assertTrue((self.folder / "difference.pdf").exists())
