#!/usr/bin/env python3
"""Our factorisations beside other systems', in one run, alternating; prints Markdown tables of ratios.

compare_linear.py [--cells 25 36] [--threads 1 2] [--repeats 3]

Needs a release build (`cargo build --release -p stiction-bench`), Debian's libsuitesparse-dev and
libopenblas-dev, and numpy, scipy and scikit-sparse 0.4.16 for the Python that runs it (see `run`).
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
OURS = HERE.parent / "target" / "release" / "linear"
PEER = HERE / "peers" / "linear.py"


def run(command, threads):
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads), OMP_NUM_THREADS=str(threads))
    done = subprocess.run([str(part) for part in command], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command} failed:\n{done.stderr}")
    return json.loads(done.stdout)


def best(rows):
    """The best of several runs, number by number; memory and residual of the last."""
    result = dict(rows[-1])
    for key in ["analyse", "factor", "solve", "analyse_cpu", "factor_cpu", "solve_cpu"]:
        result[key] = min(row[key] for row in rows)
    return result


def table(title, rows):
    print(f"\n{title}\n")
    print("| solver | analyse [s] | factor [s] | factor, CPU [s] | solve [s] | residual | memory [MiB] | factor / ours | memory / ours |")
    print("|---|---|---|---|---|---|---|---|---|")
    ours = rows[0]
    for row in rows:
        clock = "factor_cpu" if row["threads"] == 1 else "factor"
        print(
            f"| {row['solver']} | {row['analyse']:.3f} | {row['factor']:.2f} | {row['factor_cpu']:.2f} | {row['solve']:.3f} "
            f"| {row['residual']:.0e} | {row['memory']} | {row[clock] / ours[clock]:.2f} | {row['memory'] / ours['memory']:.2f} |"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, nargs="+", default=[25, 36])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    for cells in options.cells:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([OURS, str(cells), "dump", folder], check=True)
            for threads in options.threads:
                ours = lambda solver: run([OURS, cells, solver, 1], threads)
                peer = lambda solver: run([sys.executable, PEER, folder, solver, 1], threads)
                symmetric = [("cholesky", ours), ("cholmod", peer), ("faer-llt", ours), ("ldlt", ours)]
                general = [("lu", ours), ("umfpack", peer), ("superlu", peer), ("faer-lu", ours)]
                if cells > 30:
                    symmetric, general = symmetric[:2], general[:1]  # the others take minutes
                for name, solvers in [("positive definite", symmetric), ("nonsymmetric", general)]:
                    found = {solver: [] for solver, _ in solvers}
                    for repeat in range(options.repeats):
                        for solver, call in solvers:
                            if solver in ("superlu", "faer-lu", "umfpack") and repeat > 0:
                                continue  # far behind; once is enough
                            found[solver].append(call(solver))
                    rows = [best(rows) for rows in found.values()]
                    table(f"{name}, {rows[0]['unknowns']:,} unknowns, {threads} thread{'s' * (threads > 1)}", rows)


main()
