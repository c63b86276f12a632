"""Reads mesh files with meshio, and prints the best of several readings: name, tets, seconds."""

import os
import sys
import time

import meshio

for path in sys.argv[1:]:
    best = float("inf")
    try:
        for _ in range(5 if os.path.getsize(path) < 40e6 or "binary" in path or "raw" in path else 2):
            start = time.perf_counter()
            mesh = meshio.read(path)
            best = min(best, time.perf_counter() - start)
        tets = sum(len(block.data) for block in mesh.cells if block.type == "tetra")
        print(os.path.basename(path), tets, f"{best:.4f}")
    except (SystemExit, Exception) as error:
        print(os.path.basename(path), 0, f"failed: {error}")
