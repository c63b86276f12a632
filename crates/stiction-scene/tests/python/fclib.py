"""FCLIB's layout by h5py alone.

fclib.py write FOLDER   problems in every flavour, and what they reduce to, worked out by numpy: A, b, mu, start as JSON
fclib.py read FILE      opens what stiction wrote: is its solution one?
"""
import json
import sys

import h5py
import numpy as np


def listed(dense):
    rows, columns = np.nonzero(dense)
    return rows, columns, dense[rows, columns]


def write_matrix(group, dense, form):
    m, n = dense.shape
    rows, columns, values = listed(dense)
    if form == "triplet":
        nz, p, i, x = len(values), rows, columns, values
    elif form == "swapped":  # as CSparse means it
        nz, p, i, x = len(values), columns, rows, values
    elif form == "csr":
        nz, p, i, x = -2, np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=m))]), columns, values
    else:
        order = np.lexsort((rows, columns))
        p = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=n))])
        nz, i, x = -1, rows[order], values[order]
    for name, value in [("m", m), ("n", n), ("nz", nz), ("nzmax", len(values))]:
        group.create_dataset(name, data=np.array([value], dtype=np.int32))
    group.create_dataset("p", data=np.asarray(p, dtype=np.int32))
    group.create_dataset("i", data=np.asarray(i, dtype=np.int32))
    group.create_dataset("x", data=x)


def read_matrix(group):
    m, n, nz = (int(group[name][0]) for name in ("m", "n", "nz"))
    p, i, x = group["p"][:], group["i"][:], group["x"][:]
    assert nz == -1 and len(p) == n + 1 and len(i) == len(x) == p[-1] == group["nzmax"][0]
    assert p.dtype == i.dtype == np.int32 and x.dtype == np.float64
    dense = np.zeros((m, n))
    for column in range(n):
        for k in range(p[column], p[column + 1]):
            dense[i[k], column] += x[k]
    return dense


def definite(rng, n):
    g = rng.normal(size=(n, n + 3))
    return g @ g.T


def write_local(path, rng, form, dimension, joints, libver="earliest", packed=False):
    contacts = 4
    rows = contacts * dimension
    w, q, mu = definite(rng, rows), rng.normal(size=rows), rng.uniform(0.2, 0.9, contacts)
    with h5py.File(path, "w", libver=libver) as f:
        main = f.create_group("fclib_local")
        main["spacedim"] = np.array([dimension], dtype=np.int32)
        write_matrix(main.create_group("W"), w, form)
        vectors = main.create_group("vectors")
        if packed:
            vectors.create_dataset("q", data=q, chunks=(3,), compression="gzip", shuffle=True)
        else:
            vectors["q"] = q
        vectors["mu"] = mu
        main.create_group("info")["title"] = "four contacts"
        a, b = w, q
        if joints:
            # Two joints say the same: R is singular, and still there is one answer.
            v, s = rng.normal(size=(rows, 2)), rng.normal(size=2)
            v, s = np.column_stack([v, v[:, 0]]), np.append(s, s[0])
            g = rng.normal(size=(2, 2))
            r = np.zeros((3, 3))
            r[:2, :2] = g @ g.T + np.eye(2)
            r[2, :], r[:, 2] = r[0, :], r[:, 0]
            r[2, 2] = r[0, 0]
            write_matrix(main.create_group("V"), v, form)
            write_matrix(main.create_group("R"), r, form)
            vectors["s"] = s
            inverse = np.linalg.pinv(r)
            a, b = w - v @ inverse @ v.T, q - v @ inverse @ s
            # W must stay definite once joints hold.
        guess = rng.normal(size=rows)
        first = f.create_group("guesses/1")
        f["guesses/number_of_guesses"] = np.array([1], dtype=np.int32)
        first["r"], first["u"] = guess, a @ guess + b
    return a, b, mu, guess, dimension


def write_global(path, rng, form, joints):
    contacts, n = 3, 13  # not a multiple of three
    m, h = definite(rng, n), rng.normal(size=(n, 3 * contacts))
    h[rng.uniform(size=h.shape) < 0.3] = 0.0
    f_, w, mu = rng.normal(size=n), rng.normal(size=3 * contacts), rng.uniform(0.2, 0.9, contacts)
    with h5py.File(path, "w") as f:
        main = f.create_group("fclib_global")
        main["spacedim"] = np.array([3], dtype=np.int32)
        write_matrix(main.create_group("M"), m, form)
        write_matrix(main.create_group("H"), h, form)
        vectors = main.create_group("vectors")
        vectors["f"], vectors["w"], vectors["mu"] = f_, w, mu
        kkt, right = m, np.column_stack([h, f_])
        if joints:
            g, b_ = rng.normal(size=(n, 2)), rng.normal(size=2)
            write_matrix(main.create_group("G"), g, form)
            vectors["b"] = b_
            # M v - G l = H r + f, G^T v = -b: solved whole, not as stiction does.
            kkt = np.block([[m, -g], [g.T, np.zeros((2, 2))]])
            below = np.column_stack([np.zeros((2, 3 * contacts)), -b_])
            right = np.vstack([right, below])
        answer = np.linalg.solve(kkt, right)[:n]
        a, b = h.T @ answer[:, :-1], h.T @ answer[:, -1] + w
    return a, b, mu, np.zeros(3 * contacts), 3


def write_all(folder):
    rng = np.random.default_rng(7)
    cases = {}
    for form in ("csc", "csr", "triplet"):
        cases[f"local_{form}"] = lambda path, form=form: write_local(path, rng, form, 3, False)
        cases[f"joints_{form}"] = lambda path, form=form: write_local(path, rng, form, 3, True)
        cases[f"flat_{form}"] = lambda path, form=form: write_local(path, rng, form, 2, False)
        cases[f"global_{form}"] = lambda path, form=form: write_global(path, rng, form, False)
        cases[f"global_joints_{form}"] = lambda path, form=form: write_global(path, rng, form, True)
    cases["global_swapped"] = lambda path: write_global(path, rng, "swapped", False)
    cases["local_packed"] = lambda path: write_local(path, rng, "csc", 3, False, libver="v114", packed=True)
    answers = {}
    for name, case in cases.items():
        a, b, mu, start, dimension = case(f"{folder}/{name}.hdf5")
        answers[name] = dict(a=a.ravel().tolist(), b=b.tolist(), mu=mu.tolist(), start=start.tolist(), dimension=dimension)
    with h5py.File(f"{folder}/other.hdf5", "w") as f:
        f["temperature"] = np.ones(3)
    print(json.dumps(answers))


def project(mu, z):
    t = np.hypot(z[1], z[2])
    if t <= mu * z[0]:
        return z
    if mu * t <= -z[0]:
        return np.zeros(3)
    normal = (z[0] + mu * t) / (1 + mu * mu)
    return np.array([normal, mu * normal * z[1] / t, mu * normal * z[2] / t])


def read(path):
    with h5py.File(path) as f:
        if "fclib_local" in f:
            main = f["fclib_local"]
            a, b = read_matrix(main["W"]), main["vectors/q"][:]
        else:
            main = f["fclib_global"]
            m, h = read_matrix(main["M"]), read_matrix(main["H"])
            assert np.allclose(m, m.T)
            a = h.T @ np.linalg.solve(m, h)
            b = h.T @ np.linalg.solve(m, main["vectors/f"][:]) + main["vectors/w"][:]
            r = f["solution/r"][:]
            v = np.linalg.solve(m, h @ r + main["vectors/f"][:])
            assert np.allclose(f["solution/v"][:], v, rtol=0, atol=1e-12)
        mu = main["vectors/mu"][:]
        assert main["spacedim"][0] == 3 and np.allclose(a, a.T, rtol=1e-12)
        title = main["info/title"][()]
        assert b"contacts" in np.asarray(title).ravel()[0], title
        r, u = f["solution/r"][:], f["solution/u"][:]
        assert f["guesses/number_of_guesses"][0] == 1 and f["guesses/1/r"].shape == r.shape
    assert np.allclose(u, a @ r + b, rtol=0, atol=1e-12)
    for k, mu in enumerate(mu):
        z, w = r[3 * k:3 * k + 3], u[3 * k:3 * k + 3]
        shifted = w + np.array([mu * np.hypot(w[1], w[2]), 0, 0])
        error = np.linalg.norm(z - project(mu, z - shifted))
        assert error < 1e-8, (k, error)
    print(len(r), "as expected")


{"write": write_all, "read": read}[sys.argv[1]](sys.argv[2])
