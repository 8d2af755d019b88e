"""Figures and numbers, by a stand-in of the program and by the program itself."""

import importlib.util
import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

from support import SOURCE, FolderCase, rows, weights

import attnscope
from attnscope.program import find_program

ENCODER = SOURCE / "assets/models/pronoun-encoder"
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000009600000088808020000") + bytes(5) + b"\0\0\0\tpHYs" + \
    bytes.fromhex("00002e2300002e2301")
ALL = """Usage: attnscope export FILE [options]

Options:
  -h, --help                Print this help
  --plot NAME               What to draw
  --part ROW,COL,ROWS,COLS  Only a part
  --pin ROW,COL             Marks a cell
  --reference FILE          Another document
  --head N                  Head
  --colormap NAME           Colour map
  --[no-]values             Numbers
  --[no-]axes               Titles
  --layers TEXT             Layers
  --least X                 Smallest weight
  --title TEXT              Title
"""
HEATMAP = """heatmap: One stage of one head

Example: attnscope export example:i-love-cats -o scores.png --plot heatmap --stage scores

Options [with defaults where the document's view says nothing else]:
  --head NUMBERS          Head [0], and not
                          --width
  --colormap NAME         Colour map
  --[no-]values           Numbers [on]
  --title, --[no-]notes
                          As of every plot: attnscope export --help
"""
MEASURES = {"measures": [
    {"layer": 0, "head": 0, "entropy": 0.5, "induction": None, "labels": ["local", "first_token"], "row_entropy": [1]},
    {"layer": 0, "head": 1, "entropy": None, "induction": 0.25, "labels": [], "row_entropy": [1]}]}


class StubTest(FolderCase):
    def use_figures(self, **answers):
        self.use_stub(**{"export": {"out": "<svg>"}, "export --help --all": {"out": ALL},
                         "export --help --plot": {"out": HEATMAP}, **answers})

    def test_notebooks_show_svg_and_png(self):
        self.use_figures()
        figure = attnscope.figure(weights(4, 4), tokens=list("abcd"))
        self.assertEqual(figure._repr_svg_(), "<svg>")
        self.use_figures(export={"hex": PNG.hex()})
        self.assertEqual(figure._repr_png_(), (PNG, {"width": 768, "height": 699}))  # 2400 dots, 300 per inch
        self.assertEqual(figure._repr_svg_(), "<svg>")
        self.assertEqual([call[3] for call in self.calls()], ["svg", "png"])

    def test_arrays_are_there_as_long_as_the_figure(self):
        self.use_figures()
        figure = attnscope.figure(weights(4, 4), tokens=list("abcd"), title="Cats")
        (call,) = self.calls()[-1:]
        self.assertEqual(attnscope.load(call[1])["tokens"], list("abcd"))
        del figure
        self.assertFalse(os.path.exists(call[1]))

    def test_options_become_flags(self):
        self.use_figures()
        for options, flags in (
            ({"head": 3, "colormap": "grey"}, ["--head=3", "--colormap=grey"]), ({"values": False}, ["--no-values"]),
            ({"values": True, "axes": False}, ["--values", "--no-axes"]), ({"layers": [0, 2]}, ["--layers=0,2"]),
            ({"layers": range(2)}, ["--layers=0,1"]),
            ({"plot": "links", "least": 0.3}, ["--plot", "links", "--least=0.3"]),
            ({"part": (0, 0, 4, 4)}, ["--part=0,0,4,4"]), ({"pin": [(0, 1), (2, 2)]}, ["--pin=0,1", "--pin=2,2"]),
            ({"title": "-h", "head": None}, ["--title=-h"]), ({"head": np.int64(2)}, ["--head=2"]),
        ):
            with self.subTest(options=options):
                attnscope.figure("example:four-heads", **options)
                self.assertEqual(self.calls()[-1],
                                 ["export", "example:four-heads", *flags, "--format", "svg", "-o", "-"])

    def test_arrays_have_axes_and_references_too(self):
        self.use_figures()
        figure = attnscope.figure(weights(4, 3), axes={"attention": "keys queries"}, reference=weights(3, 4))
        call = self.calls()[-1]
        self.assertEqual(attnscope.load(call[1])["attention"].shape, (3, 4))
        self.assertEqual(attnscope.load(call[call.index("--reference") + 1])["attention"].shape, (3, 4))
        del figure

    def test_unknown_options_are_refused_with_those_that_exist(self):
        self.use_figures()
        with self.assertRaisesRegex(TypeError, "no option colourmap; did you mean colormap. The heatmap plot has head, "
                                               "colormap, values, title, notes$"):
            attnscope.figure("a.json", colourmap="grey")
        with self.assertRaisesRegex(TypeError, "no option width. The links plot has head, "):
            attnscope.figure("a.json", plot="links", width=3)
        self.assertEqual(self.calls()[-2:], [["export", "--help", "--all"], ["export", "--help", "--plot", "links"]])
        with self.assertRaisesRegex(TypeError, "no option help"):
            attnscope.figure("a.json", help=True)
        with self.assertRaisesRegex(TypeError, "takes no tokens"):
            attnscope.figure("a.json", tokens=["a"])

    def test_what_the_program_refuses_is_said(self):
        self.use_figures(export={"code": 3, "err": "attnscope: error: a.json: the file does not exist\n"})
        with self.assertRaisesRegex(attnscope.AttnScopeError, "^a.json: the file does not exist$"):
            attnscope.figure("a.json")

    def test_errors_are_said_without_notes_and_without_files_that_nobody_knows(self):
        self.use_stub(compute={"code": 2, "err": "attnscope: a.npz: 2 heads of 3 × 3\nattnscope: error: no head 9\n"})
        with self.assertRaisesRegex(attnscope.AttnScopeError, "^no head 9$"):
            attnscope.compute("a.npz", head=9)
        program = self.folder / "stub"
        program.write_text('#!/bin/sh\necho "attnscope: error: $2: the file is too large" >&2\nexit 3\n')
        for call in (attnscope.compute, attnscope.measures, attnscope.figure):
            with self.assertRaisesRegex(attnscope.AttnScopeError, "^the file is too large$"):
                call(weights(3, 4))

    def test_stages_are_names(self):
        for stage in ([], [3], ["weights", ""], "weights,", ("scores", None)):
            with self.assertRaisesRegex(TypeError, "expected names of stages"):
                attnscope.compute(weights(3, 4), stage=stage)

    def test_arrays_are_there_while_they_are_measured(self):
        self.use_stub()
        program = self.folder / "stub"
        program.write_text('#!/bin/sh\n[ -f "$2" ] && echo \'{"measures": []}\'\n')
        self.assertEqual(len(attnscope.measures(weights(3, 4))), 0)

    def test_figures_are_saved(self):
        self.use_figures()
        figure = attnscope.figure("a.json")
        figure.save(self.folder / "a.svg")
        self.assertEqual((self.folder / "a.svg").read_text(), "<svg>")
        figure.save(self.folder / "a.TeX")
        self.assertEqual(self.calls()[-1][-4:], ["--format", "tex", "-o", "-"])
        with self.assertRaisesRegex(ValueError, "the name has no ending, expected one such as .svg"):
            figure.save(self.folder / "a")

    def test_numbers_of_a_stage(self):
        self.use_stub(compute={"npz": ["scores", [1, 2, 3, 4, 5]]})
        numbers = attnscope.compute("a.json", stage="scores", head="0-2")
        self.assertEqual((numbers.shape, numbers.dtype), ((1, 2, 3, 4, 5), np.float32))
        self.assertEqual(" ".join(self.calls()[-1][:-1]), "compute a.json --stage scores --layer all --head 0-2 "
                                                          "--sample all --format npz -o")
        alone = attnscope.compute(weights(4, 5), stage="scores", layer=7, head=[0, 2], sample=0)
        self.assertEqual(alone.shape, (3, 4, 5))
        self.assertEqual(self.calls()[-1][4:10], ["--layer", "7", "--head", "0,2", "--sample", "0"])
        with self.assertRaisesRegex(attnscope.AttnScopeError, "expected weights with five axes"):
            attnscope.compute("a.json")

    def test_measures_are_a_table(self):
        self.use_stub(info={"out": json.dumps(MEASURES)})
        with mock.patch.dict("sys.modules", pandas=None):
            table = attnscope.measures("a.json")
        self.assertEqual(table.dtype.names, ("layer", "head", "entropy", "induction", "labels"))
        self.assertEqual(table["labels"].tolist(), ["local, first_token", ""])
        self.assertEqual((table["head"].tolist(), table["induction"][1]), ([0, 1], 0.25))
        self.assertTrue(np.isnan(table["entropy"][1]))
        self.assertEqual(self.calls()[-1], ["info", "a.json", "--measures", "--json"])

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_measures_are_a_data_frame(self):
        self.use_stub(info={"out": json.dumps(MEASURES)})
        table = attnscope.measures("a.json")
        self.assertEqual(list(table.columns), ["layer", "head", "entropy", "induction", "labels"])
        self.assertEqual(table.sort_values("induction")["head"].tolist(), [1, 0])


    def test_a_text_follows_the_folder_of_a_model(self):
        self.use_figures(compute={"npz": ["weights", [1, 1, 2, 3, 3]]}, info={"out": json.dumps(MEASURES)})
        attnscope.figure("gpt2", "-- a cat", plot="heads")
        attnscope.compute(Path("gpt2"), "a cat")
        attnscope.measures("gpt2", text="a cat")
        attnscope.compute("gpt2")
        calls = [call for call in self.calls() if "--help" not in call]
        self.assertEqual([call[:3] for call in calls[:3]], [["export", "gpt2", "--text=-- a cat"], ["compute", "gpt2",
                         "--text=a cat"], ["info", "gpt2", "--text=a cat"]])
        self.assertNotIn("--text", " ".join(calls[3]))
        for call in (attnscope.figure, attnscope.compute, attnscope.measures, attnscope.show):
            with self.assertRaisesRegex(TypeError, "a text follows the folder of a model, but these are ndarray, str"):
                call(weights(4, 4), "a cat")
        with self.assertRaisesRegex(TypeError, "but these are str, list"):
            attnscope.compute("gpt2", ["a", "cat"])


def real_program():
    try:
        return find_program()
    except attnscope.AttnScopeError:
        return None


@unittest.skipUnless(real_program(), "the program is not built, and ATTNSCOPE does not say where it is")
class ProgramTest(unittest.TestCase):
    def test_figure_of_an_example(self):
        figure = attnscope.figure("example:four-heads", plot="links", head=2, least=0.3)
        self.assertIn("<svg", figure._repr_svg_())
        png, size = figure._repr_png_()
        self.assertEqual((png[:4], size["width"]), (b"\x89PNG", 768))

    def test_a_model_reads_a_text(self):
        text = "the animal did not cross the street because it was too tired ."
        row = attnscope.compute(ENCODER, text, layer=2, head=1, sample=0)[9]
        self.assertEqual((row.shape, row.argmax()), ((15,), 2), "it looks at the animal")
        self.assertEqual(attnscope.compute(str(ENCODER), "a cat").shape, (1, 3, 4, 4, 4))
        self.assertEqual(len(attnscope.measures(ENCODER, text)), 12)
        self.assertIn("street", attnscope.figure(ENCODER, text, plot="heads")._repr_svg_())
        with self.assertRaisesRegex(attnscope.AttnScopeError, "a text or ids are for the folder of a model"):
            attnscope.compute("example:four-heads", text)

    def test_figures_are_whatever_the_program_writes(self):
        begins = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!", "gif": b"GIF8", "csv": b"q", "npy":
                  b"\x93NUMPY", "npz": b"PK", "json": b"{"}
        with tempfile.TemporaryDirectory() as folder:
            figure = attnscope.figure(weights(2, 3, 3), tokens=list("abc"), head=1)
            for ending, begin in begins.items():
                figure.save(f"{folder}/a.{ending}")
                self.assertEqual(Path(folder, f"a.{ending}").read_bytes().lstrip()[:len(begin)], begin, ending)
            np.testing.assert_allclose(np.load(f"{folder}/a.npy").squeeze(), weights(2, 3, 3)[1], rtol=1e-6)
            attnscope.figure(weights(3, 3), plot="why", pin=(1, 1)).save(f"{folder}/a.tex")
            self.assertIn("\\", Path(folder, "a.tex").read_text())
            with self.assertRaisesRegex(attnscope.AttnScopeError, "no equation"):
                figure.save(f"{folder}/b.tex")
            with self.assertRaisesRegex(attnscope.AttnScopeError, "jpg"):
                figure.save(f"{folder}/b.jpg")
            self.assertEqual(len(os.listdir(folder)), len(begins) + 1)

    def test_one_side_has_names(self):
        given = weights(2, 3, 5)
        for keywords, first in (({"query_tokens": list("abc"), "key_tokens": 5}, ["a", "b", "c"]),
                                ({"query_tokens": 3, "key_tokens": list("uvwxy")}, ["0", "1", "2"])):
            with tempfile.TemporaryDirectory() as folder:
                attnscope.figure(given, head=1, **keywords).save(f"{folder}/a.csv")
                lines = Path(folder, "a.csv").read_text().replace('"', "").splitlines()
            self.assertEqual([line.split(",")[0] for line in lines[1:]], first)
            self.assertEqual(lines[0].split(",")[1:], ["0", "1", "2", "3", "4"] if first[0] == "a" else list("uvwxy"))

    def test_several_stages(self):
        q, k = rows(2, 3, 4), rows(2, 3, 4, seed=1)
        scores = np.einsum("hid,hjd->hij", q, k)
        for stage in ("scores, weights", ["scores", "weights"], ("weights", "scores")):
            found = attnscope.compute(q=q, k=k, stage=stage, layer=0, sample=0)
            self.assertEqual(set(found), {"scores", "weights"})
            np.testing.assert_allclose(found["scores"], scores, rtol=1e-5)
        self.assertEqual(attnscope.compute(q=q, k=k, stage=["scores"])["scores"].shape, (1, 1, 2, 3, 3))
        with self.assertRaisesRegex(attnscope.AttnScopeError, "nonsense"):
            attnscope.compute(q=q, k=k, stage="scores,nonsense")

    def test_options_that_exist(self):
        with self.assertRaisesRegex(TypeError, "did you mean colormap. The heatmap plot has stage, attention, layer"):
            attnscope.figure("example:four-heads", colourmap="grey")
        with self.assertRaisesRegex(attnscope.AttnScopeError, "the links plot has no option --colormap"):
            attnscope.figure("example:four-heads", plot="links", colormap="grey")

    def test_measures_of_arrays(self):
        weights = np.random.default_rng(1).dirichlet([1] * 8, (2, 4, 8)).astype(np.float32)
        self.assertEqual(list(attnscope.measures(weights)["head"]), [0, 1, 2, 3] * 2)

    def test_measures_of_an_example(self):
        table = attnscope.measures("example:four-heads")
        self.assertEqual(list(table["head"]), [0, 1, 2, 3])
        self.assertIn("previous_token", table["labels"][0])


if __name__ == "__main__":
    unittest.main()
