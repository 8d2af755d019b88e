#!/usr/bin/env python3
"""Runs our benchmarks and other programs alternately and prints a table of ratios of medians."""
import argparse
import contextlib
import datetime
import os
import platform
import statistics
import sys

from programs import (PEERS, Arrays, Commands, Figures, Missing, Ours, busy_processes, busy_seconds,
                      find_peer, own_seconds)
from rows import all_rows
from timing import REFERENCE_BLAS

THREADS = 2
MOST_OTHERS = 0.1  # processors taken by other programs; more is measured again
LONGEST_AGAIN = 30.0  # seconds


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--benchmarks", required=True, help="the program of benchmarks")
    parser.add_argument("--attnscope", required=True)
    parser.add_argument("--chroot", default="", help="where the peers are installed")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tries", type=int, default=3, help="where other programs disturb")
    parser.add_argument("--only", default="", help="rows whose text contains this")
    parser.add_argument("--any-blas", action="store_true", help="also beside the reference BLAS")
    return parser.parse_args()


class Bench:
    def __init__(self, options):
        self.options = options
        self.by = {"ours": Ours(options.benchmarks), "command": Commands(options.attnscope),
                   "arrays": Arrays(options.attnscope),
                   "figure": Figures(options.attnscope, options.chroot)}
        self.peers = {name: find_peer(name, options.chroot, THREADS) for name in PEERS}
        self.by.update(self.peers)
        self.figures = {}  # by measurement: what each round found
        self.missing = {}  # by measurement: why it found nothing
        self.disturbed = 0
        self.measured = 0

    def once(self, what):
        """The figures, how much others ran meanwhile, and the seconds that it took."""
        peers = self.peers.values()
        busy, own = busy_seconds(), own_seconds(peers)
        start = datetime.datetime.now()
        with busy_processes(what.beside):
            figures = self.by[what.by].measure(what)
        seconds = (datetime.datetime.now() - start).total_seconds()
        others = ((busy_seconds() - busy) - (own_seconds(peers) - own)) / seconds
        return figures, others, seconds

    def least_disturbed(self, what):
        best = self.once(what)
        for _ in range(self.options.tries - 1):
            if best[1] < MOST_OTHERS or best[2] > LONGEST_AGAIN or what.beside:
                break
            best = min(best, self.once(what), key=lambda found: found[1])
        self.measured += 1
        self.disturbed += best[1] >= MOST_OTHERS and not what.beside
        return best[0]

    def measure(self, what):
        if what in self.missing:
            return
        try:
            self.figures.setdefault(what, []).append(self.least_disturbed(what))
        except Missing as why:
            self.missing[what] = str(why)

    def run(self, rows):
        everything = list(dict.fromkeys(what for row in rows for what in row.needs))
        for number in range(self.options.rounds):
            print(f"round {number + 1} of {self.options.rounds}", file=sys.stderr)
            for what in everything if number % 2 == 0 else reversed(everything):
                self.measure(what)

    def median(self, what, figure="median_us"):
        if what in self.missing:
            raise Missing(self.missing[what])
        return statistics.median(found[figure] for found in self.figures[what])

    def close(self):
        for program in (*self.peers.values(), self.by["command"], self.by["figure"]):
            program.close()


def slow_blas(peers):
    """Reason why a comparison with these peers would mean nothing; empty if it does."""
    slow = [peer.library for peer in peers if peer.blas == REFERENCE_BLAS]
    if not slow:
        return ""
    return (f"compare.py: {' and '.join(slow)} would compute with the reference BLAS (libblas3), "
            "which is there by default and many times slower than any other: figures beside it say "
            "nothing about the library. Install libopenblas0-openmp, or ask for them with --any-blas")


def with_blas(peer):
    return peer.library + (f" with {peer.blas}" if peer.blas else "")


def field_of(path, name):
    with contextlib.suppress(OSError), open(path) as file:
        for line in file:
            if line.startswith(name):
                return line.split(":" if ":" in line else "=", 1)[1].strip().strip('"')
    return "unknown"


def heading(bench, options):
    memory = int(field_of("/proc/meminfo", "MemTotal").split()[0]) / 2**20
    sets = bench.by["ours"].instruction_sets
    places = "peers in a chroot" if options.chroot else "peers on this system"
    system = field_of("/etc/os-release", "PRETTY_NAME")
    yield (f"{field_of('/proc/cpuinfo', 'model name')}, {os.cpu_count()} processors, "
           f"{memory:.0f} GiB, {system}, Linux {platform.release()}; {sets[0]}, baseline {sets[-1]}.")
    peers = ", ".join(with_blas(peer) for peer in bench.peers.values())
    yield f"{peers} ({places}); {THREADS} threads each."
    yield (f"{datetime.date.today()}, rounds: {options.rounds}, medians; other programs took more "
           f"than {MOST_OTHERS} of a processor during {bench.disturbed} of {bench.measured} "
           "measurements.")


def number(value, unit=""):
    if value is None:
        return ""
    text = f"{value:.3g}" if value < 100 else f"{value:.0f}"
    return f"{text} {unit}".strip()


def rounded_against_us(row, value):
    """Never shown as better than it is."""
    scale = 10 ** (2 if value < 10 else 1 if value < 100 else 0)
    return -(-value * scale // 1) / scale if row.at_most else value * scale // 1 / scale


def line(row, median):
    gate = number(row.gate) and ("≤ " if row.at_most else "≥ ") + number(row.gate)
    try:
        value = row.value(median)
    except Missing as why:
        return f"| {row.work} | {why} | {gate} | {number(row.aim)} | |"
    shown = number(rounded_against_us(row, value), row.unit)
    verdict = "" if row.gate is None else "yes" if row.holds(value) else "**no**"
    return f"| {row.work} | {shown} | {gate} | {number(row.aim)} | {verdict} |"


def times_line(bench, what):
    figures = bench.figures[what]
    if "median_us" not in figures[0]:
        peaks = " ".join(number(found["peak"]) for found in figures)
        return f"{'ours peak':66} {number(bench.median(what, 'peak')):>8} GFLOP/s ({peaks})"
    medians = [found["median_us"] for found in figures]
    more = "".join([f", {what.instructions}" if what.instructions else "",
                    f", beside {what.beside} busy processes" if what.beside else ""])
    name = f"{what.by} {what.case}" + (f" {what.tokens}" if what.tokens else "") + more
    values = " ".join(number(value / 1e3) for value in medians)
    return f"{name:66} {number(statistics.median(medians) / 1e3):>8} ms   ({values})"


def show(bench, rows, options):
    print(*heading(bench, options), sep="\n")
    print("\n| work | measured | gate | aim | holds |\n|---|---|---|---|---|")
    print(*(line(row, bench.median) for row in rows), sep="\n")
    print("\nThe medians of the rounds:\n\n```")
    print(*(times_line(bench, what) for what, found in bench.figures.items() if found), sep="\n")
    print("```")


def main():
    options = arguments()
    # Larger machines give two threads two processors, as the peers are told.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:THREADS])
    bench = Bench(options)
    sets = bench.by["ours"].instruction_sets
    rows = [row for row in all_rows(sets) if options.only in row.work]
    try:
        why = slow_blas(bench.peers.values())
        if why and not options.any_blas:
            sys.exit(why)
        bench.run(rows)
        show(bench, rows, options)
    finally:
        bench.close()


if __name__ == "__main__":
    main()
