"""Files of arrays are taken for the same by this package as by the program."""

import json
import os
import subprocess
import unittest
import warnings

import numpy as np

from support import FolderCase
from test_readings import RandomFiles, numbers, read
from test_results import real_program

import attnscope

COUNT = int(os.environ.get("ATTNSCOPE_RANDOM_FILES", "40"))


@unittest.skipUnless(real_program(), "the program is not built, and ATTNSCOPE does not say where it is")
class SameAsProgramTest(FolderCase):
    def program(self, *arguments):
        done = subprocess.run([real_program(), *map(str, arguments)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def records(self, path):
        """Role that the program gave each array, by its name."""
        return {record["array"]: record for record in json.loads(self.program("info", path, "--json"))["arrays"]}

    def weights_of(self, path):
        """All weights of what the program reads: (samples, layers, heads, queries, keys)."""
        out = path.with_name(f"{path.name}.weights.npz")
        self.program("compute", path, "--stage", "weights", "--head", "all", "--layer", "all", "--sample", "all",
                     "--format", "npz", "-o", out)
        with np.load(out) as archive:
            return archive["weights"]

    def saved(self, path):
        """The file as this package reads and writes it."""
        target = path.with_suffix(".safetensors")
        with warnings.catch_warnings(), np.load(path) as archive:
            warnings.simplefilter("ignore")
            attnscope.save(target, archive)
        return target

    def compare(self, made, path):
        """Differences between both readings of a file; None if this package had to ask."""
        records = self.records(path)
        self.assertEqual(set(records), set(made.arrays))
        try:
            found, said = read(made.arrays)
        except ValueError as error:
            asked = str(error).split()[0]
            self.assertTrue(records[made.name_of(asked)]["other"], f"the program does not name another way: {error}")
            return None
        theirs, ours = self.weights_of(path), self.weights_of(self.saved(path))
        if theirs.shape != ours.shape or not np.allclose(theirs, ours, atol=1e-6, equal_nan=True):
            return f"weights {theirs.shape} and {ours.shape}"
        for name, record in records.items():
            if record["role"] in ("true hides", "true attends"):
                mask = made.arrays[name] != 0
                visible = mask != (record["role"] == "true hides")
                if "mask" not in found.arrays:
                    return f"{name} is no mask in Python"
                mine = numbers(found, "mask")
                lists = mask.shape != (made.n, made.n)
                if not np.array_equal(np.broadcast_to(visible[:, None] if lists else visible, mine.shape), mine):
                    return f"{name}: {record['role']}"
        unused = {name for name, record in records.items() if record["role"] == "not used"}
        mine = " ".join(text for text in said if text.startswith("not used"))
        missing = [name for name in unused - {"tokens"} if name not in mine]
        return f"{missing} are used in Python" if missing else ""

    def test_random_files(self):
        different, asked = [], 0
        for seed in range(COUNT):
            made = RandomFiles(seed)
            path = self.folder / f"{seed}.npz"
            np.savez(path, **made.arrays)
            difference = self.compare(made, path)
            asked += difference is None
            if difference:
                different.append((seed, made.order, difference, {name: a.shape for name, a in made.arrays.items()}))
        self.assertEqual(different, [])
        self.assertLess(asked, COUNT // 3)


if __name__ == "__main__":
    unittest.main()
