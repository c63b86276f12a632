"""Usage: export_vtu.py RUN.pvd FRAMES STRIDE TOLERANCE"""
import pathlib
import sys
import xml.etree.ElementTree as ET

import meshio
import numpy as np
import pyvista

import export_formula as run

path, frames, stride, tolerance = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
tolerance *= 4  # the greatest coordinates are near 4

reader = pyvista.get_reader(str(path))
assert np.allclose(reader.time_values, [run.time(stride * k) for k in range(frames)], atol=1e-12), reader.time_values
for k in range(frames):
    reader.set_active_time_point(k)
    t = run.time(stride * k)
    blocks = reader.read()
    assert len(blocks) == 4, blocks
    for body, grid in enumerate(blocks):
        run.close(grid.points, run.positions(body, t), tolerance, f"positions of {body}")
        if not run.MOVES[body]:
            assert grid.array_names == [], grid.array_names
            continue
        assert abs(grid.field_data["TimeValue"][0] - t) < 1e-12
        run.close(grid.point_data["velocity"], run.velocities(body, t), tolerance, "velocity")
        if body == 0:
            assert set(grid.celltypes) == {pyvista.CellType.TETRA}
            run.close(grid.cells_dict[pyvista.CellType.TETRA], run.TETS, 0, "tets")
            assert grid.compute_cell_sizes()["Volume"].min() > 0, "tets are inside out"
            run.close(grid.point_data["height"], run.positions(body, t)[:, 1], tolerance, "height")
            run.close(grid.point_data["force"], 3 * run.velocities(body, t), 3 * tolerance, "force")
        else:
            run.close(grid.cells_dict[pyvista.CellType.TRIANGLE], run.TRIANGLES[body], 0, "triangles")
        if body <= 1:
            run.close(grid.cell_data["energy"], run.energy(grid.n_cells, t), 2 * tolerance, "energy")

names = {e.get("part"): e.get("name") for e in ET.parse(path).iter("DataSet")}
assert [names[str(k)] for k in range(4)] == run.NAMES, names

for body in range(4):
    name = f"{run.KEYS[body]}.{stride:04}.vtu" if run.MOVES[body] else f"{run.KEYS[body]}.vtu"
    mesh, t = meshio.read(path.parent / name), run.time(stride)
    run.close(mesh.points, run.positions(body, t), tolerance, f"meshio: positions of {body}")
    cells = mesh.cells[0]
    run.close(cells.data, run.TETS if body == 0 else run.TRIANGLES[body], 0, "meshio: cells")
    if body == 0:
        run.close(mesh.point_data["force"], 3 * run.velocities(0, t), 3 * tolerance, "meshio: force")
        run.close(mesh.cell_data["energy"][0], run.energy(4, t), 2 * tolerance, "meshio: energy")
print("as expected")
