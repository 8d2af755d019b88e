"""Files: every bit comes back, through a reader that shares nothing with the writer, and nothing is left half."""

import json
import subprocess
import sys
import tracemalloc
import unittest
import zipfile
from unittest import mock

import numpy as np

from support import SOURCE, FolderCase, Tensor, plain_safetensors, weights

import attnscope
from attnscope.arrays import DTYPES

NAMES = {"bool": "BOOL", "float16": "F16", "float32": "F32", "float64": "F64"}


def of_type(name, shape=(3, 5, 5)):
    """Random bits of a type: NaN, infinities and all."""
    if name == "bool":
        return np.random.default_rng(1).integers(0, 2, shape).astype(bool)
    dtype = np.dtype(name)
    return np.frombuffer(np.random.default_rng(1).bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape)


def run_python(code):
    """Output of a separate Python with the package on its path."""
    return subprocess.run([sys.executable, "-c", code], cwd=SOURCE / "app/python", capture_output=True, text=True)


class BitsTest(FolderCase):
    def test_every_type_comes_back_bit_for_bit(self):
        for name in DTYPES:
            if name == "bfloat16":
                continue
            array = of_type(name)
            for layout, given in (("C", array), ("Fortran", np.asfortranarray(array)),
                                  ("strided", np.repeat(array, 2, 1)[:, ::2]),
                                  ("big-endian", array.astype(array.dtype.newbyteorder(">")))):
                with self.subTest(dtype=name, layout=layout):
                    attnscope.save(self.folder / "a.safetensors", given)
                    found, _ = plain_safetensors(self.folder / "a.safetensors")
                    stored = NAMES.get(name, name.replace("uint", "U").replace("int", "I"))
                    self.assertEqual(found["attention"], (stored, (3, 5, 5), array.tobytes()))
                    attnscope.save(self.folder / "a.npz", given)
                    with np.load(self.folder / "a.npz") as archive:
                        self.assertEqual(archive["attention"].dtype, array.dtype)
                        self.assertEqual(archive["attention"].tobytes(), array.tobytes())
                    for file in ("a.safetensors", "a.npz"):
                        back = attnscope.load(self.folder / file)["attention"]
                        self.assertEqual((back.dtype, back.tobytes()), (array.dtype, array.tobytes()))

    def test_bfloat16_is_written_as_its_bits(self):
        bits = of_type("uint16")
        Bfloat16 = type("Bfloat16", (), {
            "dtype": "bfloat16", "shape": bits.shape, "__array__": lambda self, dtype=None: bits})
        attnscope.save(self.folder / "a.safetensors", Bfloat16())
        self.assertEqual(plain_safetensors(self.folder / "a.safetensors")[0]["attention"],
                         ("BF16", bits.shape, bits.tobytes()))
        back = attnscope.load(self.folder / "a.safetensors")["attention"]
        np.testing.assert_array_equal(back.view(np.uint32) >> 16, bits)
        with self.assertRaisesRegex(TypeError, "bfloat16, which .npz cannot hold; save it as .safetensors"):
            attnscope.save(self.folder / "a.npz", Bfloat16())
        self.assert_left("a.safetensors")

    def test_layers_and_samples_lie_in_the_usual_order(self):
        layers = [weights(2, 3, 4, 4, seed=seed) for seed in range(5)]
        expected = np.stack(layers, 1).tobytes()
        for given in (layers, [Tensor(layer) for layer in layers]):
            attnscope.save(self.folder / "a.safetensors", tuple(given))
            found, described = plain_safetensors(self.folder / "a.safetensors")
            self.assertEqual(found["attention"], ("F32", (2, 5, 3, 4, 4), expected))
            self.assertEqual(described["axes"], {"attention": ["samples", "layers", "heads", "queries", "keys"]})

    def test_arrays_of_all_widths_are_aligned(self):
        attnscope.save(self.folder / "a.safetensors", q=np.ones((3, 3), "f2"), k=np.ones((3, 3), "f8"),
                       mask=np.ones((3, 3), bool), input_ids=np.arange(3))
        found, described = plain_safetensors(self.folder / "a.safetensors")
        self.assertEqual([kind for kind, _, _ in found.values()], ["F64", "I64", "F16", "BOOL"])
        self.assertEqual(list(described["axes"]["mask"]), ["queries", "keys"])

    def test_numbers_are_not_copied_as_a_whole(self):
        layers = [np.ones((1, 4, 1024, 1024), "f4") for _ in range(4)]  # 64 MiB
        turned = np.ones((1024, 64, 64, 4), "f4")  # (queries, features …), copied by blocks
        tracemalloc.start()
        attnscope.save(self.folder / "a.safetensors", layers)
        attnscope.save(self.folder / "b.npz", layers)
        attnscope.save(self.folder / "c.npz", q=turned, k=turned, axes={
            "q": "queries samples features heads", "k": "keys samples features heads"})
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        self.assertLess(peak, 40 << 20)

    def test_texts_come_back(self):
        tokens = ["Ġcat", "▁chat", "猫", "😀", '"', "\n", ""]
        for file in ("a.safetensors", "a.npz"):
            attnscope.save(self.folder / file, weights(7, 7), tokens=tokens, title="Katze – 猫", causal=False)
            back = attnscope.load(self.folder / file)
            self.assertEqual((back["tokens"], back["title"], back["causal"]), (tokens, "Katze – 猫", False))
        attnscope.save(self.folder / "a.safetensors", weights(2, 2), tokens=[b"\xff", "\ud83d"])
        self.assertEqual(plain_safetensors(self.folder / "a.safetensors")[1]["tokens"], ["\\xff", "\ufffd"])

    def test_what_was_loaded_can_be_saved(self):
        attnscope.save(self.folder / "a.npz", [None, weights(2, 4, 4)], tokens=list("abcd"), title="A")
        attnscope.save(self.folder / "b.npz", attnscope.load(self.folder / "a.npz"))
        first, second = attnscope.load(self.folder / "a.npz"), attnscope.load(self.folder / "b.npz")
        np.testing.assert_array_equal(first.pop("attention"), second.pop("attention"))
        self.assertEqual(first, second)
        self.assertEqual(first["layers"], [1])
        rules = {"window": [3, 0], "sink_tokens": 1}
        attnscope.save(self.folder / "a.npz", weights(4, 4), mask=rules)
        attnscope.save(self.folder / "b.npz", attnscope.load(self.folder / "a.npz"))
        self.assertEqual(attnscope.load(self.folder / "b.npz")["mask"], rules)

    def test_zip_is_stored_and_json_a_text_without_axes(self):
        attnscope.save(self.folder / "a.npz", weights(4, 4))
        with zipfile.ZipFile(self.folder / "a.npz") as archive:
            self.assertEqual({entry.compress_type for entry in archive.infolist()}, {zipfile.ZIP_STORED})
            self.assertIsNone(archive.testzip())
        with np.load(self.folder / "a.npz") as archive:
            text = archive["attnscope"]
        self.assertEqual((text.ndim, text.dtype.kind), (0, "U"))
        self.assertEqual(json.loads(str(text)), {"axes": {"attention": ["queries", "keys"]}})


class HostileTest(FolderCase):
    def test_nothing_is_left_where_nothing_can_be_written(self):
        (self.folder / "file").write_text("")
        (self.folder / "folder.npz").mkdir()
        for path, error in (("none/a.npz", FileNotFoundError), ("file/a.npz", NotADirectoryError),
                            ("folder.npz", IsADirectoryError), ("a.txt", ValueError), ("a", ValueError)):
            with self.assertRaises(error) as raised:
                attnscope.save(self.folder / path, weights(3, 3))
            self.assertIn(path, str(raised.exception))
            self.assert_left("file", "folder.npz")

    def test_a_full_disk_leaves_what_was_there(self):
        path = self.folder / "a.safetensors"
        attnscope.save(path, weights(3, 3))
        before = path.read_bytes()
        for file in ("a.safetensors", "a.npz"):
            code = ("import resource, signal, numpy, attnscope\n"
                    "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
                    "resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))\n"
                    f"attnscope.save({str(self.folder / file)!r}, numpy.ones((200, 200)))\n")
            done = run_python(code)
            self.assertIn("OSError: [Errno 27]", done.stderr)
            self.assertIn(file, done.stderr)
            self.assertEqual(path.read_bytes(), before)
            self.assert_left("a.safetensors")

    def test_an_error_in_the_middle_leaves_nothing(self):
        broken = mock.Mock(shape=(2, 3, 3), dtype="float32", spec=["shape", "dtype", "__array__"])
        broken.__array__ = mock.Mock(side_effect=MemoryError)
        for file in ("a.safetensors", "a.npz"):
            with self.assertRaises(MemoryError):
                attnscope.save(self.folder / file, [weights(2, 3, 3), broken])
            self.assert_left()

    def test_unsound_files_are_refused(self):
        def safetensors(header, data=b"12345678", length=None):
            text = header if isinstance(header, bytes) else json.dumps(header).encode()
            return (len(text) if length is None else length).to_bytes(8, "little") + text + data

        entry = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
        for bad in (b"", b"12", safetensors({}, length=1 << 63), safetensors(b"[1]"), safetensors(b"\xff"),
                    safetensors(b"[" * 100000), safetensors({"a": {**entry, "dtype": "F8"}}),
                    safetensors({"a": {**entry, "shape": [3]}}), safetensors({"a": {**entry, "shape": [-2, -1]}}),
                    safetensors({"a": {**entry, "data_offsets": [8, 16]}}), safetensors({"a": {**entry, "shape": 2}}),
                    safetensors({"a": {**entry, "data_offsets": [-8, 0]}}),
                    safetensors({"a": {**entry, "shape": [1 << 62, 1 << 62]}}), safetensors({"a": 3})):
            (self.folder / "a.safetensors").write_bytes(bad)
            with self.subTest(bad[:60]), self.assertRaisesRegex(ValueError, "a.safetensors"):
                attnscope.load(self.folder / "a.safetensors")
        np.savez(self.folder / "a.npz", a=np.array([{}], object))
        with self.assertRaises(ValueError):
            attnscope.load(self.folder / "a.npz")
        (self.folder / "a.npz").write_bytes((self.folder / "a.npz").read_bytes()[:-30])
        with self.assertRaises(ValueError):
            attnscope.load(self.folder / "a.npz")


class PackageTest(unittest.TestCase):
    def test_version_is_the_programs(self):
        self.assertIn(f"VERSION {attnscope.__version__}", (SOURCE / "CMakeLists.txt").read_text())

    def test_only_numpy_is_imported(self):
        code = "import sys, attnscope; print([m for m in ('torch', 'jax', 'pandas', 'IPython') if m in sys.modules])"
        done = run_python(code)
        self.assertEqual(done.stdout.strip(), "[]")


if __name__ == "__main__":
    unittest.main()
