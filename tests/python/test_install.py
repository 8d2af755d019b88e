"""pip installs the package as PYTHON.md says, without downloading anything."""

import base64
import csv
import hashlib
import importlib.util
import re
import subprocess
import sys
import unittest
import zipfile

from support import SOURCE, FolderCase

PACKAGE = SOURCE / "app/python"
MODULES = sorted(path.name for path in (PACKAGE / "attnscope").iterdir() if path.suffix == ".py")


class WheelTest(FolderCase):
    def made(self, hook):
        """The files of the wheel that a hook of the package's own backend makes."""
        call = f"import wheel_backend; print(wheel_backend.{hook}({str(self.folder)!r}))"
        done = subprocess.run([sys.executable, "-B", "-c", call], cwd=PACKAGE, capture_output=True, text=True, check=True)
        with zipfile.ZipFile(self.folder / done.stdout.strip()) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist()}

    def test_wheel_has_each_module_as_it_is(self):
        files = self.made("build_wheel")
        for name in (*MODULES, "py.typed"):
            self.assertEqual(files[f"attnscope/{name}"], (PACKAGE / "attnscope" / name).read_bytes())
        self.assertEqual(files["attnscope/names.tsv"], (SOURCE / "assets/names.tsv").read_bytes())
        self.assertFalse([name for name in files if "pycache" in name])

    def test_record_names_each_file_with_its_hash(self):
        files = self.made("build_wheel")
        (record,) = [name for name in files if name.endswith("RECORD")]
        lines = {name: (digest, size) for name, digest, size in csv.reader(files[record].decode().splitlines())}
        self.assertEqual(set(lines), set(files))
        for name, (digest, size) in lines.items():
            if name != record:
                found = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, int(size)), (f"sha256={found}", len(files[name])))

    def test_editable_wheel_refers_to_the_checkout(self):
        self.assertEqual(self.made("build_editable")["attnscope.pth"].decode(), f"{PACKAGE}\n")

    def test_lines_of_the_page_work(self):
        """The commands of PYTHON.md, but in this folder and by this Python."""
        if importlib.util.find_spec("ensurepip") is None:
            self.skipTest("python3-venv is not installed")
        page = (SOURCE / "docs/PYTHON.md").read_text()
        lines = re.search("```sh\n(python3 -m venv.*?)```", page, re.DOTALL)[1]
        self.assertEqual(len(lines.splitlines()), 3)
        lines = lines.replace("python3", sys.executable, 1).replace("~/attention", str(self.folder / "attention"))
        lines = lines.replace("bin/pip install", "bin/pip install --no-index --disable-pip-version-check")
        done = subprocess.run(["bash", "-e", "-c", lines], cwd=SOURCE, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout.splitlines()[-1], r"^\d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
