"""Continuous collision: our answers beside those of ipctk, query by query; and how many either answers a second.

    ccd.py agree [QUERIES]    the same queries to both (default 1,200,000); fails if we miss a contact
    ccd.py speed [FAMILY ...] queries a second, one thread, alternating; what a call from Python costs is taken off theirs
    ccd.py misses             additive queries in which nobody finds a contact, theirs in one call for all: nothing to take off

Needs `target/release/ccd` (cargo build --release -p stiction-bench) and ipctk.
"""

import pathlib
import subprocess
import sys
import tempfile
import time

import ipctk
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = ROOT / "target/release/ccd"
THEIRS = {
    "vf": ipctk.tight_inclusion.point_triangle_ccd,
    "ee": ipctk.tight_inclusion.edge_edge_ccd,
}
TOLERANCE = 1e-6
LIMIT = 3_000


def weights(kind, random, count):
    """Of the four points in the offset between the two features, somewhere inside both."""
    if kind == "vf":
        w = random.dirichlet([1, 1, 1], count)
        return np.column_stack([-np.ones(count), w])
    s, t = random.random((2, count))
    return np.column_stack([1 - s, s, t - 1, -t])


def meet(x, kind, random, at=None):
    """Moves the first point at the end so that the features meet on the way, up to rounding."""
    count = len(x)
    w = weights(kind, random, count)
    t = random.uniform(0.05, 1, count) if at is None else at
    now = (1 - t)[:, None, None] * x[:, 0] + t[:, None, None] * x[:, 1]
    miss = np.einsum("nk,nkc->nc", w, now)
    x[:, 1, 0] -= miss / (w[:, :1] * t[:, None])
    return x


def queries(kind, family, random, count):
    x = random.uniform(-1, 1, (count, 2, 4, 3))
    if family == "random":
        return x
    if family == "meeting":
        return meet(x, kind, random)
    if family == "grazing":  # a thousandth of a tolerance to a thousand tolerances from a meeting
        x = meet(x, kind, random)
        x[:, :, 0] += random.normal(size=(count, 1, 3)) * 10 ** random.uniform(-9, -3, (count, 1, 1))
        return x
    if family == "small steps":
        x[:, 1] = x[:, 0] + 0.1 * random.uniform(-1, 1, (count, 4, 3))
        return x
    if family == "coplanar":
        x[..., 2] = 0.25
        return x
    if family == "parallel":  # edges stay parallel; triangles move along their planes or across
        x[:, :, 3] = x[:, :, 2] + (x[:, :, 1] - x[:, :, 0]) * random.uniform(-2, 2, (count, 1, 1))
        return x
    if family == "degenerate":  # points, and triangles that are segments
        x[:, :, 3] = np.where(random.random((count, 1, 1)) < 0.5, x[:, :, 2], x[:, :, 3])
        x[:, :, 1] = np.where(random.random((count, 1, 1)) < 0.5, x[:, :, 0] if kind == "ee" else x[:, :, 2], x[:, :, 1])
        return x
    if family == "touching at start":
        w = weights(kind, random, count)
        x[:, 0, 0] -= np.einsum("nk,nkc->nc", w, x[:, 0]) / w[:, :1]
        return x
    if family == "integers":
        return random.integers(-3, 4, (count, 2, 4, 3)).astype(float)
    if family == "integers in a plane":
        x = random.integers(-3, 4, (count, 2, 4, 3)).astype(float)
        x[..., 2] = 1
        return x
    if family == "far away":
        return np.round(x * 2**20) / 2**20 + 1e6
    if family == "large":
        return meet(x * 1e4, kind, random)
    if family == "small":
        return meet(x * 1e-3, kind, random)
    raise ValueError(family)


FAMILIES = [
    "random", "meeting", "grazing", "small steps", "coplanar", "parallel", "degenerate", "touching at start",
    "integers", "integers in a plane", "far away", "large", "small",
]


def ask_ours(kind, x, method="inclusion", tolerance=TOLERANCE, repeats=1):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        np.ascontiguousarray(x, dtype="<f8").tofile(folder / "queries")
        command = [OURS, kind, method, "0", str(tolerance), str(repeats), folder / "queries", folder / "times"]
        seconds = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        return np.fromfile(folder / "times", dtype="<f8"), seconds


def ask_theirs(kind, x, tolerance=TOLERANCE):
    """Where the limit ends a search, theirs says contact, as ours does: motion in a plane would take it for ever."""
    find = THEIRS[kind]
    times = np.full(len(x), np.inf)
    for i, (start, end) in enumerate(x):
        hit, when, _ = find(*start, *end, tolerance=tolerance, max_iterations=LIMIT)
        if hit:
            times[i] = when
    return times


def distance(kind, x, samples=4000):
    """Least distance on the way, from many samples and then finer ones around the best."""
    low, high = 0.0, 1.0
    best = np.inf
    find = ipctk.point_triangle_distance if kind == "vf" else ipctk.edge_edge_distance
    for _ in range(4):
        t = np.linspace(low, high, samples)
        d = [find(*((1 - s) * x[0] + s * x[1])) for s in t]
        k = int(np.argmin(d))
        best = min(best, d[k])
        low, high = t[max(k - 1, 0)], t[min(k + 1, samples - 1)]
    return best**0.5


def agree(total):
    random = np.random.default_rng(1)
    count = total // (2 * len(FAMILIES))
    print("| queries | | contacts, ours | theirs | ours alone | theirs alone | of these, nearer than 1e-8 |")
    print("|---|---|---|---|---|---|---|")
    missed = asked = 0
    for kind in THEIRS:
        for family in FAMILIES:
            x = queries(kind, family, random, count)
            ours, _ = ask_ours(kind, x)
            theirs = ask_theirs(kind, x)
            hit, other = np.isfinite(ours), np.isfinite(theirs)
            alone = np.flatnonzero(other & ~hit)
            near = sum(distance(kind, x[i]) < 1e-8 for i in alone[:200])
            missed += near
            asked += count
            print(f"| {kind} | {family} | {hit.sum()} | {other.sum()} | {(hit & ~other).sum()} | {len(alone)} | {near} |", flush=True)
    print(f"\n{asked} queries, {missed} contacts missed")
    return missed == 0


def speed():
    random = np.random.default_rng(2)
    count = 20_000
    print("| queries | | inclusion [1/s] | ipctk [1/s] | ratio | additive [1/s] | ipctk [1/s] | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in THEIRS:
        candidate = ipctk.FaceVertexCandidate(0, 0) if kind == "vf" else ipctk.EdgeEdgeCandidate(0, 1)
        additive = ipctk.AdditiveCCD()
        find = additive.point_triangle_ccd if kind == "vf" else additive.edge_edge_ccd
        still = queries(kind, "random", random, count)
        still[:, :, (0 if kind == "vf" else slice(0, 2))] += np.array([1e3, 0, 0])
        still[:, 1] = still[:, 0]  # nothing moves: both methods return at once
        for family in sys.argv[2:] or ["random", "meeting", "grazing", "small steps"]:
            x = queries(kind, family, random, count)
            rates = []
            for method, call in [("inclusion", lambda s, e: THEIRS[kind](*s, *e, tolerance=TOLERANCE)), ("additive", lambda s, e: find(*s, *e))]:
                best = {"ours": np.inf, "theirs": np.inf, "call": np.inf}
                for _ in range(5):
                    best["ours"] = min(best["ours"], ask_ours(kind, x, method, repeats=9)[1])
                    for what, them in [("theirs", x), ("call", still)]:
                        pairs = [(s.copy(), e.copy()) for s, e in them]
                        begin = time.perf_counter()
                        for s, e in pairs:
                            call(s, e)
                        best[what] = min(best[what], time.perf_counter() - begin)
                theirs = best["theirs"] - best["call"]  # without what a call from Python costs
                rates += [count / best["ours"], count / theirs, theirs / best["ours"]]
            print("| {} | {} | {:.3g} | {:.3g} | **{:.1f}** | {:.3g} | {:.3g} | **{:.1f}** |".format(kind, family, *rates), flush=True)


def misses():
    random = np.random.default_rng(2)
    additive = ipctk.AdditiveCCD()
    print("| queries | | ours [ns] | ipctk [ns] | ratio |")
    print("|---|---|---|---|---|")
    for kind in THEIRS:
        find = additive.point_triangle_ccd if kind == "vf" else additive.edge_edge_ccd
        for family in ["random", "small steps"]:
            x = queries(kind, family, random, 40_000)
            for method in ["inclusion", "additive"]:
                x = x[~np.isfinite(ask_ours(kind, x, method)[0])]
            x = x[[not find(*start, *end)[0] for start, end in x]]
            start, end = (x[:, k].reshape(-1, 3).copy() for k in (0, 1))
            first = 4 * np.arange(len(x))
            candidates = ipctk.Candidates()
            if kind == "ee":
                edges = np.stack([first, first + 1, first + 2, first + 3], 1).reshape(-1, 2).astype(np.int32)
                mesh = ipctk.CollisionMesh(start, edges, np.zeros((0, 3), np.int32))
                candidates.ee_candidates = [ipctk.EdgeEdgeCandidate(2 * i, 2 * i + 1) for i in range(len(x))]
            else:
                faces = np.stack([first + 1, first + 2, first + 3], 1).astype(np.int32)
                mesh = ipctk.CollisionMesh(start, ipctk.edges(faces), faces)
                candidates.fv_candidates = [ipctk.FaceVertexCandidate(i, 4 * i) for i in range(len(x))]
            ours = theirs = np.inf
            for _ in range(9):
                begin = time.perf_counter()
                assert candidates.is_step_collision_free(mesh, start, end, narrow_phase_ccd=additive)
                theirs = min(theirs, time.perf_counter() - begin)
                ours = min(ours, ask_ours(kind, x, "additive", repeats=3)[1])
            ours, theirs = ours / len(x) * 1e9, theirs / len(x) * 1e9
            print(f"| {kind} | {family} | {ours:.0f} | {theirs:.0f} | **{theirs / ours:.1f}** |", flush=True)


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else "agree"
    if what == "speed":
        speed()
    elif what == "misses":
        misses()
    else:
        sys.exit(not agree(int(sys.argv[2]) if len(sys.argv) > 2 else 1_200_000))
