#!/usr/bin/env python3
"""Fills the surfaces of a folder (NAME.obj) with TetGen and TetWild: NAME.PEER.vtk, and the time in NAME.PEER.seconds.

    python3 -m venv target/peers && target/peers/bin/pip install tetgen==0.8.4 pytetwild==0.4.2 pyvista==0.49.1
    target/release/surfaces write FOLDER
    target/peers/bin/python benches/peers/tetrahedralise.py FOLDER
    target/release/surfaces judge FOLDER

Both are asked for edges as long as ours: a thirtieth of the longest side. TetGen with radius-edge ratio 1.4 and dihedral
angles of 10 degrees, keeping the surface as it is; TetWild with its default envelope, a thousandth of the diagonal.
"""

import pathlib
import resource
import subprocess
import sys
import time

import numpy as np

PEERS = ["tetgen", "tetwild"]
LIMIT = 600  # of CPU time [s]


def read_obj(path):
    lines = [line.split() for line in path.read_text().splitlines()]
    points = np.array([line[1:] for line in lines if line[0] == "v"], dtype=float)
    faces = np.array([line[1:] for line in lines if line[0] == "f"], dtype=np.int32) - 1
    return points, faces


def fill(peer, points, faces):
    size = np.ptp(points, axis=0)
    edge = size.max() / 30
    if peer == "tetgen":
        import tetgen

        mesher = tetgen.TetGen(points, faces)
        # A regular tet of this edge has this volume.
        made = mesher.tetrahedralize(
            order=1, quality=True, fixedvolume=True, mindihedral=10, minratio=1.4, maxvolume=edge**3 / 8.5
        )
        return made[0], made[1]
    import pytetwild

    made = pytetwild.tetrahedralize(points, faces, edge_length_abs=edge)
    return made[0], made[1]


def write_vtk(path, points, tets):
    with open(path, "w") as file:
        file.write("# vtk DataFile Version 3.0\ntets\nASCII\nDATASET UNSTRUCTURED_GRID\n")
        file.write(f"POINTS {len(points)} double\n")
        np.savetxt(file, points, fmt="%.17g")
        file.write(f"CELLS {len(tets)} {5 * len(tets)}\n")
        np.savetxt(file, np.hstack([np.full((len(tets), 1), 4), tets]), fmt="%d")
        file.write(f"CELL_TYPES {len(tets)}\n")
        np.savetxt(file, np.full(len(tets), 10), fmt="%d")


if len(sys.argv) == 4:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    surface, peer = pathlib.Path(sys.argv[1]), sys.argv[2]
    points, faces = read_obj(surface)
    started = time.process_time()
    points, tets = fill(peer, points, faces)
    seconds = time.process_time() - started
    write_vtk(surface.with_suffix(f".{peer}.vtk"), points, tets)
    surface.with_suffix(f".{peer}.seconds").write_text(f"{seconds:.3f}\n")
else:
    for surface in sorted(pathlib.Path(sys.argv[1]).glob("*.obj")):
        for peer in PEERS:  # each in a process of its own: they may crash
            command = [sys.executable, __file__, str(surface), peer, "one"]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                last = (done.stderr.strip() or f"killed, perhaps after {LIMIT} s").splitlines()[-1]
                print(f"{surface.name}: {peer} failed: {last}", file=sys.stderr)
