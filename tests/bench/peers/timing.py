"""Answers requests for one case of a library after the other, warm, in one process.

Requests and answers are lines of JSON: {"case": "fused", "tokens": 512} is answered by the median
and the least microseconds of a call, or by why there is no such case. The first line says which
library this is.
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
    return timed(make(request["tokens"]))


def serve(library, cases):
    """`cases` makes, of a number of tokens, the call to time. Ends with the requests."""
    print(json.dumps({"library": library}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(cases, json.loads(line))), flush=True)
