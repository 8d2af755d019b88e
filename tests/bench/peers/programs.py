"""Timed programs: our benchmarks and commands as processes, peers as processes that wait for requests."""
import array
import contextlib
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

HERE = pathlib.Path(__file__).parent
PEERS = {"torch": "PyTorch", "numpy": "NumPy", "onnxruntime": "ONNX Runtime"}
MODULES = {"torch": "torch", "numpy": "numpy", "onnxruntime": "onnxruntime, onnx"}
LONG, WIDTH = 131072, 64


class Measurement(NamedTuple):
    by: str  # "ours", "command", "arrays", "figure" or one of PEERS
    case: str
    tokens: int = 0
    instructions: str = ""  # of ours; empty: the best
    beside: int = 0  # busy processes


class Missing(Exception):
    """Reason why there is no figure."""


def environment(threads):
    counts = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BENCH_THREADS")
    return dict(os.environ, **{name: str(threads) for name in counts})


class Ours:
    def __init__(self, program):
        self.program = program
        context = self._run("peak", os.environ)["context"]
        self.instruction_sets = context["instruction_sets"].split()  # the best first

    def _run(self, case, env):
        done = subprocess.run(
            [self.program, f"--benchmark_filter=^{case}(/iterations:.*|/real_time)*$",
             "--benchmark_format=json", "--benchmark_min_time=0.8"], env=env, capture_output=True,
            text=True)
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise Missing(f"there is no benchmark {case}") from None

    def measure(self, what):
        env = dict(os.environ)
        if what.instructions:
            env["ATTNSCOPE_INSTRUCTIONS"] = what.instructions
        return self._run(what.case, env)["benchmarks"][0]


def write_npy(path, rows, cols, numbers):
    """`numbers` again and again: their count divides no row, so rows differ."""
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {cols}), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode())
        left = 4 * rows * cols
        while left > 0:
            left -= file.write(numbers[:left])


class Commands:
    """The program as a person runs it: seconds and memory of whole processes."""

    def __init__(self, program):
        self.program = program
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self._write_documents()

    def _write_documents(self):
        source = random.Random(1)
        for name in "qkv":
            numbers = array.array("f", (source.gauss(0, 1) for _ in range(1_000_003)))
            write_npy(self.folder / (name + ".npy"), LONG, WIDTH, numbers.tobytes())
        files = {name: {"file": name + ".npy"} for name in "qkv"}
        long = {"tokens": LONG, "mask": {"causal": True}, **files}
        (self.folder / "long.json").write_text(json.dumps(long))
        (self.folder / "empty.json").write_text('["a"]')

    def measure(self, what):
        picture = self.folder / "picture.png"
        start = time.perf_counter()
        process = subprocess.Popen([self.program, "export", self.folder / (what.case + ".json"),
                                    "-o", picture, "--force"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise Missing("the command failed")
        return {"median_us": (time.perf_counter() - start) * 1e6, "MiB": used.ru_maxrss / 1024}

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Arrays:
    """Weights of all heads from NumPy to a picture, or from the file: processor time and memory."""

    def __init__(self, program):
        self.program = program
        self.folder = pathlib.Path(tempfile.mkdtemp())

    def _run(self, command):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=environment(1))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise Missing("NumPy is not installed, or the command failed")
        return {"median_us": (used.ru_utime + used.ru_stime) * 1e6, "MiB": used.ru_maxrss / 1024}

    def measure(self, what):
        file, picture = self.folder / f"{what.tokens}.{what.case[-4:].strip()}", self.folder / "all.png"
        script = ["/usr/bin/python3", HERE / "arrays_peer.py", what.case[-4:].strip(), str(what.tokens),
                  file]
        if what.case.startswith("from"):
            return self._run([*script, self.program, picture])
        if not file.exists():
            self._run(script)
        return self._run([self.program, "export", file, "--force", "-q", "-o", picture])

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Figures:
    """Pictures of weights in a file: the processor time of whole processes, ours and scripts."""

    def __init__(self, program, chroot):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=f"{chroot}/tmp" if chroot else None))
        shutil.copy(HERE / "figure_peer.py", self.folder)
        inside = f"/tmp/{self.folder.name}" if chroot else str(self.folder)
        self.program, self.inside = program, inside
        self.script = [*(["chroot", chroot] if chroot else []), "/usr/bin/python3",
                       f"{inside}/figure_peer.py"]

    def _seconds(self, command):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=environment(1))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise Missing(f"{command[-3]} is not installed")
        return used.ru_utime + used.ru_stime

    def measure(self, what):
        weights, picture = f"{what.tokens}.npy", f"{what.case}.png"
        if not (self.folder / weights).exists():
            self._seconds([*self.script, "weights", str(what.tokens), f"{self.inside}/{weights}"])
        command = ([self.program, "export", self.folder / weights, "--width", "8in", "--force", "-o",
                    self.folder / picture] if what.case == "attnscope" else
                   [*self.script, what.case, f"{self.inside}/{weights}", f"{self.inside}/{picture}"])
        return {"median_us": self._seconds(command) * 1e6}

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Peer:
    """A library in a process of its own, in a chroot or here."""

    def __init__(self, name, chroot, threads):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=f"{chroot}/tmp" if chroot else None))
        for script in ("timing.py", f"{name}_peer.py"):
            shutil.copy(HERE / script, self.folder)
        inside = f"/tmp/{self.folder.name}" if chroot else str(self.folder)
        command = ["chroot", chroot] if chroot else []
        self.process = subprocess.Popen(
            [*command, "/usr/bin/python3", f"{inside}/{name}_peer.py"], env=environment(threads),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        start = json.loads(line) if line else {"library": f"{PEERS[name]} does not start"}
        self.library, self.blas = start["library"], start.get("blas", "")

    def measure(self, what):
        line = ""
        with contextlib.suppress(BrokenPipeError):
            print(json.dumps({"case": what.case, "tokens": what.tokens}), file=self.process.stdin,
                  flush=True)
            line = self.process.stdout.readline()
        figures = json.loads(line) if line else {"missing": "it ended"}
        if "missing" in figures:
            raise Missing(f"{self.library}: {figures['missing']}")
        return figures

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Absent:
    blas = ""

    def __init__(self, name):
        self.library = f"{PEERS[name]} is not installed"

    def measure(self, _):
        raise Missing(self.library)

    def close(self):
        pass


def has(name, chroot):
    command = ["chroot", chroot] if chroot else []
    with contextlib.suppress(OSError):
        return subprocess.run([*command, "/usr/bin/python3", "-c", f"import {MODULES[name]}"],
                              capture_output=True).returncode == 0
    return False


def find_peer(name, chroot, threads):
    """Runs in the chroot, or else on this system."""
    for place in ([chroot] if chroot else []) + [""]:
        if has(name, place):
            return Peer(name, place, threads)
    return Absent(name)


@contextlib.contextmanager
def busy_processes(count):
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
                 for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


TICKS = os.sysconf("SC_CLK_TCK")


def busy_seconds():
    """Times of all processors since the start of the machine, including time taken by the host."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / TICKS


def own_seconds(peers):
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(who)
        total += used.ru_utime + used.ru_stime
    for peer in peers:
        if isinstance(peer, Peer):
            with open(f"/proc/{peer.process.pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            total += (int(fields[11]) + int(fields[12])) / TICKS
    return total
