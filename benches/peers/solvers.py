"""Coulomb friction beside Siconos: the same random problems, one measure for all, in one run.

    /usr/bin/python3 solvers.py [CONTACTS ...]    default 20 100 300 1000

Needs `target/release/coulomb` (cargo build --release -p stiction-bench) and Debian's python3-siconos.

Contacts join random bodies, three a body, with friction 0.6 (`W = H Hᵀ`, rank two thirds). Everybody gets W, q and μ, and has to bring the residual
of `cone/residual.rs` below 1e-8. Siconos measures differently, so each of its solvers gets the loosest tolerance (in halves of a decade)
that is enough; W as dense or as sparse matrix, whichever is faster; one BLAS thread or two, whichever is faster. Least time of many runs, ours and theirs alternating.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = ROOT / "target/release/coulomb"
THEIRS = ("NSGS", "NSN_AC", "ADMM")
TOLERANCE = 1e-8
ROUNDS = 3


def generate(contacts, random):
    """The generator of random problems: W, q, μ."""
    import numpy as np

    bodies = max(3, contacts // 3)
    h = np.zeros((3 * contacts, 6 * bodies))
    for c in range(contacts):
        for body, sign in ((random.integers(bodies), 1.0), (random.integers(bodies), -1.0)):
            arm = random.standard_normal(3)
            frame, _ = np.linalg.qr(random.standard_normal((3, 3)))
            for k in range(3):
                row = np.concatenate([frame[k], np.cross(arm, frame[k])])
                h[3 * c + k, 6 * body : 6 * body + 6] += sign * row
    return h @ h.T, h @ random.standard_normal(6 * bodies), np.full(contacts, 0.6)


def residual(w, q, mu, r):
    """The largest ‖s − P(s − ũ)‖ with s = r tr(W_ii)/3 and ũ = u + μ‖u_T‖ e_N."""
    import numpy as np

    count = len(mu)
    u = (w @ r + q).reshape(count, 3)
    u[:, 0] += mu * np.hypot(u[:, 1], u[:, 2])
    s = r.reshape(count, 3) * (np.diag(w).reshape(count, 3).sum(1) / 3)[:, None]
    z = s - u
    t = np.hypot(z[:, 1], z[:, 2])
    normal = np.maximum(z[:, 0] + mu * t, 0) / (1 + mu**2)
    p = np.column_stack([normal, z[:, 1:] * (mu * normal / np.where(t > 0, t, 1))[:, None]])
    p = np.where((t <= mu * z[:, 0])[:, None], z, p)
    return np.linalg.norm(s - p, axis=1).max()


def write(path, w, q, mu):
    count = len(mu)
    blocks = []
    for i in range(count):
        for j in range(i + 1):
            block = w[3 * i : 3 * i + 3, 3 * j : 3 * j + 3]
            if block.any() or i == j:
                blocks.append([i, j, block.ravel().tolist()])
    problem = {"format": "stiction contact problem", "version": 1, "friction": mu.tolist()}
    path.write_text(json.dumps(problem | {"free_velocity": q.tolist(), "operator": blocks}))


def solve(matrix, q, mu, name, tolerance):
    """Impulses and seconds of one solver of Siconos."""
    import numpy as np
    import siconos.numerics as sn

    problem = sn.FrictionContactProblem(3, matrix, q.copy(), mu)
    options = sn.SolverOptions(getattr(sn, "SICONOS_FRICTION_3D_" + name))
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 20000
    options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
    r, u = np.zeros(3 * len(mu)), np.zeros(3 * len(mu))
    start = time.perf_counter()
    sn.fc3d_driver(problem, r, u, options)
    return r, time.perf_counter() - start, int(options.iparam[sn.SICONOS_IPARAM_ITER_DONE])


def theirs(contacts):
    """Prints, for each solver and form, milliseconds, residual and iterations."""
    import numpy as np
    import scipy.sparse as sparse

    w, q, mu = generate(contacts, np.random.default_rng(contacts))
    forms = {"sparse": sparse.csc_matrix(w)}
    if contacts <= 300:  # beyond, dense takes half a minute, sparse half a second
        forms["dense"] = np.asfortranarray(w)
    found = {}
    for name in THEIRS:
        for form, matrix in forms.items():
            for tolerance in 10.0 ** -np.arange(7, 12, 0.5):
                r, seconds, iterations = solve(matrix, q, mu, name, tolerance)
                reached = residual(w, q, mu, r)
                if reached <= TOLERANCE or seconds > 20:
                    break
            runs = 0 if reached > TOLERANCE else int(min(50, 1 / seconds))
            for _ in range(runs):
                seconds = min(seconds, solve(matrix, q, mu, name, tolerance)[1])
            found[f"{name} {form}"] = (1e3 * seconds, float(reached), iterations)
    print("RESULT " + json.dumps(found))


def main(sizes):
    import numpy as np

    folder = pathlib.Path(tempfile.mkdtemp())
    for contacts in sizes:
        path = folder / f"random_{contacts}.json"
        write(path, *generate(contacts, np.random.default_rng(contacts)))
        best = {}
        for _ in range(ROUNDS):
            for threads in "12":
                # A process of its own: BLAS reads its threads once, and Siconos prints.
                command = [sys.executable, __file__, "theirs", str(contacts)]
                environment = os.environ | {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
                out = subprocess.run(command, env=environment, capture_output=True, text=True).stdout
                rows = [line[7:] for line in out.splitlines() if line.startswith("RESULT ")]
                for name, row in json.loads(rows[-1]).items() if rows else ():
                    best[name] = min(best.get(name, row), row)
                out = subprocess.run([OURS, "file", path, "default"], capture_output=True, text=True, check=True).stdout
                milliseconds, reached, iterations = out.split()[1:4]
                row = (float(milliseconds), float(reached), int(iterations))
                best["ours"] = min(best.get("ours", row), row)
        print(f"{contacts} contacts", flush=True)
        for name, (milliseconds, reached, iterations) in best.items():
            ratio = milliseconds / best["ours"][0]
            enough = "" if reached <= TOLERANCE else "  not reached"
            print(f"  {name:14s} {milliseconds:9.3f} ms {ratio:7.1f}x  {iterations:5d} iterations, residual {reached:.1e}{enough}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["theirs"]:
        theirs(int(sys.argv[2]))
    else:
        main([int(size) for size in sys.argv[1:]] or [20, 100, 300, 1000])
