"""Usage: export_usd.py RUN.usda FRAMES"""
import sys

import numpy as np
from pxr import Usd, UsdGeom, UsdValidation

import export_formula as run

path, frames = sys.argv[1], int(sys.argv[2])
stage = Usd.Stage.Open(path)
assert UsdGeom.GetStageUpAxis(stage) == "Y" and UsdGeom.GetStageMetersPerUnit(stage) == 1
assert stage.GetTimeCodesPerSecond() == 20 == stage.GetFramesPerSecond()
assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, frames - 1)
root = stage.GetDefaultPrim()
assert root.GetName() == "run"
prims = root.GetChildren()
assert [p.GetCustomDataByKey("name") for p in prims] == run.NAMES

for body, prim in enumerate(prims):
    mesh = UsdGeom.Mesh(prim)
    assert mesh, prim
    counts, corners = mesh.GetFaceVertexCountsAttr().Get(), mesh.GetFaceVertexIndicesAttr().Get()
    assert set(counts) == {3}
    run.close(np.array(corners).reshape(-1, 3), run.surface_triangles(body), 0, "triangles")
    points = mesh.GetPointsAttr()
    valid, why = UsdGeom.Mesh.ValidateTopology(corners, counts, len(points.Get(0)))
    assert valid, why
    assert mesh.GetSubdivisionSchemeAttr().Get() == "none"
    assert len(mesh.GetDisplayColorAttr().Get()) == 1
    assert points.GetTimeSamples() == ([float(k) for k in range(frames)] if run.MOVES[body] else [])
    for k in range(frames):
        expected = run.positions(body, run.time(k))[run.SURFACE[body]]
        run.close(points.Get(k), expected, 1e-6, f"points of {body} at {k}")
        extent = np.array(mesh.GetExtentAttr().Get(k))
        run.close(extent, [expected.min(axis=0), expected.max(axis=0)], 1e-6, "extent")
        if run.MOVES[body]:
            expected = run.velocities(body, run.time(k))[run.SURFACE[body]]
            run.close(mesh.GetVelocitiesAttr().Get(k), expected, 1e-6, "velocities")

validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
faults = UsdValidation.ValidationContext(validators).Validate(stage)
assert validators and not faults, [fault.GetErrorAsString() for fault in faults]
print("as expected")
