"""Usage: export_surfaces.py FILE.obj|FILE.ply FRAME [fields]"""
import sys

import meshio
import numpy as np
import pyvista
import trimesh

import export_formula as run

path, frame = sys.argv[1], int(sys.argv[2])
t, tolerance = run.time(frame), 4e-6
points = np.concatenate([run.positions(b, t)[run.SURFACE[b]] for b in range(4)])
starts = np.cumsum([0] + [len(s) for s in run.SURFACE])
triangles = np.concatenate([run.surface_triangles(b) + starts[b] for b in range(4)])
bodies = np.concatenate([np.full(len(run.SURFACE[b]), b) for b in range(4)])

# meshio 5 misreads binary PLY whose triangles have properties.
has_fields = sys.argv[3:] == ["fields"]
mesh = pyvista.read(path) if has_fields else meshio.read(path)
run.close(mesh.points, points, tolerance, "positions")
faces = mesh.regular_faces if has_fields else np.concatenate([c.data for c in mesh.cells])
run.close(faces, triangles, 0, "triangles")

if path.endswith(".obj"):
    scene = trimesh.load(path, process=False, split_objects=True)
    found = sorted(len(g.faces) for g in scene.geometry.values())
    assert found == sorted(len(t) for t in run.TRIANGLES), found
    # trimesh may reorder corners; areas and places tell the bodies.
    area = sum(g.area for g in scene.geometry.values())
    expected = trimesh.Trimesh(points, triangles, process=False).area
    assert abs(area - expected) < 1e-4, (area, expected)
    objects = [line[2:].rstrip("\n") for line in open(path, encoding="utf-8") if line.startswith("o ")]
    assert objects == run.NAMES, objects
else:
    loaded = trimesh.load(path, process=False)
    run.close(loaded.vertices, points, tolerance, "trimesh: positions")
    run.close(loaded.faces, triangles, 0, "trimesh: triangles")
    raw = loaded.metadata["_ply_raw"]
    v, f = raw["vertex"]["data"], raw["face"]["data"]
    velocities = np.concatenate([run.velocities(b, t)[run.SURFACE[b]] for b in range(4)])
    run.close(np.stack([v["vx"], v["vy"], v["vz"]], axis=-1).reshape(-1, 3), velocities, tolerance, "velocities")
    run.close(np.asarray(v["body"]).ravel(), bodies, 0, "body")
    if has_fields:
        height = np.full(len(points), np.nan)
        height[: len(run.SURFACE[0])] = points[: len(run.SURFACE[0]), 1]
        found = np.asarray(v["height"]).ravel()
        assert np.array_equal(np.isnan(found), np.isnan(height)) and np.nanmax(abs(found - height)) < tolerance
        force = 3 * run.velocities(0, t)[run.SURFACE[0]]
        run.close(np.asarray(v["force_z"]).ravel()[: len(force)], force[:, 2], 3 * tolerance, "force_z")
        energy = np.asarray(f["energy"]).ravel()
        run.close(energy[4:12], run.energy(8, t), tolerance, "energy of the cloth")
        assert np.isnan(energy[:4]).all(), "tets have no place on a surface"
    else:
        run.close(mesh.point_data["vy"], velocities[:, 1], tolerance, "meshio: vy")
print("as expected")
