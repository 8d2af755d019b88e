"""Showing: a running window takes requests from the spool folder, else one is started, else the file is named."""

import contextlib
import fcntl
import io
import json
import os
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

from support import FolderCase, weights

import attnscope
from attnscope import window as module


class ShowTest(FolderCase):
    def setUp(self):
        super().setUp()
        self.state = self.folder / ".local/state/attnscope"
        patience = mock.patch.object(module, "PATIENCE", 0.2)
        patience.start()
        self.addCleanup(patience.stop)
        self.addCleanup(self.end_windows)

    def end_windows(self):
        for window in module._started:
            window.kill()
            window.wait()
        module._started.clear()

    def window(self):
        """Takes requests and holds the lock as a running window does; returns the list that they go to."""
        taken, done = [], threading.Event()
        (self.state / "inbox").mkdir(parents=True)
        lock = os.open(self.state / "inbox", os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_SH)
        self.addCleanup(os.close, lock)

        def watch():
            while not done.is_set():
                for request in (self.state / "inbox").glob("*.json"):
                    taken.append(json.loads(request.read_text()))
                    request.unlink()
                time.sleep(0.01)

        thread = threading.Thread(target=watch)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(done.set)
        return taken

    def show(self, *arguments, **keywords):
        """The path that is shown, and what was printed."""
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            path = attnscope.show(*arguments, **keywords)
        return path, printed.getvalue()

    def test_a_running_window_takes_the_request(self):
        self.use_stub()
        taken = self.window()
        path, printed = self.show(weights(4, 4), tokens=list("abcd"), title="Two cats / one …")
        self.assertEqual((taken, printed, self.calls()), ([{"open": str(path)}], "", []))
        self.assertRegex(str(path), rf"^{self.state}/shown/Two-cats-one-\d{{8}}-\d{{6}}-\d{{6}}\.safetensors$")
        self.assertEqual(attnscope.load(path)["title"], "Two cats / one …")
        self.assertEqual(attnscope.load(self.show(weights(4, 4))[0])["title"], "")
        self.assertEqual(list((self.state / "inbox").iterdir()), [])

    def test_a_window_is_started_and_goes_on_by_itself(self):
        self.use_stub(view={"sleep": 30})
        os.environ["DISPLAY"] = ":7"
        begin = time.monotonic()
        path, printed = self.show(weights(4, 4))
        self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual((self.calls(), printed), ([["view", str(path)]], ""))
        self.assertEqual(list((self.state / "inbox").iterdir()), [])
        (window,) = module._started
        self.assertTrue(module.may_run(self.state / "inbox"), "it was started, and will hold the lock")
        self.assertIsNone(window.poll())
        self.assertNotEqual(os.getsid(window.pid), os.getsid(0))

    def test_nothing_is_awaited_where_no_window_runs(self):
        self.use_stub()
        with mock.patch.object(module, "PATIENCE", 60):
            begin = time.monotonic()
            self.show(weights(4, 4))
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(list((self.state / "inbox").iterdir()), [])

    def test_a_window_that_cannot_start_says_why(self):
        self.use_stub(view={"code": 6, "err": "attnscope: error: there is no OpenGL 3.3\n"})
        os.environ["WAYLAND_DISPLAY"] = "wayland-0"
        with self.assertRaisesRegex(attnscope.AttnScopeError, "could not start: there is no OpenGL 3.3; the file is /"):
            attnscope.show(weights(4, 4))

    def test_without_a_display_the_file_is_named(self):
        self.use_stub()
        path, printed = self.show(weights(4, 4))
        self.assertEqual(printed, f"There is no display. Where there is one: attnscope view {path}\n")
        self.assertTrue(path.exists())
        self.assertEqual((self.calls(), list((self.state / "inbox").iterdir())), ([], []))

    def test_documents_by_their_paths(self):
        taken = self.window()
        (self.folder / "a.attn.json").write_text("[]")
        path, _ = self.show(self.folder / "a.attn.json")
        self.assertEqual((path, taken), (self.folder / "a.attn.json", [{"open": str(path)}]))
        self.assertFalse((self.state / "shown").exists())
        path, _ = self.show("attnscope:stories-decoder")
        self.assertEqual(taken[-1], {"open": "attnscope:stories-decoder"})
        with self.assertRaisesRegex(FileNotFoundError, "no such document: .*none.json"):
            attnscope.show("none.json")
        with self.assertRaisesRegex(TypeError, "takes no tokens"):
            attnscope.show(path, tokens=["a"])

    def test_a_model_with_a_text(self):
        self.use_stub(view={"sleep": 30})
        folder = self.folder / "gpt2"
        folder.mkdir()
        self.assertEqual(self.show(folder, "a 'cat'"), (folder, "There is no display. Where there is one: attnscope view "
                                                        f"{folder} '--text=a '\"'\"'cat'\"'\"''\n"))
        os.environ["DISPLAY"] = ":7"
        self.show(folder, "a cat")
        self.assertEqual(self.calls(), [["view", str(folder), "--text=a cat"]])
        self.end_windows()
        (self.state / "inbox").rmdir()
        taken = self.window()
        self.show(str(folder), text="a dog")
        self.assertEqual(taken, [{"open": str(folder), "text": "a dog"}])
        self.assertFalse((self.state / "shown").exists())

    def test_old_files_are_removed(self):
        shown = self.state / "shown"
        shown.mkdir(parents=True)
        for name, days in (("old", 8), ("young", 6)):
            (shown / name).write_text("")
            then = time.time() - days * 24 * 3600
            os.utime(shown / name, (then, then))
        path, _ = self.show(weights(4, 4))
        self.assertEqual(sorted(shown.iterdir()), sorted([shown / "young", path]))

    def test_names_of_files(self):
        for title in (None, "", "../../etc", "a" * 300, "猫", "\0", "..."):
            path, _ = self.show(weights(2, 2), title=title)
            self.assertEqual(path.parent, self.state / "shown")

    def test_state_folder(self):
        for variable, value, expected in (("XDG_STATE_HOME", "relative", self.state),
                                          ("XDG_STATE_HOME", str(self.folder), self.folder / "attnscope"),
                                          ("ATTNSCOPE_CONFIG_DIR", str(self.folder / "c"), self.folder / "c")):
            os.environ[variable] = value
            self.assertEqual(module.state_folder(), Path(expected))

    def test_nothing_is_asked_for_what_is_no_attention(self):
        with self.assertRaises(TypeError):
            attnscope.show(np.array(["a"]))
        self.assertFalse((self.state / "inbox").exists())


class ProgramTest(FolderCase):
    def test_where_the_program_is_looked_for(self):
        self.use_stub()
        stub = os.environ.pop("ATTNSCOPE")
        Path(stub).rename(self.folder / "attnscope")
        os.environ["PATH"] = str(self.folder)
        from attnscope.program import find_program
        self.assertEqual(find_program(), str(self.folder / "attnscope"))
        os.environ["ATTNSCOPE"] = str(self.folder / "none")
        with self.assertRaisesRegex(attnscope.AttnScopeError, "ATTNSCOPE is .*none, which is no program"):
            find_program()
        del os.environ["ATTNSCOPE"]
        os.environ["PATH"] = ""
        with mock.patch("attnscope.program.IN_TREE", "none"), self.assertRaisesRegex(
                attnscope.AttnScopeError, "not found in ATTNSCOPE, on PATH, or in build/release/app"):
            find_program()


if __name__ == "__main__":
    unittest.main()
