"""Usage: export_mesh_write.py FOLDER. Reads the unit cube that `mesh_write.rs` wrote in every format."""
import pathlib
import sys

import meshio
import numpy as np
import pyvista
import trimesh

folder = pathlib.Path(sys.argv[1])


def volume(points, tets):
    a, b, c, d = (points[tets[:, k]] for k in range(4))
    return np.abs(np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a)).sum() / 6


def area(points, triangles):
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2


partly = meshio.read(folder / "partly_41.msh")
assert len(partly.get_cells_type("tetra")) == 100 and "(ungrouped)" in partly.field_data

for name in ["41.msh", "41_text.msh", "22.msh", "22_text.msh", "cube.vtk", "cube.vtu", "cube.ele"]:
    mesh = meshio.read(folder / name)
    tets, triangles = mesh.get_cells_type("tetra"), mesh.get_cells_type("triangle")
    assert len(tets) == 100 and abs(volume(mesh.points, tets) - 1) < 1e-12, name
    if name == "cube.ele":
        continue
    assert len(triangles) == 84 and abs(area(mesh.points, triangles) - 6) < 1e-12, name
    if name.endswith(".msh"):
        assert set(mesh.field_data) - {"(ungrouped)"} == {"block", "left", "physical=77", "edge"}, mesh.field_data
        tag, dimension = mesh.field_data["left"]
        assert dimension == 2
        physical = mesh.get_cell_data("gmsh:physical", "triangle")
        left = triangles[physical == tag]
        assert len(left) and np.abs(mesh.points[left][..., 0]).max() < 1e-12, name
    else:
        left = triangles[mesh.get_cell_data("left", "triangle").ravel() == 1]
        assert len(left) and np.abs(mesh.points[left][..., 0]).max() < 1e-12, name

for name in ["cube.vtk", "cube.vtu"]:
    grid = pyvista.read(folder / name)
    sizes = grid.compute_cell_sizes()
    assert abs(sizes["Volume"].sum() - 1) < 1e-12 and abs(sizes["Area"].sum() - 6) < 1e-12, name
    assert grid.cell_data["block"].sum() == 100 and grid.n_points == 45, name

for name in ["cube.obj", "cube.stl", "cube.ply"]:
    mesh = meshio.read(folder / name)
    triangles = np.concatenate([c.data for c in mesh.cells])
    assert abs(area(mesh.points, triangles) - 6) < 1e-6, name
    mesh = trimesh.load(folder / name, force="mesh")
    assert mesh.is_watertight and abs(mesh.volume - 1) < 1e-6, name
print("as expected")
