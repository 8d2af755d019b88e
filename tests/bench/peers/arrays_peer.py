#!/usr/bin/env python3
"""Weights of 12 layers and 12 heads from NumPy to a picture: arrays_peer.py FORMAT TOKENS FILE [PROGRAM PICTURE]."""
import json
import subprocess
import sys

import numpy

form, tokens, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
numbers = numpy.random.default_rng(1).random(1_000_003, dtype=numpy.float32) * 2 / tokens
weights = numpy.resize(numbers, (12, 12, tokens, tokens))
if form == "npz":
    numpy.savez(file, attention=weights)
else:
    with open(file, "w") as out:
        json.dump({"tokens": tokens, "attention": weights.tolist()}, out)
if len(sys.argv) > 4:
    subprocess.run([sys.argv[4], "export", file, "--force", "-q", "-o", sys.argv[5]], check=True)
