"""Factors the matrices that `linear CELLS dump FOLDER` wrote with other systems.

linear.py FOLDER cholmod|superlu|umfpack REPEATS

Prints one line of JSON in the format of our own benchmark. Threads: OPENBLAS_NUM_THREADS.
cholmod: scikit-sparse 0.4.16 with METIS; superlu: scipy, minimum degree on A + A';
umfpack: SuiteSparse through its C interface, its default (symmetric) strategy choice.
"""

import ctypes
import json
import os
import resource
import sys
import time

import numpy as np
import scipy.sparse as sparse


def load(path):
    with open(path, "rb") as file:
        size, entries = np.fromfile(file, "<i8", 2)
        starts = np.fromfile(file, "<i8", size + 1)
        columns = np.fromfile(file, "<i8", entries)
        values = np.fromfile(file, "<f8", entries)
    return sparse.csr_matrix((values, columns.astype(np.int32), starts.astype(np.int32)), shape=(size, size)).tocsc()


class Lap:
    def __init__(self):
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def split(self):
        now = Lap()
        times = [now.wall - self.wall, now.cpu - self.cpu]
        self.wall, self.cpu = time.perf_counter(), time.process_time()
        return times


def cholmod(a, b):
    from sksparse.cholmod import analyze

    lap = Lap()
    factor = analyze(a, mode="supernodal", ordering_method="metis")
    times = lap.split()
    factor.cholesky_inplace(a)
    times += lap.split()
    x = factor(b)
    return x, times + lap.split()


def superlu(a, b):
    from scipy.sparse.linalg import splu

    lap = Lap()
    options = dict(SymmetricMode=True)
    factor = splu(a, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.01, options=options)
    times = [0.0, 0.0] + lap.split()
    x = factor.solve(b)
    return x, times + lap.split()


def umfpack(a, b):
    library = ctypes.CDLL("libumfpack.so.5")
    pointer = lambda array: array.ctypes.data_as(ctypes.c_void_p)
    n = ctypes.c_int(a.shape[0])
    starts, rows, values = a.indptr.astype(np.int32), a.indices.astype(np.int32), a.data
    control, info = np.zeros(20), np.zeros(90)
    library.umfpack_di_defaults(pointer(control))
    symbolic, numeric = ctypes.c_void_p(), ctypes.c_void_p()
    lap = Lap()
    status = library.umfpack_di_symbolic(n, n, pointer(starts), pointer(rows), pointer(values), ctypes.byref(symbolic), pointer(control), pointer(info))
    assert status == 0, status
    times = lap.split()
    status = library.umfpack_di_numeric(pointer(starts), pointer(rows), pointer(values), symbolic, ctypes.byref(numeric), pointer(control), pointer(info))
    assert status == 0, status
    times += lap.split()
    x = np.zeros_like(b)
    status = library.umfpack_di_solve(0, pointer(starts), pointer(rows), pointer(values), pointer(x), pointer(b), numeric, pointer(control), pointer(info))
    assert status == 0, status
    times += lap.split()
    library.umfpack_di_free_numeric(ctypes.byref(numeric))
    library.umfpack_di_free_symbolic(ctypes.byref(symbolic))
    return x, times


def main():
    folder, solver, repeats = sys.argv[1], sys.argv[2], int(sys.argv[3])
    a = load(f"{folder}/{'spd' if solver == 'cholmod' else 'general'}.bin")
    b = np.sin(0.37 * np.arange(a.shape[0]))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    best = [np.inf] * 6
    for _ in range(repeats):
        x, times = {"cholmod": cholmod, "superlu": superlu, "umfpack": umfpack}[solver](a, b)
        best = [min(pair) for pair in zip(best, times)]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
    names = ["analyse", "analyse_cpu", "factor", "factor_cpu", "solve", "solve_cpu"]
    row = dict(solver=solver, unknowns=int(a.shape[0]), threads=int(os.environ.get("OPENBLAS_NUM_THREADS", "0")))
    row |= {name: round(value, 4) for name, value in zip(names, best)}
    row |= dict(residual=float(f"{np.linalg.norm(a @ x - b) / np.linalg.norm(b):.2e}"), memory=round(memory))
    print(json.dumps(row))


main()
