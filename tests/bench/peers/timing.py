"""Answers requests for one case of a library after the other, warm, in one process.

Requests and answers are lines of JSON: {"case": "fused", "tokens": 512} is answered by the median
and the least microseconds of a call, or by why there is no such case. The first line says which
library this is, and what BLAS it computes its products with.
"""
import json
import os
import statistics
import sys
import time

HEADS, WIDTH = 12, 64
THREADS = int(os.environ.get("BENCH_THREADS", "2"))
SECONDS, FEWEST_CALLS = 0.8, 3


def timed(call):
    """The median and the least microseconds of a call, after two that warm up."""
    call(), call()
    times = []
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end or len(times) < FEWEST_CALLS:
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1e6)
    return {"median_us": statistics.median(times), "best_us": min(times), "calls": len(times)}


def answer(cases, request):
    make = cases.get(request["case"])
    if make is None:
        return {"missing": "this version has no such function"}
    try:
        return timed(make(request["tokens"]))
    except Exception as why:  # also what this version of the library does not have
        return {"missing": f"{type(why).__name__}: {why}"}


BLAS_NAMES = {"openblas": "OpenBLAS", "mkl": "MKL", "blis": "BLIS", "atlas": "ATLAS"}
REFERENCE_BLAS = "reference BLAS"


def blas_named(paths):
    """Of the files that are mapped. The reference, which has no name of its own, goes first: who
    links it uses it."""
    named = set()
    for path in paths:
        fast = [name for part, name in BLAS_NAMES.items() if part in path]
        if fast or os.path.basename(path).startswith("libblas.so"):
            named.add(fast[0] if fast else REFERENCE_BLAS)
    if REFERENCE_BLAS in named:
        return REFERENCE_BLAS
    return ", ".join(sorted(named)) or "BLAS of its own"


def blas_of_this_process():
    with open("/proc/self/maps") as maps:
        return blas_named({line.split(maxsplit=5)[5].strip() for line in maps if "/" in line})


def serve(library, cases, uses_blas=True):
    """`cases` makes, of a number of tokens, the call to time. Ends with the requests."""
    blas = blas_of_this_process() if uses_blas else ""
    print(json.dumps({"library": library, "blas": blas}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(cases, json.loads(line))), flush=True)
